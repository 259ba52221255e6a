package cross

import (
	"context"
	"fmt"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Translation makes an automaton of a formula of the store, within the process.
type Translation func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error)

// referenceTime is how long the reference may take for one formula. One that
// takes longer would make no automaton that is quickly compared.
const referenceTime = 10 * time.Second

// referenceName is the translator that the reference's automata are ascribed to
// in checks and answers.
const referenceName = "builtin"

// reference returns the subjects and the automata of the run's reference, for
// the formula and for its negation; none if the run has no reference but one of
// its tools, or if the translation takes too long: then the case says so. The
// error is that the whole run was canceled.
func (c *Case) reference(ctx context.Context, o *Options, store *ltl.Store, formula *ltl.Formula) ([]Subject, []*omega.Automaton, error) {
	for _, tool := range o.Tools {
		if tool.Reference {
			c.Reference = tool.Name
			return nil, nil, nil
		}
	}
	if o.Reference == nil {
		return nil, nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, referenceTime)
	defer cancel()
	name := referenceName
	for _, tool := range o.Tools {
		if tool.Name == name {
			name = "built-in reference"
		}
	}
	var subjects []Subject
	var automata []*omega.Automaton
	for i, f := range []*ltl.Formula{formula, store.Not(formula)} {
		a, err := o.Reference(limited, store, f)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			c.ReferenceError = fmt.Sprintf("%s: %v", f, err)
			return nil, nil, nil
		}
		subjects = append(subjects, Subject{name, i == 1})
		automata = append(automata, a)
	}
	c.Reference = name
	return subjects, automata, nil
}

// addReference makes the reference's automata members, or its subjects those of
// the members with identical automata.
func addReference(pos, neg []*member, subjects []Subject, automata []*omega.Automaton) (_, _ []*member) {
	for i, a := range automata {
		side := &pos
		if subjects[i].Negated {
			side = &neg
		}
		m := find(*side, identity(a))
		if m == nil {
			m = newMember(a, subjects[i].Negated)
			*side = append(*side, m)
		}
		m.subjects = append(m.subjects, subjects[i])
		m.reference, m.own = true, true
	}
	return pos, neg
}
