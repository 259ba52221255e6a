package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Buchi returns an automaton with Büchi acceptance (one mark) and the same
// language as a, which may have any acceptance condition.
//
// A condition without Fin is a conjunction of disjunctions of Inf, and so one of
// generalized Büchi acceptance (the edges of a disjunction are those with any of
// its marks). With Fin, the condition is brought to a disjunction of
// conjunctions: the automaton guesses which one will hold, and from then on
// avoids the marks under its Fin. This makes a copy of the states for each
// conjunction, of which there are exponentially many at worst. What is then a
// generalized Büchi automaton with k marks is degeneralized with a counter: k
// copies.
func Buchi(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	if a.Alternating() {
		return nil, omega.ErrAlternating
	}
	if a.Acceptance().Condition.Op == omega.CondInf && a.Acceptance().Sets == 1 {
		return a, nil
	}
	var err error
	if a.Acceptance().Condition.HasFin() {
		if a, err = guess(ctx, a); err != nil {
			return nil, err
		}
	}
	return omega.Explore(ctx, degeneralized(a), 0)
}

// guessed is the Source of guess: state s of copy k, where copy 0 is a itself,
// without acceptance, and copy k is a without the marks that conjunction k-1
// forbids.
type guessed struct {
	a          *omega.Automaton
	conj       []conjunction
	acceptance omega.Acceptance
	marks      *omega.MarkTable
}

// conjunction is one of a disjunctive normal form.
type conjunction struct {
	avoid omega.Marks // under Fin
	inf   []int       // under Inf
}

// guess returns a generalized Büchi automaton for an automaton with Fin.
func guess(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	g := &guessed{a: a}
	most := 0
	for _, c := range normalForm(a.Acceptance().Condition) {
		var k conjunction
		var fin []int
		c.Leaves(func(l *omega.Condition) {
			if l.Op == omega.CondFin {
				fin = append(fin, l.Mark)
			} else {
				k.inf = append(k.inf, l.Mark)
			}
		})
		k.avoid = a.Marks().Of(fin...)
		most = max(most, len(k.inf))
		g.conj = append(g.conj, k)
	}
	most = max(1, most) // copy 0 must reject, so that a mark is needed
	g.acceptance = omega.GeneralizedBuchi(most)
	g.marks = omega.NewMarkTable(most)
	b, err := omega.Explore(ctx, g, 0)
	if err != nil {
		return nil, err
	}
	return omega.Reduce(ctx, b)
}

// normalForm returns the conjunctions of literals the disjunction of which is c.
func normalForm(c *omega.Condition) []*omega.Condition {
	switch c.Op {
	case omega.CondFalse:
		return nil
	case omega.CondOr:
		var list []*omega.Condition
		for _, d := range c.Args {
			list = append(list, normalForm(d)...)
		}
		return list
	case omega.CondAnd:
		list := []*omega.Condition{omega.AllOf()}
		for _, d := range c.Args {
			var longer []*omega.Condition
			for _, e := range normalForm(d) {
				for _, f := range list {
					if g := omega.AllOf(f, e).Simplify(); g.Op != omega.CondFalse {
						longer = append(longer, g)
					}
				}
			}
			list = longer
		}
		return list
	}
	return []*omega.Condition{c}
}

func (g *guessed) Alphabet() *omega.Alphabet    { return g.a.Alphabet() }
func (g *guessed) Acceptance() omega.Acceptance { return g.acceptance }
func (g *guessed) Marks() *omega.MarkTable      { return g.marks }
func (g *guessed) Initial() []omega.State       { return g.a.Initial() }

func (g *guessed) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	n := omega.State(g.a.NumStates())
	old, copied := g.a.Marks(), int(s/n)
	for _, e := range g.a.Edges(s % n) {
		if copied == 0 {
			buf = append(buf, omega.Edge{Label: e.Label, Dst: e.Dst})
		}
		for k, c := range g.conj {
			if copied != 0 && copied != k+1 {
				continue
			}
			next := omega.Edge{Label: e.Label, Dst: e.Dst + omega.State(k+1)*n}
			if copied == 0 {
				buf = append(buf, next) // the guess; marks don't matter once
				continue
			}
			if old.Common(e.Marks, c.avoid) {
				continue
			}
			var marks []int
			for i := range g.acceptance.Sets {
				if i >= len(c.inf) || old.Has(e.Marks, c.inf[i]) {
					marks = append(marks, i)
				}
			}
			next.Marks = g.marks.Of(marks...)
			buf = append(buf, next)
		}
	}
	return buf, nil
}

// counter is the Source of degeneralized: a state and the index of the next
// clause to be seen. It waits for one clause after the other, takes as many at
// once as an edge has, and carries the mark where it has had them all.
type counter struct {
	a       *omega.Automaton
	clauses []omega.Marks // each: one of these marks has to be seen again and again
	marks   *omega.MarkTable
	initial []omega.State
}

// degeneralized returns a Büchi automaton for one without Fin. State s waiting
// for clause k has the number k*n+s, which is dense only after Explore.
func degeneralized(a *omega.Automaton) *counter {
	c := &counter{a: a, marks: omega.NewMarkTable(1), initial: a.Initial()}
	// The conjunctive normal form is the dual of the disjunctive one of the dual.
	for _, d := range normalForm(a.Acceptance().Condition.Dual()) {
		var marks []int
		d.Leaves(func(l *omega.Condition) { marks = append(marks, l.Mark) })
		c.clauses = append(c.clauses, a.Marks().Of(marks...))
	}
	return c
}

func (c *counter) Alphabet() *omega.Alphabet    { return c.a.Alphabet() }
func (c *counter) Acceptance() omega.Acceptance { return omega.Buchi() }
func (c *counter) Marks() *omega.MarkTable      { return c.marks }
func (c *counter) Initial() []omega.State       { return c.initial }

func (c *counter) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	n := omega.State(c.a.NumStates())
	level := int(s / n)
	for _, e := range c.a.Edges(s % n) {
		next := level
		for next < len(c.clauses) && c.a.Marks().Common(e.Marks, c.clauses[next]) {
			next++
		}
		out := omega.Edge{Label: e.Label}
		if next == len(c.clauses) {
			out.Marks, next = c.marks.Of(0), 0
			for next < level && c.a.Marks().Common(e.Marks, c.clauses[next]) {
				next++ // the same edge counts for the round that begins
			}
		}
		out.Dst = e.Dst + omega.State(next)*n
		buf = append(buf, out)
	}
	return buf, nil
}
