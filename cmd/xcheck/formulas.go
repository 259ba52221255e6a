package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/ltlformat"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// formulaFlags are the flags that say how formulas are printed.
type formulaFlags struct {
	syntax      string
	parentheses bool
	format      string
	zero        bool
	output      string // a file, or >>FILE
}

// formulaHelp explains them to those who ask for help.
const formulaHelp = `In a --format, %f stands for the formula, %s for its size, %x for the number of its
propositions and %h for its class. docs/formulas.md lists all.`

// formulaFlagNames are the names of the flags that add adds.
var formulaFlagNames = []string{"to", "full-parentheses", "format", "zero-terminated-output", "output"}

func (o *formulaFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&o.syntax, "to", "spot", "print in `SYNTAX`: spot, spin, lbt, wring, utf8, latex")
	c.Flags().BoolVarP(&o.parentheses, "full-parentheses", "p", false, "print all parentheses")
	c.Flags().StringVar(&o.format, "format", "%f", "print each formula as `FORMAT`, such as '%s,%f'")
	c.Flags().Lookup("format").DefValue = ""
	c.Flags().BoolVarP(&o.zero, "zero-terminated-output", "0", false, "end each formula with a zero byte")
	c.Flags().StringVarP(&o.output, "output", "o", "", "write to `FILE`, not standard output ('>>FILE' appends)")
}

// A formulaPrinter turns formulas into what is printed of them.
type formulaPrinter struct {
	write  ltlformat.Syntax
	format ltlformat.Format
	end    string // behind each
	next   int    // number of the next formula
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
	var err error
	if p.write, err = ltlformat.ParseSyntax(o.syntax, o.parentheses); err != nil {
		return nil, err
	}
	if p.format, err = ltlformat.Parse(o.format); err != nil {
		return nil, err
	}
	return p, a.redirect(o.output)
}

// redirect lets a file, or >>FILE, take what the command prints. "" is standard output.
func (a *app) redirect(name string) (err error) {
	switch path, more := strings.CutPrefix(name, ">>"); {
	case name == "" || name == "-":
		return nil
	case strings.Contains(strings.ReplaceAll(name, "%%", ""), "%"):
		return fmt.Errorf("--output %q: cannot write a file for each line; pipe them to split -l 1", name)
	case more:
		a.output, err = wholefile.Append(strings.TrimSpace(path))
	default:
		a.output, err = wholefile.Create(name)
	}
	if err == nil {
		a.out = a.output
	}
	return err
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
	line, err := p.format.Line(a.ctx, f, text, p.next)
	if err != nil {
		return err
	}
	p.next++
	_, err = fmt.Fprint(a.out, line, p.end)
	return err
}
