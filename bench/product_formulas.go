package bench

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/convert"
	"github.com/xcheck-ltl/xcheck/translate"
)

// translated checks automata of formulas and of their negations.
func (o *ProductOptions) translated(ctx context.Context, t *productTable) error {
	for f, err := range Drawn(ltl.RandomOptions{Seed: o.Seed, Props: propositions(30), MinSize: 30, MaxSize: 30}, o.Formulas)(ctx) {
		if err != nil {
			return err
		}
		store := ltl.NewStore()
		f = store.Import(f)
		positive, err := t.translations(ctx, store, f)
		if err != nil {
			return err
		}
		negative, err := t.translations(ctx, store, store.Not(f))
		if err != nil {
			return err
		}
		operands, err := t.overOneAlphabet(ctx, slices.Concat(positive, negative))
		if err != nil {
			return err
		}
		for _, x := range operands[:len(positive)] {
			for _, y := range operands[len(positive):] {
				if err := t.check(ctx, x, y); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// translators stand for ltl2tgba, ltl3ba and ltl2ba, as in Gillard 2019, section 4.7.2.
var translators = []string{"couvreur", "gastin-oddoux", degeneralized}

// degeneralized makes a Büchi automaton with marks on states of what the translator before it made.
const degeneralized = "degeneralized"

// translations returns what the translators make of a formula within the limits.
func (t *productTable) translations(ctx context.Context, store *ltl.Store, f *ltl.Formula) ([]*omega.Automaton, error) {
	var list []*omega.Automaton
	var a *omega.Automaton
	for _, name := range translators {
		_, done, err := measured(budget.WithMemory(ctx, t.limits.Memory), t.time, func(ctx context.Context) (err error) {
			switch {
			case name != degeneralized:
				a, err = translate.With(ctx, name, store, f)
			case a == nil:
				err = context.DeadlineExceeded // as that translation took too long
			default:
				a, err = convert.Degeneralize(ctx, a, true, 0)
			}
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case done:
			list = append(list, a)
		default:
			t.untranslated++
		}
	}
	return list, nil
}

// overOneAlphabet returns the automata as operands over all propositions that one of them has.
func (t *productTable) overOneAlphabet(ctx context.Context, automata []*omega.Automaton) ([]operand, error) {
	var alphabets []*omega.Alphabet
	for _, a := range automata {
		alphabets = append(alphabets, a.Alphabet())
	}
	alphabet := omega.Union(alphabets...)
	var list []operand
	for _, a := range automata {
		a, err := a.Over(ctx, alphabet)
		if err != nil {
			return nil, err
		}
		list = append(list, t.operand(a))
	}
	return list, nil
}
