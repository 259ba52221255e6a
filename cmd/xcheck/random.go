package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
)

func (a *app) randomCommand() *cobra.Command {
	n, weights, quiet := 1, false, false
	var o randomFlags
	var out formulaFlags
	var automata randomAutomata
	var given mixFlags
	c := &cobra.Command{
		Use: "random [flags] [N | PROPOSITION…]",
		Long: `Prints random formulas, one per line, without duplicates and trivial formulas.
Arguments name the propositions, or say how many to use. With --automata, it
prints random automata instead (--to hoa, never, lbtt, ba or dot).

With -f, -F or --patterns, it combines these formulas: each is an operand of size
1. The combinations are Boolean and of size 5, unless flags say otherwise. They
keep the propositions, unless --ap or arguments give others to draw from.

Formula k depends only on the seed, the other flags and k.
The long options of randltl, ltlmix and randaut work as well (docs/ltlcross-options.md).

` + formulaHelp,
		Example: `  xcheck random -n 10
  xcheck random -n 10 --seed 7 --size 5..20 --weights X=0,xor=0 a b c
  xcheck random -n 10 --psl --sere-weights first_match=0,fstar=0
  xcheck random -n 10 -f GFa -f 'G(a -> Fb)' --size 3..9 --ap 5
  xcheck random --automata -n 10 -Q 3..6 -A 'Streett 1..2'
  xcheck random --automata -D --to dot | dot -Tsvg > a.svg`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := noFiles(args); err != nil {
				return err
			}
			if len(args) > 0 {
				if c.Flags().Changed("ap") {
					return fmt.Errorf("arguments %q: --ap already names the propositions", strings.Join(args, " "))
				}
				if err := c.Flags().Set("ap", strings.Join(args, ",")); err != nil {
					return err
				}
			}
			if automata.wanted {
				return automata.run(a, c, n, &o, &out, quiet)
			} else if err := automata.forFormulas(c); err != nil {
				return err
			}
			mixing, err := given.wanted(c)
			if err != nil {
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
			draw, all, kinds, err := a.draw(c, options, mixing, &given)
			if err != nil {
				return err
			}
			if weights {
				return a.dumpWeights(all, kinds)
			}
			for k := 0; k < n || n < 0; k++ {
				f, err := draw(a.ctx)
				if err != nil {
					return err
				}
				err = a.print(p, f, func(text string) any { return formulaAnswer{text, f.Size()} })
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 1, "print `N` formulas or automata (-1: no end)")
	c.Flags().BoolVar(&weights, "dump-weights", false, "print the operator weights instead")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "generate the automata and print nothing")
	o.add(c, "3", "1..15")
	o.addProfile(c)
	out.add(c)
	given.add(c)
	automata.add(c)
	c.Flags().SetNormalizeFunc(spotNames)
	return c
}

// noFiles fails if an argument is a file with formulas, and no proposition.
func noFiles(args []string) error {
	for _, text := range args {
		info, err := os.Stat(text)
		if text == "-" || strings.ContainsAny(text, "./") && err == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%q is not a proposition; use -F %[1]s to combine its formulas", text)
		}
	}
	return nil
}

// draw returns what draws the next formula, and the weights of operators and expressions.
func (a *app) draw(c *cobra.Command, options *configs.Random, mixing bool, given *mixFlags) (
	next func(context.Context) (*ltl.Formula, error), weights map[ltl.Op]int, kinds map[ltl.SEREKind]int, err error) {
	if mixing {
		m, err := given.mixer(a, c, options)
		if err != nil {
			return nil, nil, nil, err
		}
		return m.Next, m.Weights(), nil, nil
	}
	g, err := ltl.NewGenerator(options.RandomOptions)
	if err != nil {
		return nil, nil, nil, err
	}
	if options.Profile != "" {
		return random.New(options.Profile, options.Seed).Next, g.Weights(), nil, nil
	}
	return g.NextContext, g.Weights(), g.SEREWeights(), nil
}

// spotNames gives the long options of randltl, ltlmix and randaut the names of our flags.
func spotNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(cmp.Or(randltlNames[name], name))
}

// randltlNames are options of randltl, ltlmix and randaut that have another name here.
var randltlNames = map[string]string{"formulas": "number", "tree-size": "size", "allow-dups": "keep-duplicates",
	"ltl-priorities": "weights", "sere-priorities": "sere-weights", "boolean-priorities": "weights", "dump-priorities": "dump-weights",
	"ap-count": "ap", "sba": "ba", "sbacc": "state-based-acceptance"}

// dumpWeights prints the weights of operators as --weights takes them. With PSL, it also prints the
// weights of expressions as --sere-weights takes them.
func (a *app) dumpWeights(weights map[ltl.Op]int, kinds map[ltl.SEREKind]int) error {
	for _, op := range slices.Sorted(maps.Keys(weights)) {
		value := weightAnswer{Operator: op.String(), Weight: weights[op]}
		if err := a.answer(fmt.Sprintf("%s=%d", op, weights[op]), value); err != nil {
			return err
		}
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		value := weightAnswer{Expression: k.String(), Weight: kinds[k]}
		if err := a.answer(fmt.Sprintf("%s=%d", k, kinds[k]), value); err != nil {
			return err
		}
	}
	return nil
}

// randomFlags are the flags that describe random formulas.
type randomFlags struct {
	settings[configs.Random]
	seed uint64
	ap   string
}

// addSeed adds the flags of random inputs of any kind: their seed and propositions.
func (f *randomFlags) addSeed(c *cobra.Command, ap string) {
	f.flags = c.Flags()
	s := &f.settings
	f.flags.Uint64Var(&f.seed, "seed", 0, seedHelp)
	bind(s, "seed", &f.seed, func(r *configs.Random, seed uint64) error {
		r.Seed, r.Seeded = seed, true
		return nil
	})
	f.flags.StringVar(&f.ap, "ap", ap, "use propositions `PROPS`, such as 3 or a,b,c")
	bind(s, "ap", &f.ap, func(r *configs.Random, ap string) (err error) {
		if r.Props, err = configs.ParseProps(ap); err != nil {
			return fmt.Errorf("--ap %q: %w", ap, err)
		}
		return nil
	})
}

// add adds all of the flags to a command, with the defaults of some.
func (f *randomFlags) add(c *cobra.Command, ap, size string) {
	f.addSeed(c, ap)
	s := &f.settings
	sizes := f.flags.String("size", size, "generate formulas with `A..B` nodes")
	bind(s, "size", sizes, func(r *configs.Random, size string) (err error) {
		if r.MinSize, r.MaxSize, err = configs.ParseSizes(size); err != nil {
			return fmt.Errorf("--size: %w", err)
		}
		return nil
	})
	weights := f.flags.String("weights", "", "set operator weights, such as `X=0,U=3`")
	bind(s, "weights", weights, func(r *configs.Random, weights string) (err error) {
		if r.Weights = nil; weights != "" {
			r.Weights, err = ltl.ParseWeights(weights)
		}
		return err
	})
	s.either("past", "use past operators as well", func(r *configs.Random) *bool { return &r.Past })
	s.either("psl", "use regular expressions of PSL", func(r *configs.Random) *bool { return &r.PSL })
	sere := f.flags.String("sere-weights", "", "set `WEIGHTS` of expressions, such as and=0")
	bind(s, "sere-weights", sere, func(r *configs.Random, weights string) (err error) {
		if r.SEREWeights = nil; weights != "" {
			r.SEREWeights, err = ltl.ParseSEREWeights(weights)
		}
		return err
	})
	s.either("boolean", "use no temporal operators", func(r *configs.Random) *bool { return &r.Boolean })
	s.either("weak-fairness", "add weak fairness conditions such as GFa", func(r *configs.Random) *bool { return &r.WeakFairness })
	level := f.flags.Int("simplify", 0, "simplify formulas to `LEVEL` 1, 2 or 3")
	f.flags.Lookup("simplify").NoOptDefVal = "3"
	bind(s, "simplify", level, func(r *configs.Random, level int) error {
		if level < 0 || level > int(ltl.LevelImplications) {
			return fmt.Errorf("--simplify %d: expected a level from 0 to %d", level, ltl.LevelImplications)
		}
		r.Simplify = ltl.Level(level)
		return nil
	})
	s.either("keep-trivial", "keep formulas that simplify to true or false", func(r *configs.Random) *bool { return &r.KeepTrivial })
	s.either("keep-duplicates", "keep duplicate random formulas", func(r *configs.Random) *bool { return &r.KeepDuplicates })
}

// uniform are the flags of formulas that have no profile.
var uniform = []string{"ap", "size", "weights", "past", "psl", "sere-weights", "boolean", "weak-fairness", "simplify", "keep-trivial", "keep-duplicates"}

// addProfile adds the choice of a profile, which says all that the flags of uniform formulas say.
func (f *randomFlags) addProfile(c *cobra.Command) {
	profile := f.text("profile", "", "", "draw formulas of the `PROFILE` small or large")
	f.list = append(f.list, func(r *configs.Random) (err error) {
		asked := slices.ContainsFunc(uniform, f.flags.Changed)
		switch chosen := f.flags.Changed("profile"); {
		case chosen && asked:
			return errors.New("--profile has sizes, propositions and weights of its own: drop the other flags of random formulas")
		case chosen:
			r.Profile, err = random.ParseProfile(*profile)
		case asked || f.all:
			r.Profile = ""
		}
		return err
	})
}

// options returns what the flags and their defaults say.
func (f *randomFlags) options() (*configs.Random, error) {
	var r configs.Random
	f.all = true
	err := f.override(&r)
	return &r, err
}
