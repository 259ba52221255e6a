package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
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
	f.begin(c, kind{"run", "formula", "formulas", "translator"})
	fs := f.flags
	f.addFormulas("check")
	fs.BoolVar(&f.lbt, "lbt-input", false, "read formulas in LBT's syntax")
	f.addTranslators()
	fs.BoolVar(&f.choice.Relabel, "relabel", false, "rename propositions to p0, p1, … in all calls")
	fs.BoolVar(&f.listTranslators, "list-translators", false, "list known translators, their paths and versions")
	fs.BoolVar(&f.dryRun, "dry-run", false, "check the settings, call each translator once, write nothing")
	f.random.add(&f.settings, "", "")
	f.random.addProfile()
	// A seed alone does not ask for random formulas.
	f.addRun(c, 200, append(slices.Clone(uniform), "profile")...)
	bind(&f.settings, "products", f.text("products", "", "1 with --csv or --no-complement, else 0", "compare products with `N` random state spaces"), func(c *configs.Config, text string) error {
		if err := c.Checks.SetProducts(text); err != nil {
			return fmt.Errorf("--products %q: %w", text, err)
		}
		return nil
	})
	f.addWithout("no-complement", "skip checks that need a complement", false)
	f.addWithout("no-checks", "measure the automata without checking them", true)
	exclusive(c, "no-checks", "no-complement")
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
	color, width := f.color.colors(a.out), columnsOf(a.out)
	if f.progress != "never" && !o.Quiet {
		colored := f.color.colors(a.err)
		plan.Progress = a.newProgress(f.progress == "always")
		plan.Progress.Color = colored && plan.Progress.Width != nil
	}
	plan.Stdout, plan.Unread = a.out, a.files.Left
	if slices.ContainsFunc(plan.Config.Formulas.Files, func(x configs.File) bool { return x.Path == "-" }) {
		a.files.OpenStdin(a.ctx) // it may be a file
	}
	plan.Reads = a.files.Regular
	if len(o.Stdout()) == 0 { // otherwise a report for programs is there
		sinks = append(sinks, &report.Text{W: a.out, Color: color, Width: width, Verbose: o.Verbose, Quiet: o.Quiet})
		if !o.Quiet {
			plan.Announce = func(seed uint64, deadline time.Time) error {
				until := ""
				if !deadline.IsZero() {
					until = " until " + deadline.Format(time.DateTime)
				}
				_, err := fmt.Fprintf(a.out, "random %s with --seed %d%s\n", f.kind.inputs, seed, until)
				return err
			}
		}
	}
	a.startRun(plan.Config)
	result, err := session.Run(a.ctx, plan, sinks...)
	if result == nil {
		return err
	}
	a.complete = !result.Summary.Counts.Interrupted // a later signal changes nothing
	a.closed, a.status = result.Closing, result.Status
	return err
}

// startRun prepares for a run, which obeys its limits and reports what it has done when it is interrupted.
func (a *app) startRun(c *configs.Config) {
	memory.Bound(c.Limits.Check.Memory, cmp.Or(c.Limits.Jobs, runtime.GOMAXPROCS(0)))
	a.orderly.Store(true)
}

// note prints something that a user should know.
func (a *app) note(text string) { fmt.Fprintf(a.err, "%s: %s\n", a.name, text) }

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

// runFlags are the flags of run. Other commands have some of them.
type runFlags struct {
	settings
	random randomFlags

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

	ignoreMissing   bool
	listTranslators bool
	dryRun          bool
	color, progress when
	storeByDefault  string // the file of --resume alone
}

// begin takes the flags of a command, which has none yet.
func (f *runFlags) begin(c *cobra.Command, k kind) {
	f.flags, f.kind, f.storeByDefault = c.Flags(), k, defaultHistory
	f.flags.SortFlags = false
}

// addSettings adds the flags of settings that the help of the command shows. It may have other flags with
// the names of some.
func (f *runFlags) addSettings() {
	f.flags.BoolVar(&f.ignoreMissing, "ignore-missing", false, "skip "+f.kind.tool+"s that cannot start")
	for _, g := range helpPages().Flags[f.kind.command] {
		f.settings.add(f.kind, g.Common+" "+g.More)
	}
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
	fs.StringArrayVar(&f.choice.Streams, "stream", nil, "start `COMMAND` once and send formulas one by one")
	fs.StringArrayVar(&f.choice.Syntaxes, "tool-syntax", nil, "set the syntax of formulas on standard input: `NAME=SYNTAX`")
	fs.StringArrayVar(&f.choice.Formats, "tool-format", nil, "set the format of a translator's automata: `NAME=FORMAT`")
	fs.StringArrayVar(&f.choice.References, "reference", nil, "compare the others with `COMMAND` first")
	fs.StringArrayVar(&f.choice.Options, "options", nil, "draw one of these options for each formula: `NAME=-B|-D`")
	fs.StringArrayVar(&f.choice.With, "with-options", nil, "add options to a translator's command: `NAME=-B -D`")
	fs.BoolVar(&f.choice.NoReference, "no-reference", false, "compare without a reference")
	fs.BoolVar(&f.choice.NoBuiltin, "no-builtin", false, "skip the built-in translators")
	fs.BoolVar(&f.choice.NoFound, "no-found", false, "skip known translators found on PATH")
}

// A kind of run is one of formulas or one of automata: this is what they are called, and those who
// get them.
type kind struct{ command, input, inputs, tool string }

// addRun adds the flags of all runs. By default there are n random inputs. A flag asks for random inputs if
// it is one of describing, such as "size", or says how many there are.
func (f *runFlags) addRun(c *cobra.Command, n int, describing ...string) {
	f.number, f.asking = n, append(describing, "number", "for", "until")
	fs, inputs := f.flags, f.kind.inputs
	fs.StringArrayVar(&f.choice.Only, "only", nil, "run only the "+f.kind.tool+" called `NAME`")
	bind(&f.settings, "number", fs.IntP("number", "n", n, "check `N` random "+inputs), func(c *configs.Config, n int) error {
		if n < 0 && f.aut == nil { // aut takes -1 for no end
			return cli.AtLeast("number", n, 0)
		}
		c.Formulas.Random.Number = n
		return nil
	})
	for _, x := range report.Written() {
		if x.Name == "json" {
			continue // every command has that one
		}
		bind(&f.settings, x.Name, fs.String(x.Name, "", x.Help), func(c *configs.Config, file string) error {
			c.Output.Report(x.Name, file)
			return nil
		})
		if x.Stdout {
			fs.Lookup(x.Name).NoOptDefVal = "-"
		}
	}
	fs.Var(&f.color, "color", colorHelp)
	fs.Lookup("color").NoOptDefVal = "always"
	fs.Var(&f.progress, "progress", progressHelp)
	fs.BoolVar(&f.plan.Resume, "resume", false, "resume the last unfinished run, or start one")
	fs.Var(&f.plan.Shard, "shard", "check only part `I/N` of the "+inputs)
	fs.BoolVar(&f.plan.StrictFailures, "strict-failures", false, "exit 1 instead of 3")
	fs.BoolVar(&f.plan.IgnoreFailures, "ignore-failures", false, "exit 0 instead of 3")
	fs.StringVar(&f.plan.Smallest, "grind", "", "shrink failing "+inputs+", and write them to `FILE`")
	fs.Lookup("grind").NoOptDefVal = "-"
	f.addSettings()
	exclusive(c, "for", "until")
	exclusive(c, "strict-failures", "ignore-failures")
	exclusive(c, "quiet", "verbose")
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

// given reports whether flags say which formulas there are, but for random ones.
func (f *runFlags) given() bool { return len(f.formulas)+len(f.patterns)+len(f.files) > 0 }

// asksForRandom reports whether flags ask for random inputs. For formulas, a seed alone does not.
func (f *runFlags) asksForRandom() bool { return slices.ContainsFunc(f.asking, f.flags.Changed) }

// fromLtlcross lets flags of ltlcross be given that have another name here, or that change nothing.
func fromLtlcross(fs *pflag.FlagSet) {
	// Everything is complemented, and no declared property is ever believed.
	fs.BoolP("determinize", "D", true, "set --products=0: complements are always checked")
	fs.Int("determinize-max-edges", 0, "ignore `N`: complements are always checked")
	fs.String("trust-hoa", "", "ignore `BOOL`: all properties are checked")
	for _, name := range []string{"determinize", "determinize-max-edges", "trust-hoa"} {
		fs.MarkHidden(name)
	}
	fs.SetNormalizeFunc(renamed(ltlcrossNames))
}

// renamed gives options of Spot's tools the names of our flags.
func renamed(names map[string]string) func(*pflag.FlagSet, string) pflag.NormalizedName {
	return func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(names[name], name))
	}
}

// ltlcrossNames are options of ltlcross that have another name here.
var ltlcrossNames = map[string]string{"determinize-max-states": "max-macrostates", "unambiguous": "ambiguous",
	"list-shorthands": "list-translators"}

// autFlags are the flags of aut that run does not have.
type autFlags struct {
	preserved, complemented bool
	list                    bool // the tools that need no placeholder
	automata                automataFlags
}

func (a *app) autCommand() *cobra.Command {
	own := &autFlags{}
	f := &runFlags{aut: own}
	c := &cobra.Command{
		Use: "aut [flags] [COMMAND]…",
		Long: `Gives automata to tools that keep (or complement) the language, and compares
what they print. Explains each disagreement with a word.

The automata come from -F or a pipe; without them, xcheck generates 100 random
ones. In a COMMAND, %H stands for a HOA file (%S: never claim, %L: LBTT,
%O: the output file). Without %H, HOA goes to standard input. The known tools ` + listed(automatonTools(), "and") + ` need no placeholder. Without any tool, xcheck checks its own conversions.`,
		Example: `  xcheck aut -t 'autfilt --small' -n 1000 -A 'random 1..4'
  xcheck aut -F automata.hoa -t 'mytool %H > %O' --csv=result.csv
  xcheck aut --language-complemented -t 'autfilt --complement' -B
  xcheck random --automata -n 50 | xcheck aut -F - --stream 'mytool'
  xcheck aut -t 'mytool' -n 1000 --save-bogus=bogus.hoa --grind`,
		Args:              automatonCommands,
		ValidArgsFunction: commandNames(automatonTools()),
		RunE: func(_ *cobra.Command, args []string) error {
			if own.list {
				return a.listAutomatonTools()
			}
			f.choice.Commands = append(f.choice.Commands, args...)
			// Without a flag, we expect tools to keep the language, but autcross compares them with each other: so ask.
			for _, text := range slices.Concat(f.choice.Commands, f.choice.Streams) {
				if !own.preserved && !own.complemented && complementing().MatchString(text) {
					return fmt.Errorf("%q: add --language-complemented if it complements, or else --language-preserved", text)
				}
			}
			return a.run(f)
		},
	}
	f.addAut(a, c)
	return c
}

// addAut adds the flags of aut.
func (f *runFlags) addAut(a *app, c *cobra.Command) {
	f.begin(c, kind{"aut", "automaton", "automata", "tool"})
	f.storeByDefault = "xcheck-aut.db"
	fs, own := f.flags, f.aut
	fs.StringArrayVarP(&f.files, "file", "F", nil, "check the automata in `FILE` (-: standard input)")
	fs.StringArrayVarP(&f.choice.Commands, "tool", "t", nil, "add the tool `COMMAND`")
	fs.StringArrayVar(&f.choice.Streams, "stream", nil, "start `COMMAND` once and send automata one by one")
	fs.BoolVar(&own.preserved, "language-preserved", false, "expect tools to keep the language")
	fs.BoolVar(&own.complemented, "language-complemented", false, "expect tools to complement the language")
	exclusive(c, "language-preserved", "language-complemented")
	fs.BoolVar(&own.list, "list-shorthands", false, "list tools that need no placeholder")
	f.random.addSeed(&f.settings, "2")
	own.automata.add(c, "1..6")
	f.addRun(c, 100, append(slices.Clone(automataFlagNames), "seed", "ap")...)
	f.addWithout("no-checks", "measure the automata without comparing them", true)
	f.describe("verbose", "false", "print every automaton's source and every failure")
	f.describe("save-automata", "", "save failing automata and the outputs in `FOLDER`")
}

// automatonCommands checks that all arguments are commands of tools, and not files.
func automatonCommands(_ *cobra.Command, args []string) error {
	for _, text := range args {
		if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0 {
			return fmt.Errorf("%q is a file, and not the command of a tool; use -F %[1]s for its automata", text)
		}
		if _, err := translators.ParseAutomatonCommand(configs.CompleteAutomaton(text), translators.Spawn); err != nil {
			return fmt.Errorf("%q is not the command of a tool: %w", text, err)
		}
	}
	return nil
}

// complementing matches a command that complements, such as autfilt --complement.
var complementing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|\s)(--?[\w-]*)?complement`) })

// listAutomatonTools prints the tools whose commands are completed. All others get the automaton on
// standard input.
func (a *app) listAutomatonTools() error {
	if err := a.create(); err != nil {
		return err
	}
	rows := [][]string{{"tool", "command"}}
	answer := toolsAnswer{}
	for _, name := range automatonTools() {
		command := configs.CompleteAutomaton(name)
		rows, answer.Tools = append(rows, []string{name, command}), append(answer.Tools, toolAnswer{name, command})
	}
	return a.answer(table.New(rows).Fit(columnsOf(a.out)).String(), answer)
}

// automata returns the inputs of the plan of aut.
func (f *runFlags) automata(a *app) (*session.Automata, error) {
	x := &session.Automata{Complemented: f.aut.complemented, From: f.from()}
	x.Open = func(name string) (session.Inputs, error) {
		file, err := a.openAutomata(name)
		if err != nil {
			return nil, err
		}
		in := &clocked{Reader: file, app: a, name: name}
		automata := session.AutomataFile(name, file, a.reader(name, in))
		return func(ctx context.Context) (cross.Input, error) {
			defer in.stop() // the checks have limits of their own
			return automata(ctx)
		}, nil
	}
	var err error
	x.Random, err = f.aut.automata.generated(&f.random)
	return x, err
}

// from says where the automata come from.
func (f *runFlags) from() (list []string) {
	for _, name := range f.files {
		list = append(list, "-F "+name)
	}
	// A seed that is drawn does not matter.
	for _, name := range f.asking {
		if flag := f.flags.Lookup(name); flag.Changed || len(f.files) == 0 && flag.DefValue != "" && name != "seed" {
			list = append(list, "--"+name+"="+flag.Value.String())
		}
	}
	return list
}
