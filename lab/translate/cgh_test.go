package translate

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/inputs"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// timeLimit is what the checks of a random formula may take. The automata are
// exponential in its size; a campaign bears a few that are not done.
const timeLimit = time.Minute

// deepest is how deep operators of the past may be nested in formulas that are not
// of a campaign.
const deepest = 3

// shallow returns the formulas in which no more past operators are nested than
// that, in a campaign all.
func shallow(list []*ltl.Formula) []*ltl.Formula {
	if campaign.Long() {
		return list
	}
	return slices.DeleteFunc(list, func(f *ltl.Formula) bool { return f.PastDepth() > deepest })
}

// sourceOver returns the automaton of an algorithm, made on demand, over an
// alphabet that has the formula's propositions.
func sourceOver(ctx context.Context, algorithm string, s *ltl.Store, f *ltl.Formula, alphabet *omega.Alphabet) (omega.Source, error) {
	a, err := ParseAlgorithm(algorithm)
	if err != nil {
		return nil, err
	}
	src, err := a.Source(ctx, s, f)
	if err != nil {
		return nil, err
	}
	return ondemand.Project(src, alphabet), nil
}

// common returns a word of both automata, or nil.
func common(ctx context.Context, x, y omega.Source) (*omega.Word, error) {
	r, err := productcheck.Intersect(ctx, x, y, omega.Limits{})
	if err != nil {
		return nil, err
	}
	return r.Word, nil
}

// TestValuationsWords compares the automata of random formulas, made as far as the
// words lead, with the truth of the formulas on these.
func TestValuationsWords(t *testing.T) {
	n, seed := campaign.Seeded(t, 800, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b", "c", "d", "past0")
	missed := 0
	for _, algorithm := range []string{"cgh", "tight", "unrolled"} {
		for props := 1; props <= 4; props++ {
			s := ltl.NewStore()
			formulas := append(shallow(inputs.Past(t, s, seed+uint64(props), n/8, props, 1, 12)),
				inputs.Random(t, s, seed+uint64(props), n/8, props, 1, 20)...)
			for i, f := range formulas {
				var words []*omega.Word
				for range 4 {
					words = append(words, inputs.Word(r, alphabet))
				}
				if !checkOnDemand(t, algorithm, s, f, words, timeLimit) {
					missed++
				}
				if t.Failed() {
					t.Fatalf("seed %d, %d propositions, formula %d", seed, props, i)
				}
			}
		}
	}
	if missed > n/200 {
		t.Errorf("%d of %d formulas were not done in time", missed, 2*n)
	}
}

// checkOnDemand compares f and its negation with words. It reports whether that is
// done in a time.
func checkOnDemand(t *testing.T, algorithm string, s *ltl.Store, f *ltl.Formula, words []*omega.Word, timeout time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	for _, g := range []*ltl.Formula{f, s.Not(f)} {
		src, err := sourceOver(ctx, algorithm, s, g, words[0].Alphabet)
		for _, w := range words {
			var got *omega.Word
			if err == nil {
				got, err = common(ctx, src, w.Automaton())
			}
			if err != nil && ctx.Err() != nil {
				t.Logf("%s: %s: not done in %v", algorithm, g, timeout)
				return false
			}
			want, err2 := w.Holds(g)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if (got != nil) != want {
				t.Errorf("%s: %s on %s: accepted %v", algorithm, g, w, got != nil)
			}
		}
	}
	return true
}

// TestTight checks Proposition 1 and Theorem 2 of Schuppan and Biere 2005 on all
// lassos up to a size: formulas of the future have by cgh, and all formulas by
// tight and unrolled, a run of the lasso's type, if they hold on it.
func TestTight(t *testing.T) {
	n, seed := campaign.Seeded(t, 150, 1)
	longer := 0 // where cgh has none, for formulas with past
	for props, size := range map[int]int{1: 5, 2: 3} {
		words := inputs.AllWords(omega.NewAlphabet([]string{"a", "b"}[:props]...), size)
		s := ltl.NewStore()
		formulas := append(shallow(inputs.Past(t, s, seed, n/2, props, 1, 7)), inputs.Random(t, s, seed, n/4, props, 1, 9)...)
		if props == 2 {
			// What rises and falls, in all places.
			for _, text := range []string{
				"GO !(O a & b)", "GO(O a & b)", "GF(a S (b & O a))", "FG(a T O b)", "G(a -> O(b & O a))", "F(a & H(b | H a))",
				"GF(Y O a xor O b)", "FG(X H a | Y b)", "G(Z H a | Fb)", "G(Y H a -> F(b & O a))", "X(GFO a U Y b)", "F(O a M H b)",
			} {
				formulas = append(formulas, parse(t, s, text))
			}
		}
		for i, f := range formulas {
			future := !f.Ops().HasPast()
			for _, algorithm := range []string{"cgh", "tight", "unrolled"} {
				a := translate(t, algorithm, s, f)
				checkReachable(t, a)
				if tight := len(a.Declared.Properties) > 0; tight != (future || algorithm != "cgh") {
					t.Fatalf("%s: %s: declared tight is %v", algorithm, f, tight)
				}
				for _, w := range words {
					want := must.Get(w.Holds(f))
					tight := must.Get(runs.Tight(t.Context(), a, w))
					if algorithm == "cgh" && !future {
						if want && !tight {
							longer++
						}
						tight = accepts(t, a, w)
					}
					if tight != want {
						t.Fatalf("seed %d, formula %d: %s: %s on %s: run of that type %v, want %v\n%s", seed, i, algorithm, f, w, tight, want, dump(a))
					}
				}
			}
		}
	}
	t.Logf("cgh needs longer runs for %d pairs of a formula of the past and a lasso", longer)
	if longer < 100 {
		t.Errorf("cgh was tight on all formulas of the past but for %d lassos", longer)
	}
}

// TestTightDecided decides tightness of automata, on all lassos of whatever size.
func TestTightDecided(t *testing.T) {
	n, seed := campaign.Seeded(t, 200, 1)
	s := ltl.NewStore()
	decided := 0
	for _, f := range append(shallow(inputs.Past(t, s, seed, n, 2, 1, 6)), inputs.Random(t, s, seed, n, 2, 1, 8)...) {
		for _, algorithm := range []string{"cgh", "tight", "unrolled"} {
			if algorithm == "cgh" && f.Ops().HasPast() {
				continue
			}
			a := translate(t, algorithm, s, f)
			if a.NumStates() > 12 {
				continue
			}
			r := must.Get(witness.NotTight(t.Context(), a, omega.Limits{WordSteps: 2_000_000}))
			if r.Word != nil {
				t.Fatalf("seed %d: %s: %s on %s needs a longer run\n%s", seed, algorithm, f, r.Word, dump(a))
			}
			if r.Why == nil {
				decided++
			}
		}
	}
	t.Logf("%d automata are tight on all words", decided)
	if decided < n {
		t.Errorf("only %d automata were decided", decided)
	}
}

// TestNotTight: the paper's reasons for longer runs show.
func TestNotTight(t *testing.T) {
	s := ltl.NewStore()
	for _, c := range []struct{ algorithm, formula, word string }{
		{"gpvw", "p & XGq", "cycle{p&q}"},          // section 3.3
		{"gastin-oddoux", "p & XGq", "cycle{p&q}"}, // one of its descendants
		{"cgh", "GFO p", "cycle{p}"},               // O p is not true before the first p
		{"cgh", "p & XGq", ""},
		{"tight", "p & XGq", ""},
		{"tight", "GFO p", ""},
		{"unrolled", "GFO p", ""},
	} {
		r, err := witness.NotTight(t.Context(), translate(t, c.algorithm, s, parse(t, s, c.formula)), omega.Limits{})
		if err != nil || r.Why != nil {
			t.Fatal(err, r.Why)
		}
		word := ""
		if r.Word != nil {
			word = r.Word.String()
		}
		if word != c.word {
			t.Errorf("%s: %s: word %q, want %q", c.algorithm, c.formula, word, c.word)
		}
	}
}

// TestUnrolled compares unrolled with tight on random formulas with past. The languages are equal,
// which productcheck decides. Package certify says the same of all lassos up to a size, and each of
// them that is accepted has a run of its type. For small automata this is decided for all lassos.
// The test logs the sizes, and fails if unrolled makes more states in all.
func TestUnrolled(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	words := inputs.AllWords(omega.NewAlphabet("a", "b"), 2)
	s := ltl.NewStore()
	c := unrolledCounts{}
	for i, f := range shallow(inputs.Past(t, s, seed, n, 2, 2, 10)) {
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
	decider := productcheck.Decider{}
	decider.Limits.Time = 500 * time.Millisecond
	equal := true
	for _, in := range []bool{true, false} {
		d, err := decider.Decide(ctx, productcheck.Side{Language: left, In: in}, productcheck.Side{Language: right, In: !in})
		if err != nil {
			return err
		}
		if equal = equal && d.Undecided == nil; d.Undecided == nil && !d.Empty() {
			t.Errorf("%s: tight and unrolled differ on %s", f, d.Word)
		}
	}
	if y.NumStates() <= 16 {
		r, err := witness.NotTight(ctx, y, omega.Limits{WordSteps: 200_000})
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
