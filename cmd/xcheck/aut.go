package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/session"
)

// autFlags are the flags of aut.
type autFlags struct {
	files   []string
	tools   []string
	streams []string
	batches []string

	preserved, complemented bool

	number   int
	seed     uint64
	ap       string
	automata automataFlags
	allPairs bool
	noChecks bool
	grind    string
	run      runFlags // those of limits, of reports and of the status
}

func (a *app) autCommand() *cobra.Command {
	f := &autFlags{}
	c := &cobra.Command{
		Use:   "aut [flags]",
		Short: "Cross-check tools that transform automata",
		Long: `Gives automata to tools that keep (or complement) the language, and compares
what they print. Explains each disagreement with a word.

The automata come from -F or a pipe; without them, xcheck generates 100 random
ones. In a COMMAND, %H stands for a HOA file (%S: never claim, %L: LBTT, %O: the
output file). Without %H, HOA goes to standard input; autfilt, dstar2tgba and
seminator need neither. Without any tool, xcheck checks its own conversions.`,
		Example: `  xcheck aut -t 'autfilt --small' -n 1000 -A 'random 1..4'
  xcheck aut -F automata.hoa -t 'mytool %H > %O' --csv=result.csv
  xcheck aut --language-complemented -t 'autfilt --complement' -B
  xcheck random --automata -n 50 | xcheck aut -F - --stream 'mytool'
  xcheck aut -t 'mytool' -n 1000 --save-bogus=bogus.hoa --grind`,
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return a.aut(c, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringArrayVarP(&f.files, "file", "F", nil, "check the automata in `FILE` (-: standard input)")
	fs.StringArrayVarP(&f.tools, "tool", "t", nil, "add the tool `COMMAND`")
	fs.StringArrayVar(&f.streams, "stream", nil, "start `COMMAND` once and send automata one by one")
	fs.StringArrayVar(&f.batches, "batch", nil, "send many automata to `COMMAND` at once")
	fs.BoolVar(&f.run.ignoreMissing, "ignore-missing", false, "skip tools that cannot start")
	fs.BoolVar(&f.preserved, "language-preserved", false, "expect tools to keep the language")
	fs.BoolVar(&f.complemented, "language-complemented", false, "expect tools to complement the language")
	fs.IntVarP(&f.number, "number", "n", 100, "check `N` random automata")
	fs.Uint64Var(&f.seed, "seed", 0, "seed the random generator with `N`")
	fs.StringVar(&f.ap, "ap", "2", "use propositions `PROPS`, such as 3 or a,b,c")
	f.automata.add(c, "1..6")
	f.run.addLimits(fs, "tool")
	fs.BoolVar(&f.allPairs, "all-pairs", false, "compare every pair of automata")
	fs.BoolVar(&f.noChecks, "no-checks", false, "measure the automata without comparing them")
	f.run.check.add(c, "complement", true)
	f.run.check.addEmptiness(c)
	fs.StringVar(&f.run.saveBogus, "save-bogus", "", "write failing automata to `FILE` ('>>FILE' appends)")
	fs.StringVar(&f.grind, "grind", "", "shrink failing automata, and write them to `FILE`")
	fs.Lookup("grind").NoOptDefVal = "-"
	f.run.addRules(c, "automaton", "tool")
	fs.BoolVarP(&f.run.quiet, "quiet", "q", false, "print only problems, and nothing after success")
	fs.BoolVarP(&f.run.verbose, "verbose", "v", false, "print every automaton's source and every failure")
	exclusive(c, "language-preserved", "language-complemented")
	exclusive(c, "quiet", "verbose")
	fs.StringVar(&f.run.csv, "csv", "", "print CSV, or write it to `FILE` ('>>FILE' appends)")
	fs.Lookup("csv").NoOptDefVal = "-"
	f.run.pages.add(fs)
	f.run.history.byDefault = "xcheck-aut.db"
	f.run.history.addStored(fs, "store the run in `FILE`", "automata")
	fs.Var(&f.run.color, "color", colorHelp)
	fs.Var(&f.run.progress, "progress", progressHelp)
	return c
}

func (a *app) aut(c *cobra.Command, f *autFlags) error {
	config, err := f.load(c)
	if err != nil {
		return err
	}
	if f.grind == "-" && (a.json == "-" || f.run.csv == "-") {
		return errors.New("--grind: standard output already has JSON or CSV; use --grind=FILE")
	}
	a.limits = productcheck.Limits(config.Limits.Check) // for what is read
	plan := &session.Plan{Config: config, Automata: &session.Automata{Complemented: f.complemented}, Smallest: f.grind, Shard: f.run.history.shard, Resume: f.run.history.resume,
		StrictFailures: f.run.strict, IgnoreFailures: f.run.ignore, Note: a.note}
	if err := plan.ChooseForAutomata(&session.AutomataChoice{Commands: f.tools, Streams: f.streams, Batches: f.batches}); err != nil {
		return err
	}
	if err := plan.CheckTools(a.ctx, f.run.ignoreMissing); err != nil {
		return err
	}
	if plan.Automata.Inputs, plan.Automata.Len, err = f.source(a, c); err != nil {
		return err
	}
	plan.Automata.From = f.from(c)
	plan.Empty = errors.New("no automata: add some with -F or -n")
	if len(f.files) > 0 {
		plan.Empty = fmt.Errorf("no automata: found none in %q", strings.Join(f.files, ", "))
	}
	return a.runPlan(plan, &f.run)
}

// load makes a configuration of the flags.
func (f *autFlags) load(c *cobra.Command) (*configs.Config, error) {
	config := session.Schema.Default()
	config.Checks.AllPairs, config.Checks.NoChecks = f.allPairs, f.noChecks
	config.Output.Quiet, config.Output.Verbose = f.run.quiet, f.run.verbose
	config.Output.CSV = f.run.csv
	f.run.overrideRules(c.Flags().Changed, config)
	if err := f.run.pages.override(&config.Output); err != nil {
		return nil, err
	}
	if err := f.run.history.override(c.Flags().Changed, &config.History); err != nil {
		return nil, err
	}
	return config, f.run.overrideLimits(c, config)
}

// source returns the automata, and how many there are, or 0 if that is not known.
func (f *autFlags) source(a *app, c *cobra.Command) (next session.Inputs, total int, err error) {
	asked := slices.ContainsFunc(append([]string{"number", "seed", "ap"}, automataFlagNames...), c.Flags().Changed)
	if err := f.piped(a, asked); err != nil {
		return nil, 0, err
	}
	var sources []session.Inputs
	for _, name := range f.files {
		file, err := a.open(name)
		if err != nil {
			return nil, 0, err
		}
		in := &clocked{Reader: file, app: a, name: name}
		automata := session.AutomataFile(name, file, a.reader(in))
		sources = append(sources, func(ctx context.Context) (cross.Input, error) {
			defer in.stop()
			return automata(ctx)
		})
	}
	if len(f.files) > 0 && !asked {
		return session.Concat(sources...), 0, nil
	}
	g, err := f.automata.generator(f.seed, f.ap)
	if err != nil {
		return nil, 0, err
	}
	sources = append(sources, session.Repeat(f.number, func(ctx context.Context, k int) (cross.Input, error) {
		seed := f.seed
		x, err := g.Next(ctx)
		return cross.Input{Automaton: x, Source: fmt.Sprintf("random %d", k), Seed: &seed}, err
	}))
	if total = max(0, f.number); len(f.files) > 0 {
		total = 0
	}
	return session.Concat(sources...), total, nil
}

// from says where the automata come from.
func (f *autFlags) from(c *cobra.Command) (list []string) {
	for _, name := range f.files {
		list = append(list, "-F "+name)
	}
	for _, name := range append([]string{"number", "seed", "ap"}, automataFlagNames...) {
		if len(f.files) == 0 || c.Flags().Changed(name) {
			list = append(list, "--"+name+"="+c.Flags().Lookup(name).Value.String())
		}
	}
	return list
}

// piped takes the automata of standard input, if there are some, as those of -F -. Unless random
// ones are asked for, a pipe is waited for, and must not be empty.
func (f *autFlags) piped(a *app, asked bool) error {
	if len(f.files) > 0 {
		return nil
	}
	patience := input.Patience
	if !asked {
		patience, a.files.Instead = 0, "use -n 100 or </dev/null for random automata"
	}
	state, err := a.files.Look(a.ctx, patience)
	switch {
	case err != nil:
		return err
	case state == input.Full:
		f.files = []string{"-"}
	case state == input.Empty && !asked:
		return errors.New("no automata: standard input is empty; use -n 100 for random automata")
	}
	return nil
}
