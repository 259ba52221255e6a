package certify

import "slices"

// An Automaton is an ω-automaton exactly as it was written. States are numbered below States.
// A missing transition rejects. Do not change an Automaton after its first use.
type Automaton struct {
	Props      []string
	States     int
	Start      [][]int // each a conjunction of states: one, unless the automaton is alternating
	Acceptance *Condition

	edges     [][]*Edge // by state
	live      []bool    // of a tableau, see Live
	component []int     // of a tableau, see Components
}

// An Edge leads from a state to all states of To, at least one, on the letters that satisfy Label.
type Edge struct {
	From  int
	To    []int
	Label *Label
	Marks []int
}

// AddEdge adds an edge, unless from is negative. The lists of marks and states are copied.
func (a *Automaton) AddEdge(from int, label *Label, marks []int, to ...int) {
	if from < 0 {
		return
	}
	a.edges = append(a.edges, make([][]*Edge, max(0, from+1-len(a.edges)))...)
	a.edges[from] = append(a.edges[from], &Edge{From: from, To: slices.Clone(to), Label: label, Marks: slices.Clone(marks)})
}

// List returns all edges, state by state.
func (a *Automaton) List() []*Edge { return slices.Concat(a.edges...) }

// Edges returns the edges of a state, in the order in which they were added.
func (a *Automaton) Edges(s int) []*Edge {
	if uint(s) >= uint(len(a.edges)) {
		return nil
	}
	return a.edges[s]
}

// Alternating reports whether some edge, or the start, leads to several states at once.
func (a *Automaton) Alternating() bool {
	several := func(list []int) bool { return len(list) != 1 }
	return slices.ContainsFunc(a.Start, several) || slices.ContainsFunc(a.List(), func(e *Edge) bool { return several(e.To) })
}

// A LabelOp is the operator at the top of a Label.
type LabelOp uint8

const (
	False LabelOp = iota
	True
	Prop // a proposition
	Not  // of one argument
	And  // of any number of arguments
	Or
)

// A Label is a Boolean expression over the propositions of an automaton. Labels may share parts, because of aliases.
type Label struct {
	Op   LabelOp
	Prop int // of Prop: its index
	Args []*Label
}

// A CondOp is the operator at the top of a Condition.
type CondOp uint8

const (
	Never  CondOp = iota // no run is accepting
	Always               // every run is
	Inf                  // a mark is seen infinitely often
	Fin                  // a mark is seen finitely often
	AllOf                // of any number of arguments
	AnyOf
)

// A Condition is a positive Boolean formula over Inf and Fin. With Complement, these apply to
// the edges without the mark: Inf(!3), Fin(!3).
type Condition struct {
	Op         CondOp
	Mark       int
	Complement bool
	Args       []*Condition

	right bool // the mark is one of the right edges of arcs
}
