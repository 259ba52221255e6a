package complement_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

var ctx = context.Background()

// with returns the complement by a construction, or by the first that fits.
func with(ctx context.Context, algorithm complement.Algorithm, a *omega.Automaton, limit int) (*complement.Complement, error) {
	s, err := complement.Prepare(ctx, a, omega.Limits{Macrostates: limit})
	if err != nil {
		return nil, err
	}
	return s.Complement(ctx, cmp.Or(algorithm, s.Candidates()[0]), omega.Limits{Macrostates: limit})
}

// randomAutomaton returns a random automaton with one of the named or a random
// acceptance condition.
func randomAutomaton(r *rand.Rand, alphabet *omega.Alphabet, deterministic bool) *omega.Automaton {
	names := []string{"all", "none", "Buchi", "Buchi", "Buchi", "generalized-Buchi 2", "generalized-Buchi 3",
		"co-Buchi", "Rabin 2", "Streett 2", "parity max even 3", "generalized-Rabin 2 1 2"}
	acceptance, _ := omega.NamedAcceptance(names[r.IntN(len(names))])
	if r.IntN(3) == 0 {
		n := 1 + r.IntN(4)
		acceptance = omega.Acceptance{Sets: n, Condition: random.Condition(r, n, 0)}
	}
	n := 1 + r.IntN(5)
	o := random.Options{States: n, Density: (0.5 + 2*r.Float64()) / float64(n), Marks: 0.1 + 0.5*r.Float64()}
	if o.Deterministic = deterministic; deterministic {
		o.Density = []float64{1, 0.9}[r.IntN(2)]
	}
	return random.Automaton(r, alphabet, acceptance, o)
}

// structured returns a random automaton of a few components in a row, each of
// which is weak, deterministic or neither, so that every construction finds
// automata that fit it.
func structured(r *rand.Rand, alphabet *omega.Alphabet) *omega.Automaton {
	b := omega.NewBuilder(alphabet, omega.Buchi())
	count := 1 + r.IntN(3)
	general := r.IntN(2) == 0
	letter := func() omega.Label {
		v := make(omega.Letter, alphabet.Len())
		for i := range v {
			v[i] = r.IntN(2) == 0
		}
		return alphabet.LetterLabel(v)
	}
	var before []omega.State
	for range count {
		kind := r.IntN(4)
		if kind == 3 && !general {
			kind = 2
		}
		n := 1 + r.IntN(3)
		var own []omega.State
		for range n {
			own = append(own, b.AddState())
		}
		for _, q := range own {
			used := omega.False
			for range 1 + r.IntN(4) {
				l := letter()
				if kind == 2 {
					if l = alphabet.And(l, alphabet.Not(used)); l == omega.False {
						continue
					}
					used = alphabet.Or(used, l)
				}
				var marks omega.Marks
				if kind == 1 || kind >= 2 && r.IntN(3) == 0 {
					marks = b.Marks().Of(0)
				}
				b.AddEdge(q, l, marks, own[r.IntN(n)])
			}
		}
		for _, q := range before {
			if r.IntN(2) == 0 {
				b.AddEdge(q, letter(), 0, own[r.IntN(n)])
			}
		}
		before = append(before, own...)
	}
	b.AddStart(0)
	if r.IntN(3) == 0 {
		b.AddStart(before[r.IntN(len(before))])
	}
	return b.Automaton()
}

// disjoint fails the test if the two share a word.
func disjoint(t *testing.T, i int, what string, x, y omega.Source) {
	t.Helper()
	both, err := productcheck.Intersect(ctx, x, y, omega.Limits{})
	if err != nil {
		t.Fatalf("automaton %d: %s: %v", i, what, err)
	}
	if !both.Empty() {
		t.Fatalf("automaton %d: %s: both accept %s", i, what, both.Word)
	}
}

// TestConstructions complements random automata by each construction that fits.
// The complements share no word with the automaton, nor with the complement of
// another construction's (product checks), and of random words each is accepted
// by exactly one of the automaton and each complement (membership).
func TestConstructions(t *testing.T) {
	n, seed := campaign.Seeded(t, 800, 1)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	used := map[complement.Algorithm]int{}
	for i := range n {
		var a *omega.Automaton
		if i%2 == 0 {
			a = randomAutomaton(r, alphabet, i%6 == 0)
		} else {
			a = structured(r, alphabet)
		}
		var words []*omega.Word
		var in []bool
		for range 20 {
			w := random.Word(r, alphabet, 4, 4)
			accepted := must.Get(a.Accepts(context.Background(), w))
			words, in = append(words, w), append(in, accepted)
		}
		var again omega.Source // the complement of the first one's
		for _, name := range complement.Algorithms() {
			src, err := with(ctx, name, a, 5000)
			if errors.Is(err, complement.ErrUnfit) {
				continue
			}
			if err != nil {
				t.Fatalf("automaton %d: %s: %v", i, name, err)
			}
			c, err := omega.Explore(ctx, src, omega.NoLimits())
			var limit *omega.LimitError
			if errors.As(err, &limit) {
				continue // others will do, or used is too small
			}
			if err != nil {
				t.Fatalf("automaton %d: %s: %v", i, name, err)
			}
			if slices.Contains(in, true) && slices.Contains(in, false) { // else one state might be right by chance
				used[name]++
			}
			disjoint(t, i, string(name)+" and the automaton", a, c)
			for k, w := range words {
				out := must.Get(c.Accepts(context.Background(), w))
				if in[k] == out {
					t.Fatalf("automaton %d (%s): %s: both accept %s: %v", i, a.Acceptance(), name, w, out)
				}
			}
			if again == nil {
				if again, err = with(ctx, "", c, 5000); err != nil {
					t.Fatalf("automaton %d: %v", i, err)
				}
				continue
			}
			disjoint(t, i, string(name)+" and the complement of another complement", again, c)
		}
	}
	for _, name := range complement.Algorithms() {
		if t.Logf("%s: %d", name, used[name]); used[name] < n/8 && name != "dualization" {
			t.Errorf("%s was used for %d automata, want %d: let structured make more that fit it", name, used[name], n/8)
		}
	}
}

// TestMore: with more states, where all constructions but ranks finish.
func TestMore(t *testing.T) {
	n, seed := campaign.Seeded(t, 100, 5)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	for i := range n {
		a := random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 7, Density: 0.1 + 0.15*r.Float64(), Marks: 0.1 + 0.3*r.Float64()})
		for _, name := range []complement.Algorithm{"", "modular", "determinization", "determinization-scc"} {
			src, err := with(ctx, name, a, 100000)
			if errors.Is(err, complement.ErrUnfit) {
				continue
			}
			if err != nil {
				t.Fatalf("automaton %d: %s: %v", i, name, err)
			}
			disjoint(t, i, string(name), a, src)
			for range 50 {
				w := random.Word(r, alphabet, 6, 6)
				in := must.Get(a.Accepts(context.Background(), w))
				both := must.Get(productcheck.Intersect(ctx, w.Automaton(), src, omega.Limits{}))
				if in == !both.Empty() {
					t.Fatalf("automaton %d: %s: %s is accepted by the automaton: %v, by the complement: %v", i, name, w, in, !in)
				}
			}
		}
	}
}

// TestBuchi: the translations to Büchi and generalized Büchi acceptance keep the language.
func TestBuchi(t *testing.T) {
	for _, test := range []struct {
		name    string
		convert func(context.Context, *omega.Automaton, omega.Limits) (*omega.Automaton, error)
		right   func(omega.Acceptance) bool
	}{
		{"Buchi", complement.Buchi, omega.Acceptance.IsBuchi},
		{"GeneralizedBuchi", complement.GeneralizedBuchi, omega.Acceptance.IsGeneralizedBuchi},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 0))
			alphabet := omega.NewAlphabet("a")
			for i := range 2000 {
				a := randomAutomaton(r, alphabet, false)
				b := must.Get(test.convert(ctx, a, omega.Limits{}))
				if !test.right(b.Acceptance()) {
					t.Fatalf("automaton %d: acceptance %s", i, b.Acceptance())
				}
				for range 10 {
					w := random.Word(r, alphabet, 3, 4)
					x, _ := a.Accepts(context.Background(), w)
					y, _ := b.Accepts(context.Background(), w)
					if x != y {
						t.Fatalf("automaton %d (%s): %s is accepted: %v; converted: %v", i, a.Acceptance(), w, x, y)
					}
				}
			}
		})
	}
}

// TestManyMarks completes an automaton in which a sink's mark is the 65th.
func TestManyMarks(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: 64, Condition: omega.AnyOf(omega.Fin(0), omega.Inf(63))})
	b.AddStart(b.AddState())
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0, 63), 0)
	a := b.Automaton()
	for _, c := range []struct {
		word       string
		in, inside bool
	}{{"cycle{a}", true, true}, {"cycle{!a}", false, false}} {
		w := must.Get(omega.ParseWord(context.Background(), c.word))
		src := must.Get(with(ctx, "", a, 0))
		out := must.Get(omega.Explore(ctx, src, omega.NoLimits()))
		x, _ := a.Accepts(context.Background(), w)
		y, _ := out.Accepts(context.Background(), w)
		if x != c.in || y == c.in {
			t.Errorf("%s: accepted %v, by the complement %v", c.word, x, y)
		}
	}
}

// The automaton of the package comment. Only what is asked for is made of its complement, which has
// two macrostates.
func ExamplePrepare() {
	ctx := context.Background()
	a, _, err := hoa.ReadOne(ctx, []byte(`
		HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [t] 0 [!0] 1 State: 1 [!0] 1 {0} --END--`))
	if err != nil {
		log.Fatal(err)
	}
	s := must.Get(complement.Prepare(ctx, a, omega.Limits{Macrostates: 1000}))
	c := must.Get(s.Complement(ctx, s.Candidates()[0], omega.Limits{Macrostates: 1000}))
	fmt.Println(c.Algorithm(), c.Acceptance(), c.Macrostates())
	whole := must.Get(omega.Explore(ctx, c, omega.NoLimits()))
	fmt.Println(c.Macrostates(), "macrostates")
	for s := range omega.State(whole.NumStates()) {
		for _, e := range whole.Edges(s) {
			fmt.Println(s, "->", e.Dst, "on", whole.Alphabet().Text(e.Label), whole.Marks().AppendTo(nil, e.Marks))
		}
	}
	// Output:
	// breakpoint 1 Inf(0) 1
	// 2 macrostates
	// 0 -> 0 on a [0]
	// 0 -> 1 on !a [0]
	// 1 -> 0 on a [0]
	// 1 -> 1 on !a []
}
