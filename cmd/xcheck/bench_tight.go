package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/bench"
	"github.com/xcheck-ltl/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/translate"
)

func (a *app) benchTightCommand() *cobra.Command {
	var specifications, algorithms []string
	o := bench.TightOptions{Memory: 256 << 20}
	limit := ""
	c := &cobra.Command{
		Use:   "tight",
		Short: "Compare the lengths of counterexamples",
		Args:  arguments(0),
		RunE: func(*cobra.Command, []string) error {
			var err error
			if o.Time, err = timeAndEach(limit, o.Each); err != nil {
				return err
			}
			if o.Specifications, err = bench.Named(bench.Specifications(), specifications, "specification", func(x bench.Specification) string { return x.Name }); err != nil {
				return err
			}
			if o.Algorithms, err = bench.Named(translate.Algorithms(), algorithms, "algorithm", func(x translate.Algorithm) string { return x.Name }); err != nil {
				return err
			}
			a.tableHead(2, "specification", "algorithm", "violations", "done", "shortest", "length", "excess", "longer", "most", "bound", "seconds")
			return bench.Tight(a.ctx, o, func(r bench.TightRow) error { return a.answer(r.String(), r) })
		},
	}
	var about strings.Builder
	for _, x := range bench.Specifications() {
		fmt.Fprintf(&about, "\n  %-14s %s", x.Name, x.About)
	}
	c.Long = `Searches for shortest counterexamples in products of models and automata of the
negated specification. Prints how many violations each translation finishes and,
on average, the length of the shortest counterexample, that of the shortest run in
the product, and the excess. Each search may use 256 MiB.

Algorithms:
` + help.Line("  "+translationNames(), 2) + `

Specifications:` + about.String()
	c.Example = `  xcheck bench tight
  xcheck bench tight --specification random-past --each 1000 --seed 1`
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&specifications, "specification", nil, "measure only the specification `NAME`")
	fs.StringSliceVar(&algorithms, "algorithm", nil, "measure only the algorithm `NAME`")
	fs.IntVar(&o.Each, "each", 100, "generate `N` random models")
	fs.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	fs.StringVar(&limit, "time", "10s", "stop a search after `DURATION`")
	return c
}
