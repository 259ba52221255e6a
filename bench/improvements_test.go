package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translate"
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

// TestCommentEffect: the example of an effect.
func TestCommentEffect(t *testing.T) {
	edges := func(n int) *emptiness.Minimal {
		m := &emptiness.Minimal{}
		m.Edges, m.States = n, 1
		return m
	}
	var x EffectRow
	x.add(edges(100), edges(50))
	x.add(edges(80), edges(60))
	if got := fmt.Sprintf("%.3f", x.mean().Edges); got != "0.612" {
		t.Errorf("the effect is %s", got)
	}
}

// TestCommentModels: the examples of layers, and of an election.
func TestCommentModels(t *testing.T) {
	var text []string
	src := layered(2, 2)
	for s := range omega.State(5) {
		edges, err := src.AppendEdges(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			mark := ""
			if e.Marks != 0 {
				mark = " {0}"
			}
			text = append(text, fmt.Sprintf("%d→%d%s", s, e.Dst, mark))
		}
	}
	const want = "0→1, 0→2, 1→3 {0}, 1→4 {0}, 2→3 {0}, 2→4 {0}, 3→4, 3→1, 3→2, 4→1, 4→2"
	if got := strings.Join(text, ", "); got != want {
		t.Errorf("layers %s", got)
	}

	r := NewRing(2, false)
	var e execution
	r.load(&e, 0)
	r.wake(&e, 0)
	var phases []byte
	for _, i := range []int{1, 0, 1, 0} {
		r.receive(&e, i)
		phases = append(phases, e.process[i].phase)
	}
	if !bytes.Equal(phases, []byte{lost, leader, asleep, asleep}) || r.state(&e) != 0 {
		t.Errorf("phases %v, then state %d", phases, r.state(&e))
	}
}

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

// TestTight: the lengths of Schuppan and Biere 2005. Automata by tight need no run
// longer than the shortest counterexample, nor do those by cgh for formulas of the
// future (Theorem 2, Proposition 1); for figure 3 that by gpvw needs one more, and for
// the counters that by cgh about n²; and cgh stays within Proposition 2.
func TestTight(t *testing.T) {
	const each = 25
	var specifications []Specification
	for _, x := range Specifications() {
		if !slices.Contains([]string{"counter-6", "dme5-nv", "dme6-nv", "prod-cons-1"}, x.Name) { // take seconds
			specifications = append(specifications, x)
		}
	}
	o := TightOptions{Specifications: specifications, Algorithms: translate.Algorithms(), Each: each, Time: time.Minute}
	type key struct{ specification, algorithm string }
	rows := map[key]TightRow{}
	if err := Tight(t.Context(), o, func(r TightRow) error {
		rows[key{r.Specification, r.Algorithm}] = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[key][2]float64{ // shortest, length
		{"figure-3", "gpvw"}:   {1, 2},
		{"figure-3", "cgh"}:    {1, 1},
		{"figure-3", "tight"}:  {1, 1},
		{"counter-2", "cgh"}:   {2, 5},
		{"counter-3", "cgh"}:   {3, 10},
		{"counter-4", "cgh"}:   {4, 17},
		{"counter-5", "cgh"}:   {5, 26},
		{"counter-2", "tight"}: {2, 2},
		{"counter-3", "tight"}: {3, 3},
		{"counter-4", "tight"}: {4, 4},
		{"counter-5", "tight"}: {5, 5},

		{"counter-5", "unrolled"}: {5, 5},
		{"1394-0", "cgh"}:         {5, 6},
		{"1394-0", "tight"}:       {5, 5},
		{"1394-4-0", "cgh"}:       {6, 7},
		{"1394-4-0", "tight"}:     {6, 6},
		{"abp-L", "unrolled"}:     {8, 8},
		{"brp", "gpvw"}:           {1, 2},
		{"brp", "unrolled"}:       {1, 1},
		{"brp-nv", "cgh"}:         {6, 9},
		{"brp-nv", "tight"}:       {6, 6},
		{"dme2", "tight"}:         {1, 1},
		{"dme2-nv", "tight"}:      {4, 4},
		{"dme6", "gpvw"}:          {1, 2},
		{"prod-cons-0", "gpvw"}:   {3, 4},
		{"prod-cons-0", "tight"}:  {3, 3},
		{"prod-cons-3", "gpvw"}:   {2, 3},
		{"prod-cons-3", "cgh"}:    {2, 2},
	} {
		if r := rows[k]; r.Done != 1 || r.Shortest != want[0] || r.Length != want[1] {
			t.Errorf("%+v, want shortest %v, length %v", r, want[0], want[1])
		}
	}
	for k, r := range rows {
		tight := k.algorithm == "tight" || k.algorithm == "unrolled" || k.algorithm == "cgh" && (k.specification == "figure-3" || k.specification == "random-future")
		if tight && (r.Done != r.Violations || r.Longer != 0 || r.Excess != 0) {
			t.Errorf("not tight: %+v", r)
		}
		if k.algorithm == "cgh" && r.Length > r.Bound {
			t.Errorf("past the bound: %+v", r)
		}
	}
	if r := rows[key{"random-future", "gpvw"}]; r.Done != each || r.Longer < each/5 {
		t.Errorf("%+v", r)
	}
	if r := rows[key{"random-past", "cgh"}]; r.Done != each || r.Longer < each/5 {
		t.Errorf("%+v", r)
	}
	if r := rows[key{"random-past", "gpvw"}]; r.Done != each || r.Longer < each/5 {
		t.Errorf("%+v", r)
	}
	o.Specifications = slices.DeleteFunc(Specifications(), func(x Specification) bool {
		return !slices.Contains([]string{"dme5-nv", "prod-cons-1"}, x.Name)
	})
	o.Algorithms = slices.DeleteFunc(translate.Algorithms(), func(a translate.Algorithm) bool { return a.Name == "tight" })
	if err := Tight(t.Context(), o, func(r TightRow) error {
		shortest := map[string]float64{"dme5-nv": 7, "prod-cons-1": 5}[r.Specification]
		if r.Done != 1 || r.Shortest != shortest || r.Found < r.Length || r.Algorithm == "unrolled" && r.Excess != 0 {
			t.Errorf("%+v, want shortest %v", r, shortest)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Tight(canceled, o, func(TightRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
