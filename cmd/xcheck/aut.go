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

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
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
	words    int
	allPairs bool
	noChecks bool
	grind    string
	run      runFlags // those of limits, of reports and of the status
}

func (a *app) autCommand() *cobra.Command {
	f := &autFlags{}
	c := &cobra.Command{
		Use:   "aut [-F FILE]… [-t COMMAND]… [-n N …]",
		Short: "Cross-check tools that read an automaton and print one of the same language",
		Long: `Gives automata to tools, and decides whether each prints an automaton of the same
language, or (--language-complemented) of the complement. For each that does not, a
word is printed that shows it, what the input and all outputs say of the word, and who
is wrong: what the input accepts is the truth.

The automata are those of the files (-F, - is standard input), in any format that is
read and with any acceptance condition, alternating ones if they are weak; or random
ones (-n, and the flags of random --automata). Without either, those that are piped in, or
100 random ones.

A COMMAND is a line for the shell, that gets the automaton on standard input, in HOA, or
where %H is as the name of a file (%S: a never claim of Spin, %L: LBTT's format; both
after a conversion to Büchi acceptance, %L: generalized, if the automaton has another
one). %M is its name as one quoted argument, %[text]M is text if it has none. %O is the
name of a file for the output, if it is not printed. {name} in front names the tool. The
command of a known tool (autfilt, dstar2tgba, seminator) needs no %H.

A tool of --stream is started once, reads automata from standard input and answers each
before it gets the next; one of --batch reads many and answers them in order. Without
any tool, those of xcheck itself are checked: convert and complement.

--grind looks for a smallest automaton on which the same tools fail in the same way, for
each way in which they do, and prints it (--grind=FILE: into a file; >>FILE: at its end).

The last line begins with the word for the exit status, as that of run does.`,
		Example: `  xcheck aut -t 'autfilt --small' -t 'autfilt -D --generic' -n 1000 -A 'random 1..4'
  xcheck aut -F automata.hoa -t 'mytool %H > %O' --csv=result.csv
  xcheck aut --language-complemented -t '{autfilt} autfilt --complement' -n 200 -B
  xcheck random --automata -n 50 -A 'Streett 1..2' | xcheck aut -F - --stream 'mytool'
  xcheck aut -t 'mytool' -n 1000 --save-bogus=bogus.hoa --grind`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.aut(c, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringArrayVarP(&f.files, "file", "F", nil, "give the automata of a file to the tools (- is standard input)")
	fs.StringArrayVarP(&f.tools, "tool", "t", nil, "add a tool")
	fs.StringArrayVar(&f.streams, "stream", nil, "add a tool that is kept alive")
	fs.StringArrayVar(&f.batches, "batch", nil, "add a tool that gets many automata at once")
	fs.BoolVar(&f.run.ignoreMissing, "ignore-missing", false, "leave out tools that cannot be started")
	fs.BoolVar(&f.preserved, "language-preserved", false, "tools keep the language of the automaton (the default)")
	fs.BoolVar(&f.complemented, "language-complemented", false, "tools complement it")
	fs.IntVarP(&f.number, "number", "n", 100, "number of random automata; negative: no end")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the random automata")
	fs.StringVar(&f.ap, "ap", "2", "number of their propositions, or their names: a,b,c")
	f.automata.add(c, "1..6")
	f.run.addLimits(fs, "automaton of a tool")
	fs.IntVar(&f.words, "words", configs.Default().Checks.Words, "random words on which each output is compared with the input")
	fs.BoolVar(&f.allPairs, "all-pairs", false, "check every pair of automata instead of classes of equal ones")
	fs.BoolVar(&f.noChecks, "no-checks", false, "compare nothing: only statistics, failures and odd output")
	f.run.check.add(c, "complement")
	f.run.check.addEmptiness(c)
	fs.StringVar(&f.run.saveBogus, "save-bogus", "", "write the automata on which something is wrong to a file in HOA, at once (>>FILE: behind what it has)")
	fs.StringVar(&f.grind, "grind", "", "look for smallest automata on which tools fail (--grind=FILE: write them to a file)")
	fs.Lookup("grind").NoOptDefVal = "-"
	f.run.addRules(c, "automaton", "tool")
	fs.BoolVarP(&f.run.quiet, "quiet", "q", false, "print only disagreements, failures, false properties and the closing line")
	fs.BoolVarP(&f.run.verbose, "verbose", "v", false, "print where each automaton comes from, and all failures")
	c.MarkFlagsMutuallyExclusive("language-preserved", "language-complemented")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
	fs.StringVar(&f.run.csv, "csv", "", "print a line of CSV for each call, with autcross's columns (--csv=FILE: into a file, --csv='>>FILE': behind what it has)")
	fs.Lookup("csv").NoOptDefVal = "-"
	fs.Var(&f.run.color, "color", "auto, always or never")
	fs.Var(&f.run.progress, "progress", "as for run")
	return c
}

func (a *app) aut(c *cobra.Command, f *autFlags) (err error) {
	config, err := f.load(c)
	if err != nil {
		return err
	}
	if f.grind == "-" && (a.json == "-" || f.run.csv == "-") {
		return errors.New("standard output has JSON or CSV: name a file for the automata, --grind=FILE")
	}
	a.limits = config.Limits.Check // for what is read
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
		Limits:       config.Limits.Check,
		CaseTime:     config.Limits.CaseTime(),
		Complement:   config.Checks.Complement,
		Emptiness:    config.Checks.Emptiness,
	}
	failures := failures{known: map[string]*failing{}}
	out.watch(runner.Cores(), time.Time{})
	err = cross.Run(a.ctx, options, next, func(c *cross.Case) error {
		failures.add(c)
		return out.add(c)
	})
	if errors.Is(err, errStopped) {
		err = nil
	}
	if s := out.tally.Summary; err == nil && s.Formulas+s.Unreadable == 0 {
		err = fmt.Errorf("no automata: expected at least one from %s", strings.Join(append(f.files, "-n"), ", "))
	}
	err = errors.Join(err, out.leftUnread())
	if err == nil && f.grind != "" {
		out.phase("making automata small")
		err = f.grindAll(out, ground, options, failures.list)
	}
	if a.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // no error, but a state of the report
	}
	return out.end(errors.Join(err, a.closeRunner(runner)))
}

// load makes a configuration of the flags.
func (f *autFlags) load(c *cobra.Command) (*configs.Config, error) {
	config := configs.Default()
	if f.words < 0 {
		return nil, fmt.Errorf("--words %d: expected a number from 0 on", f.words)
	}
	config.Checks.Words, config.Checks.AllPairs, config.Checks.NoChecks = f.words, f.allPairs, f.noChecks
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
		patience, a.instead = 0, "for random automata, use -n 100 or </dev/null"
	}
	state, err := a.lookAtStdin(patience)
	switch {
	case err != nil:
		return err
	case state == stdinFull:
		f.files = []string{"-"}
	case state == stdinEmpty && !asked:
		return errors.New("no automata: standard input is empty: for random automata, use -n 100 or </dev/null")
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
				return fmt.Errorf("writing what was ground: %w", err)
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
