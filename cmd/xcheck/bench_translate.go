package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/translate"
)

func (a *app) benchTranslateCommand() *cobra.Command {
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
	}
	var o bench.TranslationOptions
	var random randomFlags
	number := 0
	f := newBenchFlags(c)
	named(f, "algorithm", translate.Algorithms(), translationName, &o.Algorithms)
	sets := f.StringArray("patterns", []string{"dac", "eh", "sb", "hkrss", "p"},
		"translate the published formulas `NAME`, such as dac")
	f.number("number", "n", 0, 500, "translate `N` random formulas", &number)
	random.add(c, "a,b,c,d", "15")
	f.set = append(f.set, func() (err error) {
		o.Sets, err = formulaSets(*sets, number, &random)
		return err
	})
	f.time("10s", "a translation", &o.Time)
	head := bench.Head(2, "formulas", "algorithm", "number", "done", "states", "edges", "sets", "deterministic",
		"seconds", "slowest")
	return benchTable(a, c, f, &o, head, bench.Translations)
}

func translationName(x translate.Algorithm) string { return x.Name }

// translationNames lists the built-in algorithms.
func translationNames() string {
	var names []string
	for _, x := range translate.Algorithms() {
		names = append(names, translationName(x))
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
	if n == 0 {
		return sets, nil
	}
	options, err := random.options()
	if err != nil {
		return nil, err
	}
	if _, err := ltl.NewGenerator(options.RandomOptions); err != nil {
		return nil, err
	}
	return append(sets, bench.FormulaSet{Name: "random", Formulas: bench.Drawn(options.RandomOptions, n)}), nil
}
