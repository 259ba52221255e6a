package certify

import "errors"

// ErrNondeterministic reports an automaton that has several runs on some word, or universal
// branching.
var ErrNondeterministic = errors.New("nondeterministic automaton")

// Complement returns an automaton of the words that a rejects. It negates the condition. If
// the only run on a word would end, it goes to a new state instead, in which every run is
// accepting. The complement of the automaton in the package comment is
//
//	State: 0
//	[0]        0 {0}
//	[!0]       0
//	[!0 & !!0] 1
//	State: 1
//	[t]       1 {1}
//
// with the condition Inf(1) | Fin(0). Complement fails with ErrNondeterministic, and for more
// than 10 propositions with ErrLarge.
func Complement(a *Automaton) (*Automaton, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	if len(a.Props) > maxProps {
		return nil, ErrLarge
	}
	if len(a.Start) > 1 || a.alternating() {
		return nil, ErrNondeterministic
	}
	rest, mark := a.States, a.marks()
	c := a.Renamed(a.Props)
	c.States++
	c.Acceptance = &Condition{Op: AnyOf, Args: []*Condition{{Op: Inf, Mark: mark}, negation(a.Acceptance)}}
	if len(a.Start) == 0 {
		c.Start = [][]int{{rest}}
	}
	sets := newLabelSets(a.Props, a.Props)
	for s := range a.States {
		edges := a.Edges(s)
		none := &Label{Op: And}
		for i, e := range edges {
			for _, f := range edges[:i] {
				if sets.of(e.Label).meets(sets.of(f.Label)) {
					return nil, ErrNondeterministic
				}
			}
			none.Args = append(none.Args, &Label{Op: Not, Args: []*Label{e.Label}})
		}
		c.AddEdge(s, none, nil, rest)
	}
	c.AddEdge(rest, &Label{Op: True}, []int{mark}, rest)
	return c, nil
}

// negation returns the condition that holds where c does not.
func negation(c *Condition) *Condition {
	n := &Condition{Op: [...]CondOp{Never: Always, Always: Never, Inf: Fin, Fin: Inf, AllOf: AnyOf, AnyOf: AllOf}[c.Op],
		Mark: c.Mark, Complement: c.Complement}
	for _, arg := range c.Args {
		n.Args = append(n.Args, negation(arg))
	}
	return n
}

// marks returns one more than the greatest mark of the edges and the condition.
func (a *Automaton) marks() int {
	most := used(a.Acceptance)
	for e := range a.all() {
		for _, mark := range e.Marks {
			most = max(most, mark+1)
		}
	}
	return most
}

// used returns one more than the greatest mark that c speaks of.
func used(c *Condition) int {
	most := 0
	if c.Op == Inf || c.Op == Fin {
		most = c.Mark + 1
	}
	for _, arg := range c.Args {
		most = max(most, used(arg))
	}
	return most
}
