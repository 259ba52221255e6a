package omega

import "math/rand/v2"

// RandomOptions describes random automata.
type RandomOptions struct {
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

// Random returns a random automaton with a given acceptance condition. State 0 is initial.
// Unless Deterministic is set, each state has an edge to the next one, so all are reachable.
// The label of an edge is a single random letter.
func Random(r *rand.Rand, alphabet *Alphabet, acceptance Acceptance, o RandomOptions) *Automaton {
	b := NewBuilder(alphabet, acceptance)
	b.AddStates(o.States)
	b.AddStart(0)
	marks := func() Marks {
		var list []int
		for i := range acceptance.Sets {
			if r.Float64() < o.Marks {
				list = append(list, i)
			}
		}
		return b.Marks().Of(list...)
	}
	letter := make(Letter, alphabet.Len())
	random := func() Label {
		for i := range letter {
			letter[i] = r.IntN(2) == 1
		}
		return alphabet.LetterLabel(letter)
	}
	for s := range State(o.States) {
		m := marks()
		edge := func(l Label, t State) {
			if !o.StateMarks {
				m = marks()
			}
			b.AddEdge(s, l, m, t)
		}
		if o.Deterministic {
			for v := range 1 << alphabet.Len() {
				if r.Float64() < o.Density {
					for i := range letter {
						letter[i] = v>>i&1 != 0
					}
					edge(alphabet.LetterLabel(letter), State(r.IntN(o.States)))
				}
			}
			continue
		}
		for t := range State(o.States) {
			if t == s+1 || r.Float64() < o.Density {
				edge(random(), t)
			}
		}
	}
	a := b.Automaton()
	a.StateMarks = o.StateMarks
	return a
}

// RandomCondition returns a random Emerson–Lei condition in which each of the
// marks 0, …, sets-1 occurs once, under Inf or Fin.
func RandomCondition(r *rand.Rand, sets int) *Condition {
	marks := make([]int, sets)
	for i := range marks {
		marks[i] = i
	}
	return randomCondition(r, marks)
}

// randomCondition returns a random condition in which each mark occurs as often as in
// the list.
func randomCondition(r *rand.Rand, marks []int) *Condition {
	if len(marks) == 0 {
		return AllOf()
	}
	parts := make([]*Condition, len(marks))
	for i, k := range r.Perm(len(marks)) {
		if mark := marks[k]; r.IntN(2) == 0 {
			parts[i] = Inf(mark)
		} else {
			parts[i] = Fin(mark)
		}
	}
	for len(parts) > 1 {
		i := r.IntN(len(parts) - 1)
		join := AllOf
		if r.IntN(2) == 0 {
			join = AnyOf
		}
		parts[i] = join(parts[i], parts[i+1])
		parts = append(parts[:i+1], parts[i+2:]...)
	}
	return parts[0]
}

// RandomWord returns a word of single valuations, with up to prefix letters before the cycle
// and 1 to cycle letters in it.
func RandomWord(r *rand.Rand, alphabet *Alphabet, prefix, cycle int) *Word {
	w := &Word{Alphabet: alphabet}
	letters := func(n int) (list []Label) {
		letter := make(Letter, alphabet.Len())
		for range n {
			for i := range letter {
				letter[i] = r.IntN(2) == 1
			}
			list = append(list, alphabet.LetterLabel(letter))
		}
		return list
	}
	w.Prefix = letters(r.IntN(prefix + 1))
	w.Cycle = letters(1 + r.IntN(cycle))
	return w
}
