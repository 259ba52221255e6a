package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
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
	f.history.add(fs)
	fs.Var(&f.color, "color", colorHelp)
	fs.Lookup("color").NoOptDefVal = "always"
	fs.Var(&f.progress, "progress", progressHelp)
	return c
}

func (a *app) run(c *cobra.Command, f *runFlags) error {
	plan, err := f.plan(a, c)
	if err != nil {
		return err
	}
	if err := plan.Choose(f.choice()); err != nil {
		return err
	}
	if err := plan.CheckTools(a.ctx, f.ignoreMissing); err != nil {
		return err
	}
	if err := f.piped(a, c, plan); err != nil {
		return err
	}
	plan.Empty = noFormulas(plan.Config)
	return a.runPlan(plan, f)
}

// runPlan runs a plan, with the report for people on standard output unless another one is there.
func (a *app) runPlan(plan *session.Plan, f *runFlags) error {
	var sinks []report.Sink
	o := &plan.Config.Output
	o.JSON = cmp.Or(a.json, o.JSON)
	color := f.color.colors(a.out)
	if f.progress != "never" && !o.Quiet {
		plan.Progress = a.newProgress(f.progress == "always")
	}
	plan.Stdout, plan.Unread = a.out, a.files.Left
	if slices.ContainsFunc(plan.Config.Formulas.Files, func(x configs.File) bool { return x.Path == "-" }) {
		a.files.OpenStdin(a.ctx) // it may be a file
	}
	plan.Reads = a.files.Regular
	if o.JSON != "-" && o.CSV != "-" {
		sinks = append(sinks, &report.Text{W: a.out, Color: color, Verbose: o.Verbose, Quiet: o.Quiet, AtEnd: true})
		if !o.Quiet {
			plan.Announce = a.announce
		}
	}
	memory.Bound(plan.Config.Limits.Check.Memory, atOnce(plan.Config.Limits.Jobs))
	a.orderly.Store(true)
	result, err := session.Run(a.ctx, plan, sinks...)
	if result == nil {
		return err
	}
	a.complete = !result.Summary.Counts.Interrupted
	a.closed = result.Closing
	if err != nil {
		return err
	}
	return status(result.Status).err()
}

// announce shows the seed of a run at its start.
func (a *app) announce(seed uint64, deadline time.Time) error {
	until := ""
	if !deadline.IsZero() {
		until = " until " + deadline.Format(time.DateTime)
	}
	_, err := fmt.Fprintf(a.out, "random formulas with --seed %d%s\n", seed, until)
	return err
}

// note prints something that a user should know.
func (a *app) note(text string) { fmt.Fprintf(a.err, "xcheck: %s\n", text) }

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
