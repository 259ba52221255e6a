package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

func (a *app) runCommand() *cobra.Command {
	f := &runFlags{random: randomFlags{size: "1..12", ap: "3"}}
	c := &cobra.Command{
		Use:   "run [-c FILE.toml] [-f FORMULA]… [-F FILE[/COLUMN]]… [[-t] COMMAND]…",
		Short: "Cross-check translators on many formulas",
		Long: `Runs every translator on every formula and on its negation, decides whether the
automata agree, and prints for each disagreement a word that shows it, what each
automaton says of the word, and who is wrong.

Formulas that are piped in are checked, as with -F -. Without those and without a
configuration, the formulas are 200 random ones, and the translators are the built-in
ones and those known that are found on PATH (only the built-in ones and those of -t if
there is a -t). Automata are compared first with the reference: xcheck's best
translation, in the process, or what --reference says.

A COMMAND is a line for the shell, in which the formula stands where %f is (in
Spot's syntax; %s Spin's, %l LBT's, %w Wring's), as one quoted argument; %F %S %L %W
are the name of a file that holds it, %O that of a file for the output, if it is
not printed. {name} in front names the translator. The command of a known translator
needs none of this ('ltl3ba -M0'): --list-translators shows these. One that is started
once and reads formulas from standard input needs a configuration, with its mode.

The options of ltlcross are here under the same names, and mean the same (--seed and
--products say more than there). Formulas that come twice are checked once.

The last line begins with the word for the exit status: PASS (0), FAIL (1: a
disagreement or a false property), INCOMPLETE (3: a translator failed or a check stayed
undecided), ERROR (2) or INTERRUPTED (130).`,
		Example: `  xcheck run
  genltl --dac | xcheck run ltl2tgba ltl3ba
  xcheck run -c examples/quick.toml
  xcheck run -t '{mine} mytool %f' -n 1000 --seed 42 --size 5..20
  xcheck run -t '{mine} mytool %f' -n 1000 --past --weak-fairness
  xcheck run -t '{mine} mytool %f' --no-builtin --patterns dac --patterns 'go-theta 1..5'
  xcheck run -f 'G(a -> Fb)' -F formulas.ltl -t 'ltl3ba -f %s' --json=result.json
  xcheck run -F list.csv/-2 'ltl2tgba -D' ltl3ba --stop-on-error --save-bogus='>>bogus.ltl'
  xcheck run -n 500 -t '{mine} mytool %f' --no-complement --products 3 --save-automata=bad
  xcheck run -c nightly.toml --history=xcheck.db --resume --until 06:00 --fail-on-new --html=night.html`,
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
	fs.BoolVar(&f.lbt, "lbt-input", false, "the same as --syntax lbt")
	fs.BoolVar(&f.lenient, "lenient", false, "take what is no formula in parentheses for a proposition: (x > 3) U (y)")
	fs.BoolVar(&f.dups, "allow-dups", false, "check given formulas again that came before, or whose negation did")
	f.addTranslators(fs, "add a translator; arguments without -t are the same")
	fs.BoolVar(&f.relabel, "relabel", false, "give all translators p0, p1, … as propositions; reports have the names of the formula")
	fs.BoolVar(&f.listTranslators, "list-shorthands", false, "the same as --list-translators")
	fs.BoolVar(&f.listTranslators, "list-translators", false, "list the known translators, with those that are found on PATH and their versions, and run nothing")
	fs.IntVarP(&f.number, "number", "n", 200, "number of random formulas")
	f.period.add(c)
	f.random.add(c)
	f.addLimits(fs, "formula of a translator")
	fs.BoolVar(&f.allPairs, "all-pairs", false, "check every pair of automata instead of classes of equal ones")
	f.check.add(c, "complement")
	f.check.addEmptiness(c)
	fs.StringVar(&f.grind, "grind", "", "make the formulas small on which translators fail, and group failures by what remains (--grind=FILE: write these formulas into a file; --grind='>>FILE': at its end)")
	fs.Lookup("grind").NoOptDefVal = "-"
	fs.IntVar(&f.grindCalls, "grind-calls", cross.DefaultGrindCalls, "limit the calls of each translator that --grind makes (0: no limit)")
	fs.StringArrayVar(&f.only, "only", nil, "run only the named translator, and write no files that only the configuration names")
	fs.BoolVar(&f.noComplement, "no-complement", false, "leave out checks that need a complement; words and, as if there was --products 1, products with state spaces are left")
	fs.BoolVar(&f.noChecks, "no-checks", false, "check nothing: run the translators on the formulas, not on their negations, and measure the automata")
	fs.StringVar(&f.products, "products", "", "compare products with N random state spaces; +N: report their sizes one by one, not the mean (default 1 with --csv or --no-complement, else 0)")
	fs.IntVar(&f.spaces.States, "states", cross.DefaultProducts.States, "states of a random state space")
	fs.Float64Var(&f.spaces.Density, "density", cross.DefaultProducts.Density, "probability of an edge from one of them to another; --seed is for them as well")
	f.addRules(c, "formula", "translator")
	fs.StringVar(&f.saveBogus, "save-bogus", "", "write the formulas on which something is wrong to a file, at once (>>FILE: behind what it has)")
	fs.StringVar(&f.saveAutomata, "save-automata", "", "write the automata of formulas on which one is wrong into a folder, with an index")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print only what is wrong: disagreements, failures, false properties; nothing if all is well")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print each formula, and all failures")
	c.MarkFlagsMutuallyExclusive("reference", "no-reference")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
	c.MarkFlagsMutuallyExclusive("no-checks", "no-complement")
	fromLtlcross(fs)
	c.MarkFlagsMutuallyExclusive("syntax", "lbt-input")
	fs.StringVar(&f.csv, "csv", "", "print a line of CSV for each call, with ltlcross's columns (--csv=FILE: into a file, --csv='>>FILE': behind what it has)")
	fs.Lookup("csv").NoOptDefVal = "-"
	addColumns(fs, &f.columns)
	f.pages.add(fs)
	f.night.add(fs)
	fs.Var(&f.color, "color", "auto, always or never")
	fs.Lookup("color").NoOptDefVal = "always"
	fs.Var(&f.progress, "progress", "auto: on a terminal a line that is kept up to date, else a line a minute; always: also at start and end; or never")
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
	out.phase("looking for causes")
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
		Limits:     config.Limits.Check,
		CaseTime:   config.Limits.CaseTime(),
		Complement: config.Checks.Complement,
		Emptiness:  config.Checks.Emptiness,

		NoComplement: config.Checks.NoComplement,
		NoChecks:     config.Checks.NoChecks,
		Products:     config.Checks.Products,
	}
	if config.Checks.Reference && !f.noReference {
		o.Reference = builtin.Best
	}
	return o
}

// noFormulas says that there was nothing to do, which nobody wants.
func noFormulas(config *configs.Config) error {
	from := "-f, -F, --patterns, -n or a configuration"
	if files := config.Formulas.Files; len(files) > 0 {
		var names []string
		for _, file := range files {
			names = append(names, file.Path)
		}
		from = strings.Join(names, ", ")
	}
	return fmt.Errorf("no formulas: expected at least one from %s", from)
}
