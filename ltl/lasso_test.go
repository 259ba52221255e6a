package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// naive evaluates a formula at a position of a lasso from the definitions. A
// suffix of the word repeats after at most prefix+cycle positions, so that it is
// enough to look that far.
func naive(f *ltl.Formula, prefix, cycle, pos int, value func(string, int) bool) bool {
	n := prefix + cycle
	if pos >= n {
		pos = prefix + (pos-prefix)%cycle
	}
	at := func(g *ltl.Formula, i int) bool { return naive(g, prefix, cycle, i, value) }
	l, r := f.Left(), f.Right()
	until := func(x, y func(int) bool) bool {
		for i := pos; i < pos+n; i++ {
			if y(i) {
				return true
			}
			if !x(i) {
				return false
			}
		}
		return false
	}
	left := func(i int) bool { return at(l, i) }
	right := func(i int) bool { return at(r, i) }
	always := func(x func(int) bool) bool {
		return !until(func(int) bool { return true }, func(i int) bool { return !x(i) })
	}
	both := func(i int) bool { return left(i) && right(i) }
	switch f.Op() {
	case ltl.OpFalse:
		return false
	case ltl.OpTrue:
		return true
	case ltl.OpProp:
		return value(f.Name(), pos)
	case ltl.OpNot:
		return !left(pos)
	case ltl.OpAnd:
		return left(pos) && right(pos)
	case ltl.OpOr:
		return left(pos) || right(pos)
	case ltl.OpImplies:
		return !left(pos) || right(pos)
	case ltl.OpEquiv:
		return left(pos) == right(pos)
	case ltl.OpXor:
		return left(pos) != right(pos)
	case ltl.OpNext:
		return left(pos + 1)
	case ltl.OpFinally:
		return until(func(int) bool { return true }, left)
	case ltl.OpGlobally:
		return always(left)
	case ltl.OpUntil:
		return until(left, right)
	case ltl.OpWeakUntil:
		return until(left, right) || always(left)
	case ltl.OpStrongRelease:
		return until(right, both)
	default: // Release
		return until(right, both) || always(right)
	}
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

func (w word) holds(f *ltl.Formula) bool { return f.Holds(w.prefix, w.cycle, w.value) }

// TestHolds compares the evaluation with the definitions, and negation normal
// form, simplification and every possible unabbreviation with the formula.
func TestHolds(t *testing.T) {
	const seed = 3
	g := generator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20000 {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		w := randomWord(r)
		asked := map[string]bool{}
		got := f.Holds(w.prefix, w.cycle, func(prop string, pos int) bool {
			key := fmt.Sprint(prop, pos)
			if asked[key] {
				t.Fatalf("%s: asked twice for %s", f, key)
			}
			asked[key] = true
			return w.value(prop, pos)
		})
		if want := naive(f, w.prefix, w.cycle, 0, w.value); got != want {
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
			return f.Holds(len(letters)-cycle, cycle, func(prop string, pos int) bool {
				if !strings.Contains(c.Word, prop) {
					return open
				}
				for _, l := range strings.Split(letters[pos], "&") {
					if l == prop {
						return true
					}
				}
				return false
			})
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
	fmt.Println(f.Holds(1, 2, func(_ string, pos int) bool { return truth[pos] }))
	// Output: true
}

func BenchmarkHolds(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d letters", n), func(b *testing.B) {
			g := generator(b, 1, []string{"a", "b"}, 30, 30)
			f, _ := g.Next()
			for b.Loop() {
				f.Holds(n/2, n/2, func(prop string, pos int) bool { return (pos+len(prop))%3 == 0 })
			}
		})
	}
}
