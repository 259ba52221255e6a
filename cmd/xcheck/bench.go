package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/bench/suite"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
)

func (a *app) benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "bench COMMAND",
		Example: `  xcheck bench translate
  xcheck bench emptiness --each 1
  xcheck bench complement --family random --each 10`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			var names []string
			for _, table := range c.Commands() {
				names = append(names, table.Name())
			}
			if len(args) == 0 {
				return fmt.Errorf("no table given: expected one of %s", strings.Join(names, ", "))
			}
			return fmt.Errorf("unknown table %q%s", args[0], spelling.Of(args[0], names))
		},
	}
	c.AddCommand(a.benchComplementCommand(), a.benchInclusionCommand(), a.benchEmptinessCommand(), a.benchMinimalCommand(), a.benchImprovementsCommand(), a.benchOrderCommand(), a.benchProductCommand(),
		a.benchTightCommand(), a.benchTranslateCommand())
	return c
}

// benchFlags are the flags of a table, which set the options of what it measures.
type benchFlags struct {
	*pflag.FlagSet
	command *cobra.Command
	set     []func() error // options, when the flags are known
	folder  string         // for the automata, which are not measured then
}

func newBenchFlags(c *cobra.Command) *benchFlags {
	f := &benchFlags{FlagSet: c.Flags(), command: c}
	f.SortFlags = false
	return f
}

// named adds a flag that chooses some of a list by their names.
func named[T any](f *benchFlags, flag string, all []T, name func(T) string, to *[]T) {
	names := f.StringSlice(flag, nil, "measure only the "+flag+" `NAME`")
	var values []string
	for _, x := range all {
		values = append(values, name(x))
	}
	_ = f.command.RegisterFlagCompletionFunc(flag, listCompletions(values))
	f.set = append(f.set, func() (err error) {
		*to, err = bench.Named(all, *names, flag, name)
		return err
	})
}

// number adds a flag for a number that is large enough.
func (f *benchFlags) number(name, short string, least, shown int, about string, to *int) {
	f.IntVarP(to, name, short, shown, about)
	f.set = append(f.set, func() error { return atLeast(name, *to, least) })
}

// time adds the flag for the time limit of what is measured.
func (f *benchFlags) time(shown, what string, to *time.Duration) {
	limit := f.String("time", shown, "stop "+what+" after `DURATION`")
	f.set = append(f.set, func() (err error) {
		if *to, err = configs.ParseDuration(*limit); err != nil {
			return fmt.Errorf("--time: %w", err)
		}
		return nil
	})
}

// benchTable returns a command that prints a table: its head, and the rows that of finds with the
// options that the flags have set.
func benchTable[O any, R fmt.Stringer](a *app, c *cobra.Command, f *benchFlags, o *O, head string,
	of func(ctx context.Context, o O, emit func(R) error) error) *cobra.Command {
	c.Args = arguments(0)
	c.RunE = func(*cobra.Command, []string) error {
		for _, set := range f.set {
			if err := set(); err != nil {
				return err
			}
		}
		if f.folder != "" {
			return a.saveModels(any(*o).(modeller), f.folder)
		}
		if a.json == "" {
			fmt.Fprintln(a.out, head)
		}
		return of(a.ctx, *o, func(r R) error { return a.answer(r.String(), r) })
	}
	return c
}

// described lists the members of a list, a line each.
func described[T any](width int, all []T, of func(T) (name, about string)) string {
	var b strings.Builder
	for _, x := range all {
		name, about := of(x)
		fmt.Fprintf(&b, "\n  %-*s %s", width, name, about)
	}
	return b.String()
}

func (a *app) benchComplementCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "complement",
		Short: "Compare constructions of complements",
		Long: `Complements every automaton of each family with each construction. Prints how many
each construction fits and finishes, the median and largest number of states
(explored and reduced), and the seconds. "chosen" is the construction that xcheck
chooses by itself.` + suiteHelp + `

Constructions:
` + constructionList() + `

Families:` + described(20, bench.Families(), func(x bench.Family) (string, string) { return x.Name, x.About }),
		Example: `  xcheck bench complement --each 1
  xcheck bench complement --family random --algorithm chosen,ranks --each 10
  xcheck bench complement --folder DIR --with 'spot=autfilt --complement %L'`,
	}
	o := &bench.ComplementOptions{Memory: 1 << 30}
	f := newBenchFlags(c)
	named(f, "family", bench.Families(), func(x bench.Family) string { return x.Name }, &o.Families)
	f.number("each", "", 1, 10, "generate `N` automata for each combination of parameters", &o.Each)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "an automaton", &o.Time)
	f.IntVarP(&o.Jobs, "jobs", "j", 0, "measure `N` automata at once")
	f.Lookup("jobs").DefValue = "all cores"
	algorithms := f.StringSlice("algorithm", nil, "measure only the construction `NAME`")
	f.IntVar(&o.Macrostates, "max-macrostates", 1000000, "stop if a complement has more than `N` states")
	f.set = append(f.set, func() (err error) {
		o.Jobs = atOnce(o.Jobs)
		if len(*algorithms) == 0 {
			o.Algorithms = append([]complement.Algorithm{""}, complement.Algorithms()...)
		}
		for _, name := range *algorithms {
			by := complement.Algorithm("")
			if name != "chosen" {
				if by, err = complement.ParseAlgorithm(name); err != nil {
					return err
				}
			}
			o.Algorithms = append(o.Algorithms, by)
		}
		return nil
	})
	head := bench.Head(2, "family", "construction", "automata", "fits", "done", "states", "reduced", "largest", "seconds")
	benchTable(a, c, f, o, head,
		func(ctx context.Context, o bench.ComplementOptions, emit func(bench.Row) error) error {
			return bench.Complement(ctx, o, func(r bench.Row) error {
				if r.Fits == 0 {
					return nil
				}
				r.Algorithm = cmp.Or(r.Algorithm, "chosen")
				return emit(r)
			})
		})
	a.addSuite(c, f, suite.Complement, &o.Time)
	return c
}

func (a *app) benchInclusionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "inclusion",
		Short: "Compare lazy and eager complements for inclusion",
		Long: `Translates random formulas with gpvw and gastin-oddoux. Decides inclusion between
the automata of one formula and of two successive ones, with the complement built
on demand and built in full.` + suiteHelp,
		Example: `  xcheck bench inclusion -n 300
  xcheck bench inclusion --folder DIR --with 'a=autfilt -q --included-in=%R %L'`,
	}
	var o bench.InclusionOptions
	f := newBenchFlags(c)
	f.number("number", "n", 1, 300, "translate `N` random formulas", &o.Formulas)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a check", &o.Time)
	head := `| automata of | checks | included | failed | | seconds | macrostates | product states |
|---|---:|---:|---:|---|---:|---:|---:|`
	benchTable(a, c, f, &o, head, bench.Inclusion)
	a.addSuite(c, f, suite.Inclusion, &o.Time)
	return c
}
