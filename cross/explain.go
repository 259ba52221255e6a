package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/explain"
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
		if x.given == nil { // otherwise there is no formula
			table, err := explain.Truths(x.formula, word)
			if err != nil {
				if err := j.uncertified(ctx, word, err); err != nil {
					return err
				}
				continue
			}
			d.Table = table
		}
		for _, m := range j.members {
			blamed := slices.DeleteFunc(slices.Clone(m.subjects), func(s outcome.Subject) bool { return !slices.Contains(d.Blamed, s) })
			if len(blamed) == 0 || len(d.Explanations) == maxExplained {
				continue
			}
			e, err := x.explained(ctx, word, m, j)
			if err != nil {
				return err
			} else if e == nil {
				continue
			}
			e.Automata = blamed
			// There is no repair of an automaton for a formula that is too large to translate.
			if in, _, err := j.specification.languages(ctx, !bool(m.polarity)); err == nil && len(in) > 0 {
				if e.Repair, err = explain.Repair(ctx, m.language.Automaton(), in[0], word); err != nil {
					if err := j.uncertified(ctx, word, fmt.Errorf("%s: %w", m.name(), err)); err != nil {
						return err
					}
				}
			}
			d.Explanations = append(d.Explanations, *e)
		}
		if d.Kind == outcome.Extra {
			if err := x.opposite(ctx, d, word, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// opposite explains why the other side accepts an extra word: the first automaton of the other polarity that
// does, if possible of a translator that is not blamed. The error is that ctx is done.
func (x *caseRun) opposite(ctx context.Context, d *outcome.Disagreement, word *omega.Word, j *certifier) error {
	accepts := func(m *member) bool {
		return m.polarity != d.Blamed[0].Polarity && slices.ContainsFunc(d.Accepts, func(a outcome.Answer) bool { return a.Accepts && a.Subject == m.subjects[0] })
	}
	blamed := func(s outcome.Subject) bool { // its other automaton may have the same mistake
		return slices.ContainsFunc(d.Blamed, func(b outcome.Subject) bool { return b.Translator == s.Translator })
	}
	i := slices.IndexFunc(j.members, func(m *member) bool { return accepts(m) && !slices.ContainsFunc(m.subjects, blamed) })
	if i < 0 { // better than none
		i = slices.IndexFunc(j.members, accepts)
	}
	if i < 0 {
		return nil
	}
	e, err := x.explained(ctx, word, j.members[i], j)
	if e != nil {
		e.Automata = j.members[i].subjects
		d.Opposite = e
	}
	return err
}

// explained returns why an automaton accepts or rejects a word, with its text and what must hold along its
// run; nil after an error that was noted. The error is that ctx is done.
func (x *caseRun) explained(ctx context.Context, word *omega.Word, m *member, j *certifier) (*outcome.Explanation, error) {
	a := m.language.Automaton()
	e, err := explain.Acceptance(ctx, a, word)
	if err == nil {
		e.HOA, err = text(ctx, a)
	}
	if err != nil {
		return nil, j.uncertified(ctx, word, fmt.Errorf("%s: %w", m.name(), err))
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
