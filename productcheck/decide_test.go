package productcheck_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// randomPair returns two random automata of up to four states with any acceptance
// condition.
func randomPair(r *rand.Rand) (x, y *omega.Automaton) {
	one := func() *omega.Automaton {
		n := 1 + r.IntN(4)
		sets := 1 + r.IntN(3)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
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
			c := must.First(complement.Whole(ctx, "", a, omega.Limits{}))
			return c
		}
		for _, in := range campaign.Alternate(i, [2]bool{true, true}, [2]bool{true, false}, [2]bool{false, true}, [2]bool{false, false}) {
			checks++
			d := productcheck.Decider{}
			got, err := d.Decide(ctx, productcheck.Side{Language: left, In: in[0]}, productcheck.Side{Language: right, In: in[1]})
			if err != nil || got.Undecided != nil {
				t.Fatalf("pair %d: %v, %v", i, err, got.Undecided)
			}
			want := must.Get(emptiness.Check(ctx, productcheck.NewProduct(whole(x, in[0]), whole(y, in[1])), omega.Limits{}))
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

// hard returns an automaton whose complement has many states.
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
		limits omega.Limits
		why    string
	}{
		{omega.Limits{Macrostates: 60}, "limit of 60 macrostates"},
		{omega.Limits{ProductStates: 30}, "limit of 30 product states"},
		{omega.Limits{Memory: 1 << 16}, "memory limit of 65536 bytes"},
		{omega.Limits{Time: time.Nanosecond}, "time limit of 1ns"},
	} {
		language := productcheck.NewLanguage(hard(1))
		d := productcheck.Decider{Limits: c.limits, Algorithm: "modular"}
		got := must.Get(d.Decide(context.Background(), all.In(), language.Out()))
		if got.Undecided == nil || got.Undecided.Error() != c.why {
			t.Errorf("%+v: %v, want %s", c.limits, got.Undecided, c.why)
		}
		free := productcheck.Decider{}
		if got, err := free.Decide(context.Background(), all.In(), language.Out()); err != nil || got.Undecided != nil {
			t.Errorf("without limits: %v, %v", got.Undecided, err)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	d := productcheck.Decider{}
	if _, err := d.Decide(canceled, all.In(), productcheck.NewLanguage(hard(1)).Out()); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestForced: a construction that was asked for is used, or the check is undecided.
func TestForced(t *testing.T) {
	all := universal()
	for _, by := range []complement.Algorithm{"determinization", "modular"} {
		d := productcheck.Decider{Algorithm: by}
		got, err := d.Decide(context.Background(), all.In(), productcheck.NewLanguage(hard(2)).Out())
		if err != nil || got.Undecided != nil || len(got.Constructions) != 1 || got.Constructions[0] != by || got.Macrostates == 0 {
			t.Errorf("%s: %+v (%v)", by, got, err)
		}
	}
	d := productcheck.Decider{Algorithm: "breakpoint"}
	got, err := d.Decide(context.Background(), all.In(), productcheck.NewLanguage(hard(2)).Out())
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
	c := must.First(complement.Whole(ctx, "", a, omega.Limits{}))
	y := productcheck.NewLanguage(c)
	x.SetDual(y)
	d := productcheck.Decider{}
	got, err := d.Decide(ctx, x.In(), x.Out())
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
	d := productcheck.Decider{}
	_, decide := d.Decide(t.Context(), x.In(), y.Out())
	_, intersect := productcheck.Intersect(t.Context(), x.Automaton(), y.Automaton(), omega.Limits{})
	_, run := d.ShortestRun(t.Context(), []*productcheck.Language{x, y}, nil)
	_, word := d.Shortest(t.Context(), nil, []*productcheck.Language{x}, []*productcheck.Language{y})
	for i, err := range []error{decide, intersect, run, word} {
		if !errors.Is(err, productcheck.ErrAlphabet) || !strings.Contains(err.Error(), `["p"]`) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// TestBothSides: one complement may be on both sides of a check, again and again.
func TestBothSides(t *testing.T) {
	a := random.Automaton(rand.New(rand.NewPCG(1, 1)), omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 6, Density: 0.4, Marks: 0.2})
	x := productcheck.NewLanguage(a)
	for i := range 2 {
		d := productcheck.Decider{}
		got, err := d.Decide(t.Context(), x.Out(), x.Out())
		if err != nil || got.Undecided != nil {
			t.Fatal(err, got.Undecided)
		}
		if got.Macrostates < 0 || i > 0 && got.Macrostates != 0 {
			t.Errorf("check %d made %d macrostates", i, got.Macrostates)
		}
	}
}

// TestLimitOfOneCheck: a check is decided within its limit also after another one
// with the same complement that was not.
func TestLimitOfOneCheck(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 2))
	t.Logf("seed %d", seed)
	alphabet := omega.NewAlphabet("a", "b")
	a := random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 7, Density: 0.25, Marks: 0.15})
	word := productcheck.NewLanguage(random.Word(r, alphabet, 3, 3).Automaton())
	x := productcheck.NewLanguage(a)
	d := productcheck.Decider{
		Limits:    omega.Limits{Macrostates: 30, Memory: 256 << 20},
		Algorithm: "determinization",
	}
	large, err := d.Decide(t.Context(), x.In(), x.Out())
	if err != nil || large.Undecided == nil {
		t.Fatalf("got %v, want the limit of macrostates", err)
	}
	small, err := d.Decide(t.Context(), word.In(), x.Out())
	if err != nil || small.Undecided != nil {
		t.Errorf("got %v, %v", err, small.Undecided)
	}
}

// TestIndexKept: a language keeps the index of its automaton, counts it, and drops it
// when it is told to forget; the answers are the same.
func TestIndexKept(t *testing.T) {
	list := gillard(2, 0.2)
	var languages []*productcheck.Language
	for _, a := range list {
		languages = append(languages, productcheck.NewLanguage(a))
	}
	decide := func(x, y *productcheck.Language) (pairs int, empty bool) {
		d := productcheck.Decider{}
		got, err := d.Decide(t.Context(), x.In(), y.In())
		if err != nil || got.Undecided != nil {
			t.Fatal(err, got.Undecided)
		}
		return got.ProductStates, got.Empty()
	}
	for _, x := range languages {
		for _, y := range languages {
			pairs, empty := decide(x, y)
			kept := x.Memory()
			if kept == 0 || kept > 10<<20 {
				t.Errorf("%d bytes kept", kept)
			}
			if again, e := decide(x, y); again != pairs || e != empty {
				t.Errorf("%d pairs, then %d", pairs, again)
			}
			if x.Memory() != kept {
				t.Errorf("%d bytes kept, then %d", kept, x.Memory())
			}
			if x.Forget(); x.Memory() != 0 {
				t.Errorf("%d bytes not forgotten", x.Memory())
			}
			if again, e := decide(x, y); again != pairs || e != empty {
				t.Errorf("%d pairs, then %d", pairs, again)
			}
		}
	}
}

// TestSpent: a second check with the same complement that is too large costs a share of the first
// one, gives the same reason, and is decided if it is easy.
func TestSpent(t *testing.T) {
	all, y := universal(), productcheck.NewLanguage(hard(1))
	d := productcheck.Decider{Limits: omega.Limits{Macrostates: 160}, Algorithm: "modular"}
	first, err := d.Decide(t.Context(), all.In(), y.Out())
	if err != nil || first.Undecided == nil || first.Undecided.Error() != "limit of 160 macrostates" {
		t.Fatalf("%+v (%v)", first, err)
	}
	second, err := d.Decide(t.Context(), all.In(), y.Out())
	var over *omega.LimitError
	if err != nil || !errors.As(second.Undecided, &over) || second.Undecided.Error() != "limit of 160 macrostates spent before on the same complement" {
		t.Fatalf("%+v (%v)", second, err)
	}
	if 8*second.Macrostates > first.Macrostates {
		t.Errorf("%d macrostates, and %d again", first.Macrostates, second.Macrostates)
	}
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	if easy, err := d.Decide(t.Context(), productcheck.NewLanguage(b.Automaton()).In(), y.Out()); err != nil || !easy.Empty() {
		t.Errorf("an easy check: %+v (%v)", easy, err)
	}
	d.Limits.Macrostates = 0
	if free, err := d.Decide(t.Context(), all.In(), y.Out()); err != nil || free.Undecided != nil {
		t.Errorf("without the limit: %+v (%v)", free, err)
	}
}

// TestSpentReduction: an automaton that can't be reduced in time is not reduced again, but its
// complement is used if there is one.
func TestSpentReduction(t *testing.T) {
	all, y := universal(), productcheck.NewLanguage(hard(1))
	d := productcheck.Decider{Limits: omega.Limits{Time: time.Nanosecond}}
	if _, err := d.Cost(t.Context(), y); err == nil || err.Error() != "time limit of 1ns" {
		t.Fatal(err)
	}
	for _, in := range []bool{true, false} {
		got, err := d.Decide(t.Context(), all.In(), productcheck.Side{Language: y, In: in})
		if err != nil || got.Undecided == nil || got.Undecided.Error() != "time limit of 1ns spent before on the same automaton" {
			t.Errorf("%v: %+v (%v)", in, got, err)
		}
	}
	y.SetDual(universal())
	if got, err := d.Decide(t.Context(), all.In(), y.Out()); err != nil || got.Undecided.Error() != "time limit of 1ns" {
		t.Errorf("with the complement: %+v (%v)", got, err)
	}
}

// A pairSource makes pairs of automata. The first is often included in the second.
type pairSource struct {
	t        *testing.T
	r        *rand.Rand
	store    *ltl.Store
	formulas *ltl.Generator
}

func newPairSource(t *testing.T, seed uint64) *pairSource {
	o := ltl.RandomOptions{Seed: seed, Props: letters.Props(), MinSize: 3, MaxSize: 12, KeepDuplicates: true}
	return &pairSource{t, rand.New(rand.NewPCG(seed, 1)), ltl.NewStore(), must.Get(ltl.NewGenerator(o))}
}

// next returns two automata: by turns of any kind; one and the same with more edges and marks; or,
// by two translators, the automata of a formula and of one that it implies.
func (s *pairSource) next(i int) (x, y *omega.Automaton) {
	switch i % 4 {
	case 0:
		return randomPair(s.r)
	case 1:
		x, _ = randomPair(s.r)
		return x, s.more(x)
	}
	f := s.store.Import(must.Get(s.formulas.Next()))
	g := f
	if i%8 == 3 {
		g = s.store.Or(f, s.store.Import(must.Get(s.formulas.Next())))
	}
	names := []string{"gpvw", "gastin-oddoux", "couvreur"}
	return s.translated(names[s.r.IntN(3)], f), s.translated(names[s.r.IntN(3)], g)
}

func (s *pairSource) translated(by string, f *ltl.Formula) *omega.Automaton {
	a := must.Get(translate.With(s.t.Context(), by, s.store, f))
	return must.Get(a.Over(s.t.Context(), letters))
}

// more returns an automaton with another edge, and with a mark more on some edges.
func (s *pairSource) more(a *omega.Automaton) *omega.Automaton {
	b := a.NewBuilder()
	b.AddStates(a.NumStates())
	for _, q := range a.Initial() {
		b.AddStart(q)
	}
	for p := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(p) {
			if s.r.IntN(4) == 0 {
				e.Marks = b.Marks().Union(e.Marks, b.Marks().Of(s.r.IntN(b.Marks().Sets())))
			}
			b.AddEdge(p, e.Label, e.Marks, e.Dst)
		}
	}
	n := a.NumStates()
	b.AddEdge(omega.State(s.r.IntN(n)), a.Alphabet().True(), 0, omega.State(s.r.IntN(n)))
	return b.Automaton()
}

// TestProofs: what one of the proofs finds to be included is, by a complement. Each proof is worth something, and so are all together.
func TestProofs(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 17)
	t.Logf("seed %d", seed)
	pairs := newPairSource(t, seed)
	found := map[productcheck.Step]int{}
	inclusions, proved := 0, 0
	for i := range n {
		x, y := pairs.next(i)
		by := must.Get(productcheck.Proofs(t.Context(), productcheck.NewLanguage(x), productcheck.NewLanguage(y)))
		for _, step := range by {
			found[step]++
		}
		forced := productcheck.Decider{Algorithm: "determinization"}
		want, err := forced.Decide(t.Context(), productcheck.NewLanguage(x).In(), productcheck.NewLanguage(y).Out())
		if err != nil || want.Undecided != nil {
			t.Fatalf("pair %d: %v, %v", i, err, want.Undecided)
		}
		free := productcheck.Decider{}
		got, err := free.Decide(t.Context(), productcheck.NewLanguage(x).In(), productcheck.NewLanguage(y).Out())
		if err != nil || got.Undecided != nil {
			t.Fatalf("pair %d: %v, %v", i, err, got.Undecided)
		}
		if got.Empty() != want.Empty() || got.By == "" || len(by) > 0 && !want.Empty() {
			t.Fatalf("pair %d: empty %v by %s, found by %v; by the complement %v", i, got.Empty(), got.By, by, want.Empty())
		}
		if want.Empty() {
			inclusions++
			if len(by) > 0 {
				proved++
			}
		}
	}
	t.Logf("%d pairs, %d included, %d proved: %v", n, inclusions, proved, found)
	for _, step := range []productcheck.Step{productcheck.ByIdentity, productcheck.ByDirect, productcheck.ByFair, productcheck.ByLookahead} {
		if found[step] < n/200 {
			t.Errorf("%s: %d pairs", step, found[step])
		}
	}
	if proved < inclusions*3/4 {
		t.Errorf("%d of %d inclusions are proved", proved, inclusions)
	}
}

// TestKept: a complement that an earlier check has explored decides the same check again.
func TestKept(t *testing.T) {
	a := random.Automaton(rand.New(rand.NewPCG(3, 1)), letters, omega.Buchi(), random.Options{States: 6, Density: 0.4, Marks: 0.2})
	x, y := universal(), productcheck.NewLanguage(a)
	d := productcheck.Decider{}
	for _, kept := range []bool{false, true} {
		got := must.Get(d.Decide(t.Context(), x.In(), y.Out()))
		if (got.By == productcheck.ByKept) != kept || !kept && got.Macrostates == 0 {
			t.Errorf("decided by %s with %d macrostates", got.By, got.Macrostates)
		}
	}
}

// from returns an automaton with another initial state.
func from(a *omega.Automaton, s omega.State) *omega.Automaton {
	b := a.NewBuilder()
	b.AddStates(a.NumStates())
	for q := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(q) {
			b.AddEdge(q, e.Label, e.Marks, e.Dst)
		}
	}
	b.AddStart(s)
	return b.Automaton()
}

// TestSuperiors: a state that is said to accept all words of another one does, by the complement.
func TestSuperiors(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	pairs := 0
	for i := range 600 {
		sets := r.IntN(4)
		all := []*omega.Condition{}
		for k := range sets {
			all = append(all, omega.Inf(k))
		}
		acceptance := omega.Acceptance{Sets: sets, Condition: omega.AllOf(all...)}
		n := 1 + r.IntN(5)
		x := random.Automaton(r, letters, acceptance, random.Options{States: n, Density: (0.3 + r.Float64()) / float64(n), Marks: 0.3})
		m := 1 + r.IntN(5)
		y := random.Automaton(r, letters, omega.Buchi(), random.Options{States: m, Density: (1 + 2*r.Float64()) / float64(m), Marks: 0.4})
		by, err := productcheck.Superiors(t.Context(), x, y, 1<<22)
		if err != nil || len(by) != n {
			t.Fatalf("pair %d: %d sets of states, %v", i, len(by), err)
		}
		for p := range omega.State(n) {
			for q := range omega.State(m) {
				if by[p][0]>>q&1 == 0 {
					continue
				}
				pairs++
				co := must.Get(must.Get(complement.Prepare(t.Context(), from(y, q), omega.Limits{})).Complement(t.Context(), "determinization", omega.Limits{}))
				got, err := productcheck.Intersect(t.Context(), from(x, p), co, omega.Limits{})
				if err != nil || !got.Empty() {
					t.Fatalf("pair %d: state %d of y does not accept the word %v of state %d of x (%v)", i, q, got.Word, p, err)
				}
			}
		}
	}
	t.Logf("%d pairs of states", pairs)
	if pairs < 1000 {
		t.Error("the test is not worth much")
	}
}

// similarPair returns two random automata. The second has most edges of the first.
func similarPair(r *rand.Rand) (x, y *omega.Automaton) {
	n := 5 + r.IntN(6)
	sets := 1 + r.IntN(2)
	acceptance := omega.Acceptance{Sets: sets, Condition: omega.AllOf(omega.Inf(0), omega.Inf(sets-1))}
	y = random.Automaton(r, letters, acceptance, random.Options{States: n, Density: 2 / float64(n), Marks: 0.2})
	b := y.NewBuilder()
	b.AddStates(n)
	for q := range omega.State(n) {
		for _, e := range y.Edges(q) {
			if r.IntN(8) > 0 {
				b.AddEdge(q, e.Label, e.Marks, e.Dst)
			}
		}
	}
	for _, s := range y.Initial() {
		b.AddStart(s)
	}
	for range r.IntN(3) {
		b.AddEdge(omega.State(r.IntN(n)), letters.Prop(r.IntN(2)), 0, omega.State(r.IntN(n)))
	}
	return b.Automaton(), y
}

// TestDecideLate: simulation between the sides changes no answer. Each pair is decided by one
// construction, or in a campaign by three.
func TestDecideLate(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	known, empty, before, after := 0, 0, 0, 0
	for i := range n {
		x, y := similarPair(r)
		left, right := productcheck.NewLanguage(x), productcheck.NewLanguage(y)
		for _, algorithm := range campaign.Alternate(i, complement.Algorithm(""), "modular", "ncsb-joint") {
			d := productcheck.Decider{Algorithm: algorithm}
			want := must.Get(d.Decide(t.Context(), left.In(), right.Out()))
			got, used, err := d.DecideLate(t.Context(), left, true, right, false)
			if errors.Is(err, complement.ErrUnfit) {
				continue
			}
			if err != nil || got.Empty() != want.Empty() {
				t.Fatalf("pair %d, %s: empty %v, want %v (%v)", i, algorithm, got.Empty(), want.Empty(), err)
			}
			if used {
				known++
			}
			if got.Empty() && algorithm != "" { // otherwise, it may have been proved before
				empty++
				before, after = before+want.Pairs, after+got.Pairs
			}
		}
	}
	t.Logf("%d answers with simulation, %d empty: %d pairs of states without it, %d with it", known, empty, before, after)
	if known < n/5 || after >= before {
		t.Error("the test is not worth much")
	}
}

// TestSuperiorsCanceled ends the simulation wherever it looks at its context.
func TestSuperiorsCanceled(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	x := random.Automaton(r, letters, omega.Buchi(), random.Options{States: 30, Density: 0.1, Marks: 0.3})
	y := random.Automaton(r, letters, omega.Buchi(), random.Options{States: 30, Density: 0.2, Marks: 0.3})
	for k := 0; ; k++ {
		by, err := productcheck.Superiors(canceled.At(t.Context(), k+1), x, y, 1<<28)
		if err == nil {
			if k < 10 || by == nil {
				t.Errorf("done after %d looks", k)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || by != nil {
			t.Fatalf("canceled at look %d: %v", k, err)
		}
		if by, err = productcheck.Superiors(t.Context(), x, y, 256*k); by != nil || err == nil {
			continue // it is done by then
		} else if !errors.Is(err, reduce.ErrSteps) {
			t.Fatalf("after %d steps: %v", 256*k, err)
		}
	}
}

// TestEqual: an automaton with the language of another one can take its place. Here it has to guess
// the next letter, as y has.
func TestEqual(t *testing.T) {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStates(3)
	b.AddStart(0)
	a := letters.Prop(0)
	b.AddEdge(0, letters.True(), 0, 1)
	b.AddEdge(0, letters.True(), 0, 2)
	b.AddEdge(1, a, b.Marks().Of(0), 0)
	b.AddEdge(2, letters.Not(a), b.Marks().Of(0), 0)
	guesses := b.Automaton()
	x, y := universal(), productcheck.NewLanguage(guesses)
	d := productcheck.Decider{}
	got, _, err := d.DecideLate(t.Context(), x, true, y, false)
	if err != nil || !got.Empty() || got.ProductStates == 0 {
		t.Fatalf("%+v (%v)", got, err)
	}
	x.AddEqual(productcheck.NewLanguage(guesses))
	if got, _, err = d.DecideLate(t.Context(), x, true, y, false); err != nil || !got.Empty() || got.ProductStates != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
}

// included decides inclusion with the default limits, and fails the test if
// that is undecided. The word shows what is missing; it is certified by
// membership.
func included(t *testing.T, what string, x, y *productcheck.Language) (bool, *omega.Word) {
	t.Helper()
	d := productcheck.Decider{}
	r := must.Get(d.Decide(t.Context(), x.In(), y.Out()))
	if r.Undecided != nil {
		t.Errorf("%s: undecided: %v", what, r.Undecided)
		return false, nil
	}
	if r.Empty() {
		return true, nil
	}
	w := r.Word.Concrete()
	in, err := x.Automaton().Accepts(context.Background(), w)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	out, err := y.Automaton().Accepts(context.Background(), w)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !in || out {
		t.Errorf("%s: word %s is in the one: %v, in the other: %v", what, w, in, out)
	}
	return false, w
}

// TestCorpusRecorded compares what nine real translators made of the same
// formula, each two of them, in both directions. All are equal. One in twenty formulas is taken,
// or in a campaign all.
func TestCorpusRecorded(t *testing.T) {
	type key struct {
		formula string
		negated bool
	}
	groups := map[key]map[string]*omega.Automaton{}
	var order []key
	tools := map[string]int{}
	for c := range corpus.Records[struct {
		Formula, Tool, Output, Status string
		Negated                       bool
	}](t, "recorded.jsonl.gz") {
		if c.Status != "ok" {
			continue
		}
		a, _, err := hoa.ReadOne(context.Background(), []byte(c.Output))
		if err != nil {
			t.Fatalf("%s of %s: %v", c.Tool, c.Formula, err)
		}
		k := key{c.Formula, c.Negated}
		if groups[k] == nil {
			groups[k] = map[string]*omega.Automaton{}
			order = append(order, k)
		}
		groups[k][c.Tool] = a
		tools[c.Tool]++
	}
	checks := 0
	for k := range campaign.Sample(slices.Values(order), 20) {
		var alphabets []*omega.Alphabet
		for _, tool := range slices.Sorted(maps.Keys(groups[k])) {
			alphabets = append(alphabets, groups[k][tool].Alphabet())
		}
		alphabet := omega.Union(alphabets...)
		languages := map[string]*productcheck.Language{}
		for tool, a := range groups[k] {
			languages[tool] = productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet)))
		}
		for x, left := range languages {
			for y, right := range languages {
				if x == y {
					continue
				}
				checks++
				what := fmt.Sprintf("%s (negated: %v): %s in %s", k.formula, k.negated, x, y)
				if ok, w := included(t, what, left, right); !ok {
					t.Errorf("%s: %v is missing", what, w)
				}
			}
		}
	}
	t.Logf("%d formulas, %d tools, %d inclusions", len(order), len(tools), checks)
	if len(tools) != 9 || checks < 1000 {
		t.Errorf("%d tools, %d inclusions", len(tools), checks)
	}
}
