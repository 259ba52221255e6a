package bench

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/translate"
)

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
