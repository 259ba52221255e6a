package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

// someCases returns cases of which most are plain. Sums of their times have no rounding errors.
func someCases(rng *rand.Rand) []*outcome.Case {
	var list []*outcome.Case
	for i := range 1 + rng.IntN(700) {
		c := outcome.NewCase(i, fmt.Sprintf("a U (b%d & Xc)", rng.IntN(9)), nil)
		c.Checked = rng.IntN(5) > 0
		for _, name := range []string{"one", "two"} {
			for _, p := range outcome.BothPolarities {
				r := outcome.Result{Subject: outcome.Subject{Translator: name, Polarity: p}, Status: outcome.OK, States: rng.IntN(40),
					Edges: rng.IntN(9), Transitions: float64(rng.IntN(100)), Sets: rng.IntN(2), Seconds: float64(rng.IntN(1<<20)) / 512}
				if n := rng.IntN(4); n > 0 {
					r.Excess = &n
				}
				switch rng.IntN(30) {
				case 0:
					r = outcome.Result{Subject: r.Subject, Status: outcome.Skipped, Detail: "no X"}
				case 1:
					r = outcome.Result{Subject: r.Subject, Status: outcome.Timeout, Detail: "1s"}
				}
				c.Results = append(c.Results, r)
			}
		}
		c.Checks = append(c.Checks, outcome.Check{Verdict: outcome.Passed})
		if rng.IntN(40) == 0 {
			c.Checks[0].Verdict = outcome.NotDecided
			c.Undecided = append(c.Undecided, outcome.Undecided{Check: "P one", Why: "time"})
		}
		list = append(list, c)
	}
	return list
}

// compact returns the cases that are not plain, and some that are, and sums of the others.
func compact(rng *rand.Rand, list []*outcome.Case) (kept []*outcome.Case, rest *Compacted) {
	rest = &Compacted{Sums: &sums.Sums{}, Stride: 1}
	for _, c := range list {
		if sums.Plain(c) && rng.IntN(8) > 0 {
			rest.Sums.Add(c, c.Index+1)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, rest
}

func trailerText(t *testing.T, s *Summary) string {
	t.Helper()
	text, err := json.Marshal(s.Trailer())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkPage checks that the page of a summary says of how many formulas there are only sums: among the
// facts, and where it compares translators.
func checkPage(t *testing.T, s *Summary, list []*outcome.Case, sumsOnly int) {
	t.Helper()
	var b bytes.Buffer
	page := NewHTML(&b)
	for _, c := range list {
		if err := page.Case(c, News{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := page.End(s); err != nil {
		t.Fatal(err)
	}
	said := plural.Of(sumsOnly, "formula") + " without a failure"
	want := 0
	if sumsOnly > 0 {
		want = 1 + strings.Count(b.String(), `<section id="plots"`)
	}
	if got := strings.Count(b.String(), said); got != want {
		t.Errorf("the page says %d times %q, want %d", got, said, want)
	}
}

// TestCompacted: a summary of sums and the other cases is that of all cases.
func TestCompacted(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range campaign.Inputs(t, 60) {
		list := someCases(rng)
		kept, rest := compact(rng, list)
		all, some, later := NewSummary(nil), NewSummary(nil), NewSummary(nil)
		for _, s := range []*Summary{all, some, later} {
			s.of("one")
			s.of("two")
		}
		for _, c := range list {
			all.Add(c)
		}
		some.AddCompacted(rest)
		for _, c := range kept {
			some.Add(c)
			later.Add(c)
		}
		want := trailerText(t, all)
		if got := trailerText(t, some); got != want {
			t.Fatalf("%.3000s\ninstead of\n%.3000s", got, want)
		}
		// As the records of a history are read: the cases first.
		later.Complete(&Trailer{Power: all.Power(), Compacted: rest})
		if got := trailerText(t, later); got != want {
			t.Fatalf("%.3000s\ninstead of\n%.3000s", got, want)
		}
		// A document of JSON says as much.
		var b bytes.Buffer
		j := NewJSON(&b)
		for _, c := range kept {
			j.Case(c, News{})
		}
		if err := j.End(some); err != nil {
			t.Fatal(err)
		}
		// A page says what it lacks.
		if round%10 == 0 {
			checkPage(t, some, kept, rest.Sums.Cases)
			checkPage(t, all, list, 0)
		}
		read := NewSummary(nil)
		trailer, err := Read(&b, func(c *outcome.Case) error { read.Add(c); return nil })
		if err != nil {
			t.Fatal(err)
		}
		read.Complete(trailer)
		got, _ := json.Marshal(read.Power())
		power, _ := json.Marshal(all.Power())
		if read.Counts.Formulas != all.Counts.Formulas || read.Counts.Passed != all.Counts.Passed || string(got) != string(power) {
			t.Fatalf("%+v %s\ninstead of\n%+v %s", read.Counts, got, all.Counts, power)
		}
		// Two runs together have no curve.
		read.Complete(&Trailer{Power: all.Power(), Compacted: rest})
		if p := read.Power(); len(p.Curve) != 1 || p.Inputs != all.Counts.Formulas+rest.Sums.Cases || p.Singular > p.Inputs {
			t.Fatalf("%+v", p)
		}
	}
}
