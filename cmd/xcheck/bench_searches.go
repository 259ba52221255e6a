package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translate"
)

func (a *app) benchTightCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tight",
		Short: "Compare the lengths of counterexamples",
		Long: `Searches for shortest counterexamples in products of models and automata of the
negated specification. Prints how many violations each translation finishes,
and averages. "shortest" is the length of the shortest counterexample, "found"
that of the run that Couvreur's algorithm finds, and "length" that of the
shortest run in the product. "states" are those that the search for it visits.
Each search may use 256 MiB.

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
	f.savable()
	head := bench.Head(2, "specification", "algorithm", "violations", "done", "shortest", "found", "length", "excess", "longer",
		"most", "bound", "states", "seconds")
	return benchTable(a, c, f, &o, head, bench.Tight)
}

func (a *app) benchMinimalCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "minimal",
		Short: "Compare searches for shortest accepting runs",
		Long: `Searches for shortest accepting runs with 256 MiB each. Prints how many automata each
search finishes, and averages: length of the run, states, edges to known states, runs
found, queue entries, memory and seconds.

Inputs:` + described(20, bench.Inputs(), func(x bench.Input) (string, string) { return x.Name, x.About }) + `

Searches:` + described(20, bench.Searches(), func(x bench.Search) (string, string) { return x.Name, x.About }),
		Example: `  xcheck bench minimal
  xcheck bench minimal --input random-1000 --search gmz-min,gm-min --each 10
  xcheck bench minimal --input random-100 --degree 3 --accepting 0.1`,
	}
	o := bench.MinimalOptions{Memory: 256 << 20}
	f := newBenchFlags(c)
	named(f, "input", bench.Inputs(), func(x bench.Input) string { return x.Name }, &o.Inputs)
	f.set = append(f.set, func() error {
		if !f.Changed("input") {
			o.Inputs = slices.DeleteFunc(o.Inputs, func(x bench.Input) bool { return x.Extra })
		}
		return nil
	})
	named(f, "search", bench.Searches(), func(x bench.Search) string { return x.Name }, &o.Searches)
	f.number("each", "", 1, 100, "generate `N` random automata of each size", &o.Each)
	f.number("degree", "", 1, bench.DefaultGraphs.Degree, "give each state of these `N` edges", &o.Random.Degree)
	f.Float64Var(&o.Random.Accepting, "accepting", bench.DefaultGraphs.Accepting, "make each state, or mark, accept with probability `P`")
	f.set = append(f.set, func() error {
		if p := o.Random.Accepting; !(p > 0 && p <= 1) {
			return fmt.Errorf("--accepting %g: expected more than 0, and at most 1", p)
		}
		return nil
	})
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a search", &o.Time)
	f.savable()
	head := bench.Head(2, "input", "search", "automata", "done", "length", "states", "matched", "runs", "queued", "KiB",
		"seconds")
	return benchTable(a, c, f, &o, head, bench.Minimal)
}

func (a *app) benchImprovementsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "improvements",
		Short: "Measure the improvements of gm-min",
		Long: `Runs gm-min with each of the 2^7 sets of its improvements. Prints the main effect of
each one: its costs divided by those without it, the geometric mean over all sets of the
others. The least and the greatest ratio of edges follow. The row "all" compares all
improvements with none.

Inputs:` + described(20, bench.Inputs(), func(x bench.Input) (string, string) { return x.Name, x.About }),
		Example: `  xcheck bench improvements
  xcheck bench improvements --input hyman`,
	}
	o := bench.EffectOptions{Memory: 256 << 20}
	f := newBenchFlags(c)
	named(f, "input", bench.Inputs(), func(x bench.Input) string { return x.Name }, &o.Inputs)
	f.set = append(f.set, func() error {
		if !f.Changed("input") {
			o.Inputs = slices.DeleteFunc(o.Inputs, func(x bench.Input) bool {
				return !slices.Contains([]string{"random-1000", "peterson", "dekker", "hyman"}, x.Name)
			})
		}
		return nil
	})
	f.number("each", "", 1, 20, "generate `N` random automata of each size", &o.Each)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a search", &o.Time)
	head := bench.Head(2, "input", "improvement", "automata", "pairs", "edges", "least", "greatest", "states", "queued")
	return benchTable(a, c, f, &o, head, bench.Effects)
}

// modeller is implemented by the options of tables whose automata can be saved.
type modeller interface {
	Models(ctx context.Context, emit func(bench.Model) error) error
}

// savable adds the flag that saves the automata of a table.
func (f *benchFlags) savable() {
	f.StringVar(&f.folder, "save-automata", "", "write the automata to `FOLDER` in HOA, and measure nothing")
}

// saveModels writes the automata of a table to a folder, which it creates if necessary.
func (a *app) saveModels(of modeller, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return of.Models(a.ctx, func(m bench.Model) error {
		x, err := omega.Explore(a.ctx, m.Source, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		named := *x
		named.Name = m.Name + ": " + m.About
		return wholefile.Write(filepath.Join(folder, m.Name+".hoa"), func(w io.Writer) error {
			return hoa.Write(a.ctx, w, &named)
		})
	})
}

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
