package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

func (a *app) runCommand() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use: "run [flags] [COMMAND]…",
		Long: `Runs every translator on each formula and its negation, and compares the automata.
Explains each disagreement with a shortest word and says who is wrong.
Exits with 1 after a disagreement, with 3 after a failure or undecided check.

Formulas come from flags or a pipe; without any, it checks 200 random ones.
Without COMMAND, it runs the built-in translators and the known ones on PATH, on
small formulas. In COMMAND, %f stands for the formula (%s: in Spin's syntax) and
%O for an output file; {name} in front names the translator.`,
		Example: `  xcheck run
  xcheck run -t '{mine} mytool %f' -n 1000 --seed 42 --profile large
  xcheck run -t '{mine} mytool %f' --grind --html=report.html
  genltl --dac | xcheck run ltl2tgba ltl3ba
  xcheck run -f 'G(a -> Fb)' -F formulas.ltl -t 'ltl3ba -f %s'
  xcheck run -c nightly.toml --history=xcheck.db --resume --until 06:00`,
		Args:              commandArguments,
		ValidArgsFunction: commandNames(knownTranslators()),
		RunE: func(c *cobra.Command, args []string) error {
			f.choice.Commands = append(f.choice.Commands, args...)
			if f.listTranslators {
				return a.listTranslators(f)
			}
			return a.run(f)
		},
	}
	f.addAll(c)
	return c
}

// addAll adds the flags of run.
func (f *runFlags) addAll(c *cobra.Command) {
	f.begin(c)
	fs := f.flags
	f.addFormulas("check")
	fs.BoolVar(&f.lbt, "lbt-input", false, "read formulas in LBT's syntax")
	f.either("lenient", "read expressions such as (x > 3) as propositions",
		func(c *configs.Config) *bool { return &c.Formulas.Lenient })
	f.either("allow-dups", "check duplicates of given formulas again",
		func(c *configs.Config) *bool { return &c.Formulas.AllowDups })
	f.addTranslators()
	fs.BoolVar(&f.choice.Relabel, "relabel", false, "rename propositions to p0, p1, … in all calls")
	fs.BoolVar(&f.listTranslators, "list-translators", false, "list known translators, their paths and versions")
	fs.BoolVar(&f.dryRun, "dry-run", false, "check the settings, call each translator once, write nothing")
	f.random.add(c, "", "")
	f.random.addProfile(c)
	f.random.either("no-guide", "draw formulas without regard to earlier answers", func(r *configs.Random) *bool { return &r.NoGuide })
	// A seed alone does not ask for random formulas.
	f.addRun(c, kind{"formula", "formulas", "translator"}, 200, "ap", "size", "weights", "past", "psl", "sere-weights", "boolean", "weak-fairness", "simplify", "profile")
	f.addGrindCalls()
	f.addProducts()
	f.addWithout("no-complement", "skip checks that need a complement", false)
	f.addWithout("no-checks", "measure the automata without checking them", true)
	exclusive(c, "no-checks", "no-complement")
	f.check.add(c, "complement", false)
	f.check.addEmptiness()
	fromLtlcross(fs)
	exclusive(c, "reference", "no-reference")
	exclusive(c, "syntax", "lbt-input")
}

// run does what run and aut are for, with the report for people on standard output unless another
// one is there.
func (a *app) run(f *runFlags) error {
	plan, err := f.ready(a)
	if err != nil {
		return err
	}
	if err := f.piped(a, plan); err != nil {
		return err
	}
	plan.Empty = f.noInputs(plan.Config)
	var sinks []report.Sink
	o := &plan.Config.Output
	if a.json != "" {
		o.Report("json", a.json)
	}
	if f.dryRun {
		plan.Reads = a.files.Regular
		return a.rehearse(f, plan)
	}
	color := f.color.colors(a.out)
	if f.progress != "never" && !o.Quiet {
		plan.Progress = a.newProgress(f.progress == "always")
	}
	plan.Stdout, plan.Unread = a.out, a.files.Left
	if slices.ContainsFunc(plan.Config.Formulas.Files, func(x configs.File) bool { return x.Path == "-" }) {
		a.files.OpenStdin(a.ctx) // it may be a file
	}
	plan.Reads = a.files.Regular
	if len(o.Stdout()) == 0 {
		sinks = append(sinks, &report.Text{W: a.out, Color: color, Verbose: o.Verbose, Quiet: o.Quiet, AtEnd: true})
		if !o.Quiet {
			plan.Announce = func(seed uint64, deadline time.Time) error { return a.announce(f.kind.inputs, seed, deadline) }
		}
	}
	memory.Bound(plan.Config.Limits.Check.Memory, atOnce(plan.Config.Limits.Jobs))
	a.orderly.Store(true)
	result, err := session.Run(a.ctx, plan, sinks...)
	if result == nil {
		return err
	}
	a.complete = !result.Summary.Counts.Interrupted
	a.closed, a.status = result.Closing, result.Status
	return err
}

// announce shows the seed of a run at its start.
func (a *app) announce(inputs string, seed uint64, deadline time.Time) error {
	until := ""
	if !deadline.IsZero() {
		until = " until " + deadline.Format(time.DateTime)
	}
	_, err := fmt.Fprintf(a.out, "random %s with --seed %d%s\n", inputs, seed, until)
	return err
}

// note prints something that a user should know.
func (a *app) note(text string) { fmt.Fprintf(a.err, "xcheck: %s\n", text) }

// noInputs says that there was nothing to do, which nobody wants.
func (f *runFlags) noInputs(config *configs.Config) error {
	how := "add some with -f, -F, --patterns, -n or a configuration"
	if f.aut != nil {
		how = "add some with -F or -n"
	}
	if f.flags.Changed("number") {
		how = "-n 0 asks for none" // with -n 1, there would be one
	}
	if files := config.Formulas.Files; len(files) > 0 {
		var names []string
		for _, file := range files {
			name := strconv.Quote(file.Path)
			if file.Column != 0 {
				name = fmt.Sprintf("column %d of %s", max(file.Column, -file.Column), name)
			}
			names = append(names, name)
		}
		how = "found none in " + strings.Join(names, ", ")
	}
	return fmt.Errorf("no %s: %s", f.kind.inputs, how)
}
