package main

import (
	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// formFlags are the flags of the form that automata are printed in.
type formFlags struct{ complement.Form }

// formHelp explains them to those who ask for help.
const formHelp = `The flags --buchi, --state-based, --deterministic and --complete combine, except --buchi
with --deterministic: some automata have no equivalent that is both.`

func (f *formFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.Buchi, "buchi", false, "use Büchi acceptance")
	c.Flags().BoolVar(&f.StateBased, "state-based", false, "put marks on states instead of edges")
	c.Flags().BoolVar(&f.Deterministic, "deterministic", false, "make it deterministic, with parity acceptance")
	c.Flags().BoolVar(&f.Complete, "complete", false, "add missing edges to a rejecting sink")
	c.PreRunE = func(*cobra.Command, []string) error { return f.Check() }
}

// form brings an automaton to the form that is asked for.
func (a *app) form(x *omega.Automaton, f *formFlags) (*omega.Automaton, error) {
	limits := productcheck.DefaultLimits
	return f.Apply(a.ctx, x, limits.Macrostates, limits.Memory/2)
}
