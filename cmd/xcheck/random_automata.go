package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/omega"
)

// automataFlags are the flags that describe random automata: those of Spot's randaut.
type automataFlags struct {
	acceptance    string
	states        string
	marks         float64
	density       float64
	ba            bool
	colored       bool
	deterministic bool
	stateBased    bool
	functions     bool
	unique        bool
}

// automataFlagNames are those of the flags that add adds.
var automataFlagNames = []string{"acceptance", "states", "acc-probability", "density", "ba", "colored", "deterministic",
	"state-based-acceptance", "functions", "unique"}

// add adds the flags to a command, with the default of the number of states.
func (f *automataFlags) add(c *cobra.Command, states string) {
	fs := c.Flags()
	fs.StringVarP(&f.acceptance, "acceptance", "A", "random 1..3", "acceptance of random automata: 'Rabin 1..3', 'parity rand even 4', 'random 2..5', '1..2' (generalized Büchi), 'Fin(0) & Inf(1)', …")
	fs.Float64VarP(&f.marks, "acc-probability", "a", 0.2, "probability that an edge has a mark")
	fs.BoolVarP(&f.ba, "ba", "B", false, "Büchi acceptance on states: -A Buchi -S")
	fs.BoolVar(&f.colored, "colored", false, "exactly one mark on each edge (or state: -S)")
	fs.BoolVarP(&f.deterministic, "deterministic", "D", false, "deterministic and complete automata")
	fs.Float64VarP(&f.density, "density", "e", 0.2, "density of edges D: of Q states, each has 1+(Q-1)D successors on average")
	fs.BoolVar(&f.functions, "functions", false, "labels are any Boolean functions instead of single letters")
	fs.StringVarP(&f.states, "states", "Q", states, "number of states: A..B, or one number")
	fs.BoolVarP(&f.stateBased, "state-based-acceptance", "S", false, "marks on states")
	fs.BoolVarP(&f.unique, "unique", "u", false, "no automaton that is isomorphic to one before")
}

// generator makes automata over the propositions of --ap.
func (f *automataFlags) generator(seed uint64, ap string) (*omega.Generator, error) {
	o := omega.GeneratorOptions{Seed: seed, Density: f.density, Marks: f.marks, Colored: f.colored,
		StateMarks: f.stateBased || f.ba, Deterministic: f.deterministic, Functions: f.functions, Unique: f.unique}
	acceptance := f.acceptance
	if f.ba {
		acceptance = "Buchi"
	}
	var err error
	if o.Acceptance, err = omega.ParseAcceptancePattern(acceptance); err != nil {
		return nil, fmt.Errorf("--acceptance: %w", err)
	}
	if o.Props, err = propositions(ap); err != nil {
		return nil, err
	}
	if o.MinStates, o.MaxStates, err = states(f.states); err != nil {
		return nil, err
	}
	return omega.NewGenerator(o)
}

// states reads the range of --states: N, A..B, or ..B, which starts at 1.
func states(text string) (least, most int, err error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		high = low
	} else if low == "" {
		low = "1"
	}
	least, errLow := strconv.Atoi(low)
	most, errHigh := strconv.Atoi(high)
	if errors.Join(errLow, errHigh) != nil {
		return 0, 0, fmt.Errorf("--states %s: expected a number, or a range A..B or ..B", text)
	}
	return least, most, nil
}

// randomAutomata are the flags of random for automata.
type randomAutomata struct {
	automataFlags
	wanted bool
}

const randomAutomataHelp = `
With --automata, it prints N random automata instead, in HOA (--to never, lbtt or dot),
over the propositions of --ap. All their states can be reached, and each has a
successor. The labels of edges are letters (--functions: any Boolean functions). Their
acceptance is one of HOA's names, in which numbers may be ranges; "random RANGE", in
which each mark occurs once ("random RANGE P": it is used again with probability P);
or a condition. Automaton k depends on the seed, the other options and k alone.
-A -a -B -D -e -Q -S -u and --colored are for automata only.`

const randomAutomataExample = `
  xcheck random --automata -n 10 -Q 3..6 -A 'Streett 1..2'
  xcheck random --automata -n 1 -D -A 'parity min even 3' --colored --ap a,b --to dot | dot -Tsvg > a.svg`

func (f *randomAutomata) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.wanted, "automata", false, "print automata instead of formulas")
	f.automataFlags.add(c, "10")
	c.Flag("to").Usage += "; of automata: " + formatNames
	c.Long += "\n" + randomAutomataHelp
	c.Example += randomAutomataExample
}

// run prints n automata, or automata without end.
func (f *randomAutomata) run(a *app, c *cobra.Command, n int, o *randomFlags, out *formulaFlags) error {
	for _, name := range []string{"size", "weights", "past", "boolean", "weak-fairness", "simplify", "keep-trivial", "keep-duplicates", "dump-weights",
		"full-parentheses", "format", "zero-terminated-output"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for formulas, not for --automata", name)
		}
	}
	to := "hoa"
	if c.Flags().Changed("to") {
		to = out.syntax
	}
	write, err := writer(to)
	if err != nil {
		return err
	}
	g, err := f.generator(o.seed, o.ap)
	if err != nil {
		return err
	}
	for k := 0; k < n || n < 0; k++ {
		x, err := g.Next(a.ctx)
		if err != nil {
			return err
		}
		if to == "hoa" {
			err = a.printAutomaton(x, nil)
		} else {
			var text bytes.Buffer
			if err = write(a.ctx, &text, x); err == nil && a.json == "" {
				_, err = a.out.Write(text.Bytes())
			} else if err == nil {
				err = a.answer("", map[string]any{"format": to, "text": text.String()})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forFormulas fails if a flag is given that is for automata only.
func (f *randomAutomata) forFormulas(c *cobra.Command) error {
	for _, name := range automataFlagNames {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for automata: add --automata", name)
		}
	}
	return nil
}
