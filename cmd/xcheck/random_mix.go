package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/session"
)

// mixFlags are the flags of random for combinations of given formulas. Spot's ltlmix has the same.
type mixFlags struct {
	formulas  []string
	patterns  []string
	files     []string
	syntax    string
	polarized string
}

// mixFlagNames are the names of the flags that add adds.
var mixFlagNames = []string{"formula", "file", "patterns", "syntax", "polarized-ap"}

func (f *mixFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringArrayVarP(&f.formulas, "formula", "f", nil, "combine the formula `FORMULA` with others")
	fs.StringArrayVarP(&f.files, "file", "F", nil, "combine the lines of `FILE` (-: standard input)")
	fs.StringArrayVar(&f.patterns, "patterns", nil, "combine the published formulas `NAME`, such as dac")
	fs.StringVar(&f.syntax, "syntax", "spot", "read formulas in `SYNTAX`: spot, spin, lbt, wring, auto")
	fs.StringVarP(&f.polarized, "polarized-ap", "P", "", "like --ap `PROPS`, and negate some of them")
}

// wanted reports whether formulas are to be combined. It fails if flags do not fit.
func (f *mixFlags) wanted(c *cobra.Command) (bool, error) {
	given := len(f.formulas)+len(f.patterns)+len(f.files) > 0
	for _, name := range mixFlagNames {
		if c.Flags().Changed(name) && !given {
			return false, fmt.Errorf("--%s needs formulas to combine: add -f, -F or --patterns", name)
		}
	}
	if given && c.Flags().Changed("profile") {
		return false, errors.New("--profile cannot be combined with -f, -F and --patterns")
	}
	if f.polarized != "" && c.Flags().Changed("ap") {
		return false, errors.New("--polarized-ap and --ap both name the propositions: drop one")
	}
	return given, nil
}

// maxMixed is how many formulas are combined at most.
const maxMixed = 100_000

// mixer returns what draws the combinations that the flags ask for. Propositions are replaced only
// if the command names some.
func (f *mixFlags) mixer(a *app, c *cobra.Command, options *configs.Random) (*random.Mixer, error) {
	o := random.MixOptions{RandomOptions: options.RandomOptions}
	changed := c.Flags().Changed
	if !changed("size") {
		o.MinSize, o.MaxSize = 5, 5
	}
	if !changed("boolean") {
		o.Boolean = !o.Past && !o.WeakFairness
	}
	var err error
	if f.polarized != "" {
		if o.Props, err = configs.ParseProps(f.polarized); err != nil {
			return nil, fmt.Errorf("--polarized-ap %q: %w", f.polarized, err)
		}
		o.Negated = true
	} else if !changed("ap") {
		o.Props = nil
	}
	config := *session.Schema().Default()
	config.Formulas = configs.Formulas{Inline: f.formulas, Patterns: f.patterns}
	if config.Formulas.Syntax, err = ltl.ParseSyntax(f.syntax); err != nil {
		return nil, err
	}
	for _, name := range f.files {
		config.Formulas.Files = append(config.Formulas.Files, configs.NewFile(name, config.Formulas.Syntax))
	}
	plan := &session.Plan{Config: &config, Open: a.open}
	if o.Formulas, err = read(a.ctx, plan); err != nil {
		return nil, err
	}
	return random.NewMixer(o)
}

// read returns all formulas of a plan.
func read(ctx context.Context, plan *session.Plan) (list []*ltl.Formula, err error) {
	next, _, err := plan.Formulas()
	if err != nil {
		return nil, err
	}
	for {
		in, err := next(ctx)
		switch {
		case err == io.EOF:
			return slices.Clip(list), nil
		case err != nil:
			return nil, err
		case in.Err != nil:
			return nil, in.Err
		case len(list) == maxMixed:
			return nil, fmt.Errorf("more than %d formulas to combine", maxMixed)
		}
		list = append(list, in.Formula)
	}
}
