package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/prove"
)

// Bounds of the search for propositions that play no part. They count work where they can, so that
// the word is the same on every machine.
const (
	generalTime        = 2 * time.Second // of one disagreement
	generalMacrostates = 2000            // of one check
	generalPairs       = 20000
	generalSteps       = 1 << 19 // of one certificate
	maxLiterals        = 400     // of the word
)

// generalize sets what the words of disagreements are without the literals that play no part:
// every completion of such a word shows the same disagreement. The error is that ctx is done.
func (j *certifier) generalize(ctx context.Context, list []outcome.Disagreement) error {
	for i := range list {
		d := &list[i]
		inner, cancel := within(ctx, generalTime)
		general, err := j.general(inner, d)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if general != nil && err == nil {
			d.General = general.String()
		}
	}
	return nil
}

// A requirement is a language that all completions of a word have to be in, or none.
type requirement struct {
	language *productcheck.Language
	in       bool
}

// general returns the word of d without the literals that play no part; nil if it has no such
// literals, or at a limit.
func (j *certifier) general(ctx context.Context, d *outcome.Disagreement) (*omega.Word, error) {
	word := j.words[d.Word]
	if word == nil || word.Alphabet.Symbols() != nil || word.Size()*word.Alphabet.Len() > maxLiterals {
		return nil, nil
	}
	required, err := j.required(ctx, d)
	if err != nil {
		return nil, err
	}
	o := &opener{word: word.Over(required[0].language.Automaton().Alphabet()), required: required,
		decider: productcheck.Decider{Limits: j.decider.Limits, Algorithm: j.decider.Algorithm}}
	o.decider.Limits.Macrostates, o.decider.Limits.ProductStates = generalMacrostates, generalPairs
	changed, err := o.open(ctx, j.specification.closed())
	if !changed || err != nil {
		return nil, err
	}
	return o.word, j.certifyGeneral(ctx, d, o.word)
}

// required returns what all completions must have in common.
func (j *certifier) required(ctx context.Context, d *outcome.Disagreement) ([]requirement, error) {
	var list []requirement
	seen := map[*member]bool{}
	for _, m := range j.members {
		if includesAny(d.Blamed, m) && !seen[m.class()] {
			seen[m.class()] = true
			list = append(list, requirement{m.language, d.Kind == outcome.Extra})
		}
	}
	in, out, err := j.specification.languages(ctx, !d.Truth)
	if err != nil {
		return nil, err
	}
	for _, l := range in {
		list = append(list, requirement{l, false})
	}
	for _, l := range out {
		list = append(list, requirement{l, true})
	}
	return list, nil
}

// includesAny reports whether the list has a subject of the automaton.
func includesAny(list []outcome.Subject, m *member) bool {
	return slices.ContainsFunc(m.subjects, func(s outcome.Subject) bool { return slices.Contains(list, s) })
}

// An opener leaves out literals of a word as long as all its completions are as required.
type opener struct {
	word     *omega.Word
	required []requirement
	decider  productcheck.Decider
}

// open leaves out what it can: first each proposition from all letters, then from single ones. No
// literal of the result can be left out as well, unless a check met a limit. It reports whether
// anything was left out. The closed propositions stay. If all completions must satisfy a & F b, then
// a&b; cycle{a&b} becomes a; cycle{b}: the prefix needs no b, and the cycle no a.
func (o *opener) open(ctx context.Context, closed []string) (changed bool, err error) {
	for prop, name := range o.word.Alphabet.Props() {
		if slices.Contains(closed, name) {
			continue
		}
		done, err := o.without(ctx, prop, 0, o.word.Size())
		if err != nil {
			return changed, err
		}
		for i := 0; i < o.word.Size() && !done && o.word.Size() > 1; i++ {
			single, err := o.without(ctx, prop, i, i+1)
			if err != nil {
				return changed, err
			}
			changed = changed || single
		}
		changed = changed || done
	}
	return changed, nil
}

// without leaves a proposition out of the letters from one position to another, if it can.
func (o *opener) without(ctx context.Context, prop, from, to int) (bool, error) {
	a := o.word.Alphabet
	w := omega.NewWord(a, slices.Clone(o.word.Prefix), slices.Clone(o.word.Cycle))
	letter := func(i int) *omega.Label {
		if i < len(w.Prefix) {
			return &w.Prefix[i]
		}
		return &w.Cycle[i-len(w.Prefix)]
	}
	for i := from; i < to; i++ {
		*letter(i) = without(a, *letter(i), prop)
	}
	words := productcheck.NewLanguage(w.Automaton())
	for _, r := range o.required {
		decision, err := o.decider.Decide(ctx, words, true, r.language, !r.in)
		if err != nil {
			return false, err
		}
		if decision.Undecided != nil || !decision.Empty() {
			return false, nil
		}
	}
	o.word = w
	return true, nil
}

// without removes a proposition's literals from a conjunction: a&!b without a is !b.
func without(a *omega.Alphabet, letter omega.Label, prop int) omega.Label {
	l := a.True()
	for i := range a.Len() {
		p := a.Prop(i)
		switch {
		case i == prop:
		case !a.Meet(letter, p):
			l = a.And(l, a.Not(p))
		case !a.Meet(letter, a.Not(p)):
			l = a.And(l, p)
		}
	}
	return l
}

// certifyGeneral fails if package certify does not find that every completion shows the same
// disagreement. That is an internal error unless it met a limit.
func (j *certifier) certifyGeneral(ctx context.Context, d *outcome.Disagreement, w *omega.Word) error {
	word, err := certify.ParseWord(w.Encoded())
	if err != nil {
		return err
	}
	ok, err := j.specification.holdsOnAll(ctx, d.Truth, word)
	what := j.specification.String()
	for _, m := range j.members {
		if err != nil || !ok {
			break
		}
		if includesAny(d.Blamed, m) {
			what = m.name()
			ok, err = m.acceptsOnAll(ctx, d.Kind == outcome.Extra, word)
		}
	}
	if err == nil && !ok {
		j.fail(w, fmt.Sprintf("%s is not the same on every completion", what))
		err = errors.New("wrong")
	}
	return err
}

// acceptsOnAll reports whether the automaton accepts all completions of a word, or rejects all of
// them. It fails with prove.ErrLost if it accepts all, but no strategy shows it.
func (m *member) acceptsOnAll(ctx context.Context, accepts bool, w *certify.Word) (bool, error) {
	if accepts {
		_, err := prove.Inclusion(ctx, w.Automaton(), m.automaton(), generalSteps)
		return err == nil, err
	}
	return certify.Disjoint(ctx, m.automaton(), w.Automaton(), generalSteps)
}

func (t *truths) holdsOnAll(ctx context.Context, truth bool, w *certify.Word) (bool, error) {
	return certify.HoldsOnAll(ctx, t.formula, truth, w, generalSteps)
}

// closed returns the propositions of expressions, of which certificates need the truth.
func (t *truths) closed() []string {
	var props []string
	seen := map[*ltl.Formula]bool{nil: true}
	var visit func(f *ltl.Formula)
	visit = func(f *ltl.Formula) {
		if seen[f] {
			return
		}
		seen[f] = true
		if f.SERE() != nil {
			props = append(props, f.Props()...)
		}
		visit(f.Left())
		visit(f.Right())
	}
	visit(t.formula)
	return props
}

func (a *accepted) holdsOnAll(ctx context.Context, truth bool, w *certify.Word) (bool, error) {
	return a.acceptsOnAll(ctx, truth, w)
}

func (a *accepted) closed() []string { return nil }
