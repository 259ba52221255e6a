package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/session"
)

type grindFlags struct {
	runFlags
	maxCalls int

	list      bool
	mutations int
	maxCount  int
	sort      bool
	out       formulaFlags // of list
}

// steps are the flags that choose kinds of steps.
var steps = []struct {
	name  string
	kind  ltl.Steps
	about string
}{
	{"ap-to-const", ltl.PropToConst, "replace a proposition with 0 or 1"},
	{"remove-one-ap", ltl.MergeProps, "replace a proposition with another one everywhere"},
	{"remove-multop-operands", ltl.DropOperand, "drop an operand of a conjunction, disjunction or concatenation"},
	{"remove-ops", ltl.RemoveOp, "replace any other operator with its operand"},
	{"split-ops", ltl.SplitOp, "expand <-> or xor, and drop one side"},
	{"rewrite-ops", ltl.RewriteOp, "replace a U b with a W b, and similar"},
	{"subformulas", ltl.Leap, "jump to a subformula, or drop many operands"},
	{"to-const", ltl.ToConst, "replace any other subformula with 0 or 1"},
	{"lower-ops", ltl.LowerOp, "simplify operators, such as a W b to Ga"},
	{"everywhere", ltl.Everywhere, "change all occurrences of a subformula at once"},
}

// steps returns the kinds that are asked for, or all.
func (f *grindFlags) steps() (kinds ltl.Steps) {
	for _, x := range steps {
		if on, _ := f.flags.GetBool(x.name); on {
			kinds |= x.kind
		}
	}
	return cmp.Or(kinds, ltl.AllSteps)
}

func (a *app) grindCommand() *cobra.Command {
	f := &grindFlags{}
	c := &cobra.Command{
		Use: "grind [flags] [FILE]…",
		Long: `Runs the translators on the formulas. Shrinks each failing formula step by step
while the same translators still fail in the same way. Prints the smallest
formula, and what fails as a comment (#).

With --list, or if no translator is named, it prints the formulas that are one
step smaller, as ltlgrind does. The flags under Steps (--help-all) allow only
the kinds of steps that they name.`,
		Example: `  xcheck grind -f 'G(a -> X(a U (b & X c)))' -t '{mine} mytool %f'
  xcheck grind -F bogus.ltl -t 'mytool %f' | xcheck run -t 'mytool %f'
  xcheck grind --list -f 'a U G(b <-> c)'
  xcheck grind --list -f 'a U G(b <-> c)' --split-ops -m 2 --sort -n 20`,
		RunE: func(c *cobra.Command, args []string) error {
			for _, text := range args {
				if meant := meantFlag(text); strings.HasPrefix(meant, "-f ") {
					return fmt.Errorf("%q is not a file%s", text, spelling.DidYouMean(meant))
				}
			}
			// Formulas come from a pipe if nothing says where else.
			if f.files = append(f.files, args...); f.config == "" && !f.given() {
				if full, err := a.piped("formulas", 0, true, true); err != nil {
					return err
				} else if full {
					f.files = []string{"-"}
				}
			}
			if f.config == "" && !f.given() {
				return errors.New("no formulas: add some with -f, -F, --patterns or a configuration")
			}
			// Without a translator there is nothing that could fail: ltlgrind lists, too.
			if f.list || c.Flags().Changed("mutations") || !f.names() {
				return a.listMutations(f)
			}
			if err := cli.NoneOf(f.flags, "--%s needs --list", formulaFlagNames...); err != nil {
				return err
			}
			return a.grind(f)
		},
	}
	f.begin(c, kind{"grind", "formula", "formulas", "translator"})
	fs := f.flags
	f.addFormulas("shrink")
	f.addTranslators()
	f.addSettings()
	f.describe("verbose", "false", "print each smaller formula to standard error")
	fs.IntVar(&f.maxCalls, "max-calls", 0, "stop a formula after `N` translator calls (0: no limit)")
	fs.BoolVar(&f.list, "list", false, "print formulas one step smaller, and run nothing")
	fs.IntVarP(&f.mutations, "mutations", "m", 1, "list formulas `N` steps smaller")
	fs.IntVarP(&f.maxCount, "max-count", "n", 0, "list at most `N` formulas for each (0: all)")
	fs.BoolVar(&f.sort, "sort", false, "list the smallest formulas first")
	f.out.add(c)
	for _, x := range steps {
		fs.Bool(x.name, false, x.about)
	}
	return c
}

// names reports whether flags say which translators there are.
func (f *grindFlags) names() bool {
	return slices.ContainsFunc([]string{"config", "translator", "stream", "reference", "options", "with-options", "no-builtin", "no-found", "no-reference", "max-calls"},
		f.flags.Changed)
}

// grind makes the formulas smaller on which translators fail.
func (a *app) grind(f *grindFlags) error {
	plan, err := f.ready(a)
	if err != nil {
		return err
	}
	plan.Empty = f.noInputs(plan.Config)
	how := session.Shrinking{Steps: f.steps(), MaxCalls: f.maxCalls}
	if plan.Config.Output.Verbose {
		how.Smaller = func(f *ltl.Formula) { fmt.Fprintln(a.err, f) }
	}
	a.startRun(plan.Config)
	result, err := session.Shrink(a.ctx, plan, how, func(x *session.Shrunk) error { return a.answer(x.String(), x) })
	if result != nil { // an error may come with a result
		a.closed, a.status = result.Closing, result.Status
	}
	return err
}

// listMutations prints the formulas that are some steps smaller than those given.
func (a *app) listMutations(f *grindFlags) error {
	if f.mutations < 0 || f.maxCount < 0 {
		return errors.Join(cli.AtLeast("mutations", f.mutations, 0), cli.AtLeast("max-count", f.maxCount, 0))
	}
	plan, err := f.begun(a) // without tools: nothing is called
	if err != nil {
		return err
	}
	write, err := f.out.writer()
	if err != nil {
		return err
	}
	return eachFormula(a.ctx, plan, func(formula *ltl.Formula) error {
		list, err := f.smaller(a.ctx, formula)
		if err != nil {
			return err
		}
		for _, g := range list {
			err := a.print(write, g, func(text string) any {
				return smallerAnswer{text, g.Size(), formula.String()}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// smaller returns the formulas that are some steps smaller than f. The error comes from ctx.
func (how *grindFlags) smaller(ctx context.Context, f *ltl.Formula) ([]*ltl.Formula, error) {
	store := ltl.NewStore()
	list := []*ltl.Formula{store.Import(f)}
	for i := range how.mutations {
		var smaller []*ltl.Formula
		seen := map[*ltl.Formula]bool{}
		last := i == how.mutations-1 && !how.sort // then the first formulas are enough
	all:
		for _, g := range list {
			for h := range store.Shrink(g, how.steps()) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if seen[h] { // equal formulas of a store are one pointer
					continue
				}
				seen[h] = true
				if smaller = append(smaller, h); last && len(smaller) == how.maxCount {
					break all
				}
			}
		}
		list = smaller
	}
	if how.sort {
		slices.SortStableFunc(list, func(a, b *ltl.Formula) int { return cmp.Compare(a.Size(), b.Size()) })
	}
	if n := how.maxCount; n > 0 && len(list) > n {
		list = list[:n]
	}
	return list, nil
}
