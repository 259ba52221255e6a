package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
)

// formulaFlags are the flags that say how formulas are printed.
type formulaFlags struct {
	syntax      string
	parentheses bool
}

// formulaFlagNames are the names of the flags that add adds.
var formulaFlagNames = []string{"to", "full-parentheses"}

func (o *formulaFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&o.syntax, "to", "spot", "print in `SYNTAX`: spot, spin, lbt, wring, utf8, latex")
	c.Flags().BoolVarP(&o.parentheses, "full-parentheses", "p", false, "print all parentheses")
}

// A formulaWriter returns the text of a formula. The error reports an operator that the syntax does
// not have.
type formulaWriter func(*ltl.Formula) (string, error)

// writer returns what writes formulas in the syntax of the flags. Spin, LBT and Wring get all
// parentheses that their syntax has.
func (o *formulaFlags) writer() (formulaWriter, error) {
	notations := map[string]ltl.Notation{"spot": ltl.Letters, "utf8": ltl.UTF8, "latex": ltl.LaTeX}
	if n, ok := notations[o.syntax]; ok {
		return func(f *ltl.Formula) (string, error) { return f.Text(n, o.parentheses), f.Printable() }, nil
	}
	syntax, err := ltl.ParseSyntax(o.syntax)
	if err != nil {
		return nil, fmt.Errorf("--to %q: expected spot, spin, lbt, wring, utf8 or latex", o.syntax)
	}
	return func(f *ltl.Formula) (string, error) { return inSyntax(f, syntax) }, nil
}

// inSyntax writes a formula without the operators that the syntax does not have.
func inSyntax(f *ltl.Formula, syntax ltl.Syntax) (string, error) {
	if past := f.Ops() & syntax.Missing() & ltl.PastOps; past != 0 { // no other operators express them
		return "", fmt.Errorf("formula %q: %s syntax has no past operators (%s); use spot, lbt, utf8 or latex", f.String(), syntax, past)
	}
	store := ltl.NewStore()
	f = store.Import(f)
	// Some formulas of PSL have one of LTL that is equivalent.
	if psl := f.Ops() & syntax.Missing() & ltl.PSLOps; psl != 0 {
		g, ok := translate.LTL(context.Background(), store, f)
		if !ok {
			return "", fmt.Errorf("formula %q: %s syntax has no operators of PSL (%s); use spot, utf8 or latex", f.String(), syntax, psl)
		}
		f = g
	}
	g, err := store.Unabbreviate(f, syntax.Missing())
	if err != nil {
		return "", fmt.Errorf("formula %q: %w", f.String(), err)
	}
	text, err := g.Format(syntax)
	if err != nil {
		return "", fmt.Errorf("formula %q: %w", f.String(), err)
	}
	return text, nil
}

// print prints a formula: its text, or the JSON that value makes of the text.
func (a *app) print(write formulaWriter, f *ltl.Formula, value func(text string) any) error {
	text, err := write(f)
	if err != nil {
		return err
	}
	return a.answer(text, value(text))
}

// patternSet is the JSON of a list or a family of formulas.
type patternSet struct {
	Name     string   `json:"name"`               // name of the list or family
	Also     []string `json:"also,omitempty"`     // other names
	Formulas int      `json:"formulas,omitempty"` // number of formulas of a list
	// the parameters of the family
	Parameters []patterns.Parameter `json:"parameters,omitempty"`
	About      string               `json:"about"`  // what the formulas are
	Source     string               `json:"source"` // where the formulas were published
}

// pattern is the JSON of a formula.
type pattern struct {
	Set   string `json:"set"`             // name of the list or family
	Index int    `json:"index,omitempty"` // number of the formula in the list, from 1
	// the parameters of the family
	Parameters map[string]int `json:"parameters,omitempty"`
	// true if this is the negation of the published formula
	Negated bool   `json:"negated,omitempty"`
	Formula string `json:"formula"` // the formula, in Spot's syntax
	Size    int    `json:"size"`    // number of operators and propositions of the formula
}

func (a *app) patternsCommand() *cobra.Command {
	var which polarities
	var out formulaFlags
	c := &cobra.Command{
		Use: "patterns [flags] [NAME [RANGE]…]…",
		Long: `Prints the formulas of published lists and families. Without NAME, prints the
lists and families, with their sources.

RANGE selects formulas of a list or parameters of a family: 3, or 1..10.`,
		Example: `  xcheck patterns
  xcheck patterns dac
  xcheck patterns eh 3..5 go-theta 1..4 ms-example 1..2 3
  xcheck patterns --negations sb | xcheck translate -F -
  xcheck patterns --to spin eh`,
		ValidArgsFunction: cobra.FixedCompletions(patternNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.patternSets()
			}
			write, err := out.writer()
			if err != nil {
				return err
			}
			var texts []string
			for _, arg := range args { // numbers need not be in the argument of the name
				if len(texts) > 0 && arg != "" && '0' <= arg[0] && arg[0] <= '9' {
					texts[len(texts)-1] += " " + arg
				} else {
					texts = append(texts, arg)
				}
			}
			var requests []patterns.Request
			for _, text := range texts {
				r, err := patterns.Parse(text)
				if err != nil {
					return err
				}
				requests = append(requests, r)
			}
			for _, r := range requests { // all are read before a formula is printed
				if err := a.patternFormulas(r, &which, write); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&which.both, "negations", false, "also print the negation of each formula")
	c.Flags().BoolVar(&which.negative, "negative", false, "print the negation of each formula instead")
	c.Flags().BoolVar(&which.positive, "positive", false, "also print the formula itself, with --negative")
	out.add(c)
	return c
}

func (a *app) patternSets() error {
	rows := [][]string{{"name", "numbers", "formulas"}}
	for _, s := range patterns.Sets() {
		numbers := fmt.Sprintf("1..%d", s.Len())
		value := patternSet{s.Name, s.Also, s.Len(), s.Parameters, s.About, s.Source}
		if s.Len() == 0 {
			var names []string
			for _, p := range s.Parameters {
				names = append(names, p.Name)
			}
			numbers = strings.Join(names, " ")
		}
		about := s.About
		if s.Source != "" {
			about += "\n" + s.Source
		}
		if len(s.Also) > 0 {
			about += "\nalso called " + strings.Join(s.Also, ", ")
		}
		if rows = append(rows, []string{s.Name, numbers, about}); a.json != "" {
			if err := a.answer("", value); err != nil {
				return err
			}
		}
	}
	if a.json != "" {
		return nil
	}
	// It is for people, wherever it goes: programs have --json.
	_, err := io.WriteString(a.out, table.New(rows).Fit(cmp.Or(columnsOf(a.out), 80)).String())
	return err
}

// polarities say whether formulas, their negations, or both are printed.
type polarities struct{ positive, negative, both bool }

// of returns what is printed of a formula.
func (w *polarities) of(f *ltl.Formula) (list []*ltl.Formula) {
	if w.both || w.positive || !w.negative {
		list = append(list, f)
	}
	if w.both || w.negative {
		store := ltl.NewStore()
		list = append(list, store.Not(store.Import(f)))
	}
	return list
}

func (a *app) patternFormulas(r patterns.Request, which *polarities, write formulaWriter) error {
	for f := range r.All() {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		value := pattern{Set: f.Set.Name}
		if f.Set.Len() > 0 { // a list, and not a family
			value.Index = f.Numbers[0]
		} else {
			value.Parameters = map[string]int{}
			for i, p := range f.Set.Parameters {
				value.Parameters[p.Name] = f.Numbers[i]
			}
		}
		for _, g := range which.of(f.Formula) {
			value.Negated, value.Size = g != f.Formula, g.Size()
			err := a.print(write, g, func(text string) any {
				value.Formula = text
				return value
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) evalCommand() *cobra.Command {
	table := false
	var read formulaReader
	c := &cobra.Command{
		Use: "eval [flags] FORMULA WORD",
		Long: `Prints true or false: does the word satisfy the formula? If a letter leaves
propositions open, true means that one of the words that match satisfies it.`,
		Example: `  xcheck eval 'G(a -> Fb)' 'a; cycle{!a&b; a&!b}'
  xcheck eval --table 'Fb' 'a&!b; cycle{!a&b}'
  xcheck eval --syntax spin '[]<>p' 'cycle{p; !p}'`,
		Args: arguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.each(func() error { return a.evaluate(read, args[0], args[1], table) })
		},
	}
	read = newFormulaReader(c)
	c.Flags().BoolVar(&table, "table", false, "also print the truth of every subformula")
	return a.bounded(c)
}

// A formulaReader reads a formula of the command line.
type formulaReader func(text string) (*ltl.Store, *ltl.Formula, error)

// newFormulaReader adds the flag for the syntax of formulas, and returns what reads one.
func newFormulaReader(c *cobra.Command) formulaReader {
	name := c.Flags().String("syntax", "spot", syntaxHelp)
	return func(text string) (*ltl.Store, *ltl.Formula, error) {
		syntax, err := ltl.ParseSyntax(*name)
		if err != nil {
			return nil, nil, err
		}
		store := ltl.NewStore()
		f, err := store.Parse(text, syntax)
		if err != nil {
			err = formulaError(err)
		}
		return store, f, err
	}
}

// evaluate answers with the truth of a formula on a word, and of all subformulas if table is set.
func (a *app) evaluate(read formulaReader, formula, word string, table bool) error {
	store, f, err := read(formula)
	if err != nil {
		return err
	}
	w, err := omega.ParseWord(a.ctx, word)
	if err != nil {
		return err
	}
	open := w.Determines(f.Props())
	if table && open != nil {
		return fmt.Errorf("--table: %w", open) // it is of one word
	}
	truth, err := xcheck.Eval(a.limits.WithMemory(a.ctx), f, w)
	if err != nil {
		return err
	}
	answer := evalAnswer{Holds: truth != xcheck.False}
	if truth == xcheck.Open {
		fmt.Fprintf(a.err, "xcheck: %v: the formula is true on some matching words and false on others\n", open)
	}
	if !table {
		a.answered(answer.Holds)
		return a.answer(fmt.Sprint(answer.Holds), answer)
	}
	if answer.Table, err = explain.Truths(f, w); err != nil {
		return err
	}
	answer.Obligations = explain.Progression(store, f, w)
	var b strings.Builder
	fmt.Fprintln(&b, answer.Holds)
	text := &report.Text{W: &b}
	if answer.Table != nil {
		err = text.Truths(answer.Table)
	}
	if answer.Obligations != nil && err == nil {
		err = text.Obligations(answer.Obligations)
	}
	if err != nil {
		return err
	}
	a.answered(answer.Holds)
	return a.answer(b.String(), answer)
}
