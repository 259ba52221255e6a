package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/session"
)

// load reads the configuration, if there is one, and lets the flags override it. Called again, it
// does not read the file again.
func (f *runFlags) load(c *cobra.Command) (*configs.Config, error) {
	if f.file == nil && f.config != "" {
		file, err := session.Schema.Load(f.config)
		if err != nil {
			return nil, err
		}
		f.file = file
	} else if f.file == nil {
		f.file = session.Schema.Default()
	}
	copied := *f.file
	config := &copied
	if len(f.only) > 0 { // to look at something; the files are those of the run itself
		config.Output.JSON, config.Output.SaveBogus, config.Output.SaveAutomata = "", "", ""
		config.Output.JUnit, config.Output.Markdown, config.Output.HTML = "", "", ""
		config.History = configs.History{}
	}
	if err := f.pages.override(&config.Output); err != nil {
		return nil, err
	}
	given := c.Flags().Changed
	if err := f.history.override(given, &config.History); err != nil {
		return nil, err
	}
	if f.given() {
		config.Formulas = configs.Formulas{Inline: f.formulas, Patterns: f.patterns, AllowDups: config.Formulas.AllowDups, Lenient: config.Formulas.Lenient}
		var err error
		if config.Formulas.Syntax, err = ltl.ParseSyntax(f.syntax); err != nil {
			return nil, err
		}
		if f.lbt {
			config.Formulas.Syntax = ltl.LBT
		}
		for _, name := range f.files {
			config.Formulas.Files = append(config.Formulas.Files, configs.NewFile(name, config.Formulas.Syntax))
		}
	}
	config.Formulas.AllowDups = config.Formulas.AllowDups || f.dups
	config.Formulas.Lenient = config.Formulas.Lenient || f.lenient
	if asksForRandom(c) && config.Formulas.Random == nil {
		config.Formulas.Random = session.Schema.Default().Formulas.Random
	}
	if r := config.Formulas.Random; r != nil {
		if err := f.override(given, r); err != nil {
			return nil, err
		}
	}
	if err := f.overrideLimits(c, config); err != nil {
		return nil, err
	}
	if err := f.overrideChecks(given, config); err != nil {
		return nil, err
	}
	if c.Flags().Lookup("history") == nil {
		config.History = configs.History{} // the command stores nothing
	}
	config.Triage.Grind = config.Triage.Grind || f.grind != ""
	if c.Flags().Changed("grind-calls") {
		if f.grindCalls < 0 {
			return nil, fmt.Errorf("--grind-calls %d: expected a number from 0 on", f.grindCalls)
		}
		config.Triage.MaxCalls = f.grindCalls
	}
	config.Output.Quiet = f.quiet || config.Output.Quiet && !f.verbose
	config.Output.Verbose = f.verbose || config.Output.Verbose && !config.Output.Quiet
	return config, nil
}

// plan returns the plan of a run, which has begun. It has no tools yet.
func (f *runFlags) plan(a *app, c *cobra.Command) (*session.Plan, error) {
	config, err := f.load(c)
	if err != nil {
		return nil, err
	}
	plan := &session.Plan{Config: config, Shard: f.history.shard, Resume: f.history.resume, StrictFailures: f.strict, IgnoreFailures: f.ignore, Open: a.open, Note: a.note,
		Rerun: session.Rerun{Config: f.config, Tools: f.tools, References: f.references, Relabel: f.relabel, Timeout: f.timeout}}
	if f.grind != "-" {
		plan.Smallest = f.grind
	}
	return plan, plan.Begin()
}

// given reports whether flags say which formulas there are, but for random ones.
func (f *runFlags) given() bool { return len(f.formulas)+len(f.patterns)+len(f.files) > 0 }

// asksForRandom reports whether flags ask for random formulas. A seed alone does not.
func asksForRandom(c *cobra.Command) bool {
	names := []string{"number", "ap", "size", "weights", "past", "boolean", "weak-fairness", "simplify", "for", "until"}
	return slices.ContainsFunc(names, c.Flags().Changed)
}

// piped adds the formulas of standard input to the plan, if there are some, as -F - does. They are never passed over: where nothing else was asked for, a pipe is waited for, and
// must not be empty.
func (f *runFlags) piped(a *app, c *cobra.Command, plan *session.Plan) (err error) {
	if r := plan.Config.Formulas.Random; r != nil && !f.history.resume {
		a.files.Until = r.Deadline
	}
	if f.given() {
		return nil
	}
	asked := asksForRandom(c) || !plan.Config.Formulas.Unasked
	patience := input.Patience
	if !asked && f.config == "" {
		patience, a.files.Instead = 0, "use -n 200 or </dev/null for random formulas"
	}
	state, err := a.files.Look(a.ctx, patience)
	switch {
	case err != nil:
		return err
	case state == input.Full:
		f.files = []string{"-"}
		if plan.Config, err = f.load(c); err != nil {
			return err
		}
		return plan.Begin()
	case state == input.Empty && !asked:
		return errors.New("no formulas: standard input is empty; use -n 200 for random formulas")
	}
	return nil
}

// override sets what the flags say of random formulas.
func (f *runFlags) override(given func(string) bool, r *configs.Random) error {
	o, err := f.random.options()
	if err != nil {
		return err
	}
	if given("number") {
		if f.number < 0 {
			return atLeast("number", f.number, 0)
		}
		r.Number = f.number
	}
	if given("seed") {
		r.Seed, r.Seeded = o.Seed, true
	}
	if given("ap") {
		r.Props = o.Props
	}
	if given("size") {
		r.MinSize, r.MaxSize = o.MinSize, o.MaxSize
	}
	if given("weights") {
		r.Weights = o.Weights
	}
	if given("past") {
		r.Past = o.Past
	}
	if given("boolean") {
		r.Boolean = o.Boolean
	}
	if given("weak-fairness") {
		r.WeakFairness = o.WeakFairness
	}
	if given("simplify") {
		r.Simplify = o.Simplify
	}
	r.KeepTrivial = r.KeepTrivial || o.KeepTrivial
	r.KeepDuplicates = r.KeepDuplicates || o.KeepDuplicates
	return f.period.override(given, r)
}

// overrideLimits sets what the flags say of the limits, and of how checks are done.
func (f *runFlags) overrideLimits(c *cobra.Command, config *configs.Config) error {
	given := c.Flags().Changed
	if given("timeout") {
		var err error
		if config.Limits.Timeout, err = configs.ParseDuration(f.timeout); err != nil {
			return fmt.Errorf("--timeout: %w", err)
		}
	}
	if given("jobs") {
		if f.jobs < 0 {
			return atLeast("jobs", f.jobs, 0)
		}
		config.Limits.Jobs = f.jobs
	}
	if given("max-case-time") {
		config.Limits.Case = new(time.Duration)
		if f.caseTime != "0" {
			var err error
			if *config.Limits.Case, err = configs.ParseDuration(f.caseTime); err != nil {
				return fmt.Errorf("--max-case-time: %w", err)
			}
		}
	}
	return f.check.override(c, (*productcheck.Limits)(&config.Limits.Check), (*complement.Algorithm)(&config.Checks.Complement), (*emptiness.Algorithm)(&config.Checks.Emptiness))
}
