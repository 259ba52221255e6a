package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

func (a *app) evalCommand() *cobra.Command {
	syntaxName, table := "spot", false
	c := &cobra.Command{
		Use:   "eval [flags] FORMULA WORD",
		Short: "Evaluate a formula on a word",
		Long: `Prints true or false: does the word satisfy the formula? If a letter leaves
propositions open, true means that one of the words that match satisfies it.`,
		Example: `  xcheck eval 'G(a -> Fb)' 'a; cycle{!a&b; a&!b}'
  xcheck eval --table 'Fb' 'a&!b; cycle{!a&b}'
  xcheck eval --syntax spin '[]<>p' 'cycle{p; !p}'`,
		Args: arguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			syntax, err := ltl.ParseSyntax(syntaxName)
			if err != nil {
				return err
			}
			return a.each(func() error { return a.evaluate(args[0], syntax, args[1], table) })
		},
	}
	c.Flags().StringVar(&syntaxName, "syntax", syntaxName, syntaxHelp)
	c.Flags().BoolVar(&table, "table", false, "also print the truth of every subformula")
	return a.bounded(c)
}

// evaluate answers with the truth of a formula on a word, and the table if that is asked for.
func (a *app) evaluate(formula string, syntax ltl.Syntax, word string, table bool) error {
	store := ltl.NewStore()
	f, err := store.Parse(formula, syntax)
	if err != nil {
		return formulaError(err)
	}
	w, err := omega.ParseWord(a.ctx, word)
	if err != nil {
		return err
	}
	if table {
		return a.evalTable(store, f, w)
	}
	holds, err := a.eval(store, f, w)
	if err != nil {
		return err
	}
	if err := a.answer(fmt.Sprint(holds), map[string]any{"holds": holds}); err != nil || holds {
		return err
	}
	return status(statusOther)
}

// tableAnswer is the JSON of eval --table.
type tableAnswer struct {
	Holds       bool               `json:"holds"`
	Table       *cross.TruthTable  `json:"truth_table,omitempty"`
	Obligations *cross.Obligations `json:"obligations,omitempty"`
}

// evalTable answers with the truth of all subformulas.
func (a *app) evalTable(store *ltl.Store, f *ltl.Formula, w *omega.Word) error {
	holds, err := a.holds(f, w)
	if err != nil {
		return fmt.Errorf("--table: %w", err)
	}
	answer := tableAnswer{Holds: holds}
	if answer.Table, err = cross.Tabulate(f, w); err != nil {
		return err
	}
	answer.Obligations = cross.Oblige(store, f, w)
	var b strings.Builder
	fmt.Fprintln(&b, holds)
	text := &report.Text{W: &b}
	if answer.Table != nil {
		if err := text.Truths(answer.Table); err != nil {
			return err
		}
	}
	if answer.Obligations != nil {
		if err := text.Obligations(answer.Obligations); err != nil {
			return err
		}
	}
	if err := a.answer(strings.TrimSuffix(b.String(), "\n"), answer); err != nil || holds {
		return err
	}
	return status(statusOther)
}

// eval evaluates the formula directly if the word leaves nothing open that the
// formula speaks of. Otherwise it looks for a word that fits and satisfies the
// formula, and for one that does not.
func (a *app) eval(store *ltl.Store, f *ltl.Formula, w *omega.Word) (bool, error) {
	holds, err := a.holds(f, w)
	var open *omega.OpenError
	if err == nil || !errors.As(err, &open) {
		return holds, err
	}
	both := omega.Union(w.Alphabet, omega.NewAlphabet(f.Props()...))
	words, err := w.Automaton().Over(a.ctx, both)
	if err != nil {
		return false, err
	}
	var some [2]bool
	for i, g := range []*ltl.Formula{f, store.Not(f)} {
		x, err := builtin.Best(a.ctx, store, g)
		if err != nil {
			return false, err
		}
		if x, err = x.Over(a.ctx, both); err != nil {
			return false, err
		}
		r, err := productcheck.Intersect(a.ctx, words, x, emptiness.Limits{})
		if err != nil {
			return false, err
		}
		some[i] = !r.Empty()
	}
	if some[0] && some[1] {
		fmt.Fprintf(a.err, "xcheck: %v: the formula is true on some matching words and false on others\n", open)
	}
	return some[0], nil
}

// holds evaluates the formula directly. What the answer is was certified.
func (a *app) holds(f *ltl.Formula, w *omega.Word) (bool, error) {
	holds, err := w.Holds(f)
	if err != nil {
		return false, err
	}
	return holds, w.CertifyTruth(a.ctx, f, holds)
}
