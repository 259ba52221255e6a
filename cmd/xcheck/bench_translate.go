package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/bench"
	"github.com/xcheck-ltl/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/translate"
)

func (a *app) benchTranslateCommand() *cobra.Command {
	var algorithms, sets []string
	var random randomFlags
	number, limit := 0, ""
	c := &cobra.Command{
		Use:   "translate",
		Short: "Compare the sizes of the built-in translations",
		Long: `Translates published and random formulas and their negations with each algorithm.
Prints how many it finishes, the states, edges and acceptance sets of all
automata, how many automata are deterministic, and the seconds.

Algorithms:
` + help.Line("  "+translationNames(), 2),
		Example: `  xcheck bench translate
  xcheck bench translate --patterns 'go-theta 1..5' -n 0 --algorithm gpvw`,
		Args: arguments(0),
		RunE: func(*cobra.Command, []string) error {
			var o bench.TranslationOptions
			var err error
			if o.Time, err = timeAndEach(limit, 1); err != nil {
				return err
			}
			if o.Algorithms, err = bench.Named(translate.Algorithms(), algorithms, "algorithm", func(x translate.Algorithm) string { return x.Name }); err != nil {
				return err
			}
			if o.Sets, err = formulaSets(sets, number, &random); err != nil {
				return err
			}
			a.tableHead(2, "formulas", "algorithm", "number", "done", "states", "edges", "sets", "deterministic", "seconds", "slowest")
			return bench.Translations(a.ctx, o, func(r bench.TranslationRow) error { return a.answer(r.String(), r) })
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&algorithms, "algorithm", nil, "measure only the algorithm `NAME`")
	fs.StringArrayVar(&sets, "patterns", []string{"dac", "eh", "sb", "hkrss", "p"}, "translate the published formulas `NAME`, such as dac")
	fs.IntVarP(&number, "number", "n", 500, "translate `N` random formulas")
	random.add(c, "a,b,c,d", "15")
	fs.StringVar(&limit, "time", "10s", "stop a translation after `DURATION`")
	return c
}

// translationNames lists the built-in algorithms.
func translationNames() string {
	var names []string
	for _, x := range translate.Algorithms() {
		names = append(names, x.Name)
	}
	return strings.Join(names, ", ")
}

// formulaSets returns the formulas of the requests and n random ones.
func formulaSets(requests []string, n int, random *randomFlags) ([]bench.FormulaSet, error) {
	var sets []bench.FormulaSet
	for _, text := range requests {
		r, err := patterns.Parse(text)
		if err != nil {
			return nil, err
		}
		sets = append(sets, bench.FormulaSet{Name: text, Formulas: bench.Published(r)})
	}
	if n < 0 {
		return nil, atLeast("number", n, 0)
	}
	if n == 0 {
		return sets, nil
	}
	options, err := random.options()
	if err != nil {
		return nil, err
	}
	if _, err := ltl.NewGenerator(options); err != nil {
		return nil, err
	}
	return append(sets, bench.FormulaSet{Name: "random", Formulas: bench.Drawn(options, n)}), nil
}
