package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

// shorten replaces the word of each disagreement by a shortest one on which the formula has the same truth
// and the same automata are wrong, if there is one that can be found within the limits. Others may be wrong
// on it as well: they join the blamed.
//
// The error is that the whole run was canceled.
func (j *certifier) shorten(ctx context.Context) error {
	if t, ok := j.specification.(*truths); ok {
		for _, m := range j.members {
			if m.own && !j.wrong {
				t.made[m.polarity.Index()] = m.language // it has been checked
			}
		}
	}
	done := map[string]int{} // by key: the size of the word that was found for it
	for i := 0; i < len(j.found); {
		d := j.found[i]
		if done[blameKey(&d)] > 0 {
			i++
			continue
		}
		done[blameKey(&d)] = d.Size
		if d.Shortest && d.Size > 1 {
			continue // all smaller words have been tried
		}
		word, proved, err := j.shortest(ctx, &d)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			j.errors = append(j.errors, fmt.Sprintf("%s: word %s: %v", j.specification, d.Word, err))
			continue
		}
		if word == nil {
			continue
		}
		entries, err := j.entries(ctx, word)
		if err != nil {
			if err := j.uncertified(ctx, word, err); err != nil {
				return err
			}
			continue
		}
		k := slices.IndexFunc(entries, func(e outcome.Disagreement) bool {
			return e.Kind == d.Kind && e.Truth == d.Truth && !slices.ContainsFunc(d.Blamed, func(s outcome.Subject) bool { return !slices.Contains(e.Blamed, s) })
		})
		if k < 0 {
			j.fail(word, fmt.Sprintf("it is shorter than %s, but does not show the same disagreement", d.Word))
			continue
		}
		entries[k].Shortest = proved
		j.witness(0, entries)
		j.found = slices.Delete(j.found, i, i+1)
		done[blameKey(&d)] = word.Size()
		for x, e := range entries {
			// One that has been dealt with is shown by a word that is no longer.
			if n := done[blameKey(&e)]; x == k || n == 0 || e.Size < n {
				j.add(e)
			}
		}
		done[blameKey(&entries[k])] = word.Size()
		i = 0 // what has been added may stand anywhere
	}
	return nil
}

// blameKey is the same for disagreements that blame the same automata for the same.
func blameKey(d *outcome.Disagreement) string { return fmt.Sprint(d.Kind, d.Truth, d.Blamed) }

// shortest returns a shortest word on which the formula has the truth that d says and all automata that it
// blames are wrong, and whether this is proved; nil if no word shorter than the word of d was found.
func (j *certifier) shortest(ctx context.Context, d *outcome.Disagreement) (*omega.Word, bool, error) {
	in, out, err := j.specification.languages(ctx, d.Truth)
	if err != nil {
		return nil, false, nil // the formula is too large: the word stays as it is
	}
	used := map[*member]bool{}
	for _, m := range j.members {
		blamed := slices.ContainsFunc(m.subjects, func(s outcome.Subject) bool { return slices.Contains(d.Blamed, s) })
		if class := m.class(); !blamed || used[class] {
			continue
		} else {
			used[class] = true
		}
		if d.Kind == outcome.Extra {
			in = append(in, m.language)
		} else {
			out = append(out, m.language)
		}
	}
	r, err := j.decider.Shortest(ctx, j.words[d.Word], in, out)
	if err != nil {
		return nil, false, err
	}
	return r.Word, r.Shortest(), nil
}

// truths are automata of a formula and of its negation, made when asked for.
type truths struct {
	alphabet *omega.Alphabet
	store    *ltl.Store
	formula  *ltl.Formula
	made     [2]*productcheck.Language
	failed   [2]error
}

func (t *truths) holds(ctx context.Context, w *certify.Word) (bool, error) {
	return certify.Holds(ctx, t.formula, w)
}

func (t *truths) quick(_ context.Context, w *omega.Word) (bool, error) { return w.Holds(t.formula) }

func (t *truths) String() string { return "formula " + t.formula.String() }

// translationTime is how long the translation of a formula may take that a shortest word is to be found for.
const translationTime = 5 * time.Second

// languages returns the words on which the formula is true, or false.
func (t *truths) languages(ctx context.Context, truth bool) (in, out []*productcheck.Language, err error) {
	f, i := t.formula, outcome.Formula.Index()
	if !truth {
		f, i = t.store.Not(f), outcome.Negation.Index()
	}
	if t.made[i] == nil && t.failed[i] == nil { // a failure is not tried again
		ctx, cancel := context.WithTimeout(ctx, translationTime)
		defer cancel()
		a, err := translate.Of(ctx, t.store, f)
		if err == nil {
			a, err = a.Over(ctx, t.alphabet)
		}
		if err != nil {
			t.failed[i] = err
		} else {
			t.made[i] = productcheck.NewLanguage(a)
		}
	}
	return []*productcheck.Language{t.made[i]}, nil, t.failed[i]
}

// Bounds of the search for propositions that play no part. They count work where they can, so that
// the word is the same on every machine.
const (
	generalTime        = 2 * time.Second // of one disagreement
	generalMacrostates = 2000            // of one check
	generalPairs       = 20000
	generalSteps       = 1 << 19 // of one certificate
	maxLiterals        = 400     // of the word
)

// generalize sets what the words of disagreements are without the literals that play no part, and the
// prefixes of the words that settle the truth of the formula. The error is that ctx is done.
func (j *certifier) generalize(ctx context.Context, list []outcome.Disagreement) error {
	for i := range list {
		for _, set := range []func(context.Context, *outcome.Disagreement) error{j.general, j.prefix} {
			inner, cancel := within(ctx, generalTime)
			set(inner, &list[i]) // an error leaves the disagreement as it is
			cancel()
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// A requirement is a language that all completions of a word have to be in, or none.
type requirement struct {
	language *productcheck.Language
	in       bool
}

// general sets the word of d without the literals that play no part: every completion of it shows the same
// disagreement. It sets nothing if there are no such literals, or at a limit.
func (j *certifier) general(ctx context.Context, d *outcome.Disagreement) error {
	word := j.words[d.Word]
	if word == nil || word.Size()*word.Alphabet.Len() > maxLiterals {
		return nil
	}
	required, err := j.required(ctx, d)
	if err != nil {
		return err
	}
	o := &opener{word: word.Over(required[0].language.Automaton().Alphabet()), required: required,
		decider: productcheck.Decider{Limits: j.decider.Limits, Algorithm: j.decider.Algorithm}}
	o.decider.Limits.Macrostates, o.decider.Limits.ProductStates = generalMacrostates, generalPairs
	changed, err := o.open(ctx, j.specification.closed())
	if changed && err == nil {
		err = j.certifyGeneral(ctx, d, o.word)
	}
	if changed && err == nil {
		d.General = o.word.String()
	}
	return err
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

// open leaves out what it can, and reports whether that was anything. The closed propositions stay. Unless
// a check met a limit, no literal of the result can be left out as well. If all completions must satisfy
// a & F b, then a&b; cycle{a&b} becomes a; cycle{b}: the prefix needs no b, and the cycle no a.
func (o *opener) open(ctx context.Context, closed []string) (changed bool, err error) {
	for prop, name := range o.word.Alphabet.Props() {
		if slices.Contains(closed, name) {
			continue
		}
		// From all letters at once first: this needs the fewest checks, and single letters need none after it.
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
		decision, err := o.decider.Decide(ctx, words.In(), productcheck.Side{Language: r.language, In: !r.in})
		if err != nil {
			return false, err
		}
		if decision.Undecided != nil || !decision.Empty() { // some completion may be wrong
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
	word, err := certify.ParseWord(w.String())
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

// prefix sets the shortest prefix of the word that settles the truth of the formula, whatever follows (bad
// and good prefixes: Kupferman and Vardi 1999), without the literals that play no part. It sets nothing if no
// prefix but the empty one does, or at a limit.
func (j *certifier) prefix(ctx context.Context, d *outcome.Disagreement) error {
	t, ok := j.specification.(*truths)
	if !ok {
		return nil
	}
	// A prefix settles the truth if no word with the opposite truth begins with it.
	opposite, _, err := t.languages(ctx, !d.Truth)
	if err != nil {
		return err
	}
	a, err := opposite[0].Reduced(ctx, omega.Limits{Macrostates: generalMacrostates}) // each state accepts some word
	word := j.words[d.Word]
	if err != nil || word == nil || word.Size()*word.Alphabet.Len() > maxLiterals {
		return err
	}
	word = word.Over(a.Alphabet())
	letters, err := settled(ctx, a, word)
	if err != nil || len(letters) == 0 {
		return err
	}
	anything := []omega.Label{word.Alphabet.True()}
	o := &opener{word: omega.NewWord(word.Alphabet, letters, anything),
		required: []requirement{{opposite[0], false}}, decider: productcheck.Decider{Limits: j.decider.Limits}}
	if _, err := o.open(ctx, t.closed()); err != nil {
		return err
	}
	if err := j.certifyPrefix(ctx, t, d, o.word, omega.NewWord(word.Alphabet, letters[:len(letters)-1], anything)); err != nil {
		return err
	}
	d.Prefix, _, _ = strings.Cut(o.word.String(), "; cycle{")
	return nil
}

// settled returns the letters of the word that a reads before no run is left, or nil if some run
// goes on for ever. Every state of a accepts some word. An automaton of Ga reads a; !a of the word
// a; cycle{!a}: no word that starts so satisfies Ga. On cycle{a}, its run goes on.
func settled(ctx context.Context, a *omega.Automaton, w *omega.Word) (letters []omega.Label, err error) {
	seen := map[string]bool{}
	now := slices.Clone(a.Initial())
	for pos := 0; len(now) > 0; pos = w.Next(pos) {
		slices.Sort(now)
		now = slices.Compact(now)
		here := fmt.Sprint(pos, now)
		if seen[here] { // the same states at the same position: some run goes on
			return nil, nil
		}
		seen[here] = true
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		letter := w.At(pos)
		letters = append(letters, letter)
		var next []omega.State
		for _, s := range now {
			for _, e := range a.Edges(s) {
				if a.Alphabet().Meet(e.Label, letter) {
					next = append(next, e.Dst)
				}
			}
		}
		now = next
	}
	return letters, nil
}

// certifyPrefix fails if package certify does not find that the formula has the truth of d whatever
// follows the prefix, but not whatever follows the one that is a letter shorter. That is an internal
// error unless it met a limit.
func (j *certifier) certifyPrefix(ctx context.Context, t *truths, d *outcome.Disagreement, prefix, shorter *omega.Word) error {
	for _, x := range []struct {
		word    *omega.Word
		settles bool
	}{{prefix, true}, {shorter, false}} {
		word, err := certify.ParseWord(x.word.String())
		if err != nil {
			return err
		}
		ok, err := t.holdsOnAll(ctx, d.Truth, word)
		if err == nil && ok != x.settles {
			err = fmt.Errorf("that the letters before the cycle of %s settle the truth: %v", x.word, ok)
			j.fail(j.words[d.Word], err.Error())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
