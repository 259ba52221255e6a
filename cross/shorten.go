package cross

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// shorten replaces the word of each disagreement by a shortest one on which the
// formula has the same truth and the same automata are wrong, if there is one
// that can be found within the limits. Others may be wrong on it as well: they
// join the blamed.
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
			return e.Kind == d.Kind && e.Truth == d.Truth && includes(e.Blamed, d.Blamed)
		})
		if k < 0 {
			j.fail(word, fmt.Sprintf("it is shorter than %s, but does not show the same disagreement", d.Word))
			continue
		}
		entries[k].Shortest = proved
		j.witness("", entries)
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

func includes(all, some []outcome.Subject) bool {
	return !slices.ContainsFunc(some, func(s outcome.Subject) bool { return !slices.Contains(all, s) })
}

// shortest returns a shortest word on which the formula has the truth that d says and all
// automata that it blames are wrong, and whether this is proved; nil if no word shorter
// than the word of d was found.
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

// translationTime is how long the translation of a formula may take that a
// shortest word is to be found for.
const translationTime = 5 * time.Second

// languages returns the words on which the formula is true, or false.
func (t *truths) languages(ctx context.Context, truth bool) (in, out []*productcheck.Language, err error) {
	f, i := t.formula, outcome.Formula.Index()
	if !truth {
		f, i = t.store.Not(f), outcome.Negation.Index()
	}
	if t.made[i] == nil && t.failed[i] == nil {
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
