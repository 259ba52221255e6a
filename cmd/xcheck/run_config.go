package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// load reads the configuration, if there is one, and lets the flags override it.
func (f *runFlags) load(c *cobra.Command) (*configs.Config, error) {
	config := configs.Default()
	if f.config != "" {
		var err error
		if config, err = configs.Load(f.config); err != nil {
			return nil, err
		}
	}
	if len(f.only) > 0 { // to look at something; the files are those of the run itself
		config.Output.JSON, config.Output.SaveBogus, config.Output.SaveAutomata = "", "", ""
		config.Output.JUnit, config.Output.Markdown, config.Output.HTML = "", "", ""
		config.History = configs.History{}
	}
	if err := f.pages.override(&config.Output); err != nil {
		return nil, err
	}
	given := c.Flags().Changed
	if err := f.night.override(given, &config.History); err != nil {
		return nil, err
	}
	if len(f.formulas)+len(f.patterns)+len(f.files) > 0 {
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
	asked := []string{"number", "ap", "size", "weights", "past", "boolean", "weak-fairness", "simplify", "for", "until"}
	if slices.ContainsFunc(asked, given) && config.Formulas.Random == nil {
		config.Formulas.Random = configs.Default().Formulas.Random
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
	if r := config.Formulas.Random; r != nil && f.night.shard.parts > 1 && seedDrawn(r) {
		return nil, errors.New("--shard: the parts of a run need the same seed: expected --seed as well")
	}
	if err := begin(config, f.night.resume); err != nil {
		return nil, err
	}
	config.Triage.Grind = config.Triage.Grind || f.grind != ""
	if given("grind-calls") {
		if f.grindCalls < 0 {
			return nil, fmt.Errorf("--grind-calls %d: expected a number from 0 on", f.grindCalls)
		}
		config.Triage.MaxCalls = f.grindCalls
	}
	f.quiet = f.quiet || config.Output.Quiet && !f.verbose
	f.verbose = f.verbose || config.Output.Verbose && !f.quiet
	return config, nil
}

// override sets what the flags say of random formulas.
func (f *runFlags) override(given func(string) bool, r *configs.Random) error {
	o, err := f.random.options()
	if err != nil {
		return err
	}
	if given("number") {
		if f.number < 0 {
			return fmt.Errorf("--number %d: expected a number from 0 on", f.number)
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
			return fmt.Errorf("--jobs %d: expected a number from 0 on", f.jobs)
		}
		config.Limits.Jobs = f.jobs
	}
	return f.check.override(c, &config.Limits.Check, &config.Checks.Complement, &config.Checks.Emptiness)
}
