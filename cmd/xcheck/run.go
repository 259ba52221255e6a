package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

// runFlags are the flags of run that are not those of a random formula.
type runFlags struct {
	config     string
	formulas   []string
	patterns   []string
	files      []string
	syntax     string
	tools      []string
	references []string
	number     int
	random     randomFlags
	check      checkFlags
	timeout    string
	jobs       int

	noBuiltin, noFound, noReference bool
	allPairs                        bool
	strict, ignore                  bool
	quiet, verbose                  bool
	listTranslators                 bool
	color, progress                 string
	csv                             string
	grind                           string
	only                            []string
}

func (a *app) runCommand() *cobra.Command {
	f := &runFlags{random: randomFlags{size: "1..12", ap: "3"}}
	c := &cobra.Command{
		Use:   "run [-c FILE.toml] [-f FORMULA]… [-F FILE]… [-t COMMAND]…",
		Short: "Cross-check translators on many formulas",
		Long: `Runs every translator on every formula and on its negation, decides whether the
automata agree, and prints for each disagreement a word that shows it, what each
automaton says of the word, and who is wrong.

Without a configuration, the formulas are 200 random ones, and the translators are
the built-in ones and those known that are found on PATH (only the built-in ones
and those of -t if there is a -t). Automata are compared first with the reference:
xcheck's best translation, in the process, or what --reference says.

A COMMAND is a line for the shell, in which the formula stands where %f is (in
Spot's syntax; %s Spin's, %l LBT's, %w Wring's), as one quoted argument; %F %S %L %W
are the name of a file that holds it, %O that of a file for the output, if it is
not printed. {name} in front names the translator. The command of a known translator
needs none of this ('ltl3ba -M0'): --list-translators shows these. One that is started
once and reads formulas from standard input needs a configuration, with its mode.

Status: 0 no disagreement, 1 a disagreement, 3 no disagreement, but a translator
failed or a check stayed undecided.`,
		Example: `  xcheck run
  xcheck run -c examples/quick.toml
  xcheck run -t '{mine} mytool %f' -n 1000 --seed 42 --size 5..20
  xcheck run -t '{mine} mytool %f' -n 1000 --past --weak-fairness
  xcheck run -t '{mine} mytool %f' --no-builtin --patterns dac --patterns 'go-theta 1..5'
  xcheck run -f 'G(a -> Fb)' -F formulas.ltl -t 'ltl3ba -f %s' --json=result.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.listTranslators {
				return a.listTranslators()
			}
			return a.run(c, f)
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVarP(&f.config, "config", "c", "", "read a configuration (TOML)")
	fs.StringArrayVarP(&f.formulas, "formula", "f", nil, "check this formula")
	fs.StringArrayVar(&f.patterns, "patterns", nil, "check the formulas of a list or family: 'dac', 'go-theta 1..5' (see xcheck patterns)")
	fs.StringArrayVarP(&f.files, "file", "F", nil, "check the formulas of a file, one a line (- is standard input)")
	fs.StringVar(&f.syntax, "syntax", "spot", "syntax of -f and -F: spot, spin, lbt or wring")
	fs.StringArrayVarP(&f.tools, "translator", "t", nil, "add a translator")
	fs.StringArrayVar(&f.references, "reference", nil, "add a translator that the others are compared with first, instead of the built-in reference")
	fs.BoolVar(&f.listTranslators, "list-translators", false, "list the known translators, with those that are found on PATH and their versions, and run nothing")
	fs.BoolVar(&f.noReference, "no-reference", false, "compare with no reference, neither the built-in one nor a translator")
	fs.BoolVar(&f.noBuiltin, "no-builtin", false, "leave out the built-in translators")
	fs.BoolVar(&f.noFound, "no-found", false, "leave out translators that are only there because they are on PATH")
	fs.IntVarP(&f.number, "number", "n", 200, "number of random formulas")
	f.random.add(c)
	fs.StringVarP(&f.timeout, "timeout", "T", "", "time for one formula of a translator: 90s, 2m, or seconds (default 1m)")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "processes and checks at once (0: as many as there are cores)")
	fs.BoolVar(&f.allPairs, "all-pairs", false, "check every pair of automata instead of classes of equal ones")
	f.check.add(c, "complement")
	f.check.addEmptiness(c)
	fs.StringVar(&f.grind, "grind", "", "make the formulas small on which translators fail, and group failures by what remains (--grind=FILE: write these formulas into a file; --grind='>>FILE': at its end)")
	fs.Lookup("grind").NoOptDefVal = "-"
	fs.StringArrayVar(&f.only, "only", nil, "run only the translator of this name, of those that there would be")
	fs.BoolVar(&f.strict, "strict-failures", false, "status 1 where it would be 3")
	fs.BoolVar(&f.ignore, "ignore-failures", false, "status 0 where it would be 3")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print only disagreements, failures, false properties and the closing line")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print each formula, and all failures")
	c.MarkFlagsMutuallyExclusive("reference", "no-reference")
	c.MarkFlagsMutuallyExclusive("strict-failures", "ignore-failures")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
	fs.StringVar(&f.csv, "csv", "", "print a line of CSV for each call, with ltlcross's columns (--csv=FILE: into a file)")
	fs.Lookup("csv").NoOptDefVal = "-"
	fs.StringVar(&f.color, "color", "auto", "auto, always or never")
	fs.StringVar(&f.progress, "progress", "auto", "auto, always or never")
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
	next, total, err := a.source(config)
	if err != nil {
		return err
	}
	if a.json != "" || config.Output.JSON != "" {
		versions(a.ctx, tools)
	}
	jobs := config.Limits.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	boundHeap(config.Limits.Check, jobs)
	runner, err := translators.NewRunner(jobs, "")
	if err != nil {
		return err
	}
	// The reports of an earlier run are overwritten when nothing but the run itself
	// can fail.
	out, err := a.reporter(config, f, tools, total)
	if err != nil {
		return errors.Join(err, runner.Close())
	}
	options := f.options(config, tools, runner)
	if out.triage, err = f.triage(options, config, out); err != nil {
		return errors.Join(err, runner.Close())
	}
	err = cross.Run(a.ctx, options, next, out.add)
	if err == nil && out.tally.Summary.Formulas == 0 {
		err = noFormulas(config)
	}
	if a.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // no error, but a state of the report
	}
	err = errors.Join(err, out.triage.end(a.ctx), runner.Close())
	return out.end(err, f)
}

// options says what a run does with each formula.
func (f *runFlags) options(config *configs.Config, tools []*translators.Tool, runner *translators.Runner) cross.Options {
	o := cross.Options{
		Tools:      tools,
		Runner:     runner,
		AllPairs:   config.Checks.AllPairs,
		Words:      config.Checks.Words,
		Properties: config.Checks.Properties,
		Limits:     config.Limits.Check,
		Complement: config.Checks.Complement,
		Emptiness:  config.Checks.Emptiness,
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

// load reads the configuration, if there is one, and lets the flags override it.
func (f *runFlags) load(c *cobra.Command) (*configs.Config, error) {
	config := configs.Default()
	if f.config != "" {
		var err error
		if config, err = configs.Load(f.config); err != nil {
			return nil, err
		}
	}
	given := c.Flags().Changed
	if len(f.formulas)+len(f.patterns)+len(f.files) > 0 {
		config.Formulas = configs.Formulas{Inline: f.formulas, Patterns: f.patterns}
		var err error
		if config.Formulas.Syntax, err = ltl.ParseSyntax(f.syntax); err != nil {
			return nil, err
		}
		for _, name := range f.files {
			config.Formulas.Files = append(config.Formulas.Files, configs.File{Path: name, Syntax: config.Formulas.Syntax})
		}
	}
	asked := []string{"number", "seed", "ap", "size", "weights", "past", "boolean", "weak-fairness", "simplify"}
	if slices.ContainsFunc(asked, given) && config.Formulas.Random == nil {
		config.Formulas.Random = configs.Default().Formulas.Random
	}
	if r := config.Formulas.Random; r != nil {
		if err := f.override(given, r); err != nil {
			return nil, err
		}
	}
	if given("timeout") {
		var err error
		if config.Limits.Timeout, err = configs.ParseDuration(f.timeout); err != nil {
			return nil, fmt.Errorf("--timeout: %w", err)
		}
	}
	if given("jobs") {
		if f.jobs < 0 {
			return nil, fmt.Errorf("--jobs %d: expected a number from 0 on", f.jobs)
		}
		config.Limits.Jobs = f.jobs
	}
	if err := f.check.override(c, &config.Limits.Check, &config.Checks.Complement, &config.Checks.Emptiness); err != nil {
		return nil, err
	}
	config.Checks.AllPairs = config.Checks.AllPairs || f.allPairs
	f.quiet = f.quiet || config.Output.Quiet && !f.verbose
	f.verbose = f.verbose || config.Output.Verbose && !f.quiet
	for name, value := range map[string]string{"color": f.color, "progress": f.progress} {
		if value != "auto" && value != "always" && value != "never" {
			return nil, fmt.Errorf("--%s %s: expected auto, always or never", name, value)
		}
	}
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
		r.Seed = o.Seed
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
	return nil
}
