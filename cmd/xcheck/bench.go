package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/bench"
)

func (a *app) benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench COMMAND",
		Short: "Measure algorithms on generated inputs",
		Example: `  xcheck bench translate
  xcheck bench emptiness --each 1
  xcheck bench complement --family random --each 10`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			var names []string
			for _, table := range c.Commands() {
				names = append(names, table.Name())
			}
			what := "no table given"
			if len(args) > 0 {
				what = fmt.Sprintf("unknown table %q", args[0])
			}
			return fmt.Errorf("%s: expected one of %s", what, strings.Join(names, ", "))
		},
	}
	c.AddCommand(a.benchComplementCommand(), a.benchInclusionCommand(), a.benchEmptinessCommand(), a.benchMinimalCommand(), a.benchProductCommand(),
		a.benchTightCommand(), a.benchTranslateCommand())
	return c
}

// benchFlags are what tables on families of automata have.
type benchFlags struct {
	families []string
	seed     uint64
	each     int
	time     string
	jobs     int
}

func (f *benchFlags) add(c *cobra.Command, each int) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&f.families, "family", nil, "measure only the family `NAME`")
	fs.IntVar(&f.each, "each", each, "generate `N` automata for each combination of parameters")
	fs.Uint64Var(&f.seed, "seed", 0, seedHelp)
	fs.StringVar(&f.time, "time", "10s", "stop an automaton after `DURATION`")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "measure `N` automata at once")
	fs.Lookup("jobs").DefValue = "all cores"
}

func (f *benchFlags) limits() (limit time.Duration, jobs int, err error) {
	limit, err = timeAndEach(f.time, f.each)
	return limit, atOnce(f.jobs), err
}

// timeAndEach reads the flags --time and --each, which most tables have.
func timeAndEach(limit string, each int) (time.Duration, error) {
	d, err := configs.ParseDuration(limit)
	if err != nil {
		return 0, fmt.Errorf("--time: %w", err)
	}
	if each < 1 {
		return 0, atLeast("each", each, 1)
	}
	return d, nil
}

// tableHead prints the head of a table, unless JSON is asked for; see [bench.Head].
func (a *app) tableHead(text int, columns ...string) {
	if a.json == "" {
		fmt.Fprintln(a.out, bench.Head(text, columns...))
	}
}

// chosen returns the families that are asked for.
func (f *benchFlags) chosen() ([]bench.Family, error) {
	return bench.Named(bench.Families(), f.families, "family", func(x bench.Family) string { return x.Name })
}

func (a *app) benchComplementCommand() *cobra.Command {
	var flags benchFlags
	var algorithms []string
	limit := 0
	c := &cobra.Command{
		Use:   "complement",
		Short: "Compare constructions of complements",
		Args:  arguments(0),
		RunE: func(*cobra.Command, []string) error {
			families, err := flags.chosen()
			if err != nil {
				return err
			}
			o := bench.ComplementOptions{Families: families, Seed: flags.seed, Each: flags.each, Macrostates: limit, Memory: 1 << 30}
			if o.Time, o.Jobs, err = flags.limits(); err != nil {
				return err
			}
			if len(algorithms) == 0 {
				o.Algorithms = append([]complement.Algorithm{""}, complement.Algorithms()...)
			}
			for _, name := range algorithms {
				by := complement.Algorithm("")
				if name != "chosen" {
					if by, err = complement.ParseAlgorithm(name); err != nil {
						return err
					}
				}
				o.Algorithms = append(o.Algorithms, by)
			}
			a.tableHead(2, "family", "construction", "automata", "fits", "done", "states", "reduced", "largest", "seconds")
			return bench.Complement(a.ctx, o, a.complementRow)
		},
	}
	var about strings.Builder
	for _, f := range bench.Families() {
		fmt.Fprintf(&about, "\n  %-20s %s", f.Name, f.About)
	}
	c.Long = `Complements every automaton of each family with each construction. Prints how many
each construction fits and finishes, the median and largest number of states
(explored and reduced), and the seconds. "chosen" is the construction that xcheck
chooses by itself.

Constructions:
` + constructionList() + `

Families:` + about.String()
	c.Example = `  xcheck bench complement --each 1
  xcheck bench complement --family random --algorithm chosen,ranks --each 10`
	flags.add(c, 10)
	c.Flags().StringSliceVar(&algorithms, "algorithm", nil, "measure only the construction `NAME`")
	c.Flags().IntVar(&limit, "max-macrostates", 1000000, "stop if a complement has more than `N` states")
	return c
}

func (a *app) complementRow(r bench.Row) error {
	if r.Algorithm == "" {
		r.Algorithm = "chosen"
	}
	if r.Fits == 0 {
		return nil
	}
	return a.answer(r.String(), r)
}

func (a *app) benchInclusionCommand() *cobra.Command {
	var flags benchFlags
	number := 0
	c := &cobra.Command{
		Use:   "inclusion",
		Short: "Compare lazy and eager complements for inclusion",
		Long: `Translates random formulas with gpvw and gastin-oddoux. Decides inclusion between
the automata of one formula and of two successive ones, with the complement built
on demand and built in full.`,
		Example: `  xcheck bench inclusion -n 300`,
		Args:    arguments(0),
		RunE: func(*cobra.Command, []string) error {
			if number < 1 {
				return atLeast("number", number, 1)
			}
			limit, err := configs.ParseDuration(flags.time)
			if err != nil {
				return fmt.Errorf("--time: %w", err)
			}
			if a.json == "" {
				fmt.Fprintln(a.out, "| automata of | checks | included | failed | | seconds | macrostates | product states |")
				fmt.Fprintln(a.out, "|---|---:|---:|---:|---|---:|---:|---:|")
			}
			return bench.Inclusion(a.ctx, bench.InclusionOptions{Seed: flags.seed, Formulas: number, Time: limit}, func(r bench.InclusionRow) error { return a.answer(r.String(), r) })
		},
	}
	c.Flags().IntVarP(&number, "number", "n", 300, "translate `N` random formulas")
	c.Flags().Uint64Var(&flags.seed, "seed", 0, seedHelp)
	c.Flags().StringVar(&flags.time, "time", "10s", "stop a check after `DURATION`")
	return c
}
