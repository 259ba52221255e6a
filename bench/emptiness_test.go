package bench_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestRing: elections go on for ever, and after each leader comes the one that
// should.
func TestRing(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for _, turns := range []bool{false, true} {
			a, err := omega.Explore(context.Background(), bench.NewRing(n, turns), 0)
			if err != nil {
				t.Fatal(err)
			}
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
