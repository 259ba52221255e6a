package cross_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// random gives n random formulas over 3 propositions.
func randomFormulas(t testing.TB, seed uint64, n, size int) func() (cross.Input, error) {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: size})
	if err != nil {
		t.Fatal(err)
	}
	return func() (cross.Input, error) {
		if n--; n < 0 {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		return cross.Input{Formula: f, Seed: &seed}, err
	}
}

func these(t testing.TB, formulas ...string) func() (cross.Input, error) {
	t.Helper()
	return func() (cross.Input, error) {
		if len(formulas) == 0 {
			return cross.Input{}, io.EOF
		}
		f, err := ltl.NewStore().Parse(formulas[0], ltl.Spot)
		formulas = formulas[1:]
		return cross.Input{Formula: f}, err
	}
}

// run collects the cases of a run on 2 cores.
func run(t testing.TB, o cross.Options, next func() (cross.Input, error)) []*outcome.Case {
	t.Helper()
	return runOn(t, 2, o, next)
}

// runOn collects the cases of a run on n cores.
func runOn(t testing.TB, n int, o cross.Options, next func() (cross.Input, error)) []*outcome.Case {
	t.Helper()
	runner, err := translators.NewRunner(n, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.Runner = runner
	if o.Limits == (productcheck.Limits{}) {
		o.Limits = productcheck.DefaultLimits
	}
	var cases []*outcome.Case
	err = cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		cases = append(cases, c)
		return nil
	})
	if err = errors.Join(err, runner.Close()); err != nil {
		t.Fatal(err)
	}
	// On a busy machine, a case may take so long that others come before it.
	slices.SortFunc(cases, func(a, b *outcome.Case) int { return cmp.Compare(a.Index, b.Index) })
	for i, c := range cases {
		if c.Index != i {
			t.Fatalf("case %d has index %d", i, c.Index)
		}
		for _, e := range c.Errors {
			t.Errorf("%s: %s", c.Formula, e)
		}
	}
	return cases
}

// TestNoFalseAlarm runs the good translators alone. (The long version of this
// test is a command in CONTRIBUTING.md.)
func TestNoFalseAlarm(t *testing.T) {
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{streamed(t, "gpvw"), streamed(t, "gastin-oddoux")}, Words: 20, Exhaustive: cross.Cheap, Properties: true},
		randomFormulas(t, 2, campaign.Inputs(t, 200), 15)) {
		if len(c.Disagreements)+len(c.Undecided)+len(c.Findings) > 0 {
			t.Errorf("%s: %+v", c.Formula, c)
		}
	}
}

// TestClassesAndPairs: checking every pair of automata and checking by classes
// blame the same automata, whatever is wrong with them.
func TestClassesAndPairs(t *testing.T) {
	t.Parallel()
	const seed = 3
	tools := []*translators.Tool{streamed(t, "drop"), streamed(t, "gpvw"), streamed(t, "toggle"), streamed(t, "negate"), streamed(t, "gastin-oddoux")}
	n := campaign.Inputs(t, 100)
	classes := run(t, cross.Options{Tools: tools}, randomFormulas(t, seed, n, 8))
	pairs := run(t, cross.Options{Tools: tools, AllPairs: true}, randomFormulas(t, seed, n, 8))
	some := 0
	for i, c := range classes {
		x, y := blamed(c), blamed(pairs[i])
		if !reflect.DeepEqual(x, y) {
			t.Errorf("seed %d, %s: by classes %v are wrong, by pairs %v", seed, c.Formula, x, y)
		}
		some += len(x)
	}
	if some < n/2 {
		t.Errorf("only %d wrong automata: too few to say anything", some)
	}
}

func blamed(c *outcome.Case) map[string]bool {
	set := map[string]bool{}
	for _, d := range c.Disagreements {
		for _, b := range d.Blamed {
			set[b.Symbol()] = true
		}
	}
	return set
}

// TestDeterminism: but for times, the report is the same whatever runs in
// parallel.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, jobs := range []int{1, 8} {
		cases := runOn(t, jobs, cross.Options{Tools: []*translators.Tool{tool(t, "drop"), tool(t, "gpvw"), tool(t, "gastin-oddoux")}, Words: 5},
			randomFormulas(t, 4, campaign.Inputs(t, 50), 8))
		for _, c := range cases {
			for i := range c.Results {
				r := &c.Results[i]
				r.Seconds, r.CPU, r.MaxRSS = 0, 0, 0
			}
		}
		text, err := json.MarshalIndent(cases, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("the reports differ")
	}
}

// TestLimits: what is given up is counted, and not blamed on anybody.
func TestLimits(t *testing.T) {
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}}
	o.Limits = productcheck.Limits{Macrostates: 1, ProductStates: 3, Time: time.Minute}
	cases := run(t, o, these(t, "GFa & GFb | FGc"))
	c := cases[0]
	if len(c.Disagreements) > 0 || len(c.Undecided) == 0 {
		t.Fatalf("%+v", c)
	}
	for _, u := range c.Undecided {
		why, _, _ := strings.Cut(u.Why, " spent before on the same ")
		if why != "limit of 1 states with Büchi acceptance" && why != "limit of 1 macrostates" && why != "limit of 3 product states" {
			t.Errorf("undecided %+v", u)
		}
	}
}
