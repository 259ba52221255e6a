package productcheck_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// randomPair returns two random automata of up to four states with any acceptance
// condition.
func randomPair(r *rand.Rand) (x, y *omega.Automaton) {
	one := func() *omega.Automaton {
		n := 1 + r.IntN(4)
		sets := 1 + r.IntN(3)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)}
		if r.IntN(2) == 0 {
			acceptance = omega.Buchi()
		}
		return random.Automaton(r, letters, acceptance, random.Options{States: n, Density: (0.5 + 2*r.Float64()) / float64(n), Marks: 0.3})
	}
	return one(), one()
}

// TestDecide compares every kind of check, in turn or in a campaign all on each pair, with an emptiness check on the product
// of whole complements that nothing is left out of, and certifies the words by
// membership.
func TestDecide(t *testing.T) {
	n, seed := campaign.Seeded(t, 7500, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	checks, words, visited, all := 0, 0, 0, 0
	for i := range n {
		x, y := randomPair(r)
		left, right := productcheck.NewLanguage(x), productcheck.NewLanguage(y)
		whole := func(a *omega.Automaton, in bool) *omega.Automaton {
			if in {
				return a
			}
			c, _, err := complement.Whole(ctx, "", a, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		for _, in := range campaign.Alternate(i, [2]bool{true, true}, [2]bool{true, false}, [2]bool{false, true}, [2]bool{false, false}) {
			checks++
			d := productcheck.Decider{}
			got, err := d.Decide(ctx, left, in[0], right, in[1])
			if err != nil || got.Undecided != nil {
				t.Fatalf("pair %d: %v, %v", i, err, got.Undecided)
			}
			want, err := emptiness.Check(ctx, productcheck.NewProduct(whole(x, in[0]), whole(y, in[1])), emptiness.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Empty() != want.Empty() {
				t.Fatalf("pair %d, %v: empty %v, want %v", i, in, got.Empty(), want.Empty())
			}
			if got.Empty() {
				visited += got.Pairs
				all += want.States
				continue
			}
			words++
			w := got.Word.Concrete()
			for k, a := range []*omega.Automaton{x, y} {
				if ok, err := a.Accepts(context.Background(), w); err != nil || ok != in[k] {
					t.Fatalf("pair %d, %v: %s is accepted by automaton %d: %v (%v)", i, in, w, k, ok, err)
				}
			}
		}
	}
	t.Logf("seed %d: %d pairs; %d words; pairs without one visit %d pairs of states, of %d in the whole products", seed, n, words, visited, all)
	if words < checks/3 || visited >= all {
		t.Error("the checks are not worth much")
	}
}

var letters = omega.NewAlphabet("a", "b")

// hard returns an automaton the complement of which has many states.
func hard(seed uint64) *omega.Automaton {
	r := rand.New(rand.NewPCG(seed, 0))
	return random.Automaton(r, letters, omega.Buchi(), random.Options{States: 40, Density: 0.1, Marks: 0.05})
}

// universal returns the language of all words.
func universal() *productcheck.Language {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, letters.True(), b.Marks().Of(0), 0)
	return productcheck.NewLanguage(b.Automaton())
}

// TestDecideLimits: past each limit a check by a complement is undecided, and says which; in a
// check without limits it goes on.
func TestDecideLimits(t *testing.T) {
	all := universal()
	for _, c := range []struct {
		limits productcheck.Limits
		why    string
	}{
		{productcheck.Limits{Macrostates: 60}, "limit of 60 macrostates"},
		{productcheck.Limits{ProductStates: 30}, "limit of 30 product states"},
		{productcheck.Limits{Memory: 1 << 16}, "memory limit of 65536 bytes"},
		{productcheck.Limits{Time: time.Nanosecond}, "time limit of 1ns"},
	} {
		language := productcheck.NewLanguage(hard(1))
		d := productcheck.Decider{Limits: c.limits, Algorithm: "modular"}
		got, err := d.Decide(context.Background(), all, true, language, false)
		if err != nil {
			t.Fatal(err)
		}
		if got.Undecided == nil || got.Undecided.Error() != c.why {
			t.Errorf("%+v: %v, want %s", c.limits, got.Undecided, c.why)
		}
		free := productcheck.Decider{}
		if got, err = free.Decide(context.Background(), all, true, language, false); err != nil || got.Undecided != nil {
			t.Errorf("without limits: %v, %v", got.Undecided, err)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	d := productcheck.Decider{}
	if _, err := d.Decide(canceled, all, true, productcheck.NewLanguage(hard(1)), false); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestForced: a construction that was asked for is used, or the check is undecided.
func TestForced(t *testing.T) {
	all := universal()
	for _, by := range []complement.Algorithm{"determinization", "modular"} {
		d := productcheck.Decider{Algorithm: by}
		got, err := d.Decide(context.Background(), all, true, productcheck.NewLanguage(hard(2)), false)
		if err != nil || got.Undecided != nil || len(got.Constructions) != 1 || got.Constructions[0] != by || got.Macrostates == 0 {
			t.Errorf("%s: %+v (%v)", by, got, err)
		}
	}
	d := productcheck.Decider{Algorithm: "breakpoint"}
	got, err := d.Decide(context.Background(), all, true, productcheck.NewLanguage(hard(2)), false)
	if err != nil || !errors.Is(got.Undecided, complement.ErrUnfit) || !strings.Contains(got.Undecided.Error(), "not inherently weak") {
		t.Errorf("breakpoint: %v, %v", got.Undecided, err)
	}
}

// TestDual: an automaton that is known to be the complement is taken for it.
func TestDual(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 0))
	a := random.Automaton(r, letters, omega.Buchi(), random.Options{States: 8, Density: 0.3, Marks: 0.2})
	x := productcheck.NewLanguage(a)
	c, _, err := complement.Whole(ctx, "", a, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	y := productcheck.NewLanguage(c)
	x.SetDual(y)
	d := productcheck.Decider{}
	got, err := d.Decide(ctx, x, true, x, false)
	if err != nil || got.Undecided != nil || !got.Empty() {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(got.Constructions) != 1 || got.Constructions[0] != productcheck.ByNegation || got.Macrostates != 0 {
		t.Errorf("constructions %v, %d macrostates", got.Constructions, got.Macrostates)
	}
}

// TestAlphabets: automata over different alphabets are an error that says so.
func TestAlphabets(t *testing.T) {
	x := universal()
	y := productcheck.NewLanguage(omega.NewBuilder(omega.NewAlphabet("p"), omega.Buchi()).Automaton())
	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
	_, decide := d.Decide(t.Context(), x, true, y, false)
	_, intersect := productcheck.Intersect(t.Context(), x.Automaton(), y.Automaton(), emptiness.Limits{})
	_, run := d.ShortestRun(t.Context(), []*productcheck.Language{x, y}, nil)
	_, word := d.Shortest(t.Context(), nil, []*productcheck.Language{x}, []*productcheck.Language{y})
	for i, err := range []error{decide, intersect, run, word} {
		if !errors.Is(err, productcheck.ErrAlphabet) || !strings.Contains(err.Error(), `["p"]`) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
