package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/emptiness"
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
