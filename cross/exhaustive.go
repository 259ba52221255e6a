package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/exhaustive"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Cheap is the value of [Options].Exhaustive for the largest size that costs little.
const Cheap = -1

// Bounds of the evaluation of all words of a case. They count steps, so that the same words are
// tried on every machine.
const (
	cheapSize  = 6
	cheapSteps = 1 << 18 // some 0.2 ms
	dearSteps  = 1 << 30 // some seconds, for a size that the user has chosen
)

// A shortWord is a shortest word on which package exhaustive says that an automaton is wrong.
type shortWord struct {
	*omega.Word
	wrong *member
	kind  outcome.Kind
}

// shortWords says up to which size all words were tried, and on which of them an automaton is wrong.
type shortWords struct {
	size  int
	wrong []shortWord
}

func (s *shortWords) words() (list []*omega.Word) {
	for _, w := range s.wrong {
		list = append(list, w.Word)
	}
	return list
}

// tryShortWords evaluates the automata on all words up to a size, as far as the limits allow. The
// error is that ctx is done, or an internal one.
func (x *caseRun) tryShortWords(ctx context.Context, c *outcome.Case, list []*member, alphabet *omega.Alphabet) (found shortWords, err error) {
	if x.Exhaustive == 0 || x.NoChecks || len(list) == 0 {
		return found, nil
	}
	x.stage.enter("all short words")
	q := &exhaustive.Question{Props: alphabet.Props(), Formula: x.formula, Size: x.Exhaustive, Steps: dearSteps}
	if x.Exhaustive == Cheap {
		q.Size, q.Steps = cheapSize, cheapSteps
	}
	for _, m := range list {
		if m.input {
			q.Input = m.automaton()
		}
		q.Automata = append(q.Automata, exhaustive.Automaton{Automaton: m.automaton(), Complement: m.polarity == outcome.Negation})
	}
	inTime, cancel := within(ctx, x.Limits.Time)
	defer cancel()
	answer, err := exhaustive.Check(inTime, q)
	if ctx.Err() != nil {
		return found, ctx.Err()
	}
	if err != nil && inTime.Err() == nil { // at the time limit, the answer is about smaller words
		return found, fmt.Errorf("all short words: %w", err)
	}
	found.size = answer.Size
	c.Exhaustive = &outcome.Exhaustive{Size: answer.Size, Words: answer.Words}
	for _, w := range answer.Wrong {
		kind := outcome.Missing
		if w.Accepts {
			kind = outcome.Extra
		}
		var letters []omega.Letter
		for _, letter := range w.Word.Letters {
			letters = append(letters, letter)
		}
		found.wrong = append(found.wrong, shortWord{lasso(alphabet, letters, w.Word.Prefix), list[w.Automaton], kind})
	}
	return found, nil
}

// addShortWords makes disagreements of the short words that show more than the checks have found.
// Such a word contradicts checks that have passed. The error is that ctx is done.
func (x *caseRun) addShortWords(ctx context.Context, c *outcome.Case, ch *checker, j *certifier, short *shortWords) error {
	for _, w := range short.wrong {
		if j.blames(w.wrong, w.kind) { // a check has shown as much
			continue
		}
		found, err := j.entries(ctx, w.Word)
		// Two evaluations of the same word disagree: one of them has a mistake.
		if errors.Is(err, errNobody) {
			err = fmt.Errorf("by the evaluation of all short words, %s is wrong, but not by its certificate", w.wrong.name())
		}
		if err != nil {
			if err := j.uncertified(ctx, w.Word, err); err != nil {
				return err
			}
			continue
		}
		for i := range found {
			d := &found[i]
			// All smaller words are right.
			d.Shortest = d.Shortest || d.Kind == w.kind && slices.Contains(d.Blamed, w.wrong.subjects[0])
		}
		j.add(found...)
		if x.quick {
			continue
		}
		if err := x.contradict(ctx, c, ch, w.Word); err != nil {
			return err
		}
	}
	return nil
}

// blames reports whether a disagreement of some kind blames an automaton.
func (j *certifier) blames(m *member, kind outcome.Kind) bool {
	return slices.ContainsFunc(j.found, func(d outcome.Disagreement) bool {
		return d.Kind == kind && slices.Contains(d.Blamed, m.subjects[0])
	})
}

// contradict adds the passed checks whose sides share the word after all. The error is that ctx is done.
func (x *caseRun) contradict(ctx context.Context, c *outcome.Case, ch *checker, w *omega.Word) error {
	for i := range ch.passed {
		p := ch.passed[i]
		name := p.name()
		// One word for a check is enough.
		if slices.ContainsFunc(c.Contradictions, func(x outcome.Contradiction) bool { return x.Check == name }) {
			continue
		}
		if _, both, err := p.has(ctx, w); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil || !both {
			continue // what certify can't decide was said above
		}
		contradiction := outcome.Contradiction{Check: name, Word: w.String(),
			Left:  outcome.ContradictionSide{Subject: p.x.subjects[0], Complement: !p.inX},
			Right: outcome.ContradictionSide{Subject: p.y.subjects[0], Complement: !p.inY}}
		for m, hoa := range map[*member]*string{p.x: &contradiction.Left.HOA, p.y: &contradiction.Right.HOA} {
			var err error
			if *hoa, err = text(ctx, m.language.Automaton()); err != nil {
				return err
			}
		}
		c.Contradictions = append(c.Contradictions, contradiction)
		c.Errors = append(c.Errors, "internal error: "+contradiction.String())
	}
	return nil
}

// agree notes an internal error for each disagreement on a short word that the evaluation of all of
// them lacks.
func (s *shortWords) agree(j *certifier) {
	for _, d := range j.found {
		for _, m := range j.members {
			if d.Size > s.size || !slices.Contains(d.Blamed, m.subjects[0]) {
				continue
			}
			if !slices.ContainsFunc(s.wrong, func(w shortWord) bool { return w.wrong == m && w.kind == d.Kind && w.Size() <= d.Size }) {
				j.fail(j.words[d.Word], fmt.Sprintf("%s is wrong, but not by the evaluation of all short words", m.name()))
			}
		}
	}
}

// lasso returns the word of letters in which the cycle starts at a position.
func lasso(alphabet *omega.Alphabet, letters []omega.Letter, cycle int) *omega.Word {
	var labels []omega.Label
	for _, letter := range letters {
		labels = append(labels, alphabet.LetterLabel(letter))
	}
	return omega.NewWord(alphabet, labels[:cycle], labels[cycle:])
}
