package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/configs"
)

func (a *app) benchProductCommand() *cobra.Command {
	o := bench.ProductOptions{Memory: 1 << 30}
	limit := ""
	c := &cobra.Command{
		Use:   "product",
		Short: "Whether two automata share a word, by three kinds of products",
		Long: `Compares three ways to decide whether two automata share a word, and to find one, as
Gillard 2019 (Counterexample searches in Spot, section 4.7) does:

  explicit product    the whole product is made, then searched
  on-the-fly product  the product is an automaton of its own, made as the search asks
  product check       the search runs on pairs of states, without labels for them

on all pairs of random automata, each with itself, too; and on what ltlcross checks for
the built-in translators and random formulas of size 30 over 30 propositions: an
automaton of each formula with one of its negation.

The table has the seconds of all checks together; of one, the median and the slowest, in
milliseconds; and the medians of the product's states and edges that were made, and of
the memory that was allocated, garbage too. A check that takes more than 1 GiB fails.`,
		Example: `  xcheck bench product
  xcheck bench product --automata 100 --formulas 100 --time 60s    # as in the paper
  xcheck bench product --states 2000 --density 0.02 --formulas 0`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for name, n := range map[string]int{"automata": o.Automata, "formulas": o.Formulas, "sets": o.Sets, "ap": o.Props} {
				if n < 0 {
					return fmt.Errorf("--%s %d: expected a number from 0 on", name, n)
				}
			}
			if o.Random.States < 1 {
				return fmt.Errorf("--states %d: expected a number from 1 on", o.Random.States)
			}
			for name, x := range map[string]float64{"density": o.Random.Density, "marks": o.Random.Marks} {
				if !(x >= 0 && x <= 1) {
					return fmt.Errorf("--%s %g: expected a probability", name, x)
				}
			}
			var err error
			if o.Time, err = configs.ParseDuration(limit); err != nil {
				return fmt.Errorf("--time: %w", err)
			}
			a.tableHead(3, "automata", "result", "way", "checks", "failed", "seconds", "median ms", "slowest ms", "states", "edges", "KiB")
			return bench.Product(a.ctx, o, a.productRow)
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.IntVar(&o.Automata, "automata", 12, "how many random automata")
	fs.IntVar(&o.Random.States, "states", 500, "states of each")
	fs.Float64Var(&o.Random.Density, "density", 0.075, "probability of an edge from one state to another")
	fs.IntVar(&o.Sets, "sets", 16, "acceptance sets of each")
	fs.Float64Var(&o.Random.Marks, "marks", 0.2, "probability of each set on each edge")
	fs.IntVar(&o.Props, "ap", 10, "propositions")
	fs.IntVar(&o.Formulas, "formulas", 10, "how many random formulas")
	fs.StringVar(&limit, "time", "5s", "time for each translation and each check")
	fs.Uint64Var(&o.Seed, "seed", 0, "seed of the random numbers")
	return c
}

func (a *app) productRow(r bench.ProductRow) error {
	text := fmt.Sprintf("| %s | %s | %s | %d | %d | %.2f | %.2f | %.1f | %d | %d | %d |", r.Family, r.Result, r.Way, r.Checks,
		r.Failed, r.Seconds, 1000*r.Median, 1000*r.Slowest, r.States, r.Edges, r.Allocated>>10)
	return a.answer(text, r)
}
