// Package sample makes automata for the tests of package omega and those below it.
package sample

import (
	"fmt"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// Overlapping returns a random automaton with labels that are any function of two
// propositions, the first and the last of the alphabet.
func Overlapping(r *rand.Rand, alphabet *omega.Alphabet, acceptance omega.Acceptance, n int) *omega.Automaton {
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	b.AddStart(omega.State(r.IntN(n)))
	// Between half an edge and two from each state, beside the chain that makes all reachable.
	density, marked := 0.5+1.5*r.Float64(), 0.1+0.5*r.Float64()
	for s := range omega.State(n) {
		for t := range omega.State(n) {
			if t != s+1 && r.Float64()*float64(n) > density {
				continue
			}
			label := alphabet.True()
			if r.IntN(3) > 0 {
				label = omega.False
				for _, v := range TwoProps(alphabet) {
					if r.IntN(2) == 0 {
						label = alphabet.Or(label, v)
					}
				}
			}
			var list []int
			for i := range acceptance.Sets {
				if r.Float64() < marked {
					list = append(list, i)
				}
			}
			b.AddEdge(s, label, b.Marks().Of(list...), t)
		}
	}
	return b.Automaton()
}

// TwoProps returns the labels of the four valuations of the first proposition and
// the last.
func TwoProps(alphabet *omega.Alphabet) (list []omega.Label) {
	p, q := alphabet.Prop(0), alphabet.Prop(alphabet.Len()-1)
	for v := range 4 {
		l, m := p, q
		if v&1 == 0 {
			l = alphabet.Not(l)
		}
		if v&2 == 0 {
			m = alphabet.Not(m)
		}
		list = append(list, alphabet.And(l, m))
	}
	return list
}

// conditions are those that tests reduce automata with.
var conditions = []string{"all", "none", "Buchi", "Buchi", "co-Buchi", "generalized-Buchi 2", "generalized-Buchi 3",
	"generalized-co-Buchi 2", "Rabin 1", "Rabin 2", "Streett 1", "Streett 2", "generalized-Rabin 2 1 2",
	"parity min even 4", "parity max odd 3", "generalized-Buchi 70", "Rabin 40"}

// Automaton returns a small random automaton with a named condition or a
// random one, in which marks may occur several times.
func Automaton(r *rand.Rand, alphabet *omega.Alphabet) *omega.Automaton {
	acceptance, _ := omega.NamedAcceptance(conditions[r.IntN(len(conditions))])
	if r.IntN(3) == 0 {
		n := 1 + r.IntN(5)
		acceptance = omega.Acceptance{Sets: n, Condition: random.Condition(r, n, 0)}
		if r.IntN(2) == 0 {
			acceptance.Condition = omega.AnyOf(omega.AllOf(acceptance.Condition, random.Condition(r, n, 0)), random.Condition(r, n, 0))
		}
	}
	n := 1 + r.IntN(8)
	o := random.Options{States: n, Density: (0.3 + 2.5*r.Float64()) / float64(n), Marks: []float64{0.1, 0.3, 0.6, 0.9}[r.IntN(4)]}
	// With many sets, a usual density would make the condition true or false on every cycle.
	if acceptance.Sets > 64 {
		o.Marks = []float64{0.02, 0.9, 0.98}[r.IntN(3)]
	}
	o.StateMarks = r.IntN(4) == 0
	return random.Automaton(r, alphabet, acceptance, o)
}

// Sparse returns a Büchi automaton like those that are made from formulas: two to
// four edges a state on conjunctions of few literals, mostly to states near by,
// and many loops.
func Sparse(r *rand.Rand, alphabet *omega.Alphabet, n int) *omega.Automaton {
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(n)
	b.AddStart(0)
	label := func() omega.Label {
		var pos, neg uint64
		for range r.IntN(3) {
			if i := r.IntN(alphabet.Len()); r.IntN(2) == 0 {
				pos |= 1 << i &^ neg
			} else {
				neg |= 1 << i &^ pos
			}
		}
		return alphabet.Cube(pos, neg)
	}
	for s := range n {
		m := b.Marks().Of()
		if r.IntN(4) == 0 {
			m = b.Marks().Of(0)
		}
		// A loop, as of an until, the step that ends it, and a few jumps.
		b.AddEdge(omega.State(s), label(), m, omega.State(s))
		b.AddEdge(omega.State(s), label(), 0, omega.State(min(s+1, n-1)))
		for range r.IntN(3) {
			b.AddEdge(omega.State(s), label(), m, omega.State(max(0, min(n-1, s+r.IntN(20)-8))))
		}
	}
	return b.Automaton()
}

// Props returns n propositions.
func Props(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("p%d", i)
	}
	return list
}

// OnWord returns a random automaton with a random Emerson–Lei condition, and a
// random word, which may leave propositions open. Many have several initial states, or
// none.
func OnWord(r *rand.Rand) (*omega.Automaton, *omega.Word) {
	alphabet := omega.NewAlphabet([]string{"a", "b"}[:1+r.IntN(2)]...)
	sets := r.IntN(4)
	acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
	n := 1 + r.IntN(4)
	a := random.Automaton(r, alphabet, acceptance, random.Options{States: n, Density: (0.5 + 2.5*r.Float64()) / float64(n), Marks: 0.4,
		Deterministic: r.IntN(4) == 0})
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	for range []int{0, 1, 1, 1, 1, 2, 2, 3}[r.IntN(8)] {
		b.AddStart(omega.State(r.IntN(n)))
	}
	for s := range omega.State(n) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	// A letter that leaves a proposition open stands for several.
	w := random.Word(r, alphabet, 3, 3)
	if r.IntN(4) == 0 {
		i := r.IntN(len(w.Cycle))
		w.Cycle[i] = alphabet.Or(w.Cycle[i], alphabet.Prop(0))
	}
	return b.Automaton(), w
}

// Named returns a random automaton with one of the acceptance conditions of
// the given names. It is not reduced, and some of its states may be useless.
func Named(r *rand.Rand, alphabet *omega.Alphabet, deterministic bool, names ...string) *omega.Automaton {
	acceptance, err := omega.NamedAcceptance(names[r.IntN(len(names))])
	if err != nil {
		panic(err)
	}
	// Up to two edges from a state, and in some automata marks on states.
	n := 1 + r.IntN(6)
	o := random.Options{States: n, Density: (0.5 + 1.5*r.Float64()) / float64(n), Marks: 0.1 + 0.5*r.Float64(),
		StateMarks: r.IntN(4) == 0, Deterministic: deterministic}
	// Without choices, larger automata are as cheap; some lack an edge.
	if deterministic {
		o.States += r.IntN(4)
		o.Density = []float64{1, 0.9}[r.IntN(2)]
	}
	return random.Automaton(r, alphabet, acceptance, o)
}

// From returns a with one initial state.
func From(a *omega.Automaton, s omega.State) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	b.AddStart(s)
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, b.Marks().Of(a.Marks().AppendTo(nil, e.Marks)...), b.Universal(a.Universal(e.Dst)))
		}
	}
	return b.Automaton()
}
