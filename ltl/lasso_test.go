package ltl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// naive evaluates a formula at a position of a word, in any round of the cycle, by package certify,
// which follows the definitions and shares no code with this one.
func naive(f *ltl.Formula, w word, pos int) bool {
	s := ltl.NewStore()
	f = s.Import(f)
	for range pos {
		f = s.Next(f)
	}
	var c certify.Word
	for i, l := range w.letters {
		list := &c.Prefix
		if i >= w.prefix {
			list = &c.Cycle
		}
		*list = append(*list, certify.Letter{"a": l[0], "b": l[1]})
	}
	return must.Get(certify.Holds(context.Background(), f, &c))
}

// word is a random lasso over two propositions.
type word struct {
	prefix, cycle int
	letters       [][2]bool
}

func randomWord(r *rand.Rand) word {
	w := word{prefix: r.IntN(4), cycle: 1 + r.IntN(4)}
	for range w.prefix + w.cycle {
		w.letters = append(w.letters, [2]bool{r.IntN(2) == 0, r.IntN(2) == 0})
	}
	return w
}

func (w word) value(prop string, pos int) bool { return w.letters[pos][prop[0]-'a'] }

func (w word) holds(f *ltl.Formula) bool { return must.Get(f.Holds(w.prefix, w.cycle, w.value)) }

// TestHolds compares the evaluation with the definitions, and negation normal
// form, simplification and every possible unabbreviation with the formula. Some formulas are in a
// store with many others, where their numbers are large.
func TestHolds(t *testing.T) {
	const seed = 3
	future := generator(t, seed, []string{"a", "b"}, 1, 12)
	past := pastGenerator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	large := ltl.NewStore()
	for i := range campaign.Inputs(t, 20000) {
		large.Prop(fmt.Sprint("x", i))
	}
	for i := range campaign.Inputs(t, 4000) {
		g := future
		if i%2 == 1 {
			g = past
		}
		f, _ := g.Next()
		s, props := ltl.NewStore(), f.Props()
		if i%4 > 1 {
			s = large
		}
		if f = s.Import(f); !slices.Equal(f.Props(), props) {
			t.Errorf("seed %d: %s has propositions %v or %v", seed, f, props, f.Props())
		}
		w := randomWord(r)
		asked := map[string]bool{}
		got, _ := f.Holds(w.prefix, w.cycle, func(prop string, pos int) bool {
			key := fmt.Sprint(prop, pos)
			if asked[key] {
				t.Fatalf("%s: asked twice for %s", f, key)
			}
			asked[key] = true
			return w.value(prop, pos)
		})
		if want := naive(f, w, 0); got != want {
			t.Fatalf("seed %d: %s on %v: got %v", seed, f, w, got)
		}
		nnf := s.NNF(f)
		if w.holds(nnf) != got {
			t.Fatalf("seed %d: %s has the negation normal form %s", seed, f, nnf)
		}
		checkNNF(t, nnf)
		simple := s.Simplify(f)
		if w.holds(simple) != got || simple.Size() > f.Size() {
			t.Fatalf("seed %d: %s is simplified to %s", seed, f, simple)
		}
		remove := ltl.OpSet(r.Uint32()) &^ ltl.Ops(ltl.OpProp)
		if u, err := s.Unabbreviate(f, remove); err == nil {
			if w.holds(u) != got || u.Ops()&remove != 0 {
				t.Fatalf("seed %d: %s without %s is %s", seed, f, remove, u)
			}
		}
	}
}

// TestUnrollings shows that h(f)+1 rounds of the cycle are needed: on a counter
// modulo n, it takes a round less than the depth until the past has been seen
// backwards (Benedetti and Cimatti 2003; Schuppan and Biere 2005, Figure 4).
func TestUnrollings(t *testing.T) {
	for n := 2; n <= 8; n++ {
		s := ltl.NewStore()
		// F of O(c0 & O(c1 & … O(c(n-1))…)), and G of its negation.
		f := s.True()
		for i := n - 1; i >= 0; i-- {
			f = s.Unary(ltl.OpOnce, s.And(s.Prop(fmt.Sprint("c", i)), f))
		}
		if f.PastDepth() != n {
			t.Fatalf("%s has depth %d", f, f.PastDepth())
		}
		// It becomes true in round n-1 and not before, counted from 0.
		late := f
		for range (n - 1) * n {
			late = s.Next(late)
		}
		early := f
		for range (n-1)*n - 1 {
			early = s.Next(early)
		}
		counter := func(prop string, pos int) bool { return prop == fmt.Sprint("c", pos) }
		if x, y := must.Get(late.Holds(0, n, counter)), must.Get(early.Holds(0, n, counter)); !x || y {
			t.Errorf("modulo %d: late %v, early %v", n, x, y)
		}
	}
}

// TestCorpus evaluates formulas on words for which the truth is known from
// another tool.
func TestCorpus(t *testing.T) {
	n := 0
	for c := range corpus.Records[struct {
		Formula, Word string
		Holds         bool
	}](t, "words.jsonl.gz") {
		n++
		f := parse(t, ltl.NewStore(), c.Formula, ltl.Spot)
		before, inside, _ := strings.Cut(strings.TrimSuffix(c.Word, "}"), "cycle{")
		var letters []string
		for _, part := range []string{before, inside} {
			for _, l := range strings.Split(part, ";") {
				if l = strings.TrimSpace(l); l != "" {
					letters = append(letters, l)
				}
			}
		}
		cycle := 1 + strings.Count(inside, ";")
		// A proposition that no letter speaks of is open; it is enough that the
		// formula holds for some valuation of it.
		holds := func(open bool) bool {
			return must.Get(f.Holds(len(letters)-cycle, cycle, func(prop string, pos int) bool {
				if !strings.Contains(c.Word, prop) {
					return open
				}
				for _, l := range strings.Split(letters[pos], "&") {
					if l == prop {
						return true
					}
				}
				return false
			}))
		}
		if got := holds(false) || holds(true); got != c.Holds {
			t.Errorf("%s on %s: got %v", c.Formula, c.Word, got)
		}
	}
	if n != 1500 {
		t.Errorf("%d words in the corpus", n)
	}
}

func ExampleFormula_Holds() {
	f, _ := ltl.NewStore().Parse("GFa", ltl.Spot)
	// The word a; cycle{!a; a}.
	truth := []bool{true, false, true}
	holds, err := f.Holds(1, 2, func(_ string, pos int) bool { return truth[pos] })
	fmt.Println(holds, err)
	// Output: true <nil>
}

// TestNoLetter: expressions with letters that nothing satisfies.
func TestNoLetter(t *testing.T) {
	for text, want := range map[string]bool{"{0}": false, "{a;0}": false, "{0[*];a}": true, "{0}[]-> b": true, "{0}<>-> a": false, "{a;0 | a}!": true} {
		f := parse(t, ltl.NewStore(), text, ltl.Spot)
		got, err := f.Holds(0, 1, func(prop string, _ int) bool { return prop == "a" })
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
}

// TestTruths compares the truth of all subformulas at all positions, also in later rounds
// of the cycle, with the definitions.
func TestTruths(t *testing.T) {
	const seed = 12
	future := generator(t, seed, []string{"a", "b"}, 1, 12)
	past := pastGenerator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	unrolled := 0
	for i := range campaign.Inputs(t, 2000) {
		g := future
		if i%2 == 1 {
			g = past
		}
		f, _ := g.Next()
		w := randomWord(r)
		truths := must.Get(f.Truths(w.prefix, w.cycle, w.value))
		if truths.Prefix > w.prefix {
			unrolled++
		}
		if truths.Cycle != w.cycle || (truths.Prefix-w.prefix)%w.cycle != 0 || f.PastDepth() == 0 && truths.Prefix != w.prefix {
			t.Fatalf("seed %d: %s on %v: prefix %d, cycle %d", seed, f, w, truths.Prefix, truths.Cycle)
		}
		size := 0
		for j, h := range truths.Subformulas {
			if h.Size() < size {
				t.Fatalf("seed %d: %s: %s comes behind a larger one", seed, f, h)
			}
			size = h.Size()
			for pos := range truths.Prefix + 3*truths.Cycle {
				place := pos
				for place >= truths.Prefix+truths.Cycle {
					place -= truths.Cycle
				}
				if got := truths.Holds(j, place); got != naive(h, w, pos) {
					t.Fatalf("seed %d: %s in %s at %d of %v: got %v", seed, h, f, pos, w, got)
				}
			}
		}
		if truths.Subformulas[len(truths.Subformulas)-1] != f || truths.Holds(len(truths.Subformulas)-1, 0) != w.holds(f) {
			t.Fatalf("seed %d: %s is not the last of its subformulas", seed, f)
		}
	}
	if unrolled < campaign.Inputs(t, 50) {
		t.Errorf("in only %d tables the past tells rounds from each other", unrolled)
	}
}

// TestProgress: along every word, what remains of a formula is as true as the formula.
func TestProgress(t *testing.T) {
	const seed = 13
	g := generator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	largest := 0
	for range campaign.Inputs(t, 3000) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		w := randomWord(r)
		rest := f
		for pos := range w.prefix + 2*w.cycle {
			if got := naive(rest, w, pos); got != w.holds(f) {
				t.Fatalf("seed %d: %s on %v: at %d it has become %s, which is %v", seed, f, w, pos, rest, got)
			}
			at := pos
			if at >= w.prefix+w.cycle {
				at -= w.cycle
			}
			var ok bool
			if rest, ok = s.Progress(rest, func(prop string) bool { return w.value(prop, at) }); !ok {
				t.Fatalf("%s has no past", f)
			}
			largest = max(largest, rest.Size())
		}
	}
	if largest > 100 {
		t.Errorf("what remains has %d nodes", largest)
	}
}

func ExampleStore_Progress() {
	s := ltl.NewStore()
	f, err := s.Parse("G(a -> X(b U c))", ltl.Spot)
	if err != nil {
		panic(err)
	}
	for _, letter := range []string{"a", "b", "c", ""} {
		if f, _ = s.Progress(f, func(prop string) bool { return prop == letter }); letter != "" {
			fmt.Printf("after %s: %s\n", letter, f)
		}
	}
	past, _ := s.Parse("G(a -> O b)", ltl.Spot)
	_, ok := s.Progress(past, func(string) bool { return true })
	fmt.Println("of the past:", ok)
	// Output:
	// after a: b U c & G(a -> X(b U c))
	// after b: b U c & G(a -> X(b U c))
	// after c: G(a -> X(b U c))
	// of the past: false
}

// TestProgressPSL: along every word, what remains of a formula with expressions is as true of the
// rest of the word as the formula of the word. It may become too large to be evaluated.
func TestProgressPSL(t *testing.T) {
	const seed = 14
	g := pslGenerator(t, seed, 2, 16)
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := map[ltl.SEREOp]int{}
	for i := range campaign.Inputs(t, 500) {
		f := must.Get(g.Next())
		s := ltl.NewStore()
		f = s.Import(f)
		for _, h := range f.Subformulas() {
			if h.SERE() != nil {
				countSERE(h.SERE(), kinds)
			}
		}
		// The word is a prefix of 7 letters and a cycle of one to three.
		bits, cycle := r.Uint64(), 1+r.IntN(3)
		const prefix = 7
		value := func(prop string, pos int) bool { return bits>>(3*pos+int(prop[0]-'a'))&1 != 0 }
		want := holds(t, f, prefix, cycle, value)
		rest := f
		for pos := 1; pos <= prefix && rest.Size() <= 100; pos++ {
			before := rest
			var ok bool
			rest, ok = s.Progress(before, func(prop string) bool { return value(prop, pos-1) })
			if !ok {
				t.Fatalf("%s has no past", f)
			}
			later := func(prop string, i int) bool { return value(prop, pos+i) }
			got, err := rest.Holds(prefix-pos, cycle, later)
			if errors.Is(err, ltl.ErrLarge) {
				break
			}
			if err != nil || got != want {
				t.Fatalf("seed %d, formula %d: %s is %v; letter %d makes %s of %s", seed, i, f, want, pos, rest, before)
			}
		}
	}
	if len(kinds) != 10 {
		t.Errorf("seed %d: %d operators of expressions", seed, len(kinds))
	}
}

// TestProgressExpressions reads one letter after the other.
func TestProgressExpressions(t *testing.T) {
	for _, c := range []struct{ in, letters, want string }{
		{"{a;b}|->c", "a", "{b}[]-> c"},
		{"{a;b}|->c", "b", "1"},
		{"{a[*];b}|->Xc", "aa", "{a[*];b}[]-> Xc"},
		{"{a[*];b}|->Xc", "ab", "c"},
		{"{{a;b}[*];c}!", "aba", "{b;{a;b}[*];c}!"},
		{"{{a;b}[*];c}!", "c", "1"},
		{"{a[*3];b[*];c}!", "aa", "{a;b[*];c}!"},
		{"{a[*2..4];b}!", "aa", "{a[*0..2];b}!"},
		{"{a[*2..];b}!", "aaaaa", "{a[*];b}!"},
		{"{{a;b}[:*3];c}!", "a", "{b:{a;b}[:*2];c}!"},
		{"{{a;b} && {1;1;c}}!", "ab", "0"},
		{"{first_match(a;b[*];c);a}!", "ab", "{first_match(b[*];c);a}!"},
		{"{a;b[*];c}", "ab", "{b[*];c}"},
		{"{a;b}", "ab", "1"},
		{"{a;b}", "b", "0"},
		{"{a[*]}", "b", "0"},
	} {
		s := ltl.NewStore()
		f := parse(t, s, c.in, ltl.Spot)
		for _, letter := range c.letters {
			f, _ = s.Progress(f, func(prop string) bool { return prop == string(letter) })
		}
		if f.String() != c.want {
			t.Errorf("%s after %s: got %s, want %s", c.in, c.letters, f, c.want)
		}
	}
}
