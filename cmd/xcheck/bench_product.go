package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
)

func (a *app) benchProductCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "product",
		Short: "Compare three ways to build products",
		Long: `Compares three ways to decide whether two automata share a word, as Gillard does
(2019, Counterexample searches in Spot, section 4.7):

  explicit product    builds the whole product, then searches it
  on-the-fly product  builds the product as the search asks for it
  product check       searches pairs of states without their labels

The inputs are random automata, and the automata that a run compares for random
formulas. For Rabin, Streett and parity conditions (chapter 6), alone and in pairs, there
are two ways:

  conversion, couvreur  converts to generalized Büchi acceptance, then checks
  generic               checks without a conversion

After the check, a way searches for a run, which is also timed alone. A ratio is the time
of the product check, or of the generic one, divided by that of the row, as a mean and as
a median. The "check ratio" is without the search, the "ratio" with it. A check that makes
fewer than 5000 states is tried five times, and the least time counts. A translation or check
that needs more than 1 GiB fails.`,
		Example: `  xcheck bench product
  xcheck bench product --automata 100 --formulas 100 --time 60s
  xcheck bench product --states 2000 --density 0.02 --formulas 0
  xcheck bench product --automata 0 --formulas 0 --conditions 500`,
	}
	o := bench.ProductOptions{Memory: 1 << 30}
	o.Random.Marks = 0.2
	f := newBenchFlags(c)
	f.number("automata", "", 0, 12, "generate `N` random automata", &o.Automata)
	f.number("states", "", 1, 500, "give each automaton `N` states", &o.Random.States)
	f.Float64Var(&o.Random.Density, "density", 0.075, "connect two states with probability `P`")
	f.set = append(f.set, func() error {
		if d := o.Random.Density; !(d >= 0 && d <= 1) {
			return fmt.Errorf("--density %g: expected a number from 0 to 1", d)
		}
		return nil
	})
	f.number("sets", "", 0, 16, "give each automaton `N` acceptance sets", &o.Sets)
	f.number("ap", "", 0, 10, "use `N` propositions", &o.Props)
	f.number("formulas", "", 0, 10, "generate `N` random formulas", &o.Formulas)
	f.number("conditions", "", 0, 20, "generate `N` automata and pairs of each condition", &o.Conditions)
	f.time("5s", "a translation or check", &o.Time)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	head := bench.Head(3, "automata", "result", "way", "checks", "failed", "untranslated", "seconds",
		"median ms", "conversion ms", "search ms", "slowest ms", "check ratio", "median check ratio", "ratio", "median ratio",
		"converted", "states", "edges", "KiB")
	return benchTable(a, c, f, &o, head, bench.Product)
}
