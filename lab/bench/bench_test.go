package bench_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/lab/bench"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestFamilies: each family has as many automata as it says, of its class, and the
// same ones for the same seed.
func TestFamilies(t *testing.T) {
	counts := map[string]int{"random": 110, "michel": 4, "limit-deterministic": 110, "weak": 110, "gpvw": 30, "gastin-oddoux": 30}
	for _, f := range bench.Families() {
		list, err := f.Make(context.Background(), 1, 1)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if len(list) != counts[f.Name] {
			t.Errorf("%s: %d automata, want %d", f.Name, len(list), counts[f.Name])
		}
		again := must.Get(f.Make(context.Background(), 1, 1))
		for i, a := range list {
			if a.NumStates() != again[i].NumStates() || a.NumEdges() != again[i].NumEdges() {
				t.Errorf("%s: automaton %d differs the second time", f.Name, i)
			}
			switch f.Name {
			case "weak":
				if !must.Get(a.IsInherentlyWeak(context.Background())) {
					t.Errorf("weak: automaton %d is not", i)
				}
			case "limit-deterministic":
				if _, _, err := complement.Whole(context.Background(), "ncsb", a, omega.Limits{}); err != nil && !a.IsDeterministic() {
					t.Errorf("limit-deterministic: automaton %d: %v", i, err)
				}
			case "random":
				if a.NumStates() != 15 || !a.HasStateMarks() {
					t.Errorf("random: automaton %d has %d states", i, a.NumStates())
				}
			}
		}
	}
}

// TestMichel: the first automaton accepts words in which 1 2 1 2 … goes on, and
// rejects those that repeat 1 2 # (as # is no link).
func TestMichel(t *testing.T) {
	for _, f := range bench.Families() {
		if f.Name != "michel" {
			continue
		}
		list := must.Get(f.Make(context.Background(), 0, 1))
		const one, two, other = "b0&!b1", "!b0&b1", "!b0&!b1"
		for text, want := range map[string]bool{
			"cycle{" + one + ";" + two + "}":                   true,
			"cycle{" + one + "}":                               true, // 1 1 is a link as well
			"cycle{" + one + ";" + two + ";" + other + "}":     false,
			"cycle{" + other + "}":                             false,
			one + ";" + two + "; cycle{" + two + "}":           true,
			"cycle{" + one + ";" + other + ";" + two + "; 1 }": true, // the last letter may be 1
		} {
			w := must.Get(omega.ParseWord(context.Background(), text))
			if got, err := list[0].Accepts(context.Background(), w); err != nil || got != want {
				t.Errorf("%s: %v (%v), want %v", text, got, err, want)
			}
		}
	}
}

// TestComplement fills in rows, and ends when it is canceled.
func TestComplement(t *testing.T) {
	var families []bench.Family
	for _, f := range bench.Families() {
		switch f.Name {
		case "weak":
			families = append(families, f)
		case "michel": // without the large automata
			all := f.Make
			f.Make = func(ctx context.Context, seed uint64, each int) ([]*omega.Automaton, error) {
				list, err := all(ctx, seed, each)
				return list[:2], err
			}
			families = append(families, f)
		}
	}
	o := bench.ComplementOptions{
		Families:    families,
		Algorithms:  []complement.Algorithm{"", "breakpoint"},
		Each:        1,
		Time:        time.Minute,
		Macrostates: 100000,
		Jobs:        2,
	}
	rows := map[string]bench.Row{}
	if err := bench.Complement(context.Background(), o, func(r bench.Row) error {
		rows[r.Family+" "+string(r.Algorithm)] = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if r := rows["weak breakpoint"]; r.Fits != 110 || r.Done != 110 || r.States == 0 || r.Reduced == 0 || r.Reduced > r.States || r.Largest < r.States {
		t.Errorf("%+v", r)
	}
	if r := rows["michel breakpoint"]; r.Automata != 2 || r.Fits != 0 || r.Done != 0 {
		t.Errorf("%+v", r)
	}
	if r := rows["michel "]; r.Fits != 2 || r.Done != 2 || r.Largest < 120 {
		t.Errorf("%+v", r)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := bench.Complement(canceled, o, func(bench.Row) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestInclusion: both ways decide the same, and that on demand makes no more
// macrostates.
func TestInclusion(t *testing.T) {
	var rows []bench.InclusionRow
	err := bench.Inclusion(context.Background(), bench.InclusionOptions{Formulas: 10, Time: time.Minute}, func(r bench.InclusionRow) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if same := rows[0]; same.Checks != 20 || same.Empty != 20 || same.Failed != 0 {
		t.Errorf("%+v", same)
	}
	for _, r := range rows {
		if r.Demand.Macrostates > r.Whole.Macrostates || r.Demand.ProductStates > r.Whole.ProductStates {
			t.Errorf("%+v", r)
		}
	}
}

// Two constructions on Michel's automata.
func ExampleComplement() {
	var families []bench.Family
	for _, f := range bench.Families() {
		if f.Name == "michel" {
			families = append(families, f)
		}
	}
	o := bench.ComplementOptions{Families: families, Seed: 1, Each: 1, Macrostates: 1000, Time: time.Minute, Jobs: 1,
		Algorithms: []complement.Algorithm{"determinization", "ranks"}}
	err := bench.Complement(context.Background(), o, func(r bench.Row) error {
		fmt.Printf("%s, %s: %d of %d done, median %d states\n", r.Family, r.Algorithm, r.Done, r.Automata, r.States)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// michel, determinization: 2 of 4 done, median 15 states
	// michel, ranks: 2 of 4 done, median 80 states
}

// TestRing: elections go on for ever, and after each leader comes the one that
// should.
func TestRing(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for _, turns := range []bool{false, true} {
			a := must.Get(omega.Explore(context.Background(), bench.NewRing(n, turns), omega.NoLimits()))
			if c := a.Components(); c.Count != 1 {
				t.Errorf("%d processes, turns %v: %d components, want one", n, turns, c.Count)
			}
			// The leader in each state: "0", "1", "other" or "".
			names := map[omega.Label]string{}
			for i, name := range []string{"0", "1", "other", ""} {
				names[a.Alphabet().LetterLabel(omega.Letter{i == 0, i == 1, i < 3})] = name
			}
			leader := func(s omega.State) string {
				edges := a.Edges(s)
				if len(edges) == 0 {
					t.Fatalf("%d processes, turns %v: state %d has no edge", n, turns, s)
				}
				name, ok := names[edges[0].Label]
				if !ok {
					t.Fatalf("%d processes, turns %v: state %d has an odd label", n, turns, s)
				}
				return name
			}
			// Those that come next after each, by way of states without.
			next := map[string]map[string]bool{}
			for s := range omega.State(a.NumStates()) {
				from := leader(s)
				if from == "" {
					continue
				}
				if next[from] == nil {
					next[from] = map[string]bool{}
				}
				seen := map[omega.State]bool{s: true}
				for queue := []omega.State{s}; len(queue) > 0; queue = queue[1:] {
					for _, e := range a.Edges(queue[0]) {
						to := leader(e.Dst)
						if to != "" && leader(queue[0]) == "" {
							next[from][to] = true
						} else if !seen[e.Dst] && (to == "" || to == from) {
							seen[e.Dst] = true
							queue = append(queue, e.Dst)
						}
					}
				}
			}
			want := map[string]map[string]bool{"0": {"0": true}}
			if turns {
				want["0"] = map[string]bool{"1": true}
				want["1"] = map[string]bool{"other": true}
				want["other"] = map[string]bool{"0": true}
				if n == 2 {
					want = map[string]map[string]bool{"0": {"1": true}, "1": {"0": true}}
				} else if n > 3 {
					want["other"]["other"] = true
				}
			}
			if !maps.EqualFunc(next, want, maps.Equal) {
				t.Errorf("%d processes, turns %v: after each leader come %v, want %v", n, turns, next, want)
			}
		}
	}
}

// TestEmptiness: the verdicts are what is known, the rows are filled in, and it
// ends when it is canceled.
func TestEmptiness(t *testing.T) {
	empty := map[string]bool{
		"leader-same: GF elected":                      true,
		"leader-same: GF leader1":                      false,
		"leader-same: G(leader0 -> F leader1)":         false,
		"leader-same: G(elected -> leader0)":           true,
		"leader-same: GF leader0 -> GF leader1":        false,
		"leader-same: GF leader0 -> FG !leader1":       true,
		"leader-turns: GF elected":                     true,
		"leader-turns: GF leader1":                     true,
		"leader-turns: G(leader0 -> F leader1)":        true,
		"leader-turns: G(elected -> leader0)":          false,
		"leader-turns: GF leader0 -> GF leader1":       true,
		"leader-turns: GF leader0 -> FG !leader1":      false,
		"random: 1.5 edges a state":                    false,
		"random: 1.5 edges a state, empty":             true,
		"random: 2.0 edges a state":                    false,
		"random: 2.0 edges a state, empty":             true,
		"random: 3.0 edges a state":                    false,
		"random: 3.0 edges a state, empty":             true,
		"structured: Figure 2 (a)":                     false,
		"structured: Figure 2 (b)":                     false,
		"structured: Figure 4":                         false,
		"structured: Figure 6":                         false,
		"structured: Figure 6, marks on leaving edges": false,
		"generalized: 2 sets, empty":                   true,
		"generalized: 4 sets, empty":                   true,
		"generalized: 8 sets, empty":                   true,
		"structured: grid, empty":                      true,
		"structured: rings":                            false,
		"structured: rings, empty":                     true,
	}
	o := bench.EmptinessOptions{
		Families:   bench.GraphFamilies(),
		Algorithms: []emptiness.Algorithm{emptiness.BySE, emptiness.ByCouvreur, emptiness.ByWeak},
		Each:       1,
		Time:       time.Minute,
	}
	rows := map[string]bench.EmptinessRow{}
	if err := bench.Emptiness(context.Background(), o, func(r bench.EmptinessRow) error {
		rows[r.Family+": "+r.Graph+" "+string(r.Algorithm)] = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3*len(empty) {
		t.Errorf("%d rows, want %d", len(rows), 3*len(empty))
	}
	for name, want := range empty {
		for _, by := range o.Algorithms {
			r := rows[name+" "+string(by)]
			if by == emptiness.ByWeak && r.Fits == 0 {
				continue
			}
			if r.Sources == 0 || r.Fits != r.Sources || r.Done != r.Sources || r.States == 0 || r.Edges == 0 || r.Depth == 0 {
				t.Errorf("%s: %+v", name, r)
			}
			if want && (r.Empty != r.Sources || r.Run != 0) || !want && (r.Empty != 0 || r.Run == 0) {
				t.Errorf("%s: want empty = %v: %+v", name, want, r)
			}
			if components := by == emptiness.ByCouvreur; components != (r.Live > 0) || components != (r.Roots > 0) {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
	// Figure 4 does not fit a search for weak automata, the grid does.
	if r := rows["structured: Figure 4 weak-dfs"]; r.Fits != 0 || r.Sources != 1 {
		t.Errorf("%+v", r)
	}
	if r := rows["structured: grid, empty weak-dfs"]; r.Fits != 1 {
		t.Errorf("%+v", r)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := bench.Emptiness(canceled, o, func(bench.EmptinessRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestProduct: every pair is decided in all three ways, and the two that make the
// product on demand visit the same part of it.
func TestProduct(t *testing.T) {
	o := bench.ProductOptions{
		Seed:     2,
		Automata: 8,
		Props:    7,
		Sets:     3,
		Random:   random.Options{States: 30, Density: 0.3, Marks: 0.3},
		Formulas: 1,
		Time:     time.Minute,
		Memory:   1 << 28,
	}
	rows := map[[3]string]bench.ProductRow{}
	checks := 0
	err := bench.Product(context.Background(), o, func(r bench.ProductRow) error {
		rows[[3]string{r.Family, r.Result, r.Way}] = r
		if r.Family == "random" && r.Way == "product check" {
			checks += r.Checks
		}
		if r.Family == "formulas" && r.Result != "empty" {
			t.Errorf("a formula and its negation: %+v", r)
		}
		if r.Family == "formulas" && r.Untranslated == 0 && r.Checks+r.Failed != 9 {
			t.Errorf("%+v, want 9 pairs", r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checks != 8*9/2 {
		t.Errorf("%d pairs of random automata, want %d", checks, 8*9/2)
	}
	for key, r := range rows {
		demand := rows[[3]string{key[0], key[1], "on-the-fly product"}]
		whole := rows[[3]string{key[0], key[1], "explicit product"}]
		if r.Way == "product check" && (r.States != demand.States || r.Edges != demand.Edges || r.Checks != demand.Checks) {
			t.Errorf("%+v differs from %+v", r, demand)
		}
		if r.Way == "product check" && (r.Ratio < 0.999 || r.Ratio > 1.001 || r.CheckRatio < 0.999 || r.CheckRatio > 1.001) {
			t.Errorf("%s to itself: ratios %g and %g", key, r.CheckRatio, r.Ratio)
		}
		if r.Search > r.Slowest || r.CheckRatio <= 0 || r.Ratio <= 0 || (r.Search > 0) != (r.Result != "empty") {
			t.Errorf("%+v", r)
		}
		if r.States > whole.States || r.Median > r.Slowest || r.Slowest > r.Seconds {
			t.Errorf("%+v", r)
		}
	}
	if r := rows[[3]string{"random", "itself", "product check"}]; r.Checks != 8 {
		t.Errorf("%+v, want 8 checks", r)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := bench.Product(canceled, o, func(bench.ProductRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestConditions: the generic check and the conversion to generalized Büchi acceptance agree on
// small automata and pairs of them. SmallConditions fails if they differ.
func TestConditions(t *testing.T) {
	n, seed := campaign.Seeded(t, 150, 8)
	for _, states := range campaign.Alternate(0, 3, 6, 12) {
		o := bench.ProductOptions{Seed: seed, Conditions: n, Time: time.Minute}
		checks := map[string]int{}
		err := bench.SmallConditions(context.Background(), o, states, func(r bench.ProductRow) error {
			if r.Way == "generic" {
				checks[r.Family] += r.Checks
			} else if r.Converted == 0 || r.Conversion <= 0 || r.Conversion > r.Slowest {
				t.Errorf("%+v", r)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(checks) != 6 {
			t.Errorf("families %v, want 6", checks)
		}
		for family, got := range checks {
			if got != n {
				t.Errorf("%s: %d checks, want %d", family, got, n)
			}
		}
	}
}
