package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
)

func (a *app) benchOrderCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "order",
		Short: "Measure searches on random orders of edges",
		Long: `Searches for shortest accepting runs with the edges of each state in random orders.
Prints the length of the run and the edges that the search asks for: the least,
the mean and the greatest number. "spread" is the greatest divided by the least.
Several automata give averages.

Inputs:` + described(20, bench.Inputs(), func(x bench.Input) (string, string) { return x.Name, x.About }) + `

Searches:` + described(20, bench.Searches(), func(x bench.Search) (string, string) { return x.Name, x.About }),
		Example: `  xcheck bench order
  xcheck bench order --input hyman --search gm-min,gmz-min --orders 1000`,
	}
	o := bench.OrderOptions{Memory: 256 << 20}
	f := newBenchFlags(c)
	named(f, "input", bench.Inputs(), func(x bench.Input) string { return x.Name }, &o.Inputs)
	named(f, "search", bench.Searches(), func(x bench.Search) string { return x.Name }, &o.Searches)
	f.set = append(f.set, func() error {
		if !f.Changed("input") {
			o.Inputs = slices.DeleteFunc(o.Inputs, func(x bench.Input) bool {
				return !slices.Contains([]string{"random-100", "random-1000", "peterson", "dekker", "hyman"}, x.Name)
			})
		}
		if !f.Changed("search") {
			o.Searches = slices.DeleteFunc(o.Searches, func(x bench.Search) bool {
				return !slices.Contains([]string{"gm-plain", "gm-min", "gmz-min", "l2s"}, x.Name)
			})
		}
		return nil
	})
	f.number("orders", "", 2, 100, "try `N` orders of the edges of each automaton", &o.Orders)
	f.number("each", "", 1, 20, "generate `N` random automata of each size", &o.Each)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a search", &o.Time)
	head := bench.Head(2, "input", "search", "automata", "orders", "done", "length", "least", "mean", "greatest", "spread",
		"seconds")
	return benchTable(a, c, f, &o, head, bench.Orders)
}
