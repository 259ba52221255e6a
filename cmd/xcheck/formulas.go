package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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
	published   bool   // the formulas are published ones
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
	c.Flags().StringVarP(&o.output, "output", "o", "", "write to `FILE` ('>>FILE' appends; '%l.ltl': one per line)")
}

// A formulaPrinter turns formulas into what is printed of them.
type formulaPrinter struct {
	write  ltlformat.Syntax
	format ltlformat.Format
	file   ltlformat.Format    // name of the file that takes a line; nil if all go to one place
	end    string              // behind each
	next   int                 // number of the next formula
	from   ltlformat.Published // where it was published
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
	if p.format, err = ltlformat.Parse(o.format, o.published); err != nil {
		return nil, fmt.Errorf("--format %w", err)
	}
	if !strings.Contains(o.output, "%") {
		return p, a.redirect(o.output)
	}
	if p.file, err = ltlformat.Parse(o.output, o.published); err != nil {
		return nil, fmt.Errorf("--output %w", err)
	}
	return p, nil
}

// maxOutputs is how many files of --output are open at once.
const maxOutputs = 64

// redirect lets a file, or >>FILE, take what the command prints next. A file that was begun
// continues. "" is standard output.
func (a *app) redirect(name string) (err error) {
	if name == "" || name == "-" {
		return nil
	}
	file := a.outputs[name]
	if file == nil {
		if len(a.outputs) == maxOutputs {
			if err := a.closeOutputs(); err != nil {
				return err
			}
		}
		if path, more := strings.CutPrefix(name, ">>"); more || a.begun[name] {
			file, err = wholefile.Append(strings.TrimSpace(path))
		} else {
			file, err = wholefile.Create(name)
		}
		if err != nil {
			return err
		}
		if a.outputs == nil {
			a.outputs, a.begun = map[string]*wholefile.File{}, map[string]bool{}
		}
		a.outputs[name], a.begun[name] = file, true
	}
	a.out = file
	return nil
}

// closeOutputs closes the files of --output.
func (a *app) closeOutputs() (err error) {
	for _, name := range slices.Sorted(maps.Keys(a.outputs)) {
		err = errors.Join(err, a.outputs[name].Close())
	}
	clear(a.outputs)
	return err
}

// print prints the next formula, of which value is the JSON of its text in the syntax
// that was asked for.
func (a *app) print(p *formulaPrinter, f *ltl.Formula, value func(text string) any) error {
	text, err := p.write(f)
	if err != nil {
		return err
	}
	subject := ltlformat.Subject{Formula: f, Text: text, Number: p.next, Published: p.from}
	p.next++
	if p.file != nil {
		name, err := p.file.Line(a.ctx, subject)
		if err == nil {
			err = a.redirect(name)
		}
		if err != nil {
			return err
		}
	}
	if a.json != "" {
		return a.answer("", value(text))
	}
	line, err := p.format.Line(a.ctx, subject)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.out, line, p.end)
	return err
}
