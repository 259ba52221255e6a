// Package ltlformat prints formulas in the formats of Spot's tools: in several syntaxes, and on lines
// such as %s,%f that have a formula's size, class and propositions.
package ltlformat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega/hierarchy"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A Syntax writes formulas. The error reports an operator that the syntax does not have.
type Syntax func(*ltl.Formula) (string, error)

// ParseSyntax returns the one with a name: spot, spin, lbt, wring, utf8 or latex. Parentheses are
// all written if that is set, or if the syntax needs them.
func ParseSyntax(name string, parentheses bool) (Syntax, error) {
	notations := map[string]ltl.Notation{"spot": ltl.Letters, "utf8": ltl.UTF8, "latex": ltl.LaTeX}
	if n, ok := notations[name]; ok {
		return func(f *ltl.Formula) (string, error) { return f.Text(n, parentheses), f.Printable() }, nil
	}
	syntax, err := ltl.ParseSyntax(name)
	if err != nil {
		return nil, fmt.Errorf("--to %q: expected spot, spin, lbt, wring, utf8 or latex", name)
	}
	return func(f *ltl.Formula) (string, error) { return inSyntax(f, syntax) }, nil // with all parentheses that it has
}

// inSyntax writes a formula without the operators that the syntax does not have.
func inSyntax(f *ltl.Formula, syntax ltl.Syntax) (string, error) {
	if past := f.Ops() & syntax.Missing() & ltl.PastOps; past != 0 {
		return "", fmt.Errorf("formula %q: %s syntax has no past operators (%s); use spot, lbt, utf8 or latex", f.String(), syntax, past)
	}
	store := ltl.NewStore()
	f = store.Import(f)
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

// A Format is the text of a line, in which sequences such as %f stand for something of a formula.
type Format []piece

// Line returns the line of a formula.
func (l Format) Line(ctx context.Context, s Subject) (string, error) {
	var line strings.Builder
	for _, piece := range l {
		part, err := piece(ctx, &s)
		if err != nil {
			return "", fmt.Errorf("formula %q: %w", s.Formula.String(), err)
		}
		fmt.Fprint(&line, part)
	}
	return line.String(), nil
}

// A Subject is a formula, and what else a line may say of it.
type Subject struct {
	Formula *ltl.Formula
	Text    string // of the formula
	Number  int    // of the line, from 0
	Published
}

// Published says where a published formula is from.
type Published struct {
	Set       string // name of the list or family
	Arguments string // of the family, such as 2,1, or the number of the formula in the list
}

// A piece returns a part of the line of a formula.
type piece func(context.Context, *Subject) (any, error)

// plain is a piece that can't fail.
func plain(of func(*Subject) any) piece {
	return func(_ context.Context, s *Subject) (any, error) { return of(s), nil }
}

// Parse reads the text of --format. For published formulas, %F and %L are as in genltl.
func Parse(format string, published bool) (Format, error) {
	var pieces Format
	for rest := format; rest != ""; {
		literal, after, found := strings.Cut(rest, "%")
		if literal != "" {
			pieces = append(pieces, plain(func(*Subject) any { return literal }))
		}
		if !found {
			break
		}
		var options string
		var bracketed bool
		if strings.HasPrefix(after, "[") {
			if options, after, bracketed = strings.Cut(after[1:], "]"); !bracketed {
				return nil, fmt.Errorf("%q: expected ] after %%[", format)
			}
		}
		if after == "" {
			return nil, fmt.Errorf("%q: expected a letter or %% after the last %%", format)
		}
		piece, err := formatPiece(after[0], options, bracketed, published)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", format, err)
		}
		pieces = append(pieces, piece)
		rest = after[1:]
	}
	return pieces, nil
}

// parts are what letters without options stand for.
var parts = map[byte]func(*Subject) any{
	'f': func(s *Subject) any { return s.Text },
	's': func(s *Subject) any { return s.Formula.Size() },
	'b': func(s *Subject) any { return s.Formula.BooleanSize() },
	'x': func(s *Subject) any { return len(s.Formula.Props()) },
	'l': func(s *Subject) any { return s.Number },
	'L': func(s *Subject) any { return s.Number + 1 },
	'%': func(*Subject) any { return "%" },
}

// publishedParts are what letters stand for in lines of published formulas only.
var publishedParts = map[byte]func(*Subject) any{
	'F': func(s *Subject) any { return s.Set },
	'L': func(s *Subject) any { return s.Arguments },
}

// formatPiece is what a letter behind a percent sign stands for.
func formatPiece(letter byte, options string, bracketed, published bool) (piece, error) {
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
	list := "%f %s %b %h %[…]n %x %l %L %%"
	if published {
		if of := publishedParts[letter]; of != nil {
			return plain(of), nil
		}
		list = "%F " + list
	}
	if of := parts[letter]; of != nil {
		return plain(of), nil
	}
	return nil, fmt.Errorf("unknown sequence %%%c: expected one of %s", letter, list)
}

// nestingPiece counts how deep the operators of %[letters]n are nested.
func nestingPiece(letters string) (piece, error) {
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
	return plain(func(s *Subject) any {
		f := s.Formula
		if normal {
			store := ltl.NewStore()
			f = store.NNF(store.Import(f))
		}
		return f.Nesting(ops)
	}), nil
}

// propsPiece lists propositions as the options of %[options]x say.
func propsPiece(options string) (piece, error) {
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
			quote = ltl.PropText
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
	return plain(func(s *Subject) any {
		var list []string
		for _, name := range s.Formula.Props() {
			list = append(list, before+quote(name)+behind)
		}
		return strings.Join(list, separator)
	}), nil
}

// classPiece tells the class of a formula: its letter, with v its name, and with w all that
// it is within.
func classPiece(options string) (piece, error) {
	if strings.Trim(options, "vw") != "" {
		return nil, fmt.Errorf("%%[%s]h: expected the letters v and w", options)
	}
	names, all := strings.Contains(options, "v"), strings.Contains(options, "w")
	return func(ctx context.Context, s *Subject) (any, error) {
		class, err := Class(ctx, s.Formula)
		if err != nil {
			return "", err
		}
		list := []ltl.Class{class}
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

// Class returns the class of the words of a formula, found on a deterministic
// automaton of them.
func Class(ctx context.Context, f *ltl.Formula) (ltl.Class, error) {
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
	return hierarchy.Of(ctx, x)
}
