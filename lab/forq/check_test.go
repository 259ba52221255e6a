package forq_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/lab/forq"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

var letters = omega.NewAlphabet("a", "b")

// pair returns two random automata of up to six states, half of them with Büchi acceptance.
func pair(r *rand.Rand) (x, y *omega.Automaton) {
	one := func(edges float64) *omega.Automaton {
		n := 1 + r.IntN(6)
		sets := 1 + r.IntN(3)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
		if r.IntN(2) == 0 {
			acceptance = omega.Buchi()
		}
		return random.Automaton(r, letters, acceptance, random.Options{States: n, Density: edges * r.Float64() / float64(n), Marks: 0.1 + 0.5*r.Float64()})
	}
	return one(1 + 2*r.Float64()), one(2 + 4*r.Float64())
}

// TestCheck compares the check with the product with a complement, and certifies the words.
func TestCheck(t *testing.T) {
	n, seed := campaign.Seeded(t, 5000, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	included, words := 0, 0
	for i := range n {
		x, y := pair(r)
		got := must.Get(forq.Check(t.Context(), x, y, omega.Limits{}))
		d := productcheck.Decider{Algorithm: "modular"}
		want, err := d.Decide(t.Context(), productcheck.NewLanguage(x).In(), productcheck.NewLanguage(y).Out())
		if err != nil || want.Undecided != nil {
			t.Fatal(err, want.Undecided)
		}
		if (got.Word == nil) != want.Empty() {
			t.Fatalf("seed %d, pair %d: included %v, want %v", seed, i, got.Word == nil, want.Empty())
		}
		if got.Word == nil {
			if x.NumStates() > 1 {
				included++
			}
			continue
		}
		words++
		w := got.Word.Concrete()
		if err := x.Certify(t.Context(), w, true); err != nil {
			t.Fatalf("seed %d, pair %d: %v", seed, i, err)
		}
		if err := y.Certify(t.Context(), w, false); err != nil {
			t.Fatalf("seed %d, pair %d: %v", seed, i, err)
		}
	}
	t.Logf("seed %d: %d pairs, %d included, %d words", seed, n, included, words)
	if included < n/10 || words < n/5 {
		t.Error("the pairs are not worth much")
	}
}

// TestBruteForce: an included automaton has no word up to a size that the other one rejects.
func TestBruteForce(t *testing.T) {
	n, seed := campaign.Seeded(t, 1000, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	words := lassos(alphabet, 6)
	included, last := 0, 0
	for i := range n {
		one := func(density float64) *omega.Automaton {
			return random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 1 + r.IntN(4), Density: density, Marks: 0.4})
		}
		x, y := one(0.3), one(0.7)
		got := must.Get(forq.Check(t.Context(), x, y, omega.Limits{}))
		if got.Word != nil {
			last = max(last, got.Word.Size())
			continue
		}
		included++
		for _, w := range words {
			inX := must.Get(x.Accepts(t.Context(), w))
			if !inX {
				continue
			}
			if inY, err := y.Accepts(t.Context(), w); err != nil || !inY {
				t.Fatalf("seed %d, pair %d: included, but for %s (%v)", seed, i, w, err)
			}
		}
	}
	t.Logf("seed %d: %d of %d included; words of up to %d letters", seed, included, n, last)
	if included < n/10 || included > n*9/10 {
		t.Error("the pairs are not worth much")
	}
}

// lassos returns all words of one proposition up to a size.
func lassos(alphabet *omega.Alphabet, most int) (list []*omega.Word) {
	a := alphabet.Prop(0)
	for size := 1; size <= most; size++ {
		for bits := range 1 << size {
			var letters []omega.Label
			for i := range size {
				letter := a
				if bits>>i&1 != 0 {
					letter = alphabet.Not(a)
				}
				letters = append(letters, letter)
			}
			for prefix := range size {
				list = append(list, omega.NewWord(alphabet, letters[:prefix], letters[prefix:]))
			}
		}
	}
	return list
}

// hard returns an automaton that has many relations.
func hard() *omega.Automaton {
	r := rand.New(rand.NewPCG(1, 0))
	return random.Automaton(r, letters, omega.Buchi(), random.Options{States: 40, Density: 0.22, Marks: 0.1})
}

// universal returns an automaton that accepts all words.
func universal() *omega.Automaton {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, letters.True(), b.Marks().Of(0), 0)
	return b.Automaton()
}

// TestLimits: a check obeys its limits and the context.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits omega.Limits
		within func(ctx context.Context) (context.Context, context.CancelFunc)
		want   string
	}{
		{"steps", omega.Limits{WordSteps: 5000}, context.WithCancel, "limit of 5000 steps"},
		{"memory", omega.Limits{Memory: 1 << 20}, context.WithCancel, "memory limit of 1 MiB"},
		{"memory of the context", omega.Limits{}, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return budget.WithMemory(ctx, 2<<20), func() {}
		}, "memory limit of 2 MiB"},
		{"time", omega.Limits{}, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 50*time.Millisecond)
		}, "context deadline exceeded"},
	} {
		ctx, cancel := c.within(t.Context())
		got, err := forq.Check(ctx, universal(), hard(), c.limits)
		cancel()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestUnreachable: states that no word leads to take memory for themselves only, and not in pairs.
func TestUnreachable(t *testing.T) {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, letters.True(), b.Marks().Of(0), 0)
	for s := range omega.State(30_000) {
		b.AddEdge(b.AddState(), letters.True(), 0, s)
	}
	a := b.Automaton()
	if got, err := forq.Check(t.Context(), a, a, omega.Limits{Memory: 64 << 20}); err != nil || got.Word != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestAlphabets: automata over different alphabets are refused.
func TestAlphabets(t *testing.T) {
	b := omega.NewBuilder(omega.NewAlphabet("b"), omega.Buchi())
	if _, err := forq.Check(t.Context(), universal(), b.Automaton(), omega.Limits{}); err == nil {
		t.Error("no error")
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := forq.Check(canceled, universal(), hard(), omega.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// BenchmarkCheck checks twelve random pairs, with half a second for each: by this package, and by
// the construction for complements that is tried first.
func BenchmarkCheck(b *testing.B) {
	const limit = time.Second / 2
	for _, c := range []struct {
		states int
		edges  float64 // of a state, on a letter
	}{{15, 1.6}, {20, 1.6}, {30, 1.3}, {20, 2}, {30, 2.5}} {
		r := rand.New(rand.NewPCG(7, 0))
		one := func(states int, edges float64) *productcheck.Language {
			o := random.Options{States: states, Density: 4 * edges / float64(states), Marks: 0.2}
			l := productcheck.NewLanguage(random.Automaton(r, letters, omega.Buchi(), o))
			must.Get(l.Reduced(b.Context(), omega.Limits{}))
			return l
		}
		var pairs [12][2]*productcheck.Language
		for i := range pairs {
			pairs[i] = [2]*productcheck.Language{one(5, 0.8), one(c.states, c.edges)}
		}
		measure := func(name string, check func(x, y *productcheck.Language) (included bool, err error)) {
			b.Run(fmt.Sprintf("states=%d/edges=%.1f/%s", c.states, c.edges, name), func(b *testing.B) {
				included, late := 0, 0
				for b.Loop() {
					for _, p := range pairs {
						is, err := check(p[0], p[1])
						if err != nil {
							late++
						} else if is {
							included++
						}
					}
				}
				b.ReportMetric(float64(included)/float64(b.N), "included")
				b.ReportMetric(float64(late)/float64(b.N), "late")
			})
		}
		measure("forq", func(x, y *productcheck.Language) (bool, error) {
			ctx, cancel := context.WithTimeout(b.Context(), limit)
			defer cancel()
			result, err := forq.Check(ctx, must.Get(x.Reduced(ctx, omega.Limits{})), must.Get(y.Reduced(ctx, omega.Limits{})), omega.Limits{})
			return err == nil && result.Word == nil, err
		})
		measure("complement", func(x, y *productcheck.Language) (bool, error) {
			y.Forget()
			d := productcheck.Decider{Algorithm: complement.Algorithm("modular"), Limits: omega.Limits{Time: limit}}
			decision, err := d.Decide(b.Context(), x.In(), y.Out())
			if err == nil {
				err = decision.Undecided
			}
			return err == nil && decision.Empty(), err
		})
	}
}
