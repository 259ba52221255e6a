package cross

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// prefixes sets the shortest prefixes of the words that settle the truth of the formula, whatever
// follows (bad and good prefixes: Kupferman and Vardi 1999). The error is that ctx is done.
func (j *certifier) prefixes(ctx context.Context, list []outcome.Disagreement) error {
	t, ok := j.specification.(*truths)
	if !ok {
		return nil
	}
	for i := range list {
		d := &list[i]
		inner, cancel := within(ctx, generalTime)
		prefix, err := j.prefix(inner, t, d)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && prefix != nil {
			d.Prefix, _, _ = strings.Cut(prefix.String(), "; cycle{")
		}
	}
	return nil
}

// prefix returns the prefix, without the literals that play no part, before a cycle of any letters;
// nil if no prefix but the empty one settles the truth, or at a limit.
func (j *certifier) prefix(ctx context.Context, t *truths, d *outcome.Disagreement) (*omega.Word, error) {
	opposite, _, err := t.languages(ctx, !d.Truth)
	if err != nil {
		return nil, err
	}
	a, err := opposite[0].Reduced(ctx, generalMacrostates)
	word := j.words[d.Word]
	if err != nil || word == nil || word.Size()*word.Alphabet.Len() > maxLiterals {
		return nil, err
	}
	word = word.Over(a.Alphabet())
	letters, err := settled(ctx, a, word)
	if err != nil || len(letters) == 0 {
		return nil, err
	}
	anything := []omega.Label{word.Alphabet.True()}
	o := &opener{word: omega.NewWord(word.Alphabet, letters, anything),
		required: []requirement{{opposite[0], false}}, decider: productcheck.Decider{Limits: j.decider.Limits}}
	if _, err := o.open(ctx, t.closed()); err != nil {
		return nil, err
	}
	return o.word, j.certifyPrefix(ctx, t, d, o.word, omega.NewWord(word.Alphabet, letters[:len(letters)-1], anything))
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
		if seen[here] {
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
		word, err := certify.ParseWord(x.word.Encoded())
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
