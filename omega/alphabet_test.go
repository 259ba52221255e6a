package omega_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestLabels compares every operation with its definition on each letter, for
// truth tables and for decision diagrams.
func TestLabels(t *testing.T) {
	for _, n := range []int{0, 1, 3, 6, 7, 9} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		a := omega.NewAlphabet(sample.Props(n)...)
		letters := make([]omega.Letter, 1<<n)
		for v := range letters {
			letters[v] = make(omega.Letter, n)
			for i := range n {
				letters[v][i] = v>>i&1 != 0
			}
		}
		// A label with the truth table that it should have.
		type known struct {
			label omega.Label
			table []bool
		}
		constant := func(l omega.Label, b bool) known {
			k := known{l, make([]bool, len(letters))}
			for v := range k.table {
				k.table[v] = b
			}
			return k
		}
		pool := []known{constant(omega.False, false), constant(a.True(), true)}
		for i := range n {
			k := known{a.Prop(i), make([]bool, len(letters))}
			for v := range letters {
				k.table[v] = letters[v][i]
			}
			pool = append(pool, k)
		}
		for range 300 {
			x, y := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
			k := known{table: make([]bool, len(letters))}
			op := r.IntN(4)
			switch op {
			case 0:
				k.label = a.And(x.label, y.label)
			case 1:
				k.label = a.Or(x.label, y.label)
			case 2:
				k.label = a.Xor(x.label, y.label)
			case 3:
				k.label = a.Not(x.label)
			}
			meet, implies := false, true
			for v := range letters {
				p, q := x.table[v], y.table[v]
				k.table[v] = []bool{p && q, p || q, p != q, !p}[op]
				meet = meet || p && q
				implies = implies && (!p || q)
			}
			if got := a.Meet(x.label, y.label); got != meet {
				t.Fatalf("%d propositions: Meet = %v, want %v", n, got, meet)
			}
			if got := a.Implies(x.label, y.label); got != implies {
				t.Fatalf("%d propositions: Implies = %v, want %v", n, got, implies)
			}
			if a.Key(x.label)&a.Key(y.label) == 0 && meet {
				t.Fatalf("%d propositions: keys of labels that meet are disjoint", n)
			}
			for _, other := range pool {
				if same := slices.Equal(other.table, k.table); same != (other.label == k.label) {
					t.Fatalf("%d propositions: labels are not canonical", n)
				}
			}
			count, fewest := 0.0, n+1
			for v, letter := range letters {
				if a.Eval(k.label, letter) != k.table[v] {
					t.Fatalf("%d propositions: operation %d is wrong on letter %v", n, op, letter)
				}
				if k.table[v] {
					count++
					fewest = min(fewest, ones(letter))
				}
			}
			if got := lettersOf(a, k.label); got != count {
				t.Fatalf("%d propositions: count = %v, want %v", n, got, count)
			}
			letter, ok := a.Letter(k.label)
			if ok != (count > 0) || ok && (!a.Eval(k.label, letter) || ones(letter) != fewest) {
				t.Fatalf("%d propositions: Letter = %v, %v; want one of %d true propositions", n, letter, ok, fewest)
			}
			checkCover(t, a, k.label)
			pool = append(pool, k)
		}
	}
}

func ones(v omega.Letter) (n int) {
	for _, b := range v {
		if b {
			n++
		}
	}
	return n
}

// lettersOf returns the number of letters of a label.
func lettersOf(alphabet *omega.Alphabet, l omega.Label) float64 {
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddEdge(b.AddState(), l, 0, 0)
	return b.Automaton().Transitions()
}

// checkCover tests that the cubes add up to the label, and that no cube and no
// literal of one is superfluous.
func checkCover(t *testing.T, a *omega.Alphabet, l omega.Label) {
	t.Helper()
	sum := func(cubes [][]omega.Literal) omega.Label {
		s := omega.False
		for _, c := range cubes {
			s = a.Or(s, cube(a, c))
		}
		return s
	}
	cubes, ok := a.Cover(l)
	if !ok {
		t.Fatal("no cover")
	}
	if sum(cubes) != l {
		t.Fatalf("Cover is not the label")
	}
	for i := range cubes {
		rest := append(append([][]omega.Literal(nil), cubes[:i]...), cubes[i+1:]...)
		if sum(rest) == l {
			t.Fatalf("Cover: cube %v is superfluous", cubes[i])
		}
		for j := range cubes[i] {
			wider := append(append([]omega.Literal(nil), cubes[i][:j]...), cubes[i][j+1:]...)
			if a.Implies(cube(a, wider), l) {
				t.Fatalf("Cover: a literal of %v is superfluous", cubes[i])
			}
		}
	}
}

func cube(a *omega.Alphabet, c []omega.Literal) omega.Label {
	l := a.True()
	for _, x := range c {
		p := a.Prop(x.Prop())
		if x.Negated() {
			p = a.Not(p)
		}
		l = a.And(l, p)
	}
	return l
}

// TestCube compares Cube with the conjunction of its literals, up to 70
// propositions.
func TestCube(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for _, n := range []int{4, 6, 10, 30, 70} {
		a := omega.NewAlphabet(sample.Props(n)...)
		for range 200 {
			var pos, neg uint64
			want := a.True()
			for range r.IntN(6) {
				i := r.IntN(min(n, 64))
				if r.IntN(2) == 0 {
					pos |= 1 << i
					want = a.And(want, a.Prop(i))
				} else {
					neg |= 1 << i
					want = a.And(want, a.Not(a.Prop(i)))
				}
			}
			if got := a.Cube(pos, neg); got != want {
				t.Fatalf("%d propositions: Cube(%b, %b) is wrong", n, pos, neg)
			}
		}
	}
}

// TestTranslation carries random labels to larger alphabets in another order,
// and back.
func TestTranslation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for _, n := range []int{3, 6, 8} {
		names := sample.Props(n)
		from := omega.NewAlphabet(names...)
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, to := range []*omega.Alphabet{omega.NewAlphabet(names...), omega.NewAlphabet(append([]string{"x", "y", "z"}, names...)...)} {
			there := from.To(to)
			for range 100 {
				l := omega.False
				for range 4 {
					l = from.Or(l, from.Cube(r.Uint64N(1<<n), 0))
					l = from.Xor(l, from.Cube(0, r.Uint64N(1<<n)))
				}
				m := there.Label(l)
				for range 50 {
					big, small := make(omega.Letter, to.Len()), make(omega.Letter, n)
					for i, p := range to.Props() {
						big[i] = r.IntN(2) == 0
						if j, ok := from.Index(p); ok {
							small[j] = big[i]
						}
					}
					if from.Eval(l, small) != to.Eval(m, big) {
						t.Fatalf("translation from %v to %v is wrong", from.Props(), to.Props())
					}
				}
			}
		}
	}
}

// TestProjection leaves propositions out of random labels: a letter is in the
// result if and only if some valuation of what was left out makes it one of the
// label.
func TestProjection(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{3, 6, 8} {
		from := omega.NewAlphabet(sample.Props(n)...)
		for _, left := range []int{0, 1, 2, n - 1, n} {
			names := append([]string{"x"}, sample.Props(n)[left:]...)
			r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			to := omega.NewAlphabet(names...)
			project := from.To(to)
			for range campaign.Inputs(t, 100) {
				l := omega.False
				for range 4 {
					l = from.Or(l, from.Cube(r.Uint64N(1<<n), 0))
					l = from.Xor(l, from.Cube(0, r.Uint64N(1<<n)))
				}
				want := map[string]bool{} // letters of to but for x
				for v := range 1 << n {
					letter := make(omega.Letter, n)
					for i := range letter {
						letter[i] = v>>i&1 != 0
					}
					want[fmt.Sprint(letter[left:])] = want[fmt.Sprint(letter[left:])] || from.Eval(l, letter)
				}
				for v := range 1 << to.Len() {
					letter, shared := make(omega.Letter, to.Len()), make(omega.Letter, n)
					for i, p := range to.Props() {
						letter[i] = v>>i&1 != 0
						if j, ok := from.Index(p); ok {
							shared[j] = letter[i]
						}
					}
					if got := to.Eval(project.Label(l), letter); got != want[fmt.Sprint(shared[left:])] {
						t.Fatalf("seed %d: from %v to %v: %s became %s", seed, from.Props(), to.Props(),
							from.Format(l, func(i int) string { return from.Props()[i] }),
							to.Format(project.Label(l), func(i int) string { return to.Props()[i] }))
					}
				}
			}
		}
	}
}

// TestLiterals: a label has the literals that it implies.
func TestLiterals(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{0, 1, 4, 6, 7, 12} {
		var props []string
		for i := range n {
			props = append(props, fmt.Sprint("p", i))
		}
		a := omega.NewAlphabet(props...)
		for range 200 {
			l := omega.False
			for range r.IntN(4) {
				pos := r.Uint64() & (1<<n - 1)
				l = a.Or(l, a.Cube(pos, r.Uint64()&(1<<n-1)&^pos))
			}
			pos, neg := a.Literals(l)
			for i := range n {
				if pos>>i&1 != 0 != a.Implies(l, a.Prop(i)) || neg>>i&1 != 0 != a.Implies(l, a.Not(a.Prop(i))) {
					t.Fatalf("seed %d, %d propositions: literals %b and %b do not fit proposition %d", seed, n, pos, neg, i)
				}
			}
		}
	}
}

// entangled returns a label that takes many nodes: an odd number of products of
// propositions that are far from each other in the order.
func entangled(alphabet *omega.Alphabet) omega.Label {
	l := omega.False
	n := alphabet.Len() / 2
	for i := range n {
		l = alphabet.Xor(l, alphabet.And(alphabet.Prop(i), alphabet.Prop(n+i)))
	}
	return l
}

// TestDiagramCanceled: a single operation on large diagrams is given up, and
// leaves nothing wrong behind.
func TestDiagramCanceled(t *testing.T) {
	alphabet := omega.NewAlphabet(sample.Props(20)...)
	l, m := entangled(alphabet), alphabet.Prop(3)
	for i := range 9 {
		m = alphabet.Xor(m, alphabet.And(alphabet.Prop(2*i), alphabet.Prop(19-i)))
	}
	for _, at := range []int{1, 2, 5, 10} {
		ctx := canceled.At(context.Background(), at+1)
		err := func() (err error) {
			defer alphabet.Bind(budget.New(ctx)).Release(&err)
			alphabet.And(l, m)
			return nil
		}()
		if err != context.Canceled || ctx.Late() > 0 || alphabet.Bound() {
			t.Fatalf("canceled at the %d. look: %v, asked %d times after", at, err, ctx.Late())
		}
	}
	and := alphabet.And(l, m)
	r := rand.New(rand.NewPCG(1, 0))
	v := make(omega.Letter, alphabet.Len())
	for range campaign.Inputs(t, 2000) {
		for i := range v {
			v[i] = r.IntN(2) == 0
		}
		if alphabet.Eval(and, v) != (alphabet.Eval(l, v) && alphabet.Eval(m, v)) {
			t.Fatalf("the conjunction is wrong after it was canceled")
		}
	}
}

// TestNodeBudget: what would make too many nodes has no result.
func TestNodeBudget(t *testing.T) {
	alphabet := omega.NewAlphabet(sample.Props(8)...)
	var limit *omega.LimitError
	err := func() (err error) {
		defer alphabet.BindNodes(budget.Free(), 10).Release(&err)
		for i := 0; ; i++ {
			alphabet.Spend(1)
			alphabet.LetterLabel(omega.Letter{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0, i&16 != 0, i&32 != 0, true, false})
		}
	}()
	if !errors.As(err, &limit) {
		t.Errorf("no limit on nodes (%v)", err)
	}
}
