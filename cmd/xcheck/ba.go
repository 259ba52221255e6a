package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/convert"
)

// baHelp explains --to ba and files in BA.
const baHelp = `A file in BA (RABIT, GOAL) is recognized by its suffix .ba or its first lines. Its
symbols are the letters of words. See docs/formats.md.`

// addUnlisted adds the flag for files in BA that list no accepting states.
func addUnlisted(fs *pflag.FlagSet, u *hoa.Unlisted) {
	fs.Var((*unlistedFlag)(u), "ba-accepting", "treat `STATES` as accepting if none are listed: all, none")
}

// unlistedFlag is the value of --ba-accepting.
type unlistedFlag hoa.Unlisted

func (u *unlistedFlag) Set(text string) error {
	v, ok := hoa.ParseUnlisted(text)
	if !ok {
		return fmt.Errorf("expected all, none or ask")
	}
	*u = unlistedFlag(v)
	return nil
}

func (u *unlistedFlag) String() string { return hoa.Unlisted(*u).String() }

func (u *unlistedFlag) Type() string { return "STATES" }

// readsBA adds the flags of a command that reads automata.
func (a *app) readsBA(c *cobra.Command) *cobra.Command {
	addUnlisted(c.Flags(), &a.unlisted)
	return c
}

// addUnite adds the flag of a command that reads two automata, or of bench.
func addUnite(fs *pflag.FlagSet, unite *bool) {
	fs.BoolVar(unite, "unite-symbols", false, "give both automata the symbols of either")
}

// paired returns two automata to compare: with --unite-symbols, over the symbols of both.
func (a *app) paired(x, y *omega.Automaton) (v, w *omega.Automaton, err error) {
	if a.unite {
		v, w, err = omega.UniteSymbols(a.limits.WithMemory(a.ctx), x, y)
	} else if v, w, err = x, y, omega.SameSymbols(x.Alphabet(), y.Alphabet()); err != nil {
		err = fmt.Errorf("%w; --unite-symbols gives both automata all symbols", err)
	}
	return v, w, err
}

// writeBA writes any automaton that has an equivalent Büchi automaton within the limits.
func (a *app) writeBA(ctx context.Context, w io.Writer, x *omega.Automaton) error {
	var form formFlags
	if name := x.Acceptance().Name(); x.Alternating() || name != "Buchi" && name != "all" {
		form.Buchi = true
		var err error
		if x, err = a.form(x, &form); err != nil {
			return err
		}
	}
	x, err := convert.OneStart(x)
	if err != nil {
		return err
	}
	return hoa.WriteBA(ctx, w, x)
}
