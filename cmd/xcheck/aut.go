package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/session"
)

// autFlags are the flags of aut.
type autFlags struct {
	runFlags // those that run has as well
	tools    session.AutomataChoice

	preserved, complemented bool

	number   int
	seed     uint64
	ap       string
	automata automataFlags
}

func (a *app) autCommand() *cobra.Command {
	f := &autFlags{}
	c := &cobra.Command{
		Use:   "aut [flags]",
		Short: "Cross-check tools that transform automata",
		Long: `Gives automata to tools that keep (or complement) the language, and compares
what they print. Explains each disagreement with a word.

The automata come from -F or a pipe; without them, xcheck generates 100 random
ones. In a COMMAND, %H stands for a HOA file (%S: never claim, %L: LBTT, %O: the
output file). Without %H, HOA goes to standard input; autfilt, dstar2tgba and
seminator need neither. Without any tool, xcheck checks its own conversions.`,
		Example: `  xcheck aut -t 'autfilt --small' -n 1000 -A 'random 1..4'
  xcheck aut -F automata.hoa -t 'mytool %H > %O' --csv=result.csv
  xcheck aut --language-complemented -t 'autfilt --complement' -B
  xcheck random --automata -n 50 | xcheck aut -F - --stream 'mytool'
  xcheck aut -t 'mytool' -n 1000 --save-bogus=bogus.hoa --grind`,
		Args: arguments(0),
		RunE: func(*cobra.Command, []string) error { return a.aut(f) },
	}
	f.begin(c)
	fs := f.flags
	fs.StringArrayVarP(&f.files, "file", "F", nil, "check the automata in `FILE` (-: standard input)")
	fs.StringArrayVarP(&f.tools.Commands, "tool", "t", nil, "add the tool `COMMAND`")
	fs.StringArrayVar(&f.tools.Streams, "stream", nil, "start `COMMAND` once and send automata one by one")
	fs.StringArrayVar(&f.tools.Batches, "batch", nil, "send many automata to `COMMAND` at once")
	fs.BoolVar(&f.ignoreMissing, "ignore-missing", false, "skip tools that cannot start")
	fs.BoolVar(&f.preserved, "language-preserved", false, "expect tools to keep the language")
	fs.BoolVar(&f.complemented, "language-complemented", false, "expect tools to complement the language")
	exclusive(c, "language-preserved", "language-complemented")
	fs.IntVarP(&f.number, "number", "n", 100, "check `N` random automata")
	fs.Uint64Var(&f.seed, "seed", 0, seedHelp)
	fs.StringVar(&f.ap, "ap", "2", "use propositions `PROPS`, such as 3 or a,b,c")
	f.automata.add(c, "1..6")
	f.addReports(c, "automaton's source")
	f.addHistory("store the run in `FILE`", "automata")
	f.storeByDefault = "xcheck-aut.db"
	f.addLimits("tool")
	f.addRules(c, "automaton", "automata", "tool")
	f.addWithout("no-checks", "measure the automata without comparing them", true)
	f.check.add(c, "complement", true)
	f.check.addEmptiness()
	return c
}

func (a *app) aut(f *autFlags) error {
	config := session.Schema.Default()
	if err := f.overrideAll(config); err != nil {
		return err
	}
	if f.plan.Smallest == "-" && (a.json == "-" || config.Output.CSV == "-") {
		return errors.New("--grind: standard output already has JSON or CSV; use --grind=FILE")
	}
	a.limits = productcheck.Limits(config.Limits.Check) // for what is read
	plan := &f.plan
	plan.Config, plan.Note, plan.Automata = config, a.note, &session.Automata{Complemented: f.complemented}
	if err := plan.ChooseForAutomata(&f.tools); err != nil {
		return err
	}
	if err := plan.CheckTools(a.ctx, f.ignoreMissing); err != nil {
		return err
	}
	var err error
	if plan.Automata.Inputs, plan.Automata.Len, err = f.source(a); err != nil {
		return err
	}
	plan.Automata.From = f.from()
	plan.Empty = errors.New("no automata: add some with -F or -n")
	if len(f.files) > 0 {
		plan.Empty = fmt.Errorf("no automata: found none in %q", strings.Join(f.files, ", "))
	}
	return a.runPlan(plan, &f.runFlags)
}

// source returns the automata, and how many there are, or 0 if that is not known.
func (f *autFlags) source(a *app) (next session.Inputs, total int, err error) {
	asked := slices.ContainsFunc(append([]string{"number", "seed", "ap"}, automataFlagNames...), f.flags.Changed)
	if len(f.files) == 0 {
		full, err := a.piped("automata", 100, asked, asked)
		if err != nil {
			return nil, 0, err
		}
		if full {
			f.files = []string{"-"} // as -F - does
		}
	}
	var sources []session.Inputs
	for _, name := range f.files {
		file, err := a.open(name)
		if err != nil {
			return nil, 0, err
		}
		in := &clocked{Reader: file, app: a, name: name}
		automata := session.AutomataFile(name, file, a.reader(in))
		sources = append(sources, func(ctx context.Context) (cross.Input, error) {
			defer in.stop()
			return automata(ctx)
		})
	}
	if len(f.files) > 0 && !asked {
		return session.Concat(sources...), 0, nil
	}
	g, err := f.automata.generator(f.seed, f.ap)
	if err != nil {
		return nil, 0, err
	}
	sources = append(sources, session.Repeat(f.number, func(ctx context.Context, k int) (cross.Input, error) {
		seed := f.seed
		x, err := g.Next(ctx)
		return cross.Input{Automaton: x, Source: fmt.Sprintf("random %d", k), Seed: &seed}, err
	}))
	if total = max(0, f.number); len(f.files) > 0 {
		total = 0
	}
	return session.Concat(sources...), total, nil
}

// from says where the automata come from.
func (f *autFlags) from() (list []string) {
	for _, name := range f.files {
		list = append(list, "-F "+name)
	}
	for _, name := range append([]string{"number", "seed", "ap"}, automataFlagNames...) {
		if len(f.files) == 0 || f.flags.Changed(name) {
			list = append(list, "--"+name+"="+f.flags.Lookup(name).Value.String())
		}
	}
	return list
}
