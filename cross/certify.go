package cross

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A meaning is what the automata of a case are measured by: that of a formula (truths),
// or that of an automaton that was given to tools (accepted).
type meaning interface {
	// holds reports whether a word has it.
	holds(ctx context.Context, w *omega.Word) (bool, error)
	// languages returns languages that exactly those words are in, and languages that
	// they are not in, that hold, or that don't.
	languages(ctx context.Context, truth bool) (in, out []*productcheck.Language, err error)
	String() string // "formula Ga"
}

// judge turns words into disagreements. Every answer in them comes from the
// semantics of the formula, or the automaton that was given, and from omega's membership
// test.
type judge struct {
	meaning meaning
	members []*member
	decider *productcheck.Decider
	found   []Disagreement
	undone  []Undecided
	errors  []string
	wrong   bool // the reference has been found to be
}

// judge certifies a word and adds the disagreements that it shows.
func (j *judge) judge(ctx context.Context, w *omega.Word, want *expectation) {
	found, err := j.entries(ctx, w)
	if wrong := want.certify(ctx, w); wrong != nil {
		err = wrong
	}
	if ctx.Err() != nil {
		return // the case is given up
	}
	if err != nil {
		j.fail(w, err.Error())
		return
	}
	for _, d := range found {
		j.add(d)
	}
}

// certify fails if a word is not in the automata as the check that found it says.
// Nothing is expected of a word that comes from elsewhere.
func (e *expectation) certify(ctx context.Context, w *omega.Word) error {
	if e == nil {
		return nil
	}
	for _, side := range []struct {
		m  *member
		in bool
	}{{e.x, e.inX}, {e.y, e.inY}} {
		if in, err := side.m.language.Automaton().Accepts(ctx, w); err == nil && in != side.in {
			return fmt.Errorf("found by the check %s, but membership of it in %s is %v", e.certificates, side.m.name(), in)
		}
	}
	return nil
}

// entries returns the disagreements that a word shows: one for the automata that
// lack it, one for those that have it and should not. It fails if nobody is wrong.
// If the run's own reference is, that is an internal error of the case, and no
// disagreement with it.
func (j *judge) entries(ctx context.Context, w *omega.Word) ([]Disagreement, error) {
	truth, err := j.meaning.holds(ctx, w)
	if err != nil {
		return nil, err
	}
	d := Disagreement{Word: w.String(), Size: w.Size(), Shortest: w.Size() == 1, Truth: truth, word: w}
	blamed := map[string][]Subject{}
	var wrong *member // of the reference
	for _, m := range j.members {
		accepts, err := m.language.Automaton().Accepts(ctx, w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name(), err)
		}
		right := accepts == (truth != m.negated)
		if m.own && !right {
			wrong = m
		}
		for i, s := range m.subjects {
			d.Accepts = append(d.Accepts, Answer{s, accepts, right})
			if right || m.own && i == len(m.subjects)-1 {
				continue
			}
			kind := "missing"
			if accepts {
				kind = "extra"
			}
			blamed[kind] = append(blamed[kind], s)
		}
	}
	var found []Disagreement
	for _, kind := range []string{"missing", "extra"} {
		if len(blamed[kind]) > 0 {
			d.Kind, d.Blamed = kind, blamed[kind]
			found = append(found, d)
		}
	}
	if wrong != nil && !j.wrong {
		j.wrong = true // to say it once is enough
		j.fail(w, fmt.Sprintf("the reference is wrong on it (%s); please report this", wrong.subjects[len(wrong.subjects)-1]))
	}
	if len(found) == 0 && wrong == nil {
		return nil, errors.New("nobody is wrong on it")
	}
	return found, nil
}

func (j *judge) fail(w *omega.Word, why string) {
	j.errors = append(j.errors, fmt.Sprintf("internal error: word %s of %s: %s", w, j.meaning, why))
}

// add keeps, of the disagreements that blame the same automata for the same
// kind of error, the one with the shortest word, if possible proved to be that.
func (j *judge) add(d Disagreement) {
	for i, e := range j.found {
		if d.Kind == e.Kind && slices.Equal(d.Blamed, e.Blamed) {
			if d.Size < e.Size || d.Size == e.Size && (d.Shortest && !e.Shortest || d.Shortest == e.Shortest && d.Word < e.Word) {
				j.found[i] = d
			}
			return
		}
	}
	j.found = append(j.found, d)
}

// sorted returns the disagreements in an order that does not depend on how they
// were found.
func (j *judge) sorted() []Disagreement {
	slices.SortFunc(j.found, func(d, e Disagreement) int {
		if c := strings.Compare(e.Kind, d.Kind); c != 0 { // missing first
			return c
		}
		return strings.Compare(fmt.Sprint(d.Blamed), fmt.Sprint(e.Blamed))
	})
	return j.found
}

// tryWords compares each automaton with the formula on n random words. A word on
// which one is wrong has been found by the membership test, so it is certified
// by an emptiness check. What goes wrong with a word is an internal error of the
// case. The error is that the whole run was canceled.
func (j *judge) tryWords(ctx context.Context, alphabet *omega.Alphabet, n int, r *rand.Rand) error {
	for range n {
		w := omega.RandomWord(r, alphabet, 4, 4).Concrete()
		truth, err := j.meaning.holds(ctx, w)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			j.fail(w, err.Error())
			return nil
		}
		wrong := false
		for _, m := range j.members {
			accepts, err := m.language.Automaton().Accepts(ctx, w)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				j.fail(w, fmt.Sprintf("%s: %v", m.name(), err))
				return nil
			}
			if accepts == (truth != m.negated) {
				continue
			}
			wrong = true
			both, err := j.decider.Decide(ctx, productcheck.NewLanguage(w.Automaton()), true, m.language, true)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				j.fail(w, fmt.Sprintf("emptiness check of it and %s: %v", m.name(), err))
				return nil
			}
			if both.Undecided != nil {
				j.undone = append(j.undone, Undecided{
					Check: fmt.Sprintf("%s on %s", m.name(), w),
					Why:   fmt.Sprintf("membership is %v, which could not be certified: %v", accepts, both.Undecided),
				})
				wrong = false
				break
			}
			if both.Empty() == accepts {
				j.fail(w, fmt.Sprintf("membership of it in %s is %v, but the emptiness check says otherwise", m.name(), accepts))
				wrong = false
				break
			}
		}
		if wrong {
			j.judge(ctx, w, nil)
		}
	}
	return nil
}
