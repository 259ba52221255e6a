package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// runFlags are the flags of run. Other commands have some of them.
type runFlags struct {
	settings[configs.Config]
	random randomFlags
	check  checkFlags

	config   string
	loaded   *configs.Config // what is in that file, or the default
	formulas []string
	patterns []string
	files    []string
	kind     kind
	number   int      // of random inputs by default
	asking   []string // the flags that ask for random inputs
	syntax   string
	lbt      bool
	aut      *autFlags // nil for formulas
	choice   session.Choice
	plan     session.Plan // what flags say of it
	timeout  *string

	ignoreMissing   bool
	quiet, verbose  bool
	listTranslators bool
	dryRun          bool
	color, progress when
	columns         report.Columns // of csv
	storeByDefault  string         // the file of --resume alone
}

// begin takes the flags of a command, which has none yet.
func (f *runFlags) begin(c *cobra.Command) {
	f.flags, f.storeByDefault = c.Flags(), defaultHistory
	f.flags.SortFlags = false
}

// addFormulas adds the flags that say where formulas come from, with what is done to them.
func (f *runFlags) addFormulas(do string) {
	fs := f.flags
	fs.StringVarP(&f.config, "config", "c", "", "read settings from the TOML file `FILE`")
	fs.StringArrayVarP(&f.formulas, "formula", "f", nil, do+" the formula `FORMULA`")
	fs.StringArrayVar(&f.patterns, "patterns", nil, do+" the published formulas `NAME`, such as dac")
	fs.StringArrayVarP(&f.files, "file", "F", nil, do+" each line of `FILE` (-: standard input)")
	fs.StringVar(&f.syntax, "syntax", "spot", "read formulas in `SYNTAX`: spot, spin, lbt, wring, auto")
}

// addTranslators adds the flags that say which translators there are.
func (f *runFlags) addTranslators() {
	fs := f.flags
	fs.StringArrayVarP(&f.choice.Commands, "translator", "t", nil, "add the translator `COMMAND`")
	fs.StringArrayVar(&f.choice.References, "reference", nil, "compare the others with `COMMAND` first")
	fs.StringArrayVar(&f.choice.Options, "options", nil, "draw options for each formula, as in `NAME=-B|-D`")
	fs.StringArrayVar(&f.choice.With, "with-options", nil, "run the translator NAME with options, as in `NAME=-B -D`")
	fs.BoolVar(&f.choice.NoReference, "no-reference", false, "compare without a reference")
	fs.BoolVar(&f.choice.NoBuiltin, "no-builtin", false, "skip the built-in translators")
	fs.BoolVar(&f.choice.NoFound, "no-found", false, "skip known translators found on PATH")
}

// addRandom adds the flags that say how many random inputs there are, or for which time there are
// more of them.
func (f *runFlags) addRandom(c *cobra.Command) {
	r, inputs := &f.random.settings, f.kind.inputs
	number := f.flags.IntP("number", "n", f.number, "check `N` random "+inputs)
	bind(r, "number", number, func(r *configs.Random, n int) error {
		if n < 0 && f.aut == nil {
			return atLeast("number", n, 0)
		}
		r.Number = n
		return nil
	})
	parsed(r, "for", "", "", "keep generating "+inputs+" for `DURATION` (8h)",
		configs.ParseDuration, func(r *configs.Random) *time.Duration { return &r.For })
	parsed(r, "until", "", "", "keep generating "+inputs+" until `TIME` (06:00)",
		configs.ParseUntil, func(r *configs.Random) *configs.Until { return &r.Until })
	exclusive(c, "for", "until")
}

// A kind of run is one of formulas or one of automata: this is what they are called, and those who
// get them.
type kind struct{ input, inputs, tool string }

// addRun adds the flags of all runs. By default there are n random inputs; the flags that ask for
// them are those that describe them, and those that say how many there are.
func (f *runFlags) addRun(c *cobra.Command, k kind, n int, describing ...string) {
	f.kind, f.number, f.asking = k, n, append(describing, "number", "for", "until")
	f.flags.StringArrayVar(&f.choice.Only, "only", nil, "run only the "+k.tool+" called `NAME`")
	f.addRandom(c)
	f.addReports(c)
	f.addHistory()
	f.addCalls(k.tool)
	f.addRules(c)
}

// addCalls adds the flags that say which calls of tools there are, and bound them.
func (f *runFlags) addCalls(tool string) {
	s := &f.settings
	f.flags.BoolVar(&f.ignoreMissing, "ignore-missing", false, "skip "+tool+"s that cannot start")
	f.timeout = parsed(s, "timeout", "T", "1m", "stop a "+tool+" after `DURATION`",
		configs.ParseDuration, func(c *configs.Config) *time.Duration {
			for i := range c.Translators {
				c.Translators[i].Timeout = 0
			}
			return &c.Limits.Timeout
		})
	caseTime := func(text string) (*time.Duration, error) {
		d, err := orNone(configs.ParseDuration)(text)
		return &d, err
	}
	parsed(s, "max-case-time", "", "5 times --max-time", "stop all checks of one input after `DURATION`",
		caseTime, func(c *configs.Config) **time.Duration { return &c.Limits.Case })
	s.number("jobs", "j", 0, "run `N` calls and checks at once", func(c *configs.Config) *int { return &c.Limits.Jobs })
	f.flags.Lookup("jobs").DefValue = "all cores"
}

// addRules adds the flags that say what counts as an error, and what is done then.
func (f *runFlags) addRules(c *cobra.Command) {
	inputs := f.kind.inputs
	f.either("stop-on-error", "stop after the first failing "+f.kind.input,
		func(c *configs.Config) *bool { return &c.Checks.StopOnError })
	onTimeout := f.flags.Bool("fail-on-timeout", false, "exit 1 after a timeout (=false: ignore timeouts)")
	bind(&f.settings, "fail-on-timeout", onTimeout, func(c *configs.Config, fail bool) error {
		c.Checks.Timeouts = configs.TimeoutsIgnore
		if fail {
			c.Checks.Timeouts = configs.TimeoutsError
		}
		return nil
	})
	f.flags.BoolVar(&f.plan.StrictFailures, "strict-failures", false, "exit 1 instead of 3")
	f.flags.BoolVar(&f.plan.IgnoreFailures, "ignore-failures", false, "exit 0 instead of 3")
	f.either("ignore-execution-failures", "ignore crashes and exit statuses of "+f.kind.tool+"s",
		func(c *configs.Config) *bool { return &c.Checks.IgnoreExecutionFailures })
	exclusive(c, "strict-failures", "ignore-failures")
	f.file("save-bogus", "write failing "+inputs+" to `FILE` ('>>FILE' appends)",
		func(c *configs.Config) *string { return &c.Output.SaveBogus })
	save := "save the automata of failing formulas in `FOLDER`"
	if f.aut != nil {
		save = "save failing automata and the outputs in `FOLDER`"
	}
	f.file("save-automata", save,
		func(c *configs.Config) *string { return &c.Output.SaveAutomata })
	if f.aut == nil {
		f.file("prove", "prove the automata of `WHICH`: auto, all or none", func(c *configs.Config) *string { return &c.Checks.Prove })
		f.flags.Lookup("prove").DefValue = "auto"
		f.file("save-proofs", "save proofs in `FOLDER`", func(c *configs.Config) *string { return &c.Output.SaveProofs })
	}
	f.flags.StringVar(&f.plan.Smallest, "grind", "", "shrink failing "+inputs+", and write them to `FILE`")
	f.flags.Lookup("grind").NoOptDefVal = "-"
	f.either("all-pairs", "compare every pair of automata", func(c *configs.Config) *bool { return &c.Checks.AllPairs })
}

// addReports adds the flags that say where reports go, and what those for people have.
func (f *runFlags) addReports(c *cobra.Command) {
	each := "formula"
	if f.aut != nil {
		each = "automaton's source"
	}
	for _, x := range report.Written() {
		if x.Name == "json" {
			continue // every command has that one
		}
		bind(&f.settings, x.Name, f.flags.String(x.Name, "", x.Help), func(c *configs.Config, file string) error {
			c.Output.Report(x.Name, file)
			return nil
		})
		if x.Stdout {
			f.flags.Lookup(x.Name).NoOptDefVal = "-"
		}
	}
	f.flags.BoolVarP(&f.quiet, "quiet", "q", false, quietHelp)
	f.flags.BoolVarP(&f.verbose, "verbose", "v", false, "print every "+each+" and every failure")
	exclusive(c, "quiet", "verbose")
	f.flags.Var(&f.color, "color", colorHelp)
	f.flags.Lookup("color").NoOptDefVal = "always"
	f.flags.Var(&f.progress, "progress", progressHelp)
	addColumns(f.flags, &f.columns)
}

// addWithout adds a flag that leaves out checks: all, or those that need a complement. It takes the
// place of what the configuration says of both.
func (f *runFlags) addWithout(name, about string, all bool) {
	bind(&f.settings, name, f.flags.Bool(name, false, about), func(c *configs.Config, on bool) error {
		switch {
		case on:
			c.Checks.NoChecks, c.Checks.NoComplement = all, !all
		case all:
			c.Checks.NoChecks = false
		default:
			c.Checks.NoComplement = false
		}
		return nil
	})
}

// addProducts adds the flags of products with random state spaces.
func (f *runFlags) addProducts() {
	s := &f.settings
	number := s.text("products", "", "1 with --csv or --no-complement, else 0",
		"compare products with `N` random state spaces")
	bind(s, "products", number, func(c *configs.Config, text string) error {
		digits, separate := strings.CutPrefix(text, "+")
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil || n > configs.MaxProducts {
			return fmt.Errorf("--products %q: expected N or +N, with N from 0 to %d", text, configs.MaxProducts)
		}
		c.Checks.Products.Number, c.Checks.Separate = int(n), separate
		return nil
	})
	bind(s, "seed", &f.random.seed, func(c *configs.Config, seed uint64) error {
		c.Checks.Products.Seed = seed
		return nil
	})
	d := &session.Schema().Products
	states := f.flags.Int("states", d.States, "give each state space `N` states")
	bind(s, "states", states, func(c *configs.Config, n int) error {
		if n < 1 || n > configs.MaxSpace {
			return fmt.Errorf("--states %d: expected a number from 1 to %d", n, configs.MaxSpace)
		}
		c.Checks.Products.States = n
		return nil
	})
	density := f.flags.Float64("density", d.Density, "connect its states with probability `P`")
	bind(s, "density", density, func(c *configs.Config, p float64) error {
		if !(0 <= p && p <= 1) {
			return fmt.Errorf("--density %v: expected a number from 0 to 1", p)
		}
		c.Checks.Products.Density = p
		return nil
	})
}

// addGrindCalls adds the flag that bounds what --grind does.
func (f *runFlags) addGrindCalls() {
	calls := f.flags.Int("grind-calls", session.Schema().GrindCalls, "shrink with at most `N` calls of a translator")
	bind(&f.settings, "grind-calls", calls, func(c *configs.Config, n int) error {
		if n < 0 {
			return fmt.Errorf("--grind-calls %d: expected a number from 0 on", n)
		}
		c.Triage.MaxCalls = n
		return nil
	})
}

// given reports whether flags say which formulas there are, but for random ones.
func (f *runFlags) given() bool { return len(f.formulas)+len(f.patterns)+len(f.files) > 0 }

// asksForRandom reports whether flags ask for random inputs. For formulas, a seed alone does not.
func (f *runFlags) asksForRandom() bool { return slices.ContainsFunc(f.asking, f.flags.Changed) }

// addColumns adds the flags that choose the columns of --csv, in ltlcross's words. For
// run they also say what is found out of the automata.
func addColumns(fs *pflag.FlagSet, c *report.Columns) {
	fs.BoolVar(&c.Strength, "strength", false, "count terminal, weak and strong components")
	fs.BoolVar(&c.Ambiguous, "ambiguous", false, "test whether automata are ambiguous")
	fs.BoolVar(&c.Automata, "automata", false, "include the automata (HOA) in CSV and JSON")
	fs.BoolVar(&c.OmitMissing, "omit-missing", false, "omit failures and exit columns from CSV")
	fs.BoolVar(&c.More, "csv-more", false, "add CSV columns that ltlcross lacks")
}

// fromLtlcross lets flags of ltlcross be given that have another name here, or that change
// nothing: everything is complemented, and no declared property is ever believed.
func fromLtlcross(fs *pflag.FlagSet) {
	fs.BoolP("determinize", "D", true, "has no effect")
	fs.Int("determinize-max-edges", 0, "has no effect")
	fs.String("trust-hoa", "no", "has no effect")
	for _, name := range []string{"determinize", "determinize-max-edges", "trust-hoa"} {
		fs.MarkHidden(name)
	}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(ltlcrossNames[name], name))
	})
}

// ltlcrossNames are options of ltlcross that have another name here.
var ltlcrossNames = map[string]string{"determinize-max-states": "max-macrostates", "unambiguous": "ambiguous",
	"list-shorthands": "list-translators"}
