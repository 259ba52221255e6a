package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/emptiness"
)

func (a *app) benchEmptinessCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "emptiness",
		Short: "Compare emptiness checks on models and graphs",
		Long: `Searches every graph with each algorithm, and prints what Schwoon and Esparza
(2005) count: states, edges, greatest depth, live states, roots, and length of
the run. "visits" is how often the edges of one state were made at most, where
nothing is accepted. "bytes a state" counts the search's tables, and "bytes" all
its memory, without the graph. Several graphs of a kind give
medians.

Algorithms:
` + help.Line("  "+strings.Join(emptiness.Names(), ", "), 2) + `

Families:` + described(14, bench.GraphFamilies(),
			func(x bench.GraphFamily) (string, string) { return x.Name, x.About }),
		Example: `  xcheck bench emptiness --each 1
  xcheck bench emptiness --family leader-same --algorithm hpy,se-ndfs,couvreur`,
	}
	var o bench.EmptinessOptions
	f := newBenchFlags(c)
	named(f, "family", bench.GraphFamilies(), func(x bench.GraphFamily) string { return x.Name }, &o.Families)
	algorithms := f.StringSlice("algorithm", nil, "measure only the algorithm `NAME`")
	f.set = append(f.set, func() error {
		for _, name := range *algorithms {
			by, err := emptiness.ParseAlgorithm(name)
			if err != nil {
				return err
			}
			o.Algorithms = append(o.Algorithms, by)
		}
		if len(*algorithms) == 0 {
			o.Algorithms = emptiness.Algorithms()
		}
		return nil
	})
	f.number("each", "", 1, 10, "generate `N` random graphs of each kind", &o.Each)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a search", &o.Time)
	f.savable()
	head := bench.Head(3, "family", "graph", "algorithm", "graphs", "weak", "done", "empty", "states", "edges", "visits",
		"depth", "live", "roots", "run", "bytes a state", "bytes", "seconds")
	return benchTable(a, c, f, &o, head, func(ctx context.Context, o bench.EmptinessOptions, emit func(bench.EmptinessRow) error) error {
		return bench.Emptiness(ctx, o, func(r bench.EmptinessRow) error {
			if r.Fits == 0 {
				return nil
			}
			return emit(r)
		})
	})
}
