package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/bench"
)

func (a *app) benchMinimalCommand() *cobra.Command {
	var inputs, searches []string
	o := bench.MinimalOptions{Memory: 256 << 20}
	limit := ""
	c := &cobra.Command{
		Use:   "minimal",
		Short: "Compare searches for shortest accepting runs",
		Args:  arguments(0),
		RunE: func(*cobra.Command, []string) error {
			var err error
			if o.Time, err = timeAndEach(limit, o.Each); err != nil {
				return err
			}
			if o.Inputs, err = bench.Named(bench.Inputs(), inputs, "input", func(x bench.Input) string { return x.Name }); err != nil {
				return err
			}
			if len(inputs) == 0 {
				o.Inputs = slices.DeleteFunc(o.Inputs, func(x bench.Input) bool { return x.Extra })
			}
			if o.Searches, err = bench.Named(bench.Searches(), searches, "search", func(x bench.Search) string { return x.Name }); err != nil {
				return err
			}
			a.tableHead(2, "input", "search", "automata", "done", "length", "states", "matched", "runs", "queued", "KiB", "seconds")
			return bench.Minimal(a.ctx, o, func(r bench.MinimalRow) error { return a.answer(r.String(), r) })
		},
	}
	var about strings.Builder
	for _, in := range bench.Inputs() {
		fmt.Fprintf(&about, "\n  %-20s %s", in.Name, in.About)
	}
	about.WriteString("\n\nSearches:")
	for _, s := range bench.Searches() {
		fmt.Fprintf(&about, "\n  %-20s %s", s.Name, s.About)
	}
	c.Long = `Searches for shortest accepting runs with 256 MiB each. Prints how many automata each
search finishes, and averages: length of the run, states, edges to known states, runs
found, queue entries, memory and seconds.

Inputs:` + about.String()
	c.Example = `  xcheck bench minimal
  xcheck bench minimal --input random-1000 --search gmz-min,gm-min --each 10`
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&inputs, "input", nil, "measure only the input `NAME`")
	fs.StringSliceVar(&searches, "search", nil, "measure only the search `NAME`")
	fs.IntVar(&o.Each, "each", 100, "generate `N` random automata of each size")
	fs.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	fs.StringVar(&limit, "time", "10s", "stop a search after `DURATION`")
	return c
}
