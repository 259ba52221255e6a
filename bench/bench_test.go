package bench_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
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
		again, err := f.Make(context.Background(), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
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
				if _, err := complement.With(context.Background(), "ncsb", a, 0); err != nil && !a.IsDeterministic() {
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
		list, err := f.Make(context.Background(), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		const one, two, other = "b0&!b1", "!b0&b1", "!b0&!b1"
		for text, want := range map[string]bool{
			"cycle{" + one + ";" + two + "}":                   true,
			"cycle{" + one + "}":                               true, // 1 1 is a link as well
			"cycle{" + one + ";" + two + ";" + other + "}":     false,
			"cycle{" + other + "}":                             false,
			one + ";" + two + "; cycle{" + two + "}":           true,
			"cycle{" + one + ";" + other + ";" + two + "; 1 }": true, // the last letter may be 1
		} {
			w, err := omega.ParseWord(context.Background(), text)
			if err != nil {
				t.Fatal(err)
			}
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
