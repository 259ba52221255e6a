package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// automataFlags are the flags that describe random automata, as in Spot's randaut.
type automataFlags struct {
	options            random.GeneratorOptions
	acceptance, states string
	ba                 bool
}

// automataFlagNames are the names of the flags that add adds.
var automataFlagNames = []string{"acceptance", "states", "acc-probability", "density", "ba", "colored", "deterministic",
	"state-based-acceptance", "functions", "unique"}

// add adds the flags to a command, with the default of the number of states.
func (f *automataFlags) add(c *cobra.Command, states string) {
	fs := c.Flags()
	fs.StringVarP(&f.acceptance, "acceptance", "A", "random 1..3", "use acceptance `ACC`, such as 'Rabin 1..3'")
	fs.Float64VarP(&f.options.Marks, "acc-probability", "a", 0.2, "mark each edge with probability `P`")
	fs.BoolVarP(&f.ba, "ba", "B", false, "use state-based Büchi acceptance (-A Buchi -S)")
	fs.BoolVar(&f.options.Colored, "colored", false, "put exactly one mark on each edge")
	fs.BoolVarP(&f.options.Deterministic, "deterministic", "D", false, "generate deterministic, complete automata")
	fs.Float64VarP(&f.options.Density, "density", "e", 0.2, "connect two states with probability `P`")
	fs.BoolVar(&f.options.Functions, "functions", false, "label edges with Boolean functions, not letters")
	fs.StringVarP(&f.states, "states", "Q", states, "generate automata with `A..B` states")
	fs.BoolVarP(&f.options.StateMarks, "state-based-acceptance", "S", false, "put marks on states instead of edges")
	fs.BoolVarP(&f.options.Unique, "unique", "u", false, "generate no isomorphic automata")
}

// generated returns the options of automata over the propositions of --ap, which are checked.
func (f *automataFlags) generated(r *randomFlags) (*random.GeneratorOptions, error) {
	o, acceptance := f.options, f.acceptance
	o.Seed = r.seed
	if f.ba {
		o.StateMarks, acceptance = true, "Buchi"
	}
	var err error
	if o.Acceptance, err = random.ParsePattern(acceptance); err != nil {
		return nil, fmt.Errorf("--acceptance: %w", err)
	}
	if o.Props, err = configs.ParseProps(r.ap); err != nil {
		return nil, fmt.Errorf("--ap %q: %w", r.ap, err)
	}
	if o.MinStates, o.MaxStates, err = configs.ParseRange(f.states); err != nil {
		return nil, fmt.Errorf("--states %q: %w", f.states, err)
	}
	return &o, o.Check()
}

type randomAutomata struct {
	automataFlags
	wanted bool
	name   string // a format
}

func (f *randomAutomata) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.wanted, "automata", false, "print automata instead of formulas")
	c.Flags().StringVar(&f.name, "name", "", "name automata by `FORMAT`, such as 'automaton %L'")
	f.automataFlags.add(c, "10")
}

// run prints n automata, or automata without end. If it is quiet, it only makes them.
func (f *randomAutomata) run(a *app, c *cobra.Command, n int, o *randomFlags, out *formulaFlags, quiet bool) error {
	for _, name := range append([]string{"size", "weights", "past", "psl", "sere-weights", "boolean", "weak-fairness", "simplify", "keep-trivial", "keep-duplicates", "dump-weights",
		"full-parentheses", "zero-terminated-output"}, mixFlagNames...) {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s cannot be combined with --automata", name)
		}
	}
	to := "hoa"
	if c.Flags().Changed("to") {
		to = out.syntax
	}
	print, err := a.automatonPrinter(to, out.format, c.Flags().Changed("format"), o.seed)
	if err == nil {
		err = checkAutomatonFormat("name", f.name)
	}
	if err == nil && strings.Contains(out.output, "%") {
		err = checkAutomatonFormat("output", out.output)
		print = a.fileFor(print, out.output, o.seed)
	} else if err == nil {
		err = a.redirect(out.output)
	}
	if err != nil {
		return err
	}
	if quiet {
		print = func(*omega.Automaton, int) error { return nil }
	}
	options, err := f.generated(o)
	if err != nil {
		return err
	}
	g, err := random.NewGenerator(*options)
	if err != nil {
		return err
	}
	for k := 0; k < n || n < 0; k++ {
		x, err := g.Next(a.ctx)
		if err == nil && f.name != "" {
			x.Name, err = automatonLine(a.ctx, f.name, x, k, o.seed)
		}
		if err == nil {
			err = print(x, k)
		}
		if err != nil && (to == "never" || to == "lbtt") && !c.Flags().Changed("acceptance") {
			return fmt.Errorf("%w; add -A 0, randaut's default", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fileFor lets each automaton go to the file that a format names.
func (a *app) fileFor(print func(*omega.Automaton, int) error, format string, seed uint64) func(*omega.Automaton, int) error {
	return func(x *omega.Automaton, k int) error {
		name, err := automatonLine(a.ctx, format, x, k, seed)
		if err == nil {
			err = a.redirect(name)
		}
		if err != nil {
			return err
		}
		return print(x, k)
	}
}

// forFormulas fails if a flag is given that is for automata only.
func (f *randomAutomata) forFormulas(c *cobra.Command) error {
	for _, name := range append([]string{"quiet", "name"}, automataFlagNames...) {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s needs --automata", name)
		}
	}
	return nil
}
