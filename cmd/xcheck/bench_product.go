package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/bench"
)

func (a *app) benchProductCommand() *cobra.Command {
	o := bench.ProductOptions{Memory: 1 << 30}
	limit := ""
	c := &cobra.Command{
		Use:   "product",
		Short: "Compare three ways to build products",
		Long: `Compares three ways to decide whether two automata share a word, as Gillard does
(2019, Counterexample searches in Spot, section 4.7):

  explicit product    builds the whole product, then searches it
  on-the-fly product  builds the product as the search asks for it
  product check       searches pairs of states without their labels

The inputs are random automata, and the automata that a run compares for random
formulas. A check that needs more than 1 GiB fails.`,
		Example: `  xcheck bench product
  xcheck bench product --automata 100 --formulas 100 --time 60s
  xcheck bench product --states 2000 --density 0.02 --formulas 0`,
		Args: arguments(0),
		RunE: func(*cobra.Command, []string) error {
			for name, n := range map[string]int{"automata": o.Automata, "formulas": o.Formulas, "sets": o.Sets, "ap": o.Props} {
				if n < 0 {
					return atLeast(name, n, 0)
				}
			}
			if o.Random.States < 1 {
				return atLeast("states", o.Random.States, 1)
			}
			for name, x := range map[string]float64{"density": o.Random.Density} {
				if !(x >= 0 && x <= 1) {
					return fmt.Errorf("--%s %g: expected a number from 0 to 1", name, x)
				}
			}
			var err error
			if o.Time, err = configs.ParseDuration(limit); err != nil {
				return fmt.Errorf("--time: %w", err)
			}
			a.tableHead(3, "automata", "result", "way", "checks", "failed", "seconds", "median ms", "slowest ms", "states", "edges", "KiB")
			return bench.Product(a.ctx, o, func(r bench.ProductRow) error { return a.answer(r.String(), r) })
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.IntVar(&o.Automata, "automata", 12, "generate `N` random automata")
	fs.IntVar(&o.Random.States, "states", 500, "give each automaton `N` states")
	fs.Float64Var(&o.Random.Density, "density", 0.075, "connect two states with probability `P`")
	fs.IntVar(&o.Sets, "sets", 16, "give each automaton `N` acceptance sets")
	o.Random.Marks = 0.2
	fs.IntVar(&o.Props, "ap", 10, "use `N` propositions")
	fs.IntVar(&o.Formulas, "formulas", 10, "generate `N` random formulas")
	fs.StringVar(&limit, "time", "5s", "stop a translation or check after `DURATION`")
	fs.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	return c
}
