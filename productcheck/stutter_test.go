package productcheck_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/internal/transform/stutter"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// empty reports whether two automata share no word.
func empty(t *testing.T, x, y *omega.Automaton) bool {
	t.Helper()
	r := must.Get(emptiness.Check(t.Context(), productcheck.NewProduct(x, y), omega.Limits{}))
	return r.Empty()
}

// stutterVotes decides whether a language is stutter-invariant in the ways of Michaud and
// Duret-Lutz 2015, with an explicit complement c: do both sides share a word after
// closure, and do they after self-loopization?
func stutterVotes(t *testing.T, a, c *omega.Automaton) (votes []bool) {
	t.Helper()
	for _, change := range []func(context.Context, *omega.Automaton, int) (*omega.Automaton, error){
		stutter.Closure, stutter.SelfLoops,
	} {
		x := must.Get(change(t.Context(), a, 0))
		y := must.Get(change(t.Context(), c, 0))
		votes = append(votes, empty(t, x, y))
	}
	return votes
}

// stutterSensitive looks among the words of up to size letters for two that are stutter-equivalent,
// one accepted and one rejected.
func stutterSensitive(t *testing.T, a *omega.Automaton, size int) bool {
	t.Helper()
	accepted := make(map[string]bool)
	for n := 1; n <= size; n++ {
		for v := range 1 << (2 * n) {
			var all []omega.Label
			for i := range n {
				x := uint64(v >> (2 * i) & 3)
				all = append(all, a.Alphabet().Cube(x, ^x&3))
			}
			for prefix := range n {
				w := omega.NewWord(a.Alphabet(), all[:prefix], all[prefix:])
				got := must.Get(a.Accepts(context.Background(), w))
				d := stutter.Collapse(w)
				key := fmt.Sprint(d.Prefix, d.Cycle)
				if before, ok := accepted[key]; ok && before != got {
					return true
				}
				accepted[key] = got
			}
		}
	}
	return false
}

// TestStuttering compares the ways to decide it with each other and with a search of all
// words of a few letters, on random automata. Some are made invariant.
func TestStuttering(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	count := make(map[string]int)
	n := campaign.Inputs(t, 250)
	for i := range n {
		a, _ := randomPair(r)
		if r.IntN(2) == 0 {
			// Repetitions put in, and then taken out, of what any word has.
			for _, change := range []func(context.Context, *omega.Automaton, int) (*omega.Automaton, error){
				stutter.SelfLoops, stutter.Closure,
			} {
				a = must.Get(change(t.Context(), a, 0))
			}
			if a, _ = reduce.Reduce(t.Context(), a); a.NumStates() > 6 {
				continue
			}
		}
		c, _, err := complement.Whole(t.Context(), "", a, omega.Limits{Macrostates: 2000})
		if err != nil {
			continue
		}
		if c, err = reduce.Reduce(t.Context(), c); err != nil || c.NumStates() > 60 {
			continue
		}
		what := fmt.Sprintf("seed %d, case %d", seed, i)
		votes := stutterVotes(t, a, c)
		for _, dual := range []bool{false, true} {
			l, m := productcheck.NewLanguage(a), productcheck.NewLanguage(c)
			if dual {
				l.SetDual(m)
				m.SetDual(l)
			}
			votes = append(votes, decided(t, what, l), decided(t, what, m))
		}
		for _, v := range votes {
			if v != votes[0] {
				t.Fatalf("%s: %v", what, votes)
			}
		}
		// A word of two sizes is needed, and both may be longer than what is tried.
		if found := stutterSensitive(t, a, 4); found && votes[0] {
			t.Fatalf("%s: it is said to be invariant, but is not", what)
		} else if found {
			count["seen"]++
		}
		count[fmt.Sprint(votes[0])]++
	}
	if count["true"] < n/6 || count["false"] < n/16 || 3*count["seen"] < 2*count["false"] {
		t.Errorf("seed %d: invariant or not, and seen by words of 4 letters: %v", seed, count)
	}
}

// decided returns what Stuttering says, and checks its words.
func decided(t *testing.T, what string, l *productcheck.Language) bool {
	t.Helper()
	d := productcheck.Decider{}
	s, err := d.Stuttering(t.Context(), l)
	if err != nil || s.Undecided != nil {
		t.Fatalf("%s: %v %v", what, err, s.Undecided)
	}
	if s.Invariant() {
		return true
	}
	a := l.Automaton()
	yes := must.Get(a.Accepts(context.Background(), s.Accepted))
	no, err := a.Accepts(context.Background(), s.Rejected)
	if err != nil || !yes || no || stutter.Collapse(s.Accepted).String() != stutter.Collapse(s.Rejected).String() {
		t.Fatalf("%s: %s and %s: %v and %v (%v)", what, s.Accepted, s.Rejected, yes, no, err)
	}
	return false
}

// TestStutteringFormulas: a language is stutter-invariant if it has a formula without X.
// (Peled and Wilke 1997: and only then.)
func TestStutteringFormulas(t *testing.T) {
	for _, test := range []struct {
		formula   string
		invariant bool
	}{
		{"a U (b R !a)", true}, {"GFa -> GFb", true}, {"G(a -> Fb) & FGa", true}, {"0", true}, {"1", true}, {"F(a & Xa)", false},
		{"Xa", false}, {"F(a & X!a)", true}, {"F(a & X(!a & b))", true}, {"F(a & X(a & Xa))", false}, {"G(a -> X!a)", false},
		{"GF(a & Xa)", false}, {"GF(a & X!a)", true}, {"a & X X 1", true}, {"FGXa", true},
	} {
		s := ltl.NewStore()
		f := must.Get(s.Parse(test.formula, ltl.Spot))
		a := must.Get(translate.Of(t.Context(), s, f))
		if got := decided(t, test.formula, productcheck.NewLanguage(a)); got != test.invariant {
			t.Errorf("%s: stutter-invariant %v", test.formula, got)
		}
	}
}

// TestStutteringLimits: what is not decided is said to be so, and why.
func TestStutteringLimits(t *testing.T) {
	for _, c := range []struct {
		limits omega.Limits
		why    string
	}{
		{omega.Limits{Macrostates: 60}, "limit of 60 macrostates"},
		{omega.Limits{ProductStates: 30}, "limit of 30 product states"},
		{omega.Limits{Time: time.Nanosecond}, "time limit of 1ns"},
	} {
		d := productcheck.Decider{Limits: c.limits, Algorithm: "modular"}
		s, err := d.Stuttering(t.Context(), productcheck.NewLanguage(hard(1)))
		if err != nil || s.Undecided == nil || s.Undecided.Error() != c.why || s.Invariant() {
			t.Errorf("%v: %v, %v", c.why, s, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := productcheck.Decider{}
	if _, err := d.Stuttering(ctx, productcheck.NewLanguage(hard(1))); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
