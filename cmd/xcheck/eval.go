package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/cross/explain"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

func (a *app) evalCommand() *cobra.Command {
	syntaxName, table := "spot", false
	c := &cobra.Command{
		Use: "eval [flags] FORMULA WORD",
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
	holds, err := xcheck.Eval(a.limits.WithMemory(a.ctx), f, w)
	var open *omega.OpenError
	if errors.As(err, &open) {
		fmt.Fprintf(a.err, "xcheck: %v\n", err)
	} else if err != nil {
		return err
	}
	a.answered(holds)
	return a.answer(fmt.Sprint(holds), evalAnswer{holds})
}

// tableAnswer is the JSON of eval --table.
type tableAnswer struct {
	Holds bool `json:"holds"` // true if the formula holds on the word
	// truth of the subformulas along the word
	Table *outcome.TruthTable `json:"truth_table,omitempty"`
	// what must hold from each position on
	Obligations *outcome.Progression `json:"obligations,omitempty"`
}

// evalTable answers with the truth of all subformulas.
func (a *app) evalTable(store *ltl.Store, f *ltl.Formula, w *omega.Word) error {
	err := w.Determines(f.Props())
	if err != nil {
		return fmt.Errorf("--table: %w", err)
	}
	holds, err := xcheck.Eval(a.limits.WithMemory(a.ctx), f, w)
	if err != nil {
		return fmt.Errorf("--table: %w", err)
	}
	answer := tableAnswer{Holds: holds}
	if answer.Table, err = explain.Truths(f, w); err != nil {
		return err
	}
	answer.Obligations = explain.Progression(store, f, w)
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
	a.answered(holds)
	return a.answer(strings.TrimSuffix(b.String(), "\n"), answer)
}
