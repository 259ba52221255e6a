package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

func (a *app) runCommand() *cobra.Command {
	f := &runFlags{random: randomFlags{size: "1..12", ap: "3"}}
	c := &cobra.Command{
		Use:   "run [flags] [COMMAND]…",
		Short: "Cross-check translators on formulas",
		Long: `Runs every translator on each formula and its negation, and compares the automata.
Explains each disagreement with a shortest word and says who is wrong.
Exits with 1 after a disagreement, with 3 after a failure or undecided check.

Formulas come from flags or a pipe; without any, it checks 200 random ones.
Without COMMAND, it runs the built-in translators and the known ones on PATH.
In COMMAND, %f stands for the formula (%s: in Spin's syntax) and %O for an output
file; {name} in front names the translator.`,
		Example: `  xcheck run
  xcheck run -t '{mine} mytool %f' -n 1000 --seed 42 --size 5..20
  xcheck run -t '{mine} mytool %f' --grind --html=report.html
  genltl --dac | xcheck run ltl2tgba ltl3ba
  xcheck run -f 'G(a -> Fb)' -F formulas.ltl -t 'ltl3ba -f %s'
  xcheck run -c nightly.toml --history=xcheck.db --resume --until 06:00`,
		Args: commandArguments,
		RunE: func(c *cobra.Command, args []string) error {
			f.tools = append(f.tools, args...)
			if f.listTranslators {
				return a.listTranslators()
			}
			return a.run(c, f)
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.addFormulas(fs, "check")
	fs.BoolVar(&f.lbt, "lbt-input", false, "read formulas in LBT's syntax")
	fs.BoolVar(&f.lenient, "lenient", false, "read expressions such as (x > 3) as propositions")
	fs.BoolVar(&f.dups, "allow-dups", false, "check duplicates of given formulas again")
	f.addTranslators(fs)
	fs.BoolVar(&f.relabel, "relabel", false, "rename propositions to p0, p1, … in all calls")
	fs.BoolVar(&f.listTranslators, "list-translators", false, "list known translators, their paths and versions")
	fs.IntVarP(&f.number, "number", "n", 200, "check `N` random formulas")
	f.period.add(c)
	f.random.add(c)
	f.addLimits(fs, "translator")
	fs.BoolVar(&f.allPairs, "all-pairs", false, "compare every pair of automata")
	f.check.add(c, "complement", false)
	fs.StringVar(&f.grind, "grind", "", "shrink failing formulas, and write them to `FILE`")
	fs.Lookup("grind").NoOptDefVal = "-"
	fs.IntVar(&f.grindCalls, "grind-calls", cross.DefaultGrindCalls, "shrink with at most `N` calls of a translator")
	fs.StringArrayVar(&f.only, "only", nil, "run only the translator called `NAME`")
	fs.BoolVar(&f.noComplement, "no-complement", false, "skip checks that need a complement")
	fs.BoolVar(&f.noChecks, "no-checks", false, "measure the automata without checking them")
	fs.StringVar(&f.products, "products", "", "compare products with `N` random state spaces")
	fs.Lookup("products").DefValue = "1 with --csv or --no-complement, else 0"
	fs.IntVar(&f.spaces.States, "states", cross.DefaultProducts.States, "give each state space `N` states")
	fs.Float64Var(&f.spaces.Density, "density", cross.DefaultProducts.Density, "connect these with probability `P`")
	f.addRules(c, "formula", "translator")
	fs.StringVar(&f.saveBogus, "save-bogus", "", "write failing formulas to `FILE` ('>>FILE' appends)")
	fs.StringVar(&f.saveAutomata, "save-automata", "", "save the automata of failing formulas in `FOLDER`")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print only problems, and nothing after success")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every formula and every failure")
	exclusive(c, "reference", "no-reference")
	exclusive(c, "quiet", "verbose")
	exclusive(c, "no-checks", "no-complement")
	fromLtlcross(fs)
	exclusive(c, "syntax", "lbt-input")
	fs.StringVar(&f.csv, "csv", "", "print CSV, or write it to `FILE` ('>>FILE' appends)")
	fs.Lookup("csv").NoOptDefVal = "-"
	addColumns(fs, &f.columns)
	f.pages.add(fs)
	f.night.add(fs)
	fs.Var(&f.color, "color", colorHelp)
	fs.Lookup("color").NoOptDefVal = "always"
	fs.Var(&f.progress, "progress", progressHelp)
	return c
}

func (a *app) run(c *cobra.Command, f *runFlags) (err error) {
	config, err := f.load(c)
	if err != nil {
		return err
	}
	tools, err := f.translators(config)
	if err != nil {
		return err
	}
	tools, missing, err := a.startable(tools, f.ignoreMissing)
	if err != nil {
		return err
	}
	if config, err = f.piped(a, c, config); err != nil {
		return err
	}
	if config.Checks.Products.Number < 0 {
		config.Checks.Products.Number = 0
		if f.csv != "" || config.Checks.NoComplement {
			config.Checks.Products.Number = cross.DefaultProducts.Number
		}
	}
	if a.json != "" || config.Output.JSON != "" || config.History.File != "" {
		versions(a.ctx, tools)
	}
	runner, err := newRunner(config.Limits)
	if err != nil {
		return err
	}
	a.orderly.Store(true)
	options := f.options(config, tools, runner)
	night, err := a.night(f, config, tools, &options)
	if err != nil {
		return errors.Join(err, runner.Close())
	}
	next, total, err := a.source(config)
	if err != nil {
		return errors.Join(err, night.abandon(), runner.Close())
	}
	out, err := a.reporter(config, f, tools, f.night.shard.count(total+night.replayed()))
	if err != nil {
		return errors.Join(err, night.abandon(), runner.Close())
	}
	night.resumedNote(a.err, f.night.resume)
	out.tally.Summary.Missing = missing
	if out.night = night; night != nil {
		options.Store = night.run.Add
	}
	out.triage = f.triage(options, config, out)
	options.Save = out.saver()
	period := a.period(config)
	defer period.cancel(nil)
	out.ctx = period
	out.watch(runner.Cores(), period.deadline())
	if err = period.announce(out); err == nil {
		err = period.run(options, night.inputs(a, f.night.shard, period.deadline(), next), out.add)
	}
	if errors.Is(err, errStopped) {
		err = nil // nor is that
	}
	if over := period.end(out); err == nil {
		err = over
	}
	if err == nil && out.tally.Summary.Formulas == 0 && f.night.shard.parts <= 1 {
		err = noFormulas(config)
	}
	if a.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // no error, but a state of the report
	}
	err = errors.Join(err, out.leftUnread())
	out.phase("finding causes")
	err = errors.Join(err, out.triage.end(period), a.closeRunner(runner))
	return out.end(err)
}

// options says what a run does with each formula.
func (f *runFlags) options(config *configs.Config, tools []*translators.Tool, runner *translators.Runner) cross.Options {
	o := cross.Options{
		Tools:      tools,
		Runner:     runner,
		AllPairs:   config.Checks.AllPairs,
		Words:      config.Checks.Words,
		Audit:      config.Checks.Audit,
		Properties: config.Checks.Properties,
		Statistics: statistics(f.columns),
		Limits:     productcheck.Limits(config.Limits.Check),
		CaseTime:   config.Limits.CaseTime(),
		Complement: complement.Algorithm(config.Checks.Complement),
		Emptiness:  emptiness.Algorithm(config.Checks.Emptiness),

		NoComplement: config.Checks.NoComplement,
		NoChecks:     config.Checks.NoChecks,
		Products:     cross.Products(config.Checks.Products),
	}
	if config.Checks.Reference && !f.noReference {
		o.Reference = builtin.Best
	}
	return o
}

// noFormulas says that there was nothing to do, which nobody wants.
func noFormulas(config *configs.Config) error {
	how := "add some with -f, -F, --patterns, -n or a configuration"
	if files := config.Formulas.Files; len(files) > 0 {
		var names []string
		for _, file := range files {
			names = append(names, strconv.Quote(file.Path))
		}
		how = "found none in " + strings.Join(names, ", ")
	}
	return fmt.Errorf("no formulas: %s", how)
}
