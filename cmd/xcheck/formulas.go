package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

// formulaError shows where a formula is wrong.
func formulaError(where string, err error) error {
	var syntax *ltl.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s: %v\n%s", where, err, syntax.Excerpt())
	}
	return fmt.Errorf("%s: %w", where, err)
}

func (a *app) translateCommand() *cobra.Command {
	algorithm := builtin.Default
	file, syntaxName := "", "spot"
	var form formFlags
	var names []string
	for _, x := range builtin.Algorithms() {
		names = append(names, fmt.Sprintf("  %-14s %s", x.Name, x.Description))
	}
	c := &cobra.Command{
		Use:   "translate [--algorithm NAME] [--buchi] [--state-based] [--deterministic] [--complete] [-F FILE] FORMULA…",
		Short: "Print an automaton of a formula",
		Long: `Prints an automaton of each formula, in HOA. With -F, formulas are read line by
line from a file (- is standard input), and each is answered before the next is
read.

` + formHelp + `

Algorithms:
` + strings.Join(names, "\n"),
		Example: `  xcheck translate 'G(a -> Fb)'
  xcheck translate --buchi --state-based 'GFa & GFb'
  xcheck translate --deterministic --complete 'FGa'
  xcheck random -n 5 | xcheck translate --algorithm gpvw -F -`,
		RunE: func(_ *cobra.Command, args []string) error {
			syntax, err := ltl.ParseSyntax(syntaxName)
			if err != nil {
				return err
			}
			if len(args) == 0 && file == "" {
				return errors.New("expected a formula, or -F FILE")
			}
			for _, text := range args {
				if err := a.translate(algorithm, "formula", text, syntax, &form); err != nil {
					return err
				}
			}
			if file == "" {
				return nil
			}
			return a.lines(file, func(where, line string) error {
				return a.translate(algorithm, where, line, syntax, &form)
			})
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", algorithm, "the algorithm to use")
	c.Flags().StringVarP(&file, "file", "F", "", "read formulas from a file, one a line")
	c.Flags().StringVar(&syntaxName, "syntax", syntaxName, "syntax of the formulas: spot, spin, lbt or wring")
	form.add(c)
	return c
}

// lines calls f for each line of a file that is neither empty nor a comment, as
// soon as it has been read.
func (a *app) lines(name string, f func(where, line string) error) error {
	file, err := a.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for r := newLineReader(name, file); ; {
		where, text, err := r.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(where, text)
		}
		if err != nil {
			return err
		}
	}
}

// lineReader reads the lines of a file that are neither empty nor comments (#).
type lineReader struct {
	name string
	in   *bufio.Reader
	n    int
}

func newLineReader(name string, r io.Reader) *lineReader {
	return &lineReader{name: name, in: bufio.NewReader(r)}
}

// next returns the next line and where it stands; io.EOF after the last.
func (r *lineReader) next() (where, text string, err error) {
	for err == nil {
		text, err = r.in.ReadString('\n')
		r.n++
		if text = strings.TrimSpace(text); text != "" && text[0] != '#' && (err == nil || err == io.EOF) {
			return fmt.Sprintf("%s:%d", r.name, r.n), text, nil
		}
	}
	if err != io.EOF {
		err = fmt.Errorf("%s: %w", r.name, err)
	}
	return "", "", err
}

func (a *app) translate(algorithm, where, text string, syntax ltl.Syntax, form *formFlags) error {
	store := ltl.NewStore()
	f, err := store.Parse(text, syntax)
	if err != nil {
		return formulaError(where, err)
	}
	x, err := builtin.Translate(a.ctx, algorithm, store, f)
	if err != nil {
		return err
	}
	if x, err = a.form(x, form); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return a.printAutomaton(x, map[string]any{"formula": f.String(), "algorithm": algorithm})
}

func (a *app) evalCommand() *cobra.Command {
	syntaxName := "spot"
	c := &cobra.Command{
		Use:   "eval FORMULA WORD",
		Short: "Does the word satisfy the formula?",
		Long: `Prints true if the word satisfies the formula, and false if not (status 1). A word
the letters of which leave propositions open stands for many words: true means
that some word that fits satisfies the formula. If another one does not, a note on
standard error says so.`,
		Example: `  xcheck eval 'G(a -> Fb)' 'a; cycle{!a&b; a&!b}'
  xcheck eval 'Fb' 'a; cycle{b}'`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			syntax, err := ltl.ParseSyntax(syntaxName)
			if err != nil {
				return err
			}
			store := ltl.NewStore()
			f, err := store.Parse(args[0], syntax)
			if err != nil {
				return formulaError("formula", err)
			}
			w, err := omega.ParseWord(args[1])
			if err != nil {
				return err
			}
			holds, err := a.eval(store, f, w)
			if err != nil {
				return err
			}
			if err := a.answer(fmt.Sprint(holds), map[string]any{"holds": holds}); err != nil {
				return err
			}
			if !holds {
				return status(statusOther)
			}
			return nil
		},
	}
	c.Flags().StringVar(&syntaxName, "syntax", syntaxName, "syntax of the formula: spot, spin, lbt or wring")
	return c
}

// eval evaluates the formula directly if the word leaves nothing open that the
// formula speaks of. Otherwise it looks for a word that fits and satisfies the
// formula, and for one that does not.
func (a *app) eval(store *ltl.Store, f *ltl.Formula, w *omega.Word) (bool, error) {
	holds, err := w.Holds(f)
	var open *omega.OpenError
	if err == nil || !errors.As(err, &open) {
		return holds, err
	}
	both := omega.Union(w.Alphabet, omega.NewAlphabet(f.Props()...))
	words := w.Automaton().Over(both)
	var some [2]bool
	for i, g := range []*ltl.Formula{f, store.Not(f)} {
		x, err := builtin.Best(a.ctx, store, g)
		if err != nil {
			return false, err
		}
		r, err := productcheck.Intersect(a.ctx, words, x.Over(both), emptiness.Limits{})
		if err != nil {
			return false, err
		}
		some[i] = !r.Empty()
	}
	if some[0] && some[1] {
		fmt.Fprintf(a.err, "xcheck: %v, and it matters: the formula is true on some words that fit, and false on others\n", open)
	}
	return some[0], nil
}

func (a *app) randomCommand() *cobra.Command {
	n, weights := 0, false
	o := randomFlags{size: "1..15", ap: "3"}
	c := &cobra.Command{
		Use:   "random -n N [--seed S] [--ap K or a,b,c] [--size A..B] [--past]",
		Short: "Print random formulas",
		Long: `Prints N random formulas, one a line, or formulas without end if N is negative: no
two are the same, and none is trivially true or false (--keep-duplicates,
--keep-trivial). Formula k depends on the seed, the other options and k alone.

The weights of operators are set with --weights X=0,U=3. By default they are 1, for
ap, which is all propositions together, their number, and 0 for the operators of the past
(Y Z O H S T) unless there is --past. --dump-weights prints them.

--weak-fairness adds one to three conditions GF b to each formula, where b is a random
Boolean formula. --simplify rewrites each formula: 1 applies identities, 2 rewriting
rules as well, 3 also those with the condition that one formula implies another. --size is
that before either.`,
		Example: `  xcheck random -n 10
  xcheck random -n 10 --seed 7 --ap a,b,c --size 5..20 --weights 'X=0,xor=0'
  xcheck random -n 10 --past --weak-fairness --simplify 3
  xcheck random -n -1 --boolean --size 30 | head
  xcheck random --past --dump-weights`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			options, err := o.options()
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
				if err := a.answer(f.String(), map[string]any{"formula": f.String(), "size": f.Size()}); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 0, "number of formulas; negative: no end")
	c.Flags().BoolVar(&weights, "dump-weights", false, "print the weights of operators instead of formulas")
	c.MarkFlagsOneRequired("number", "dump-weights")
	o.add(c)
	return c
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
	c.Flags().BoolVar(&o.duplicates, "keep-duplicates", false, "keep formulas that have been printed before")
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
