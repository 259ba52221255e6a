package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	randomaut "github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/session"
)

func (a *app) randomCommand() *cobra.Command {
	n, weights, ofAutomata := 1, false, false
	var o randomFlags
	var out formulaFlags
	var automata automataFlags
	c := &cobra.Command{
		Use: "random [flags] [N | PROPOSITION…]",
		Long: `Prints random formulas, one per line, without duplicates or trivial formulas.
Arguments name the propositions, or say how many to use. With --automata, it
prints random automata instead (--to hoa, never, lbtt or dot).

Formula k depends only on the seed, the other flags and k.
The long options of randltl and randaut work as well (docs/ltlcross-options.md).`,
		Example: `  xcheck random -n 10
  xcheck random -n 10 --seed 7 --size 5..20 --weights X=0,xor=0 a b c
  xcheck random -n 10 --psl --sere-weights first_match=0,fstar=0
  xcheck random --automata -n 10 -Q 3..6 -A 'Streett 1..2'
  xcheck random --automata -D --to dot | dot -Tsvg > a.svg`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if c.Flags().Changed("ap") {
					return fmt.Errorf("arguments %q: --ap already names the propositions", strings.Join(args, " "))
				}
				if err := c.Flags().Set("ap", strings.Join(args, ",")); err != nil {
					return err
				}
			}
			if ofAutomata {
				return automata.print(a, c, n, &o, &out)
			}
			if err := cli.NoneOf(c.Flags(), "--%s needs --automata", automataFlagNames...); err != nil {
				return err
			}
			options, err := o.options()
			if err != nil {
				return err
			}
			write, err := out.writer()
			if err != nil {
				return err
			}
			g, err := ltl.NewGenerator(options.RandomOptions)
			if err != nil {
				return err
			}
			if weights { // as --weights and --sere-weights take them
				var list []weightAnswer
				all, kinds := g.Weights(), g.SEREWeights()
				for _, op := range slices.Sorted(maps.Keys(all)) {
					list = append(list, weightAnswer{Operator: op.String(), Weight: all[op]})
				}
				for _, k := range slices.Sorted(maps.Keys(kinds)) {
					if options.Profile == "" {
						list = append(list, weightAnswer{Expression: k.String(), Weight: kinds[k]})
					}
				}
				for _, x := range list {
					if err := a.answer(fmt.Sprintf("%s=%d", x.Operator+x.Expression, x.Weight), x); err != nil {
						return err
					}
				}
				return nil
			}
			options.Number = n
			plan := &session.Plan{Config: &configs.Config{Formulas: configs.Formulas{Random: options, AllowDups: true}}}
			return eachFormula(a.ctx, plan, func(f *ltl.Formula) error {
				return a.print(write, f, func(text string) any { return formulaAnswer{text, f.Size()} })
			})
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 1, "print `N` formulas or automata (-1: no end)")
	c.Flags().BoolVar(&weights, "dump-weights", false, "print the operator weights instead")
	o.add(&settings{flags: c.Flags()}, "3", "1..15")
	o.addProfile()
	out.add(c)
	c.Flags().BoolVar(&ofAutomata, "automata", false, "print automata instead of formulas")
	automata.add(c, "10")
	c.Flags().SetNormalizeFunc(renamed(randltlNames))
	return c
}

// randltlNames are options of randltl and randaut that have another name here.
var randltlNames = map[string]string{"formulas": "number", "tree-size": "size", "allow-dups": "keep-duplicates",
	"ltl-priorities": "weights", "sere-priorities": "sere-weights", "boolean-priorities": "weights", "dump-priorities": "dump-weights",
	"ap-count": "ap", "sba": "ba", "sbacc": "state-based-acceptance"}

// randomFlags are the flags that describe random formulas.
type randomFlags struct {
	*settings
	seed uint64
	ap   string
}

// addSeed adds the flags of random inputs of any kind: their seed and propositions.
func (f *randomFlags) addSeed(s *settings, ap string) {
	f.settings = s
	f.flags.Uint64Var(&f.seed, "seed", 0, seedHelp)
	bind(s, "seed", &f.seed, func(c *configs.Config, seed uint64) error {
		c.Checks.Products.Seed = seed
		if r := c.Formulas.Random; r != nil {
			r.Seed, r.Seeded = seed, true // a seed of 0 is a seed
		}
		return nil
	})
	f.flags.StringVar(&f.ap, "ap", ap, "use propositions `PROPS`, such as 3 or a,b,c")
	f.list = append(f.list, func(c *configs.Config) (err error) {
		if r := c.Formulas.Random; r != nil && (f.ap != "" || f.flags.Changed("ap")) {
			if r.Props, err = configs.ParseProps(f.ap); err != nil {
				return fmt.Errorf("--ap %q: %w", f.ap, err)
			}
		}
		return nil
	})
}

// add adds all of the flags to a command, with the defaults of some.
func (f *randomFlags) add(s *settings, ap, size string) {
	f.addSeed(s, ap)
	s.add(kind{}, strings.Join(uniform, " "))
	flag := f.flags.Lookup("size")
	flag.DefValue = size
	_ = flag.Value.Set(size) // any text is one
	bind(s, "weights", f.flags.String("weights", "", "set operator weights, such as `X=0,U=3`"), func(c *configs.Config, weights string) (err error) {
		r := c.Formulas.Random
		if r.Weights = nil; weights != "" { // an empty flag drops the weights of the file
			r.Weights, err = ltl.ParseWeights(weights)
		}
		return err
	})
	bind(s, "sere-weights", f.flags.String("sere-weights", "", "set `WEIGHTS` of expressions, such as and=0"), func(c *configs.Config, weights string) (err error) {
		r := c.Formulas.Random
		if r.SEREWeights = nil; weights != "" {
			r.SEREWeights, err = ltl.ParseSEREWeights(weights)
		}
		return err
	})
	f.flags.Lookup("simplify").NoOptDefVal = "3" // the highest level
}

// uniform are the flags of formulas that have no profile. All but the first are for formulas only.
var uniform = []string{"ap", "size", "weights", "past", "psl", "sere-weights", "boolean", "weak-fairness", "simplify", "keep-trivial", "keep-duplicates"}

// addProfile adds the choice of a profile, which says all that the flags of uniform formulas say.
func (f *randomFlags) addProfile() {
	profile := f.text("profile", "", "", "draw formulas of the `PROFILE` small or large")
	f.list = append(f.list, func(c *configs.Config) (err error) {
		r, asked := c.Formulas.Random, slices.ContainsFunc(uniform, f.flags.Changed)
		switch chosen := f.flags.Changed("profile"); {
		case r == nil:
		case chosen && asked:
			return errors.New("--profile has sizes, propositions and weights of its own: drop the other flags of random formulas")
		case chosen:
			r.Profile, err = random.ParseProfile(*profile)
		case asked: // these flags describe uniform formulas
			r.Profile = ""
		}
		return err
	})
}

// options returns what the flags and their defaults say.
func (f *randomFlags) options() (*configs.Random, error) {
	c := &configs.Config{Formulas: configs.Formulas{Random: &configs.Random{}}}
	return c.Formulas.Random, f.override(c)
}

// eachFormula calls do for each formula of a plan.
func eachFormula(ctx context.Context, plan *session.Plan, do func(*ltl.Formula) error) error {
	next, _, err := plan.Formulas()
	for err == nil {
		in, e := next(ctx)
		if e == io.EOF {
			return nil
		}
		if err = cmp.Or(e, in.Err); err == nil {
			err = do(in.Formula)
		}
	}
	return err
}

// automataFlags are the flags that describe random automata, as in Spot's randaut.
type automataFlags struct {
	options            randomaut.GeneratorOptions
	acceptance, states string
	ba                 bool
}

// automataFlagNames are the names of the flags that add adds.
var automataFlagNames = []string{"acceptance", "states", "acc-probability", "density", "ba", "colored", "deterministic",
	"state-based-acceptance", "functions", "unique"}

// add adds the flags to a command, with the default of the number of states.
func (f *automataFlags) add(c *cobra.Command, states string) {
	fs := c.Flags()
	fs.StringVarP(&f.acceptance, "acceptance", "A", "random 1..3", "use acceptance `ACC`, such as 'Rabin 1..3'")
	fs.Float64VarP(&f.options.Marks, "acc-probability", "a", 0.2, "mark each edge with probability `P`")
	fs.BoolVarP(&f.ba, "ba", "B", false, "use state-based Büchi acceptance (-A Buchi -S)")
	fs.BoolVar(&f.options.Colored, "colored", false, "put exactly one mark on each edge")
	fs.BoolVarP(&f.options.Deterministic, "deterministic", "D", false, "generate deterministic, complete automata")
	fs.Float64VarP(&f.options.Density, "density", "e", 0.2, "connect two states with probability `P`")
	fs.BoolVar(&f.options.Functions, "functions", false, "label edges with Boolean functions, not letters")
	fs.StringVarP(&f.states, "states", "Q", states, "generate automata with `A..B` states")
	fs.BoolVarP(&f.options.StateMarks, "state-based-acceptance", "S", false, "put marks on states instead of edges")
	fs.BoolVarP(&f.options.Unique, "unique", "u", false, "generate no isomorphic automata")
}

// generated returns the options of automata over the propositions of --ap, which are checked.
func (f *automataFlags) generated(r *randomFlags) (*randomaut.GeneratorOptions, error) {
	o, acceptance := f.options, f.acceptance // copies: the flags stay as they are
	o.Seed = r.seed
	if f.ba {
		o.StateMarks, acceptance = true, "Buchi"
	}
	var err error
	if o.Acceptance, err = randomaut.ParsePattern(acceptance); err != nil {
		return nil, fmt.Errorf("--acceptance: %w", err)
	}
	if o.Props, err = configs.ParseProps(r.ap); err != nil {
		return nil, fmt.Errorf("--ap %q: %w", r.ap, err)
	}
	if o.MinStates, o.MaxStates, err = configs.ParseSizes(f.states); err != nil {
		return nil, fmt.Errorf("--states %q: %w", f.states, err)
	}
	return &o, o.Check()
}

// print prints n automata, or automata without end.
func (f *automataFlags) print(a *app, c *cobra.Command, n int, o *randomFlags, out *formulaFlags) error {
	if err := cli.NoneOf(c.Flags(), "--%s cannot be combined with --automata", append(slices.Clone(uniform[1:]), "dump-weights", "full-parentheses")...); err != nil {
		return err
	}
	var write automatonWriter
	var err error
	to := out.syntax
	if c.Flags().Changed("to") && to != "hoa" { // the default is a syntax of formulas
		if write, err = a.writer(to); err != nil {
			return err
		}
	}
	options, err := f.generated(o)
	if err != nil {
		return err
	}
	g, err := randomaut.NewGenerator(*options)
	if err != nil {
		return err
	}
	for k := 0; k < n || n < 0; k++ {
		x, err := g.Next(a.ctx)
		if err == nil {
			err = a.printIn(to, write, x, automatonAnswer{})
		}
		if err != nil && (to == "never" || to == "lbtt") && !c.Flags().Changed("acceptance") {
			return fmt.Errorf("%w; add -A 0, randaut's default", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
