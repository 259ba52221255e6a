package main

import (
	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/bench"
	"github.com/xcheck-ltl/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/translate"
)

func (a *app) benchTightCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tight",
		Short: "Compare the lengths of counterexamples",
		Long: `Searches for shortest counterexamples in products of models and automata of the
negated specification. Prints how many violations each translation finishes and,
on average, the length of the shortest counterexample, that of the shortest run in
the product, and the excess. Each search may use 256 MiB.

Algorithms:
` + help.Line("  "+translationNames(), 2) + `

Specifications:` + described(14, bench.Specifications(),
			func(x bench.Specification) (string, string) { return x.Name, x.About }),
		Example: `  xcheck bench tight
  xcheck bench tight --specification random-past --each 1000 --seed 1`,
	}
	o := bench.TightOptions{Memory: 256 << 20}
	f := newBenchFlags(c)
	named(f, "specification", bench.Specifications(),
		func(x bench.Specification) string { return x.Name }, &o.Specifications)
	named(f, "algorithm", translate.Algorithms(), translationName, &o.Algorithms)
	f.number("each", "", 1, 100, "generate `N` random models", &o.Each)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a search", &o.Time)
	head := bench.Head(2, "specification", "algorithm", "violations", "done", "shortest", "length", "excess", "longer",
		"most",
		"bound", "seconds")
	return benchTable(a, c, f, &o, head, bench.Tight)
}
