package complement

import "github.com/xcheck-ltl/xcheck/omega"

// completed is a deterministic automaton with a sink for the letters that are
// missing, and the negated acceptance condition.
//
// For example, this automaton accepts the words in which every second letter has a:
//
//	State: 0  [a] 1 {0}
//	State: 1  [1] 0
//
// The complement has the same edges, and Fin(0) for Inf(0). Only runs in the sink have no mark:
//
//	(0) on a to (1), mark 0
//	(0) on !a to (sink)
//	(1) on 1 to (0)
//	(sink) on 1 to (sink)
type completed struct {
	a          *omega.Automaton
	acceptance omega.Acceptance
	marks      *omega.MarkTable
	remark     map[omega.Marks]omega.Marks // a's marks in the table marks, if they differ there
	sink       omega.State
	sinkMarks  omega.Marks
	initial    []omega.State
	allowance  *allowance // counts the states whose edges are asked for
}

// deterministic returns the complement of a deterministic automaton, complete or not, with any
// acceptance condition. A run that would leave the automaton goes to a sink that is accepting
// in the complement. The complement has one state more than a. It has one mark more if no set
// of marks makes a sink accepting.
func deterministic(s *Subject, m *allowance) omega.Source {
	a := s.a
	c := &completed{
		a:          a,
		acceptance: a.Acceptance().Dual(),
		marks:      a.Marks(),
		sink:       omega.State(a.NumStates()),
		initial:    a.Initial(),
		allowance:  m,
	}
	// Without an initial state, all words are rejected, and the sink accepts them.
	if len(c.initial) == 0 {
		c.initial = []omega.State{c.sink}
	}
	// The run in the sink sees no marks. If that is not accepting, the sink needs a mark that is.
	if !c.acceptance.Condition.Eval(c.marks, 0) {
		c.addMark()
	}
	return c
}

// addMark adds the mark that only the sink carries, and that accepts.
func (c *completed) addMark() {
	n := c.acceptance.Sets
	c.acceptance = omega.Acceptance{Sets: n + 1, Condition: omega.AnyOf(c.acceptance.Condition, omega.Inf(n))}
	old := c.marks
	c.marks = omega.NewMarkTable(n + 1)
	c.sinkMarks = c.marks.Of(n)
	if c.marks.Inline() {
		return
	}
	// A set of marks of a table that is not inline means nothing in another.
	c.remark = make(map[omega.Marks]omega.Marks)
	for s := range c.a.NumStates() {
		for _, e := range c.a.Edges(omega.State(s)) {
			if _, ok := c.remark[e.Marks]; !ok {
				c.remark[e.Marks] = c.marks.Of(old.AppendTo(nil, e.Marks)...)
			}
		}
	}
}

func (c *completed) Alphabet() *omega.Alphabet    { return c.a.Alphabet() }
func (c *completed) Acceptance() omega.Acceptance { return c.acceptance }
func (c *completed) Marks() *omega.MarkTable      { return c.marks }
func (c *completed) Initial() []omega.State       { return c.initial }

func (c *completed) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	c.allowance.macrostates++
	all := c.a.Alphabet()
	if s == c.sink {
		return append(buf, omega.Edge{Label: all.True(), Marks: c.sinkMarks, Dst: c.sink}), nil
	}
	covered := omega.False
	for _, e := range c.a.Edges(s) {
		covered = all.Or(covered, e.Label)
		if c.remark != nil {
			e.Marks = c.remark[e.Marks]
		}
		buf = append(buf, e)
	}
	if missing := all.Not(covered); missing != omega.False {
		buf = append(buf, omega.Edge{Label: missing, Marks: c.sinkMarks, Dst: c.sink})
	}
	return buf, nil
}
