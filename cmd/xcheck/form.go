package main

import (
	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

// formFlags are the flags of the form that automata are printed in.
type formFlags struct{ builtin.Options }

// formHelp explains them to those who ask for help.
const formHelp = `The automaton can be asked for in another form, in which it is reduced: with Büchi
acceptance (--buchi), with marks on states instead of edges (--state-based),
deterministic with parity acceptance, of which Büchi, co-Büchi, t and f are the
simplest cases (--deterministic), without missing letters (--complete, which alone
only adds a sink). All can be combined, but --buchi and --deterministic: not every
automaton has an equivalent that is both.`

func (f *formFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.Buchi, "buchi", false, "Büchi acceptance")
	c.Flags().BoolVar(&f.StateBased, "state-based", false, "marks on states")
	c.Flags().BoolVar(&f.Deterministic, "deterministic", false, "deterministic, with parity acceptance")
	c.Flags().BoolVar(&f.Complete, "complete", false, "an edge for each letter everywhere")
	c.PreRunE = func(*cobra.Command, []string) error { return f.Check() }
}

// form brings an automaton to the form that is asked for.
func (a *app) form(x *omega.Automaton, f *formFlags) (*omega.Automaton, error) {
	limits := productcheck.DefaultLimits
	return f.Apply(a.ctx, x, limits.Macrostates, limits.Memory/2)
}
