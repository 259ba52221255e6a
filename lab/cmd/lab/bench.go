package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/lab/bench"
	"github.com/xcheck-ltl/xcheck/lab/bench/suite"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

func (a *app) benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench TABLE",
		Short: "Measure algorithms on generated inputs",
		Example: `  lab bench translate
  lab bench emptiness --each 1
  lab bench complement --family random --each 10`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			names := cli.Names(c.Commands(), (*cobra.Command).Name)
			if len(args) == 0 {
				return fmt.Errorf("no table given: expected one of %s", strings.Join(names, ", "))
			}
			return fmt.Errorf("unknown table %q%s", args[0], spelling.Of(args[0], names))
		},
	}
	for _, table := range []func(*app) *cobra.Command{(*app).benchComplement, (*app).benchInclusion, (*app).benchEmptiness, (*app).benchMinimal, (*app).benchImprovements,
		(*app).benchOrder, (*app).benchProduct, (*app).benchTight, (*app).benchTranslate} {
		c.AddCommand(table(a))
	}
	return c
}

// benchFlags are the flags of a table, which set the options of what it measures.
type benchFlags struct {
	*pflag.FlagSet
	command *cobra.Command
	set     []func() error // options, when the flags are known
}

func newBenchFlags(c *cobra.Command) *benchFlags {
	c.Flags().SortFlags = false
	return &benchFlags{FlagSet: c.Flags(), command: c}
}

// apply sets the options.
func (f *benchFlags) apply() error {
	for _, set := range f.set {
		if err := set(); err != nil {
			return err
		}
	}
	return nil
}

// named adds a flag that chooses some of a list by their names.
func named[T any](f *benchFlags, flag string, all []T, name func(T) string, to *[]T, usual ...string) {
	names := f.StringSlice(flag, nil, "measure only the "+flag+" `NAME`")
	f.set = append(f.set, func() (err error) {
		// Without the flag, the usual ones are measured, or all if none are named.
		if *to, err = bench.Named(all, *names, flag, name); len(*names) == 0 && len(usual) > 0 {
			*to = slices.DeleteFunc(slices.Clone(all), func(x T) bool { return !slices.Contains(usual, name(x)) })
		}
		return err
	})
}

// number adds a flag for a number that is large enough.
func (f *benchFlags) number(name, short string, least, shown int, about string, to *int) {
	f.IntVarP(to, name, short, shown, about)
	f.set = append(f.set, func() error { return cli.AtLeast(name, *to, least) })
}

// inputs and searches add the flags for what searches for shortest runs, and where.
func (f *benchFlags) inputs(to *[]bench.Input, usual ...string) {
	named(f, "input", bench.Inputs(), func(x bench.Input) string { return x.Name }, to, usual...)
}

func (f *benchFlags) searches(to *[]bench.Search, usual ...string) {
	named(f, "search", bench.Searches(), func(x bench.Search) string { return x.Name }, to, usual...)
}

// drawn adds the flags for the number of generated inputs and their seed, and for the time limit.
func (f *benchFlags) drawn(n int, what string, each *int, seed *uint64, about string, limit *time.Duration) {
	f.number("each", "", 1, n, "generate `N` "+what, each)
	f.Uint64Var(seed, "seed", 0, seedHelp)
	f.time("10s", about, limit)
}

// fraction adds the flag for a probability.
func (f *benchFlags) fraction(name string, shown float64, about, expected string, in func(float64) bool, to *float64) {
	f.Float64Var(to, name, shown, about)
	f.set = append(f.set, func() error {
		if in(*to) {
			return nil
		}
		return fmt.Errorf("--%s %g: expected %s", name, *to, expected)
	})
}

// time adds the flag for the time limit of what is measured.
func (f *benchFlags) time(byDefault, what string, to *time.Duration) {
	limit := f.String("time", byDefault, "stop "+what+" after `DURATION`")
	f.set = append(f.set, func() (err error) {
		if *to, err = configs.ParseDuration(*limit); err != nil {
			return fmt.Errorf("--time: %w", err)
		}
		return nil
	})
}

// benchTable returns a command that prints a table: its head, and the rows that the function of
// emits for the options set by the flags.
func benchTable[O, R any](a *app, f *benchFlags, o *O, of func(ctx context.Context, o O, emit func(R) error) error) *cobra.Command {
	f.command.Args = cobra.NoArgs
	f.command.RunE = func(*cobra.Command, []string) error {
		if err := f.apply(); err != nil {
			return err
		}
		var head R // the fields of R have the names of the columns
		if !a.json {
			fmt.Fprintln(a.out, bench.Head(head))
		}
		return of(a.ctx, *o, func(r R) error { return a.answer(bench.Line(r), r) })
	}
	return f.command
}

// inputList and searchList explain the names of inputs and searches.
func inputList() string {
	return "\n\nInputs:" + cli.Described(20, bench.Inputs(), func(x bench.Input) (string, string) { return x.Name, x.About })
}

func searchList() string {
	return "\n\nSearches:" + cli.Described(20, bench.Searches(), func(x bench.Search) (string, string) { return x.Name, x.About })
}

func (a *app) benchComplement() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "complement",
		Short: "Compare constructions of complements",
		Long: `Complements every automaton of each family with each construction. Prints how many
each construction fits and finishes, the median and largest number of states
(explored and reduced), and the seconds. "chosen" is the construction that xcheck
chooses by itself.` + suiteHelp + `

Constructions:
` + "  " + strings.Join(cli.Names(complement.Algorithms(), stringOf), ", ") + `

Families:` + cli.Described(20, bench.Families(), func(x bench.Family) (string, string) { return x.Name, x.About }),
		Example: `  lab bench complement --each 1
  lab bench complement --family random --algorithm chosen,ranks --each 10
  lab bench complement --folder DIR --with 'spot=autfilt --complement %L'`,
	})
	o := bench.ComplementOptions{Memory: 1 << 30}
	named(f, "family", bench.Families(), func(x bench.Family) string { return x.Name }, &o.Families)
	f.drawn(10, "automata for each combination of parameters", &o.Each, &o.Seed, "an automaton", &o.Time)
	f.IntVarP(&o.Jobs, "jobs", "j", 0, "measure `N` automata at once")
	f.Lookup("jobs").DefValue = "all cores"
	named(f, "algorithm", append([]complement.Algorithm{""}, complement.Algorithms()...),
		func(by complement.Algorithm) string { return cmp.Or(string(by), "chosen") }, &o.Algorithms)
	f.Lookup("algorithm").Usage = "measure only the construction `NAME`"
	f.IntVar(&o.Macrostates, "max-macrostates", 1000000, "stop if a complement has more than `N` states")
	benchTable(a, f, &o, func(ctx context.Context, o bench.ComplementOptions, emit func(bench.Row) error) error {
		if o.Jobs <= 0 {
			o.Jobs = runtime.GOMAXPROCS(0)
		}
		return bench.Complement(ctx, o, func(r bench.Row) error {
			if r.Fits == 0 {
				return nil // the construction is for other automata
			}
			r.Algorithm = cmp.Or(r.Algorithm, "chosen")
			return emit(r)
		})
	})
	return a.addSuite(f, suite.Complement, &o.Time)
}

func (a *app) benchInclusion() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "inclusion",
		Short: "Compare lazy and eager complements for inclusion",
		Long: `Translates random formulas with gpvw and gastin-oddoux. Decides inclusion between
the automata of one formula and of two successive ones, with the complement built
on demand and built in full.` + suiteHelp,
		Example: `  lab bench inclusion -n 300
  lab bench inclusion --folder DIR --with 'a=autfilt -q --included-in=%R %L'`,
	})
	var o bench.InclusionOptions
	f.number("number", "n", 1, 300, "translate `N` random formulas", &o.Formulas)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a check", &o.Time)
	benchTable(a, f, &o, bench.Inclusion)
	return a.addSuite(f, suite.Inclusion, &o.Time)
}

func (a *app) benchTight() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "tight",
		Short: "Compare the lengths of counterexamples",
		Long: `Searches for shortest counterexamples in products of models and automata of the
negated specification. Prints how many violations each translation finishes,
and average lengths: "shortest" of the shortest counterexample, "found" of
the run from Couvreur's algorithm, and "length" of the shortest run in the
product. "states" counts the states that the search for it visits.
Each search may use 256 MiB.

Algorithms:
` + "  " + strings.Join(translationNames(), ", ") + `

Specifications:` + cli.Described(14, bench.Specifications(),
			func(x bench.Specification) (string, string) { return x.Name, x.About }),
		Example: `  lab bench tight
  lab bench tight --specification random-past --each 1000 --seed 1`,
	})
	o := bench.TightOptions{Memory: 256 << 20}
	named(f, "specification", bench.Specifications(),
		func(x bench.Specification) string { return x.Name }, &o.Specifications)
	named(f, "algorithm", translate.Algorithms(), translationName, &o.Algorithms)
	f.drawn(100, "random models", &o.Each, &o.Seed, "a search", &o.Time)
	return benchTable(a, f, &o, bench.Tight)
}

func (a *app) benchMinimal() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "minimal",
		Short: "Compare searches for shortest accepting runs",
		Long: `Searches for shortest accepting runs with 256 MiB each. Prints how many automata each
search finishes, and averages: length of the run, states, edges to known states, runs
found, queue entries, memory and seconds.` + inputList() + searchList(),
		Example: `  lab bench minimal
  lab bench minimal --input random-1000 --search gmz-min,gm-min --each 10
  lab bench minimal --input random-100 --degree 3 --accepting 0.1`,
	})
	o := bench.SearchOptions{Memory: 256 << 20}
	var usual []string
	for _, x := range bench.Inputs() {
		if !x.Extra { // others are measured only by name
			usual = append(usual, x.Name)
		}
	}
	f.inputs(&o.Inputs, usual...)
	f.searches(&o.Searches)
	f.number("each", "", 1, 100, "generate `N` random automata of each size", &o.Each)
	f.number("degree", "", 1, bench.DefaultGraphs.Degree, "give each state of these `N` edges", &o.Random.Degree)
	f.fraction("accepting", bench.DefaultGraphs.Accepting, "make each state, or mark, accept with probability `P`",
		"more than 0, and at most 1", func(p float64) bool { return p > 0 && p <= 1 }, &o.Random.Accepting)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	f.time("10s", "a search", &o.Time)
	return benchTable(a, f, &o, bench.Minimal)
}

func (a *app) benchImprovements() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "improvements",
		Short: "Measure the improvements of gm-min",
		Long: `Runs gm-min with each of the 2^7 sets of its improvements. Prints the main effect of
each one: its costs divided by those without it, the geometric mean over all sets of the
others. The least and the greatest ratio of edges follow. The row "all" compares all
improvements with none.` + inputList(),
		Example: `  lab bench improvements
  lab bench improvements --input hyman`,
	})
	o := bench.SearchOptions{Memory: 256 << 20}
	f.inputs(&o.Inputs, "random-1000", "peterson", "dekker", "hyman")
	f.drawn(20, "random automata of each size", &o.Each, &o.Seed, "a search", &o.Time)
	return benchTable(a, f, &o, bench.Effects)
}

func (a *app) benchOrder() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "order",
		Short: "Measure searches on random orders of edges",
		Long: `Searches for shortest accepting runs with the edges of each state in random orders.
Prints the length of the run and the edges that the search asks for: the least,
the mean and the greatest number. "spread" is the greatest divided by the least.
Several automata give averages.` + inputList() + searchList(),
		Example: `  lab bench order
  lab bench order --input hyman --search gm-min,gmz-min --orders 1000`,
	})
	o := bench.SearchOptions{Memory: 256 << 20}
	f.inputs(&o.Inputs, "random-100", "random-1000", "peterson", "dekker", "hyman")
	f.searches(&o.Searches, "gm-plain", "gm-min", "gmz-min", "l2s")
	f.number("orders", "", 2, 100, "try `N` orders of the edges of each automaton", &o.Orders)
	f.drawn(20, "random automata of each size", &o.Each, &o.Seed, "a search", &o.Time)
	return benchTable(a, f, &o, bench.Orders)
}

func (a *app) benchEmptiness() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "emptiness",
		Short: "Compare emptiness checks on models and graphs",
		Long: `Searches every graph with each algorithm, and prints what Schwoon and Esparza
(2005) count: states, edges, greatest depth, live states, roots, and length of
the run. "visits" is how often the edges of one state were made at most, where
nothing is accepted. "bytes a state" counts the search's tables, and "bytes" all
its memory, without the graph. Several graphs of a kind give
medians.

Algorithms:
` + "  " + strings.Join(cli.Names(emptiness.Algorithms(), stringOf), ", ") + `

Families:` + cli.Described(14, bench.GraphFamilies(),
			func(x bench.GraphFamily) (string, string) { return x.Name, x.About }),
		Example: `  lab bench emptiness --each 1
  lab bench emptiness --family leader-same --algorithm hpy,se-ndfs,couvreur`,
	})
	var o bench.EmptinessOptions
	named(f, "family", bench.GraphFamilies(), func(x bench.GraphFamily) string { return x.Name }, &o.Families)
	named(f, "algorithm", emptiness.Algorithms(), stringOf, &o.Algorithms)
	f.drawn(10, "random graphs of each kind", &o.Each, &o.Seed, "a search", &o.Time)
	return benchTable(a, f, &o, func(ctx context.Context, o bench.EmptinessOptions, emit func(bench.EmptinessRow) error) error {
		return bench.Emptiness(ctx, o, func(r bench.EmptinessRow) error {
			if r.Fits == 0 { // the algorithm is for other graphs
				return nil
			}
			return emit(r)
		})
	})
}

func (a *app) benchProduct() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
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

After the check, a way searches for a run, which is also timed alone. A ratio compares
times: the product check, or the generic one, divided by the row, as a mean and as a
median. The "check ratio" is without the search, the "ratio" with it. A check that makes
fewer than 5000 states is tried five times, and the least time counts. A translation or check
that needs more than 1 GiB fails.`,
		Example: `  lab bench product
  lab bench product --automata 100 --formulas 100 --time 60s
  lab bench product --states 2000 --density 0.02 --formulas 0
  lab bench product --automata 0 --formulas 0 --conditions 500`,
	})
	o := bench.ProductOptions{Memory: 1 << 30}
	o.Random.Marks = 0.2
	f.number("automata", "", 0, 12, "generate `N` random automata", &o.Automata)
	f.number("states", "", 1, 500, "give each automaton `N` states", &o.Random.States)
	f.fraction("density", 0.075, "connect two states with probability `P`",
		"a number from 0 to 1", func(d float64) bool { return d >= 0 && d <= 1 }, &o.Random.Density)
	f.number("sets", "", 0, 16, "give each automaton `N` acceptance sets", &o.Sets)
	f.number("ap", "", 0, 10, "use `N` propositions", &o.Props)
	f.number("formulas", "", 0, 10, "generate `N` random formulas", &o.Formulas)
	f.number("conditions", "", 0, 20, "generate `N` automata and pairs of each condition", &o.Conditions)
	f.time("5s", "a translation or check", &o.Time)
	f.Uint64Var(&o.Seed, "seed", 0, seedHelp)
	return benchTable(a, f, &o, bench.Product)
}

func (a *app) benchTranslate() *cobra.Command {
	f := newBenchFlags(&cobra.Command{
		Use:   "translate",
		Short: "Compare the sizes of the built-in translations",
		Long: `Translates published and random formulas and their negations with each algorithm.
Prints how many it finishes, the states, edges and acceptance sets of all
automata, how many automata are deterministic, and the seconds.

Algorithms:
` + "  " + strings.Join(translationNames(), ", "),
		Example: `  lab bench translate
  lab bench translate --patterns 'go-theta 1..5' -n 0 --algorithm gpvw`,
	})
	var o bench.TranslationOptions
	random := ltl.RandomOptions{}
	props, size, number := "", "", 0
	named(f, "algorithm", translate.Algorithms(), translationName, &o.Algorithms)
	sets := f.StringArray("patterns", []string{"dac", "eh", "sb", "hkrss", "p"},
		"translate the published formulas `NAME`, such as dac")
	f.number("number", "n", 0, 500, "translate `N` random formulas", &number)
	f.Uint64Var(&random.Seed, "seed", 0, seedHelp)
	f.StringVar(&props, "ap", "a,b,c,d", "use propositions `PROPS`, such as 3 or a,b,c")
	f.StringVar(&size, "size", "15", "generate formulas of size `A..B`")
	f.BoolVar(&random.Past, "past", false, "use past operators")
	f.set = append(f.set, func() (err error) {
		if random.Props, err = configs.ParseProps(props); err != nil {
			return fmt.Errorf("--ap %q: %w", props, err)
		}
		if random.MinSize, random.MaxSize, err = configs.ParseSizes(size); err != nil {
			return fmt.Errorf("--size %q: %w", size, err)
		}
		o.Sets, err = formulaSets(*sets, number, random)
		return err
	})
	f.time("10s", "a translation", &o.Time)
	return benchTable(a, f, &o, bench.Translations)
}

func translationName(x translate.Algorithm) string { return x.Name }

func translationNames() []string { return cli.Names(translate.Algorithms(), translationName) }

// formulaSets returns the formulas of the requests and n random ones.
func formulaSets(requests []string, n int, random ltl.RandomOptions) ([]bench.FormulaSet, error) {
	var sets []bench.FormulaSet
	for _, text := range requests {
		r, err := patterns.Parse(text)
		if err != nil {
			return nil, err
		}
		sets = append(sets, bench.FormulaSet{Name: text, Formulas: bench.Published(r)})
	}
	if n == 0 {
		return sets, nil
	}
	if _, err := ltl.NewGenerator(random); err != nil { // wrong flags are an error before the first row
		return nil, err
	}
	return append(sets, bench.FormulaSet{Name: "random", Formulas: bench.Drawn(random, n)}), nil
}

// suiteHelp explains the flags of a suite.
const suiteHelp = `

With --folder, it runs a published suite instead: each problem alone, with xcheck and
the other tools, within --time and --memory. See bench/results/suites.md.`

// addSuite lets a command run a suite of a kind if it has the flag --folder, and otherwise what it
// ran before. limit is the value of the flag for the time.
func (a *app) addSuite(f *benchFlags, kind suite.Kind, limit *time.Duration) *cobra.Command {
	s := suite.Suite{Kind: kind}
	var generated []string // the flags of generated inputs, which a suite does not have
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "time" { // a suite has a limit of time, too
			generated = append(generated, flag.Name)
		}
	})
	f.StringVar(&s.Folder, "folder", "", "solve the problems in the folder `DIR`")
	f.StringVar(&s.List, "list", "", "take the problems from `FILE`, a line each")
	with := f.StringArray("with", nil, "run another tool too: `NAME=COMMAND`")
	f.Func("ba-accepting", "treat `STATES` as accepting if none are listed: all, none", func(text string) (err error) {
		if s.Unlisted = text; text != "all" && text != "none" {
			err = errors.New("expected all or none")
		}
		return err
	})
	memory := f.String("memory", "2GiB", "stop a problem that exceeds `SIZE`")
	f.BoolVar(&s.Processor, "processor-time", false, "count processor time instead of wall time")
	before := f.command.RunE // the table of generated inputs
	f.command.RunE = func(c *cobra.Command, args []string) error {
		if s.Folder == "" {
			if err := cli.NoneOf(f.FlagSet, "--%s needs --folder", "list", "with", "memory", "processor-time", "ba-accepting"); err != nil {
				return err
			}
			return before(c, args)
		}
		err := cli.NoneOf(f.FlagSet, "--%s does not apply to the problems of --folder", generated...)
		if err == nil {
			err = f.apply()
		}
		if err != nil {
			return err
		}
		if s.Memory, err = configs.ParseBytes(*memory); err != nil {
			return fmt.Errorf("--memory: %w", err)
		}
		for _, text := range *with {
			rival, err := suite.ParseRival(text, kind)
			if err != nil {
				return fmt.Errorf("--with: %w", err)
			}
			s.Rivals = append(s.Rivals, rival)
		}
		s.Time = *limit
		return a.runSuite(&s)
	}
	return f.command
}

// runSuite prints the results, and at the end the table and the plot.
func (a *app) runSuite(s *suite.Suite) error {
	if info, err := os.Stat(s.Folder); err != nil {
		return err
	} else if !info.IsDir() {
		return errors.New(s.Folder + ": expected a folder")
	}
	problems, err := s.Problems()
	if err != nil {
		return err
	}
	// Text shows a wrong result at once, JSON each result.
	var results []suite.Result
	err = s.Run(a.ctx, problems, func(r suite.Result) error {
		results = append(results, r)
		if a.json {
			return a.answer("", r)
		}
		if text := r.Remark(); text != "" {
			return a.answer(text, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rows := suite.Rows(results, s.Time)
	if !a.json {
		fmt.Fprintln(a.out, bench.Head(suite.Row{}))
	}
	for _, row := range rows {
		if err := a.answer(bench.Line(row), row); err != nil {
			return err
		}
	}
	if !a.json {
		fmt.Fprintf(a.out, "\nProblems solved within a time:\n\n%s\n", suite.Plot(rows, s.Time))
	}
	return nil
}

const seedHelp = "seed the random generator with `N`"

func stringOf[S ~string](s S) string { return string(s) }
