package bench

import (
	"context"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
)

// TestEffects: each improvement is compared with its absence for all 64 sets of the others, and
// what each is there for shows.
func TestEffects(t *testing.T) {
	o := EffectOptions{Each: 3, Time: time.Minute}
	for _, in := range Inputs() {
		if in.Name == "random-100" || in.Name == "hyman" {
			o.Inputs = append(o.Inputs, in)
		}
	}
	rows := map[string]EffectRow{}
	var adds emptiness.Improvements
	for _, x := range improvements {
		adds |= x.adds
	}
	if adds != emptiness.All {
		t.Errorf("improvements %b, want %b", adds, emptiness.All)
	}
	err := Effects(context.Background(), o, func(r EffectRow) error {
		rows[r.Input+" "+r.Improvement] = r
		pairs := 64
		if r.Improvement == "all" {
			pairs = 1
		}
		if r.Pairs != r.Automata*pairs || r.Least > r.Edges || r.Edges > r.Greatest {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil || len(rows) != 2*(len(improvements)+1) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for row, ratio := range map[string]float64{
		"random-100 short-loops":   rows["random-100 short-loops"].Edges,
		"random-100 fewer-entries": rows["random-100 fewer-entries"].Queued,
		"random-100 all":           rows["random-100 all"].Edges,
	} {
		if ratio <= 0 || ratio >= 1 {
			t.Errorf("%s: ratio %v", row, ratio)
		}
	}
}
