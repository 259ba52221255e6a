package bench

import (
	"testing"
	"time"
)

// TestOrders: exact searches find runs of the same length whatever the order of edges. Without
// improvements, the order does not matter to gm-min but for ties, and it matters to gmz-min.
func TestOrders(t *testing.T) {
	o := OrderOptions{Orders: 10, Each: 3, Time: time.Minute}
	for _, in := range Inputs() {
		if in.Name == "random-100" || in.Name == "peterson" {
			o.Inputs = append(o.Inputs, in)
		}
	}
	for _, s := range Searches() {
		if s.Name == "gm-plain" || s.Name == "gm-min" || s.Name == "gmz-min" || s.Name == "l2s" {
			o.Searches = append(o.Searches, s)
		}
	}
	spread := map[string]float64{}
	if err := Orders(t.Context(), o, func(r OrderRow) error {
		if r.Done != r.Automata || r.Least > r.Mean || r.Mean > r.Greatest || r.Spread < 1 {
			t.Errorf("%+v", r)
		}
		if r.Input == "peterson" && r.Length != 9 {
			t.Errorf("%+v, want length 9", r)
		}
		spread[r.Input+" "+r.Search] = r.Spread
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(spread)
	for _, in := range o.Inputs {
		if spread[in.Name+" gmz-min"] <= spread[in.Name+" gm-plain"] {
			t.Errorf("%s: spread %v", in.Name, spread)
		}
	}
}
