// Package random makes random automata, acceptance conditions and words.
//
// [Automaton] and [Word] are for tests. A [Generator] makes a reproducible sequence of automata as
// Spot's randaut does, with a [Pattern] for their acceptance conditions.
package random

import (
	"cmp"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Options describes random automata.
type Options struct {
	States int
	// Density is the probability that there is an edge from one state to
	// another.
	Density float64
	// Marks is the probability of each mark on each edge.
	Marks float64
	// Deterministic automata have at most one edge for each letter. It leads to a random
	// state, and exists with probability Density. Generation takes time exponential in the
	// number of propositions.
	Deterministic bool
	// StateMarks puts marks on states instead of edges.
	StateMarks bool
}

// Automaton returns a random automaton with a given acceptance condition. State 0 is initial.
// Unless Deterministic is set, each state has an edge to the next one, so all are reachable.
// The label of an edge is a single random letter.
func Automaton(r *rand.Rand, alphabet *omega.Alphabet, acceptance omega.Acceptance, o Options) *omega.Automaton {
	r, alphabet = given(r, alphabet)
	b := omega.NewBuilder(alphabet, acceptance)
	if b.AddStates(o.States); o.States > 0 {
		b.AddStart(0)
	}
	letter := make(omega.Letter, alphabet.Len())
	for s := range omega.State(o.States) {
		m := marks(r, b.Marks(), o.Marks)
		edge := func(l omega.Label, t omega.State) {
			if !o.StateMarks {
				m = marks(r, b.Marks(), o.Marks)
			}
			b.AddEdge(s, l, m, t)
		}
		if o.Deterministic {
			for v := range 1 << alphabet.Len() { // one edge for a letter at most
				if r.Float64() < o.Density {
					for i := range letter {
						letter[i] = v>>i&1 != 0
					}
					edge(alphabet.LetterLabel(letter), omega.State(r.IntN(o.States)))
				}
			}
			continue
		}
		for t := range omega.State(o.States) {
			if t == s+1 || r.Float64() < o.Density { // keeps all states reachable
				edge(valuation(r, alphabet, letter), t)
			}
		}
	}
	a := b.Automaton()
	a.StateMarks = o.StateMarks
	return a
}

// given returns its arguments, or for nil random numbers that are always the same, and the empty
// alphabet.
func given(r *rand.Rand, alphabet *omega.Alphabet) (*rand.Rand, *omega.Alphabet) {
	if r == nil || *r == (rand.Rand{}) {
		r = rand.New(rand.NewPCG(0, 0))
	}
	return r, cmp.Or(alphabet, omega.NewAlphabet())
}

// marks returns a random set, in which each mark is with the given probability.
func marks(r *rand.Rand, table *omega.MarkTable, probability float64) omega.Marks {
	var list []int
	for i := range table.Sets() {
		if r.Float64() < probability {
			list = append(list, i)
		}
	}
	return table.Of(list...)
}

// valuation returns the label of a random letter, which it puts into letter.
func valuation(r *rand.Rand, alphabet *omega.Alphabet, letter omega.Letter) omega.Label {
	for i := range letter {
		letter[i] = r.IntN(2) == 1
	}
	return alphabet.LetterLabel(letter)
}

// Condition returns a random Emerson–Lei condition in which each of the marks 0, …, sets-1 occurs
// under Inf or Fin: once, and with the probability again, below 1, another time after each.
func Condition(r *rand.Rand, sets int, again float64) *omega.Condition {
	r, _ = given(r, nil)
	var marks []int
	for i := range sets {
		marks = append(marks, i)
		for again > 0 && r.Float64() < again {
			marks = append(marks, i)
		}
	}
	if len(marks) == 0 {
		return omega.AllOf()
	}
	parts := make([]*omega.Condition, len(marks))
	for i, k := range r.Perm(len(marks)) {
		if mark := marks[k]; r.IntN(2) == 0 {
			parts[i] = omega.Inf(mark)
		} else {
			parts[i] = omega.Fin(mark)
		}
	}
	for len(parts) > 1 { // neighbors are joined, so that all shapes of formulas occur
		i := r.IntN(len(parts) - 1)
		join := omega.AllOf
		if r.IntN(2) == 0 {
			join = omega.AnyOf
		}
		parts[i] = join(parts[i], parts[i+1])
		parts = append(parts[:i+1], parts[i+2:]...)
	}
	return parts[0]
}

// Word returns a word of single valuations, with up to prefix letters before the cycle
// and 1 to cycle letters in it.
func Word(r *rand.Rand, alphabet *omega.Alphabet, prefix, cycle int) *omega.Word {
	r, alphabet = given(r, alphabet)
	w := &omega.Word{Alphabet: alphabet}
	letters := func(n int) (list []omega.Label) {
		letter := make(omega.Letter, alphabet.Len())
		for range n {
			list = append(list, valuation(r, alphabet, letter))
		}
		return list
	}
	w.Prefix = letters(r.IntN(max(0, prefix) + 1))
	w.Cycle = letters(1 + r.IntN(max(1, cycle)))
	return w
}
