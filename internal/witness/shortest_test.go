package witness_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// fits reports whether all sides treat the word as they shall, by membership.
func fits(t *testing.T, sides []witness.Side, w *omega.Word) bool {
	for _, s := range sides {
		in := must.Get(s.Automaton.Accepts(context.Background(), w))
		if in != s.Accept {
			return false
		}
	}
	return true
}

// weight returns how many propositions the letters of a word set.
func weight(w *omega.Word) (n int) {
	for i := range w.Size() {
		v, _ := w.Alphabet.Letter(w.At(i))
		for _, set := range v {
			if set {
				n++
			}
		}
	}
	return n
}

// brute tries all words of up to size letters. Words of one size come by weight and then by the
// length of the prefix.
func brute(t *testing.T, sides []witness.Side, size int) *omega.Word {
	alphabet := sides[0].Automaton.Alphabet()
	var letters []omega.Label
	for v := range uint64(1) << alphabet.Len() {
		letters = append(letters, alphabet.Cube(v, (1<<alphabet.Len()-1)&^v))
	}
	for n := 1; n <= size; n++ {
		var best *omega.Word
		word := make([]omega.Label, n)
		var try func(i int)
		try = func(i int) {
			if i < n {
				for _, l := range letters {
					word[i] = l
					try(i + 1)
				}
				return
			}
			for u := range n {
				w := omega.NewWord(alphabet, word[:u], word[u:])
				if best != nil && (weight(w) > weight(best) || weight(w) == weight(best) && u >= len(best.Prefix)) {
					continue
				}
				if fits(t, sides, w) {
					best = &omega.Word{Alphabet: alphabet}
					best.Prefix = append(best.Prefix, w.Prefix...)
					best.Cycle = append(best.Cycle, w.Cycle...)
				}
			}
		}
		try(0)
		if best != nil {
			return best
		}
	}
	return nil
}

// randomSides returns one to three small automata over props propositions; or two
// that differ in an edge, one to accept and one to reject.
func randomSides(r *rand.Rand, props int) []witness.Side {
	alphabet := omega.NewAlphabet([]string{"a", "b"}[:props]...)
	var sides []witness.Side
	for range 1 + r.IntN(3) {
		sets := r.IntN(4)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
		if r.IntN(2) == 0 {
			acceptance = omega.Buchi()
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{
			States: 1 + r.IntN(6), Density: 0.2 + r.Float64()*0.6, Marks: 0.1 + 0.4*r.Float64(),
			Deterministic: r.IntN(3) == 0,
		})
		sides = append(sides, witness.Side{Automaton: a, Accept: r.IntN(2) == 0})
	}
	if a := sides[0].Automaton; len(sides) == 2 && a.NumEdges() > 0 {
		sides[0].Accept = !sides[1].Accept
		sides[1].Automaton = mutant(r, a)
	}
	return sides
}

// mutant returns a copy of a with an edge dropped, led elsewhere, or without its
// marks.
func mutant(r *rand.Rand, a *omega.Automaton) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	victim, kind := r.IntN(a.NumEdges()), r.IntN(3)
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if victim--; victim == -1 {
				switch kind {
				case 0:
					continue
				case 1:
					e.Dst = omega.State(r.IntN(a.NumStates()))
				case 2:
					e.Marks = 0
				}
			}
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	return b.Automaton()
}

// longer returns the same word with its cycle written out twice.
func longer(w *omega.Word) *omega.Word {
	return omega.NewWord(w.Alphabet, w.Prefix, slices.Concat(w.Cycle, w.Cycle))
}

// TestBrute: the words are shortest, lightest, and have the shortest prefixes, and
// where there is none of a size there is none.
func TestBrute(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	sizes, given := map[int]int{}, 0
	n := campaign.Inputs(t, 500)
	for i := range n {
		props, size := 1, 6
		if i%3 == 0 {
			props, size = 2, 3
		}
		sides := randomSides(r, props)
		got := must.Get(witness.Shortest(t.Context(), sides, nil, omega.Limits{WordSteps: 20_000_000}))
		want := brute(t, sides, size)
		switch {
		case got.Why != nil: // there are so many profiles because there is no word, or none that is short
			given++
			if want != nil && want.Size() < got.Least {
				t.Errorf("case %d: %v, want %s", i, got, want)
			}
		case got.Word == nil && got.Least != math.MaxInt:
			t.Errorf("case %d: neither a word, nor shown that there is none: %v", i, got)
		case got.Word == nil && want != nil:
			t.Errorf("case %d: no word, want %s", i, want)
		case got.Word == nil:
			sizes[0]++
		case !fits(t, sides, got.Word) || !got.Shortest():
			t.Errorf("case %d: %v", i, got)
		case got.Word.Size() > size && want != nil:
			t.Errorf("case %d: %v, want %s", i, got, want)
		case got.Word.Size() > size:
			sizes[size+1]++
		case want == nil || got.Word.Size() != want.Size() || weight(got.Word) != weight(want) || len(got.Word.Prefix) != len(want.Prefix):
			t.Errorf("case %d: %v, want %s", i, got, want)
		default:
			sizes[want.Size()]++
			if known, err := witness.Shortest(t.Context(), sides, longer(want), omega.Limits{}); err != nil || !known.Shortest() || known.Word.Size() != got.Word.Size() || weight(known.Word) != weight(got.Word) {
				t.Errorf("case %d: %v, %v with a known word, %v without", i, known, err, got)
			}
		}
	}
	t.Logf("words by size: %v; given up: %d", sizes, given)
	different := 3
	if n >= 2400 {
		different = 5 // of size 4 is one in a hundred
	}
	for size := range different {
		if sizes[size] == 0 {
			t.Errorf("no case of size %d", size)
		}
	}
}

// counter accepts one word: a stands at every n-th place, from the first one on,
// and nowhere else.
func counter(n int) *omega.Automaton {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Acceptance{Condition: omega.AllOf()})
	b.AddStates(n)
	b.AddStart(0)
	for s := range n {
		label := alphabet.Prop(0)
		if s > 0 {
			label = alphabet.Not(label)
		}
		b.AddEdge(omega.State(s), label, 0, omega.State((s+1)%n))
	}
	return b.Automaton()
}

func sidesOf(in, out *omega.Automaton) []witness.Side {
	return []witness.Side{{Automaton: in, Accept: true}, {Automaton: must.Get(out.Over(context.Background(), in.Alphabet())), Accept: false}}
}

// TestLimits: past a limit there is still a word, if one was known, and it is said
// how far the search came.
func TestLimits(t *testing.T) {
	sides := sidesOf(counter(12), counter(7))
	known := must.Get(omega.ParseWord(context.Background(), "a; cycle{!a;!a;!a;!a;!a;!a;!a;!a;!a;!a;!a;a}"))
	known = known.Over(sides[0].Automaton.Alphabet())
	for _, limits := range []omega.Limits{{WordSteps: 100}, {Memory: 100}} {
		r, err := witness.Shortest(t.Context(), sides, known, limits)
		var limit *omega.LimitError
		if err != nil || r.Word != known || r.Shortest() || r.Least > 3 || !errors.As(r.Why, &limit) {
			t.Errorf("%+v: %v, %v, %v", limits, r, r.Why, err)
		}
	}
	r, err := witness.Shortest(t.Context(), sides, known, omega.Limits{})
	if err != nil || !r.Shortest() || r.Word.Size() != 12 || !fits(t, sides, r.Word) {
		t.Errorf("without a limit: %v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := witness.Shortest(ctx, sides, known, omega.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestWrongKnown: a word that is said to be there and is not is an internal error.
func TestWrongKnown(t *testing.T) {
	sides := sidesOf(counter(4), counter(2))
	known := must.Get(omega.ParseWord(context.Background(), "cycle{a}"))
	if r, err := witness.Shortest(t.Context(), sides, known.Over(sides[0].Automaton.Alphabet()), omega.Limits{}); err == nil {
		t.Errorf("%v", r)
	}
}

// TestManyLetters: automata that tell very many letters apart are given up.
func TestManyLetters(t *testing.T) {
	var props []string
	for i := range 14 {
		props = append(props, fmt.Sprint("p", i))
	}
	alphabet := omega.NewAlphabet(props...)
	b := omega.NewBuilder(alphabet, omega.Acceptance{Condition: omega.AllOf()})
	b.AddStart(b.AddState())
	for i := range props {
		b.AddEdge(0, alphabet.Prop(i), 0, b.AddState())
		b.AddEdge(omega.State(i+1), alphabet.True(), 0, omega.State(i+1))
	}
	known := omega.NewWord(alphabet, nil, []omega.Label{alphabet.Cube(1, 1<<14-2)})
	r, err := witness.Shortest(t.Context(), []witness.Side{{b.Automaton(), true}}, known, omega.Limits{})
	if err != nil || r.Word != known || r.Why == nil || !r.Shortest() {
		t.Errorf("%v, %v, %v: want the known word, the search given up", r, r.Why, err)
	}
}

// A proved counts words, and those that are proved to be shortest.
type proved struct{ shortest, all int }

func (p *proved) report(t *testing.T) {
	if 100*p.shortest < 99*p.all {
		t.Errorf("only %d of %d words are proved to be shortest", p.shortest, p.all)
	}
}

// compare looks for a word that is in x (or not) and in y (or not). It counts
// the word, and fails the test if the word is not as it should be. The word is nil
// if there is none.
func compare(t *testing.T, what string, x *productcheck.Language, inX bool, y *productcheck.Language, inY bool, all *proved) *omega.Word {
	t.Helper()
	d := productcheck.Decider{}
	r, err := d.Decide(t.Context(), productcheck.Side{Language: x, In: inX}, productcheck.Side{Language: y, In: inY})
	if err != nil || r.Undecided != nil {
		t.Fatal(err, r.Undecided)
	}
	if r.Empty() {
		return nil
	}
	var sides [2][]*productcheck.Language // in, out
	for _, s := range []struct {
		l  *productcheck.Language
		in bool
	}{{x, inX}, {y, inY}} {
		if s.in {
			sides[0] = append(sides[0], s.l)
		} else {
			sides[1] = append(sides[1], s.l)
		}
	}
	known := r.Word.Concrete()
	got, err := d.Shortest(t.Context(), known, sides[0], sides[1])
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return nil
	}
	run, err := d.ShortestRun(t.Context(), sides[0], sides[1])
	if err != nil || run.Size() > r.Word.Size() || run.Size() < got.Word.Size() {
		t.Fatalf("%s: word %v, shortest run %v, %v; first run %v", what, got, run, err, r.Word)
	}
	if all.all++; got.Shortest() {
		all.shortest++
	} else {
		t.Logf("%s: %s: not proved to be shortest: %v", what, got.Word, got.Why)
	}
	for i, languages := range sides {
		for _, l := range languages {
			if in, err := l.Automaton().Accepts(context.Background(), got.Word); err != nil || in != (i == 0) {
				t.Errorf("%s: membership of %s is %v, %v", what, got.Word, in, err)
			}
		}
	}
	return got.Word
}

// TestCorpusPairs compares one in three pairs of automata, or in a campaign all: what they share, and what is only in
// the one or the other, in turn or in a campaign all of it.
func TestCorpusPairs(t *testing.T) {
	var all proved
	n := 0
	for c := range campaign.Sample(corpus.Records[struct{ Kind, A, B string }](t, "pairs.jsonl.gz"), 3) {
		n++
		a := must.First(hoa.ReadOne(context.Background(), []byte(c.A)))
		b, _, err := hoa.ReadOne(context.Background(), []byte(c.B))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.Union(a.Alphabet(), b.Alphabet())
		x, y := productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet))), productcheck.NewLanguage(must.Get(b.Over(context.Background(), alphabet)))
		for _, in := range campaign.Alternate(n, [2]bool{true, true}, [2]bool{true, false}, [2]bool{false, true}) {
			compare(t, fmt.Sprintf("pair %d (%s), %v", n, c.Kind, in), x, in[0], y, in[1], &all)
		}
	}
	all.report(t)
}

// TestCorpusMutants compares recorded automata in which something was changed with
// their formula. The words are certified by the formula's semantics. One in four is taken, or in
// a campaign all.
func TestCorpusMutants(t *testing.T) {
	var all proved
	type record struct {
		Formula, Tool, Mutation, HOA string
		Missing, Extra               bool
	}
	for c := range campaign.Sample(corpus.Records[record](t, "mutants.jsonl.gz"), 4) {
		store := ltl.NewStore()
		f := must.Get(store.Parse(c.Formula, ltl.Spot))
		a := must.First(hoa.ReadOne(context.Background(), []byte(c.HOA)))
		alphabet := omega.Union(omega.NewAlphabet(f.Props()...), a.Alphabet())
		mutant := productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet)))
		for _, truth := range []bool{true, false} { // missing words, and extra ones
			g := f
			if !truth {
				g = store.Not(f)
			}
			right := must.Get(translate.With(t.Context(), "gastin-oddoux", store, g))
			what := fmt.Sprintf("%s of %s, %s", c.Formula, c.Tool, c.Mutation)
			w := compare(t, what, productcheck.NewLanguage(must.Get(right.Over(context.Background(), alphabet))), true, mutant, !truth, &all)
			if (w != nil) != (truth && c.Missing || !truth && c.Extra) {
				t.Errorf("%s: word %v for truth %v", what, w, truth)
			}
			if w == nil {
				continue
			}
			if got, err := w.Holds(f); err != nil || got != truth {
				t.Errorf("%s: the formula is %v on %s (%v)", what, got, w, err)
			}
		}
	}
	all.report(t)
}
