package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/emptiness"
)

func (a *app) benchEmptinessCommand() *cobra.Command {
	var o bench.EmptinessOptions
	var families, algorithms []string
	limit := ""
	var names []string
	var about strings.Builder
	for _, f := range bench.GraphFamilies() {
		names = append(names, f.Name)
		fmt.Fprintf(&about, "\n  %-14s %s", f.Name, f.About)
	}
	c := &cobra.Command{
		Use:   "emptiness",
		Short: "Emptiness checks, on models, random and structured graphs",
		Long: `Searches every graph by each algorithm, and prints a table of what Schwoon and
Esparza 2005 count: distinct states visited, edges made (each as often as it was
asked for), the greatest depth of the search, the greatest number of states whose
component was not complete, and of such components; the length of the accepting
run; and seconds. Where there are several graphs of a kind, these are medians, but for
the seconds. Algorithms that do not fit are left out.

The families are` + about.String(),
		Example: `  xcheck bench emptiness --each 1
  xcheck bench emptiness --family leader-same --algorithm hpy,se-ndfs,couvreur`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var err error
			if o.Time, err = timeAndEach(limit, o.Each); err != nil {
				return err
			}
			if o.Families, err = named(bench.GraphFamilies(), families, "family", func(x bench.GraphFamily) string { return x.Name }); err != nil {
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
			return bench.Emptiness(a.ctx, o, a.emptinessRow)
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&families, "family", nil, "only these families: "+strings.Join(names, ", "))
	fs.StringSliceVar(&algorithms, "algorithm", nil, "only these: "+strings.Join(emptiness.Names(), ", "))
	fs.IntVar(&o.Each, "each", 10, "how many random graphs of each kind")
	fs.Uint64Var(&o.Seed, "seed", 0, "seed of the random numbers")
	fs.StringVar(&limit, "time", "10s", "time for each search")
	return c
}

func (a *app) emptinessRow(r bench.EmptinessRow) error {
	if r.Fits == 0 {
		return nil
	}
	text := fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.2f |",
		r.Family, r.Graph, r.Algorithm, r.Sources, r.Done, r.Empty, r.States, r.Edges, r.Depth, r.Live, r.Roots, r.Run, r.Seconds)
	return a.answer(text, r)
}
