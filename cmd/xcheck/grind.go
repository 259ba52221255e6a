package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// grindFlags are the flags of grind.
type grindFlags struct {
	runFlags
	steps    stepFlags
	maxCalls int

	list      bool
	mutations int
	maxCount  int
	sort      bool
	out       formulaFlags // of list
}

// stepFlags choose kinds of steps.
type stepFlags []struct {
	name, about string
	kind        ltl.Steps
	on          bool
}

func newStepFlags() stepFlags {
	return stepFlags{
		{name: "ap-to-const", kind: ltl.PropToConst, about: "replace a proposition with 0 or 1"},
		{name: "remove-one-ap", kind: ltl.MergeProps, about: "replace a proposition with another one everywhere"},
		{name: "remove-multop-operands", kind: ltl.DropOperand, about: "drop an operand of a conjunction or disjunction"},
		{name: "remove-ops", kind: ltl.RemoveOp, about: "replace any other operator with its operand"},
		{name: "split-ops", kind: ltl.SplitOp, about: "expand <-> or xor, and drop one side"},
		{name: "rewrite-ops", kind: ltl.RewriteOp, about: "replace a U b with a W b, and similar"},
		{name: "subformulas", kind: ltl.Leap, about: "jump to a subformula, or drop many operands"},
		{name: "to-const", kind: ltl.ToConst, about: "replace any other subformula with 0 or 1"},
		{name: "lower-ops", kind: ltl.LowerOp, about: "simplify operators, such as a W b to Ga"},
		{name: "everywhere", kind: ltl.Everywhere, about: "change all occurrences of a subformula at once"},
	}
}

func (f stepFlags) add(c *cobra.Command) {
	for i := range f {
		c.Flags().BoolVar(&f[i].on, f[i].name, false, f[i].about)
	}
}

// chosen returns the kinds that are asked for, or all.
func (f stepFlags) chosen() ltl.Steps {
	var kinds ltl.Steps
	for _, x := range f {
		if x.on {
			kinds |= x.kind
		}
	}
	return cmp.Or(kinds, ltl.AllSteps)
}

func (a *app) grindCommand() *cobra.Command {
	f := &grindFlags{runFlags: runFlags{random: randomFlags{size: "1..12", ap: "3"}}, steps: newStepFlags()}
	c := &cobra.Command{
		Use:   "grind [flags]",
		Short: "Shrink formulas on which translators fail",
		Long: `Runs the translators on the formulas. Shrinks each failing formula step by step
while the same translators still fail in the same way. Prints the smallest
formula, and what fails as a comment (#).

With --list, it prints the formulas that are one step smaller, and runs nothing.
The flags for kinds of steps (--help-all) limit it to these.`,
		Example: `  xcheck grind -f 'G(a -> X(a U (b & X c)))' -t '{mine} mytool %f'
  xcheck grind -F bogus.ltl -t 'mytool %f' | xcheck run -t 'mytool %f'
  xcheck grind --list -f 'a U G(b <-> c)'
  xcheck grind --list -f 'a U G(b <-> c)' --split-ops -m 2 --sort -n 20`,
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if f.config == "" && len(f.formulas)+len(f.patterns)+len(f.files) == 0 {
				return errors.New("no formulas: add some with -f, -F, --patterns or a configuration")
			}
			if f.list || c.Flags().Changed("mutations") {
				return a.listMutations(c, f)
			}
			for _, name := range formulaFlagNames {
				if c.Flags().Changed(name) {
					return fmt.Errorf("--%s needs --list", name)
				}
			}
			return a.grind(c, f)
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.addFormulas(fs, "shrink")
	f.addTranslators(fs)
	f.addLimits(fs, "translator")
	f.check.add(c, "complement", false)
	fs.IntVar(&f.maxCalls, "max-calls", 0, "stop a formula after `N` translator calls (0: no limit)")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print each smaller formula to standard error")
	fs.BoolVar(&f.list, "list", false, "print formulas one step smaller, and run nothing")
	fs.IntVarP(&f.mutations, "mutations", "m", 1, "list formulas `N` steps smaller")
	fs.IntVarP(&f.maxCount, "max-count", "n", 0, "list at most `N` formulas for each (0: all)")
	fs.BoolVar(&f.sort, "sort", false, "list the smallest formulas first")
	f.out.add(c)
	f.steps.add(c)
	return c
}

// grind makes the formulas smaller on which translators fail.
func (a *app) grind(c *cobra.Command, f *grindFlags) (err error) {
	config, err := f.load(c)
	if err != nil {
		return err
	}
	tools, err := f.translators(config)
	if err != nil {
		return err
	}
	if tools, _, err = a.startable(tools, f.ignoreMissing); err != nil {
		return err
	}
	next, _, err := a.source(config)
	if err != nil {
		return err
	}
	runner, err := newRunner(config.Limits)
	if err != nil {
		return err
	}
	a.orderly.Store(true)
	defer func() { err = errors.Join(err, a.closeRunner(runner)) }()
	g := &grinding{app: a, grindFlags: f, options: f.options(config, tools, runner), grinders: map[string]*cross.Grinder{}}
	var cases []*outcome.Case
	if err := cross.Run(a.ctx, g.options, next, func(c *outcome.Case) error {
		cases = append(cases, c)
		return nil
	}); err != nil {
		return err
	}
	if len(cases) == 0 {
		return noFormulas(config)
	}
	for _, c := range cases {
		if err := g.formula(c); err != nil {
			return err
		}
	}
	return g.status.err()
}

// grinding is one call of the command.
type grinding struct {
	*app
	*grindFlags
	options  cross.Options
	grinders map[string]*cross.Grinder
	status   status
}

// ground is the answer for one failure, or for a formula with none.
type ground struct {
	Formula  string           `json:"formula"`
	Negated  bool             `json:"negated"` // its negation is what was ground
	Failure  *outcome.Failure `json:"failure"`
	Smallest string           `json:"smallest,omitempty"`
	Size     int              `json:"size"`
	Minimal  bool             `json:"minimal"` // no formula one step smaller fails
	Steps    int              `json:"steps"`
	Tried    int              `json:"tried"` // formulas
	Calls    int              `json:"calls"` // of translators
	Word     string           `json:"word,omitempty"`
	Shortest bool             `json:"shortest"` // no shorter word shows the same
}

// formula grinds a formula for each of its failures.
func (g *grinding) formula(c *outcome.Case) error {
	for _, e := range append(slices.Clone(c.Errors), c.Error) {
		if e != "" {
			fmt.Fprintf(g.err, "xcheck: %s\n", e)
			g.status = statusTrouble
		}
	}
	if c.Error != "" {
		return nil
	}
	failures := c.Failures()
	if len(failures) == 0 {
		return g.answer("# "+c.Formula+": no translator fails", ground{Formula: c.Formula})
	}
	g.status = max(g.status, statusOther)
	for _, failure := range failures {
		if err := g.failure(c, failure); err != nil {
			return err
		}
	}
	return nil
}

func (g *grinding) failure(c *outcome.Case, failure outcome.Failure) error {
	store := ltl.NewStore()
	f, err := store.Parse(c.Formula, ltl.Spot)
	if err != nil {
		return err
	}
	polarity := cross.PolarityOf(c, failure)
	grinder := g.grinder(failure)
	before := grinder.Calls()
	got, err := grinder.Grind(g.ctx, cross.Grind{
		Formula:  f,
		Fails:    failure.In,
		Polarity: polarity,
		Steps:    g.steps.chosen(),
		MaxCalls: g.maxCalls,
		Timeout:  cross.CandidateTimeout(c, failure),
		Smaller: func(f *ltl.Formula) {
			if g.verbose {
				fmt.Fprintln(g.app.err, f)
			}
		},
	})
	if err != nil {
		return err
	}
	x := ground{
		Formula: c.Formula, Negated: polarity == cross.Negative, Failure: &failure,
		Smallest: got.Formula.String(), Size: got.Formula.Size(), Minimal: got.Minimal,
		Steps: got.Steps, Tried: got.Tried, Calls: grinder.Calls() - before,
	}
	if got.Case != nil {
		c = got.Case
	}
	for _, d := range c.Disagreements {
		if d.Kind == failure.Class && (x.Word == "" || len(d.Word) < len(x.Word)) {
			x.Word, x.Shortest = d.Word, d.Shortest
		}
	}
	return g.answer(x.text(), x)
}

// grinder returns the Grinder for the translators of a failure.
func (g *grinding) grinder(failure outcome.Failure) *cross.Grinder {
	property := strings.HasPrefix(failure.Class, "property:")
	key := fmt.Sprint(property, failure.Translators)
	if g.grinders[key] == nil {
		o := g.options
		o.Properties = property
		// Those that the others are compared with first are needed, too.
		o.Tools = slices.DeleteFunc(slices.Clone(o.Tools), func(t *translators.Tool) bool {
			return !t.Reference && !slices.Contains(failure.Translators, t.Name)
		})
		g.grinders[key] = cross.NewGrinder(o)
	}
	return g.grinders[key]
}

// text is the answer for people, of which all but the formula are comments.
func (x *ground) text() string {
	var b strings.Builder
	input := x.Formula
	if x.Negated {
		input = "!(" + input + ")"
	}
	class := strings.Join(strings.Fields(report.ClassName(x.Failure.Class)), " ")
	if x.Word != "" {
		class += " words"
	}
	fmt.Fprintf(&b, "# %s: %s: %s\n#   %d formulas tried, %d calls", input, strings.Join(x.Failure.Translators, ", "), class, x.Tried, x.Calls)
	if x.Word != "" {
		fmt.Fprintf(&b, "; word %s", x.Word)
		if x.Shortest {
			b.WriteString(" (shortest)")
		}
	}
	if !x.Minimal {
		b.WriteString("; --max-calls reached: smaller formulas may fail")
	}
	b.WriteString("\n" + x.Smallest)
	return b.String()
}

// listMutations prints the formulas that are some steps smaller than those given.
func (a *app) listMutations(c *cobra.Command, f *grindFlags) error {
	if f.mutations < 0 || f.maxCount < 0 {
		return errors.Join(atLeast("mutations", f.mutations, 0), atLeast("max-count", f.maxCount, 0))
	}
	config, err := f.load(c)
	if err != nil {
		return err
	}
	p, err := a.printer(&f.out)
	if err != nil {
		return err
	}
	next, _, err := a.source(config)
	if err != nil {
		return err
	}
	for {
		in, err := next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = in.Err
		}
		if err != nil {
			return err
		}
		list, err := a.mutated(in.Formula, f)
		if err != nil {
			return err
		}
		for _, g := range list {
			err := a.print(p, g, func(text string) any {
				return map[string]any{"formula": text, "size": g.Size(), "of": in.Formula.String()}
			})
			if err != nil {
				return err
			}
		}
	}
}

// mutated returns the formulas that are so many steps smaller than one. With --sort, all
// are found before the first are taken.
func (a *app) mutated(f *ltl.Formula, flags *grindFlags) ([]*ltl.Formula, error) {
	store := ltl.NewStore()
	list := []*ltl.Formula{store.Import(f)}
	for i := range flags.mutations {
		var smaller []*ltl.Formula
		seen := map[*ltl.Formula]bool{}
		last := i == flags.mutations-1 && !flags.sort
	all:
		for _, g := range list {
			for h := range store.Shrink(g, flags.steps.chosen()) {
				if err := a.ctx.Err(); err != nil {
					return nil, err
				}
				if seen[h] {
					continue
				}
				seen[h] = true
				if smaller = append(smaller, h); last && len(smaller) == flags.maxCount {
					break all
				}
			}
		}
		list = smaller
	}
	if flags.sort {
		slices.SortStableFunc(list, func(a, b *ltl.Formula) int { return cmp.Compare(a.Size(), b.Size()) })
	}
	if n := flags.maxCount; n > 0 && len(list) > n {
		list = list[:n]
	}
	return list, nil
}
