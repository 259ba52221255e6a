package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// formulaFlags are the flags that say how formulas are printed.
type formulaFlags struct {
	syntax      string
	parentheses bool
	format      string
	zero        bool
}

// formulaHelp explains them to those who ask for help.
const formulaHelp = `In a --format, %f stands for the formula, %s for its size, %x for the number of its
propositions and %h for its class. docs/commands.md has the whole list.`

// formulaFlagNames are those of the flags that add adds.
var formulaFlagNames = []string{"to", "full-parentheses", "format", "zero-terminated-output"}

func (o *formulaFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&o.syntax, "to", "spot", "print in `SYNTAX`: spot, spin, lbt, wring, utf8, latex")
	c.Flags().BoolVarP(&o.parentheses, "full-parentheses", "p", false, "print all parentheses")
	c.Flags().StringVar(&o.format, "format", "%f", "print each formula as `FORMAT`, such as '%s,%f'")
	c.Flags().Lookup("format").DefValue = ""
	c.Flags().BoolVarP(&o.zero, "zero-terminated-output", "0", false, "end each formula with a zero byte")
}

// A formulaPrinter turns formulas into what is printed of them.
type formulaPrinter struct {
	write  func(*ltl.Formula) (string, error) // in the syntax that was asked for
	pieces []formulaPiece                     // of --format
	end    string                             // behind each
	next   int                                // number of the next formula
}

// A formulaPiece prints a part of the line of a formula, of which it gets the text and the
// number as well.
type formulaPiece func(ctx context.Context, f *ltl.Formula, text string, k int) (string, error)

// plain is a piece that needs no time.
func plain(of func(f *ltl.Formula, text string, k int) string) formulaPiece {
	return func(_ context.Context, f *ltl.Formula, text string, k int) (string, error) {
		return of(f, text, k), nil
	}
}

// printer checks the flags.
func (a *app) printer(o *formulaFlags) (*formulaPrinter, error) {
	p := &formulaPrinter{end: "\n"}
	if o.zero {
		p.end = "\x00"
	}
	if a.json != "" && (o.zero || o.format != "%f") {
		return nil, errors.New("--json cannot be combined with --format or --zero-terminated-output")
	}
	notations := map[string]ltl.Notation{"spot": ltl.Letters, "utf8": ltl.UTF8, "latex": ltl.LaTeX}
	if n, ok := notations[o.syntax]; ok {
		p.write = func(f *ltl.Formula) (string, error) { return f.Text(n, o.parentheses), f.Printable() }
	} else {
		syntax, err := ltl.ParseSyntax(o.syntax)
		if err != nil {
			return nil, fmt.Errorf("--to %q: expected spot, spin, lbt, wring, utf8 or latex", o.syntax)
		}
		p.write = func(f *ltl.Formula) (string, error) { return inSyntax(f, syntax) } // with all parentheses that it has
	}
	var err error
	p.pieces, err = parseFormat(o.format)
	return p, err
}

// inSyntax writes a formula without the operators that the syntax does not have.
func inSyntax(f *ltl.Formula, syntax ltl.Syntax) (string, error) {
	if past := f.Ops() & syntax.Missing() & ltl.PastOps; past != 0 {
		return "", fmt.Errorf("formula %q: %s syntax has no past operators (%s); use spot, lbt, utf8 or latex", f.String(), syntax, past)
	}
	store := ltl.NewStore()
	g, err := store.Unabbreviate(store.Import(f), syntax.Missing())
	if err != nil {
		return "", fmt.Errorf("formula %q: %w", f.String(), err)
	}
	text, err := g.Format(syntax)
	if err != nil {
		return "", fmt.Errorf("formula %q: %w", f.String(), err)
	}
	return text, nil
}

// print prints the next formula, of which value is the JSON of its text in the syntax
// that was asked for.
func (a *app) print(p *formulaPrinter, f *ltl.Formula, value func(text string) any) error {
	text, err := p.write(f)
	if err != nil {
		return err
	}
	if a.json != "" {
		return a.answer("", value(text))
	}
	var line strings.Builder
	for _, piece := range p.pieces {
		part, err := piece(a.ctx, f, text, p.next)
		if err != nil {
			return fmt.Errorf("formula %q: %w", f.String(), err)
		}
		line.WriteString(part)
	}
	p.next++
	_, err = fmt.Fprint(a.out, line.String(), p.end)
	return err
}

// parseFormat reads the text of --format.
func parseFormat(format string) ([]formulaPiece, error) {
	var pieces []formulaPiece
	for rest := format; rest != ""; {
		literal, after, found := strings.Cut(rest, "%")
		if literal != "" {
			pieces = append(pieces, plain(func(*ltl.Formula, string, int) string { return literal }))
		}
		if !found {
			break
		}
		var options string
		var bracketed bool
		if strings.HasPrefix(after, "[") {
			if options, after, bracketed = strings.Cut(after[1:], "]"); !bracketed {
				return nil, fmt.Errorf("--format %q: expected ] after %%[", format)
			}
		}
		if after == "" {
			return nil, fmt.Errorf("--format %q: expected a letter or %% after the last %%", format)
		}
		piece, err := formatPiece(after[0], options, bracketed)
		if err != nil {
			return nil, fmt.Errorf("--format %q: %w", format, err)
		}
		pieces = append(pieces, piece)
		rest = after[1:]
	}
	return pieces, nil
}

// formatPiece is what a letter behind a percent sign stands for.
func formatPiece(letter byte, options string, bracketed bool) (formulaPiece, error) {
	number := func(of func(*ltl.Formula) int) formulaPiece {
		return plain(func(f *ltl.Formula, _ string, _ int) string { return strconv.Itoa(of(f)) })
	}
	switch {
	case letter == 'n':
		return nestingPiece(options)
	case letter == 'x' && bracketed:
		return propsPiece(options)
	case letter == 'h':
		return classPiece(options)
	case bracketed:
		return nil, fmt.Errorf("%%%c takes no brackets; only %%h, %%n and %%x do", letter)
	}
	switch letter {
	case 'f':
		return plain(func(_ *ltl.Formula, text string, _ int) string { return text }), nil
	case 's':
		return number((*ltl.Formula).Size), nil
	case 'b':
		return number((*ltl.Formula).BooleanSize), nil
	case 'x':
		return number(func(f *ltl.Formula) int { return len(f.Props()) }), nil
	case 'l':
		return plain(func(_ *ltl.Formula, _ string, k int) string { return strconv.Itoa(k) }), nil
	case 'L':
		return plain(func(_ *ltl.Formula, _ string, k int) string { return strconv.Itoa(k + 1) }), nil
	case '%':
		return plain(func(*ltl.Formula, string, int) string { return "%" }), nil
	}
	return nil, fmt.Errorf("unknown sequence %%%c: expected one of %%f %%s %%b %%h %%[…]n %%x %%l %%L %%%%", letter)
}

// nestingPiece counts how deep the operators of %[letters]n are nested.
func nestingPiece(letters string) (formulaPiece, error) {
	letters, normal := strings.CutPrefix(letters, "~")
	var ops ltl.OpSet
	for _, c := range letters {
		name := string(c)
		switch c {
		case 'i':
			name = "->"
		case 'e':
			name = "<->"
		case '^':
			name = "xor"
		}
		op, ok := ltl.ParseOp(name)
		if !ok || op.Arity() == 0 {
			return nil, fmt.Errorf("%%[%s]n: unknown operator %c", letters, c)
		}
		ops = ops.With(op)
	}
	if ops == 0 {
		return nil, errors.New("%n: expected operators, such as %[GF]n")
	}
	return plain(func(f *ltl.Formula, _ string, _ int) string {
		if normal {
			store := ltl.NewStore()
			f = store.NNF(store.Import(f))
		}
		return strconv.Itoa(f.Nesting(ops))
	}), nil
}

// propsPiece lists propositions as the options of %[options]x say.
func propsPiece(options string) (formulaPiece, error) {
	quote := func(name string) string { return name }
	separator := ""
	before, behind := "", ""
	c := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, o := range options {
		switch {
		case o == 'n':
		case o == 'd':
			quote = func(name string) string { return `"` + c.Replace(name) + `"` }
		case o == 's':
			quote = func(name string) string { return ltl.NewStore().Prop(name).String() }
		case o == 'c':
			quote = func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
		case o == 'p':
			before, behind = "(", ")"
		case 'a' <= o && o <= 'z' || 'A' <= o && o <= 'Z' || '0' <= o && o <= '9':
			return nil, fmt.Errorf("%%[%s]x: expected the letters n, s, d, c and p, and a separator", options)
		default:
			separator += string(o)
		}
	}
	if separator == "" {
		separator = " "
	}
	return plain(func(f *ltl.Formula, _ string, _ int) string {
		var list []string
		for _, name := range f.Props() {
			list = append(list, before+quote(name)+behind)
		}
		return strings.Join(list, separator)
	}), nil
}

// classPiece tells the class of a formula: its letter, with v its name, and with w all that
// it is within.
func classPiece(options string) (formulaPiece, error) {
	if strings.Trim(options, "vw") != "" {
		return nil, fmt.Errorf("%%[%s]h: expected the letters v and w", options)
	}
	names, all := strings.Contains(options, "v"), strings.Contains(options, "w")
	return func(ctx context.Context, f *ltl.Formula, _ string, _ int) (string, error) {
		class, err := formulaClass(ctx, f)
		if err != nil {
			return "", err
		}
		list := []omega.Class{class}
		if all {
			list = class.Within()
		}
		var texts []string
		for _, c := range list {
			if names {
				texts = append(texts, c.String())
			} else {
				texts = append(texts, c.Letter())
			}
		}
		if names {
			return strings.Join(texts, " "), nil
		}
		return strings.Join(texts, ""), nil
	}, nil
}

// formulaClass returns the class of the words of a formula, found on a deterministic
// automaton of them.
func formulaClass(ctx context.Context, f *ltl.Formula) (omega.Class, error) {
	store := ltl.NewStore()
	x, err := translate.Of(ctx, store, store.Import(f))
	if err != nil {
		return 0, err
	}
	limits := productcheck.DefaultLimits
	x, err = complement.Form{Deterministic: true, Complete: true}.Apply(ctx, x, limits.Macrostates, limits.Memory/2)
	if err != nil {
		return 0, err
	}
	return x.Class(ctx)
}
