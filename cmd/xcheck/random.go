package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/ltl"
)

func (a *app) randomCommand() *cobra.Command {
	n, weights := 1, false
	o := randomFlags{size: "1..15", ap: "3"}
	var out formulaFlags
	var automata randomAutomata
	c := &cobra.Command{
		Use:   "random [flags] [N | PROPOSITION…]",
		Short: "Print random formulas or automata",
		Long: `Prints random formulas, one per line, without duplicates and trivial formulas.
Arguments name the propositions, or say how many to use. With --automata, it
prints random automata instead (--to hoa, never, lbtt or dot).

Formula k depends only on the seed, the other flags and k.
The long options of randltl and randaut work as well (docs/ltlcross.md).

` + formulaHelp,
		Example: `  xcheck random -n 10
  xcheck random -n 10 --seed 7 --size 5..20 --weights X=0,xor=0 a b c
  xcheck random -n 10 --past --weak-fairness --simplify 3
  xcheck random -n -1 --boolean --size 30 | head
  xcheck random --automata -n 10 -Q 3..6 -A 'Streett 1..2'
  xcheck random --automata -D --to dot | dot -Tsvg > a.svg`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if c.Flags().Changed("ap") {
					return fmt.Errorf("arguments %q: --ap already names the propositions", strings.Join(args, " "))
				}
				o.ap = strings.Join(args, ",")
			}
			if automata.wanted {
				return automata.run(a, c, n, &o, &out)
			} else if err := automata.forFormulas(c); err != nil {
				return err
			}
			options, err := o.options()
			if err != nil {
				return err
			}
			p, err := a.printer(&out)
			if err != nil {
				return err
			}
			g, err := ltl.NewGenerator(options)
			if err != nil {
				return err
			}
			if weights {
				return a.dumpWeights(g)
			}
			for k := 0; k < n || n < 0; k++ {
				f, err := g.NextContext(a.ctx)
				if err != nil {
					return err
				}
				err = a.print(p, f, func(text string) any { return map[string]any{"formula": text, "size": f.Size()} })
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 1, "print `N` formulas or automata (-1: no end)")
	c.Flags().BoolVar(&weights, "dump-weights", false, "print the operator weights instead")
	o.add(c)
	out.add(c)
	automata.add(c)
	c.Flags().SetNormalizeFunc(spotNames)
	return c
}

// spotNames gives the long options of randltl and randaut the names of our flags.
func spotNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "formulas":
		name = "number"
	case "tree-size":
		name = "size"
	case "allow-dups":
		name = "keep-duplicates"
	case "ltl-priorities", "boolean-priorities":
		name = "weights"
	case "dump-priorities":
		name = "dump-weights"
	case "sba":
		name = "ba"
	case "sbacc":
		name = "state-based-acceptance"
	}
	return pflag.NormalizedName(name)
}

// dumpWeights prints the weight of each operator, as --weights takes it.
func (a *app) dumpWeights(g *ltl.Generator) error {
	weights := g.Weights()
	for _, op := range slices.Sorted(maps.Keys(weights)) {
		value := map[string]any{"operator": op.String(), "weight": weights[op]}
		if err := a.answer(fmt.Sprintf("%s=%d", op, weights[op]), value); err != nil {
			return err
		}
	}
	return nil
}

// randomFlags are the flags that describe random formulas.
type randomFlags struct {
	seed          uint64
	ap, size      string
	weights       string
	past, boolean bool
	fair          bool
	simplify      int
	trivial       bool
	duplicates    bool
}

func (o *randomFlags) add(c *cobra.Command) {
	c.Flags().Uint64Var(&o.seed, "seed", 0, "seed the random generator with `N`")
	c.Flags().StringVar(&o.ap, "ap", o.ap, "use propositions `PROPS`, such as 3 or a,b,c")
	c.Flags().StringVar(&o.size, "size", o.size, "generate formulas with `A..B` nodes")
	c.Flags().StringVar(&o.weights, "weights", "", "set operator weights, such as `X=0,U=3`")
	c.Flags().BoolVar(&o.past, "past", false, "use past operators as well")
	c.Flags().BoolVar(&o.boolean, "boolean", false, "use no temporal operators")
	c.Flags().BoolVar(&o.fair, "weak-fairness", false, "add weak fairness conditions such as GFa")
	c.Flags().IntVar(&o.simplify, "simplify", 0, "simplify formulas to `LEVEL` 1, 2 or 3")
	c.Flags().BoolVar(&o.trivial, "keep-trivial", false, "keep formulas that simplify to true or false")
	c.Flags().BoolVar(&o.duplicates, "keep-duplicates", false, "keep duplicate random formulas")
}

func (o *randomFlags) options() (ltl.RandomOptions, error) {
	r := ltl.RandomOptions{
		Seed:           o.seed,
		Past:           o.past,
		Boolean:        o.boolean,
		WeakFairness:   o.fair,
		Simplify:       ltl.Level(o.simplify),
		KeepTrivial:    o.trivial,
		KeepDuplicates: o.duplicates,
	}
	if o.simplify < 0 || o.simplify > int(ltl.LevelImplications) {
		return r, fmt.Errorf("--simplify %d: expected a level from 0 to %d", o.simplify, ltl.LevelImplications)
	}
	var err error
	if r.Props, err = configs.ParseProps(o.ap); err != nil {
		return r, fmt.Errorf("--ap %q: %w", o.ap, err)
	}
	if r.MinSize, r.MaxSize, err = configs.ParseSizes(o.size); err != nil {
		return r, fmt.Errorf("--size: %w", err)
	}
	if o.weights != "" {
		r.Weights, err = ltl.ParseWeights(o.weights)
	}
	return r, err
}
