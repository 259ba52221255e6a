package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/bench"
	"github.com/xcheck-ltl/xcheck/internal/help"
)

func (a *app) benchEmptinessCommand() *cobra.Command {
	var o bench.EmptinessOptions
	var families, algorithms []string
	limit := ""
	var about strings.Builder
	for _, f := range bench.GraphFamilies() {
		fmt.Fprintf(&about, "\n  %-14s %s", f.Name, f.About)
	}
	c := &cobra.Command{
		Use:   "emptiness",
		Short: "Compare emptiness checks on models and graphs",
		Long: `Searches every graph with each algorithm, and prints what Schwoon and Esparza
(2005) count: states, edges, greatest depth, live states, roots, length of the
run, and seconds. Several graphs of a kind give medians.

Algorithms:
` + help.Line("  "+strings.Join(emptiness.Names(), ", "), 2) + `

Families:` + about.String(),
		Example: `  xcheck bench emptiness --each 1
  xcheck bench emptiness --family leader-same --algorithm hpy,se-ndfs,couvreur`,
		Args: arguments(0),
		RunE: func(*cobra.Command, []string) error {
			var err error
			if o.Time, err = timeAndEach(limit, o.Each); err != nil {
				return err
			}
			if o.Families, err = bench.Named(bench.GraphFamilies(), families, "family", func(x bench.GraphFamily) string { return x.Name }); err != nil {
				return err
			}
			for _, name := range algorithms {
				by, err := emptiness.ParseAlgorithm(name)
				if err != nil {
					return err
				}
				o.Algorithms = append(o.Algorithms, by)
			}
			if len(algorithms) == 0 {
				o.Algorithms = emptiness.Algorithms()
			}
			a.tableHead(3, "family", "graph", "algorithm", "graphs", "done", "empty", "states", "edges", "depth", "live", "roots", "run", "seconds")
			return bench.Emptiness(a.ctx, o, func(r bench.EmptinessRow) error {
				if r.Fits == 0 {
					return nil
				}
				return a.answer(r.String(), r)
			})
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&families, "family", nil, "measure only the family `NAME`")
	fs.StringSliceVar(&algorithms, "algorithm", nil, "measure only the algorithm `NAME`")
	fs.IntVar(&o.Each, "each", 10, "generate `N` random graphs of each kind")
	fs.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	fs.StringVar(&limit, "time", "10s", "stop a search after `DURATION`")
	return c
}
