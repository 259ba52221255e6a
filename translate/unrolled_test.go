package translate

import (
	"context"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/runs"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/witness"
)

// TestUnrolled compares unrolled with tight on random formulas with past. The languages are equal,
// which productcheck decides. Package certify says the same of all lassos up to a size, and each of
// them that is accepted has a run of its type. For small automata this is decided for all lassos.
// The test logs the sizes, and fails if unrolled makes more states in all.
func TestUnrolled(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	words := allWords(omega.NewAlphabet("a", "b"), 2)
	s := ltl.NewStore()
	c := unrolledCounts{}
	for i, f := range shallow(pastFormulas(t, s, seed, n, 2, 2, 10)) {
		if i%1000 == 0 {
			s = ltl.NewStore() // the automata of one store share tables, which grow
		}
		ctx, cancel := context.WithTimeout(t.Context(), timeLimit)
		err := c.check(ctx, t, s, s.Import(f), words)
		cancel()
		if err != nil && ctx.Err() == nil {
			t.Fatalf("seed %d, formula %d: %s: %v", seed, i, f, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d, formula %d", seed, i)
		}
	}
	t.Logf("%d formulas of %d: %+v", c.Formulas, n, c)
	if c.Unrolled > c.Tight || 10*c.Formulas < 9*n || c.Decided < c.Formulas/2 {
		t.Errorf("seed %d: %+v", seed, c)
	}
}

// unrolledCounts says how many automata were compared, and how large they are.
type unrolledCounts struct {
	Formulas int
	Equal    int // the languages are equal
	Decided  int // tight on all words
	Larger   int // unrolled has more states than tight
	// States in all.
	CGH, Tight, Unrolled int
}

func (c *unrolledCounts) check(ctx context.Context, t *testing.T, s *ltl.Store, f *ltl.Formula, words []*omega.Word) error {
	var sizes [3]int
	var x, y *omega.Automaton
	for i, algorithm := range []string{"cgh", "tight", "unrolled"} {
		a, err := With(ctx, algorithm, s, f)
		if err != nil {
			return err
		}
		x, y, sizes[i] = y, a, a.NumStates()
	}
	checkReachable(t, y)
	for _, w := range words {
		if err := c.word(ctx, t, f, y, w); err != nil {
			return err
		}
	}
	alphabet := omega.NewAlphabet(f.Props()...)
	left := productcheck.NewLanguage(must.Get(x.Over(ctx, alphabet)))
	right := productcheck.NewLanguage(must.Get(y.Over(ctx, alphabet)))
	decider := productcheck.Decider{Limits: productcheck.DefaultLimits}
	decider.Limits.Time = 500 * time.Millisecond
	equal := true
	for _, in := range []bool{true, false} {
		d, err := decider.Decide(ctx, left, in, right, !in)
		if err != nil {
			return err
		}
		if equal = equal && d.Undecided == nil; d.Undecided == nil && !d.Empty() {
			t.Errorf("%s: tight and unrolled differ on %s", f, d.Word)
		}
	}
	if y.NumStates() <= 16 {
		r, err := witness.NotTight(ctx, y, witness.Limits{Steps: 200_000})
		if err != nil {
			return err
		}
		if r.Word != nil {
			t.Errorf("%s: %s needs a longer run\n%s", f, r.Word, dump(y))
		}
		if r.Why == nil {
			c.Decided++
		}
	}
	if equal {
		c.Equal++
	}
	c.Formulas++
	c.CGH += sizes[0]
	c.Tight += sizes[1]
	c.Unrolled += sizes[2]
	if sizes[2] > sizes[1] {
		c.Larger++
	}
	return nil
}

// word checks that the automaton of f accepts a word if f holds, by a run of its type.
func (c *unrolledCounts) word(ctx context.Context, t *testing.T, f *ltl.Formula, a *omega.Automaton, w *omega.Word) error {
	want, err := w.Holds(f)
	if err != nil {
		return err
	}
	if err := w.CertifyTruth(ctx, f, want); err != nil {
		return err
	}
	if err := a.Certify(ctx, w, want); err != nil {
		return err
	}
	tight, err := runs.Tight(ctx, a, w)
	if err == nil && tight != want {
		t.Errorf("%s on %s: run of that type %v, want %v\n%s", f, w, tight, want, dump(a))
	}
	return err
}
