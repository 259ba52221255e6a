package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/report"
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
	fs.Var(&f.run.color, "color", colorHelp)
	fs.Var(&f.run.progress, "progress", progressHelp)
	return c
}

func (a *app) aut(c *cobra.Command, f *autFlags) (err error) {
	config, err := f.load(c)
	if err != nil {
		return err
	}
	if f.grind == "-" && (a.json == "-" || f.run.csv == "-") {
		return errors.New("--grind: standard output already has JSON or CSV; use --grind=FILE")
	}
	a.limits = productcheck.Limits(config.Limits.Check) // for what is read
	tools, err := f.configured(config.Limits)
	if err != nil {
		return err
	}
	tools, missing, err := a.startable(tools, f.run.ignoreMissing)
	if err != nil {
		return err
	}
	next, total, err := f.source(a, c)
	if err != nil {
		return err
	}
	if a.json != "" {
		versions(a.ctx, tools)
	}
	runner, err := newRunner(config.Limits)
	if err != nil {
		return err
	}
	a.orderly.Store(true)
	f.run.newCSV = func(w io.Writer, headless bool) caseWriter { return report.NewAutomataCSV(w, headless) }
	out, err := a.reporter(config, &f.run, tools, total)
	if err != nil {
		return errors.Join(err, runner.Close())
	}
	var ground io.Writer
	if f.grind != "" {
		if ground, err = out.create(f.grind); err != nil {
			return errors.Join(err, out.discard(), runner.Close())
		}
	}
	out.tally.Automata, out.tally.Summary.Missing = true, missing
	options := cross.Options{
		Tools:        tools,
		Runner:       runner,
		Complemented: f.complemented,
		AllPairs:     config.Checks.AllPairs,
		NoChecks:     config.Checks.NoChecks,
		Words:        config.Checks.Words,
		Audit:        config.Checks.Audit,
		Properties:   config.Checks.Properties,
		Limits:       productcheck.Limits(config.Limits.Check),
		CaseTime:     config.Limits.CaseTime(),
		Complement:   complement.Algorithm(config.Checks.Complement),
		Emptiness:    emptiness.Algorithm(config.Checks.Emptiness),
	}
	failures := failures{known: map[string]*failing{}}
	out.watch(runner.Cores(), time.Time{})
	err = cross.Run(a.ctx, options, next, func(c *outcome.Case) error {
		failures.add(c)
		return out.add(c)
	})
	if errors.Is(err, errStopped) {
		err = nil
	}
	if s := out.tally.Summary; err == nil && s.Formulas+s.Unreadable == 0 {
		err = errors.New("no automata: add some with -F or -n")
		if len(f.files) > 0 {
			err = fmt.Errorf("no automata: found none in %q", strings.Join(f.files, ", "))
		}
	}
	err = errors.Join(err, out.leftUnread())
	if err == nil && f.grind != "" {
		out.phase("shrinking automata")
		err = f.grindAll(out, ground, options, failures.list)
	}
	if a.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // no error, but a state of the report
	}
	return out.end(errors.Join(err, a.closeRunner(runner)))
}

// load makes a configuration of the flags.
func (f *autFlags) load(c *cobra.Command) (*configs.Config, error) {
	config := schema.Default()
	config.Checks.AllPairs, config.Checks.NoChecks = f.allPairs, f.noChecks
	f.run.overrideRules(c.Flags().Changed, config)
	return config, f.run.overrideLimits(c, config)
}

// source returns the automata, and how many there are, or 0 if that is not known.
func (f *autFlags) source(a *app, c *cobra.Command) (next inputs, total int, err error) {
	asked := slices.ContainsFunc(append([]string{"number", "seed", "ap"}, automataFlagNames...), c.Flags().Changed)
	if err := f.piped(a, asked); err != nil {
		return nil, 0, err
	}
	var sources []inputs
	for _, name := range f.files {
		file, err := a.automataSource(name)
		if err != nil {
			return nil, 0, err
		}
		sources = append(sources, file)
	}
	if len(f.files) > 0 && !asked {
		return concatenated(sources), 0, nil
	}
	g, err := f.automata.generator(f.seed, f.ap)
	if err != nil {
		return nil, 0, err
	}
	sources = append(sources, upTo(f.number, func(k int) (cross.Input, error) {
		seed := f.seed
		x, err := g.Next(a.ctx)
		return cross.Input{Automaton: x, Source: fmt.Sprintf("random %d", k), Seed: &seed}, err
	}))
	if total = max(0, f.number); len(f.files) > 0 {
		total = 0
	}
	return concatenated(sources), total, nil
}

// piped takes the automata of standard input, if there are some, as those of -F -. Unless random
// ones are asked for, a pipe is waited for, and must not be empty.
func (f *autFlags) piped(a *app, asked bool) error {
	if len(f.files) > 0 {
		return nil
	}
	patience := stdinPatience
	if !asked {
		patience, a.instead = 0, "use -n 100 or </dev/null for random automata"
	}
	state, err := a.lookAtStdin(patience)
	switch {
	case err != nil:
		return err
	case state == stdinFull:
		f.files = []string{"-"}
	case state == stdinEmpty && !asked:
		return errors.New("no automata: standard input is empty; use -n 100 for random automata")
	}
	return nil
}

// grindAll looks for the smallest automaton for each way in which tools fail, and writes it.
func (f *autFlags) grindAll(out *reporter, w io.Writer, o cross.Options, list []*failing) error {
	a := out.a
	for _, x := range list {
		automaton, _, err := hoa.ReadOne(a.ctx, []byte(x.first.Automaton.HOA)) // it has not been kept
		if err != nil {
			return err
		}
		ground, err := cross.GrindAutomaton(a.ctx, o, cross.Input{Automaton: automaton, Source: x.first.Automaton.Source}, x.Failure)
		if ground != nil {
			if err := writeGround(a.ctx, w, x, ground); err != nil {
				return fmt.Errorf("writing a shrunk automaton: %w", err)
			}
		}
		if a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		if err != nil {
			// It may fail at random.
			fmt.Fprintf(a.err, "xcheck: grind: %s: %v\n", x.first.Automaton.Source, err)
		}
	}
	return nil
}
