package omega

import "github.com/xcheck-ltl/xcheck/certify"

// Plain returns the automaton as data for package certify. It is the text as read, or else it
// is made from the edges.
func (a *Automaton) Plain() *certify.Automaton {
	if a != nil && a.AsRead != nil { // the proof is about the text, not about our reading of it
		return a.AsRead
	}
	a = a.OrEmpty()
	p := &certify.Automaton{Props: a.alphabet.props, States: a.NumStates(), Acceptance: a.acceptance.Condition.Plain()}
	states := func(s State) (list []int) {
		for _, t := range a.Universal(s) {
			list = append(list, int(t))
		}
		return list
	}
	for _, s := range a.start {
		p.Start = append(p.Start, states(s))
	}
	labels := map[Label]*certify.Label{} // diagrams share parts: written out, they may be exponentially larger
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			p.AddEdge(int(s), a.alphabet.plain(e.Label, labels), a.marks.AppendTo(nil, e.Marks), states(e.Dst)...)
		}
	}
	return p
}

// plain returns a label as an expression: of proposition i, (i & hi) | (!i & lo).
func (a *Alphabet) plain(l Label, memo map[Label]*certify.Label) *certify.Label {
	if p, ok := memo[l]; ok {
		return p
	}
	var p *certify.Label
	switch l {
	case False:
		p = &certify.Label{Op: certify.False}
	case a.True():
		p = &certify.Label{Op: certify.True}
	default:
		i, lo, hi := a.Split(l)
		prop := &certify.Label{Op: certify.Prop, Prop: i}
		p = &certify.Label{Op: certify.Or, Args: []*certify.Label{
			{Op: certify.And, Args: []*certify.Label{prop, a.plain(hi, memo)}},
			{Op: certify.And, Args: []*certify.Label{{Op: certify.Not, Args: []*certify.Label{prop}}, a.plain(lo, memo)}},
		}}
	}
	memo[l] = p
	return p
}

// Plain returns the condition as data for package certify.
func (c *Condition) Plain() *certify.Condition {
	op := map[CondOp]certify.CondOp{CondFalse: certify.Never, CondTrue: certify.Always, CondInf: certify.Inf,
		CondFin: certify.Fin, CondAnd: certify.AllOf, CondOr: certify.AnyOf}
	p := &certify.Condition{Op: op[c.Op], Mark: c.Mark}
	for _, d := range c.Args {
		p.Args = append(p.Args, d.Plain())
	}
	return p
}
