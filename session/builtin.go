package session

import (
	"context"
	"io"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// translation returns the built-in tool that translates formulas with an algorithm.
func translation(algorithm string) translators.Builtin {
	return func(ctx context.Context, in string, out io.Writer) error {
		store := ltl.NewStore()
		f, err := store.Parse(in, ltl.Spot)
		if err != nil {
			return err
		}
		a, err := translate.With(ctx, algorithm, store, f)
		if err != nil {
			return err
		}
		return hoa.Write(ctx, out, a)
	}
}

// A construction makes an automaton of another one.
type construction func(context.Context, *omega.Automaton) (*omega.Automaton, error)

// complemented is the construction of complements by an algorithm.
func complemented(algorithm complement.Algorithm) construction {
	return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
		limits := productcheck.DefaultLimits
		co, _, err := complement.Smallest(ctx, algorithm, a, limits.Macrostates, limits.Memory/2)
		if err != nil {
			return nil, err
		}
		return reduce.WithoutDeadEnds(co), nil
	}
}

// formed is the construction of automata of a form.
func formed(form complement.Form) construction {
	return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
		limits := productcheck.DefaultLimits
		return form.Apply(ctx, a, limits.Macrostates, limits.Memory/2)
	}
}

// ownTools returns our own constructions as tools: those that complement automata, or those that
// keep the language.
func ownTools(complements bool, limits configs.Limits) (tools []*translators.Tool, err error) {
	type own struct {
		command string // what a user types to get the same
		construction
	}
	list := []own{
		{"{buchi} xcheck convert --buchi -", formed(complement.Form{Buchi: true})},
		{"{state-based} xcheck convert --state-based -", formed(complement.Form{StateBased: true})},
		{"{deterministic} xcheck convert --deterministic -", formed(complement.Form{Deterministic: true})},
		{"{complete} xcheck convert --complete -", formed(complement.Form{Complete: true})},
	}
	if complements {
		list = []own{
			{"{complement} xcheck complement -", complemented("")},
			{"{determinization} xcheck complement --algorithm determinization -", complemented("determinization")},
		}
	}
	for _, x := range list {
		tool, err := automatonTool(x.command, translators.Stream, limits)
		if err != nil {
			return nil, err
		}
		tool.Version = version.Own()
		tool.Builtin = func(ctx context.Context, in string, out io.Writer) error {
			a, _, err := hoa.ReadOne(ctx, []byte(in))
			if err == nil {
				a, err = x.construction(ctx, a)
			}
			if err != nil {
				return err
			}
			return hoa.Write(ctx, out, a)
		}
		tools = append(tools, tool)
	}
	return tools, nil
}
