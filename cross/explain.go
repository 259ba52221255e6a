package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/cross/explain"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Bounds of explanations: what is larger is not for reading.
const (
	maxExplained = 10       // automata, of one disagreement
	maxDrawn     = 200      // states
	maxText      = 64 << 10 // bytes
)

// explain adds to each disagreement the explanations of the automata that it blames and of
// one automaton on the other side, and the truth of the formula's parts.
func (x *caseRun) explain(ctx context.Context, c *outcome.Case, j *certifier) error {
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		word := j.words[d.Word]
		if x.given == nil {
			table, err := explain.Truths(x.formula, word)
			if err != nil {
				j.fail(word, err.Error())
				continue
			}
			d.Table = table
		}
		for _, m := range j.members {
			e, err := x.explainMember(ctx, d, word, m, j.specification)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				j.fail(word, fmt.Sprintf("%s: %v", m.name(), err))
			case e != nil:
				d.Explanations = append(d.Explanations, *e)
			}
			if len(d.Explanations) == maxExplained {
				break
			}
		}
		if err := x.opposite(ctx, d, word, j); err != nil {
			return err
		}
	}
	return nil
}

// opposite explains why the other side accepts an extra word: the first automaton of the other polarity that
// does, if possible of a translator that is not blamed. The error is that ctx is done.
func (x *caseRun) opposite(ctx context.Context, d *outcome.Disagreement, word *omega.Word, j *certifier) error {
	if d.Kind != outcome.Extra {
		return nil
	}
	accepts := func(m *member) bool {
		return m.polarity != d.Blamed[0].Polarity && slices.ContainsFunc(d.Accepts, func(a outcome.Answer) bool { return a.Accepts && a.Subject == m.subjects[0] })
	}
	blamed := func(s outcome.Subject) bool {
		return slices.ContainsFunc(d.Blamed, func(b outcome.Subject) bool { return b.Translator == s.Translator })
	}
	i := slices.IndexFunc(j.members, func(m *member) bool { return accepts(m) && !slices.ContainsFunc(m.subjects, blamed) })
	if i < 0 {
		i = slices.IndexFunc(j.members, accepts)
	}
	if i < 0 {
		return nil
	}
	m := j.members[i]
	e, err := x.explained(ctx, word, m)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		j.fail(word, fmt.Sprintf("%s: %v", m.name(), err))
	default:
		e.Automata = m.subjects
		d.Opposite = e
	}
	return nil
}

// explainMember returns the explanation of an automaton, or nil if it is not blamed.
func (x *caseRun) explainMember(ctx context.Context, d *outcome.Disagreement, word *omega.Word, m *member, specification specification) (*outcome.Explanation, error) {
	var blamed []outcome.Subject
	for _, s := range m.subjects {
		if slices.Contains(d.Blamed, s) {
			blamed = append(blamed, s)
		}
	}
	if len(blamed) == 0 {
		return nil, nil
	}
	e, err := x.explained(ctx, word, m)
	if err != nil {
		return nil, err
	}
	e.Automata = blamed
	in, _, err := specification.languages(ctx, !bool(m.polarity))
	if err != nil || len(in) == 0 {
		return e, ctx.Err()
	}
	e.Repair, err = explain.Repair(ctx, m.language.Automaton(), in[0], word)
	return e, err
}

// explained returns why an automaton accepts or rejects a word, with its text and what must hold along its run.
func (x *caseRun) explained(ctx context.Context, word *omega.Word, m *member) (*outcome.Explanation, error) {
	a := m.language.Automaton()
	e, err := explain.Acceptance(ctx, a, word)
	if err != nil {
		return nil, err
	}
	if e.HOA, err = text(ctx, a); err != nil {
		return nil, err
	}
	if e.Run != nil && x.given == nil {
		explain.Annotate(e.Run, a, x.store, x.formula, m.polarity == outcome.Negation, word)
	}
	return e, nil
}

// text returns an automaton in HOA format, or "" if it has more than maxDrawn states or
// the text more than maxText bytes.
func text(ctx context.Context, a *omega.Automaton) (string, error) {
	if a.NumStates() > maxDrawn {
		return "", nil
	}
	var b bounded
	if err := hoa.Write(ctx, &b, a); errors.Is(err, errTooLong) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// bounded keeps what is written, until that is more than maxText bytes.
type bounded struct{ strings.Builder }

var errTooLong = errors.New("the text is too long")

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxText {
		return 0, errTooLong
	}
	return b.Builder.Write(p)
}
