package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
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
		Use:   "random -n N [--seed S] [--ap K or a,b,c] [--size A..B] [--past] [K or PROPOSITION…]",
		Short: "Print random formulas or automata",
		Long: `Prints N random formulas, one a line, or formulas without end if N is negative: no
two are the same, and none is trivially true or false (--keep-duplicates,
--keep-trivial). Formula k depends on the seed, the other options and k alone. The
propositions may also be given as arguments: their names, or their number.

The weights of operators are set with --weights X=0,U=3. By default they are 1, for
ap, which is all propositions together, their number, and 0 for the operators of the past
(Y Z O H S T) unless there is --past. --dump-weights prints them.

--weak-fairness adds one to three conditions GF b to each formula, where b is a random
Boolean formula. --simplify rewrites each formula: 1 applies identities, 2 rewriting
rules as well, 3 also those with the condition that one formula implies another. --size is
that before either.

` + formulaHelp + `

The long names of options of Spot's tools are taken too: --formulas, --tree-size,
--allow-dups, --ltl-priorities, --boolean-priorities, --dump-priorities, --sba and --sbacc.`,
		Example: `  xcheck random -n 10
  xcheck random -n 10 --seed 7 --size 5..20 --weights 'X=0,xor=0' a b c
  xcheck random -n 10 --past --weak-fairness --simplify 3
  xcheck random -n -1 --boolean --size 30 | head
  xcheck random -n 10 --to spin --format '%s,%f'
  xcheck random --past --dump-weights`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if c.Flags().Changed("ap") {
					return fmt.Errorf("propositions %s: they are given with --ap already", strings.Join(args, " "))
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
	c.Flags().IntVarP(&n, "number", "n", 1, "number of formulas or automata; negative: no end")
	c.Flags().BoolVar(&weights, "dump-weights", false, "print the weights of operators instead of formulas")
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
	c.Flags().Uint64Var(&o.seed, "seed", 0, "seed of the random numbers")
	c.Flags().StringVar(&o.ap, "ap", o.ap, "number of propositions, or their names: a,b,c")
	c.Flags().StringVar(&o.size, "size", o.size, "size of the formulas' syntax trees: A..B, or one number")
	c.Flags().StringVar(&o.weights, "weights", "", "weights of operators: X=0,U=3")
	c.Flags().BoolVar(&o.past, "past", false, "formulas with operators of the past")
	c.Flags().BoolVar(&o.boolean, "boolean", false, "formulas without temporal operators")
	c.Flags().BoolVar(&o.fair, "weak-fairness", false, "add conditions of weak fairness: GF of Boolean formulas")
	c.Flags().IntVar(&o.simplify, "simplify", 0, "level to which formulas are simplified: 0 (not at all) to 3")
	c.Flags().BoolVar(&o.trivial, "keep-trivial", false, "keep formulas that are trivially true or false")
	c.Flags().BoolVar(&o.duplicates, "keep-duplicates", false, "keep formulas that came before")
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
	if r.Props, err = propositions(o.ap); err != nil {
		return r, err
	}
	if r.MinSize, r.MaxSize, err = configs.ParseSizes(o.size); err != nil {
		return r, fmt.Errorf("--size: %w", err)
	}
	if o.weights != "" {
		r.Weights, err = ltl.ParseWeights(o.weights)
	}
	return r, err
}

// propositions reads "3" (p0, p1, p2) or "a,b,c".
func propositions(text string) ([]string, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		names := strings.Split(text, ",")
		for i, name := range names {
			if name == "" {
				return nil, fmt.Errorf("--ap %q: expected a number, or names: a,b,c", text)
			}
			if slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("--ap %s: %s is there twice", text, name)
			}
		}
		return names, nil
	}
	if n < 0 || n > 1000 {
		return nil, fmt.Errorf("--ap %s: expected 0 to 1000 propositions", text)
	}
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("p%d", i))
	}
	return list, nil
}
