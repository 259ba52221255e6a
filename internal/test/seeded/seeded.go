// Package seeded provides translators for tests, each with one known bug.
//
// The bugs are of the kinds that real translators had: in an operator, in a shape of formulas, in
// the edges, labels, marks, initial states or acceptance condition, or in a declared property.
// Otherwise the translators are correct. So a test knows what a run must find.
//
// A test binary becomes the translator with a bug when its TestMain calls Main first. It then takes
// these arguments:
//
//	test FORMULA     translate one formula
//	test -           translate the formulas of standard input, one at a time
package seeded

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translate"
)

// Variable is the environment variable that makes a test binary the translator. It
// has the name of a bug, or the names of several.
const Variable = "XCHECK_TEST_SEEDED"

// A Bug is what is wrong with a translator.
type Bug struct {
	Name string
	// Class is the class of the failures in a run, such as "words".
	Class string
	// One of these is set: what the bug makes of a formula or of an automaton, what the
	// automaton declares of itself, or whether the translator gives up.
	formula   func(*ltl.Store, *ltl.Formula) *ltl.Formula
	automaton func(*draft)
	declared  string
	crash     func(*ltl.Formula) bool
}

// None has no bug.
var None = Bug{Name: "none"}

// find returns the bug of that name. There may be several names of bugs in formulas with
// commas between them: their union is a bug, too, with the first one met first.
func find(name string) (Bug, bool) {
	for _, b := range append(append(Bugs(), Narrow()...), None) {
		if b.Name == name {
			return b, true
		}
	}
	first, rest, several := strings.Cut(name, ", ")
	if !several {
		return Bug{}, false
	}
	b, ok1 := find(first)
	c, ok2 := find(rest)
	return Bug{Name: name, formula: func(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
		return c.formula(s, b.formula(s, f))
	}}, ok1 && ok2 && b.formula != nil && c.formula != nil
}

// Main is the translator if Variable is set: then it does not return.
func Main() {
	name := os.Getenv(Variable)
	if name == "" {
		return
	}
	bug, ok := find(name)
	if !ok {
		Must(fmt.Errorf("no bug %q", name))
	}
	Must(bug.run(os.Args[1:]))
	os.Exit(0)
}

func (b *Bug) run(args []string) error {
	switch {
	case len(args) != 1:
		return fmt.Errorf("arguments %q: expected FORMULA, or - for standard input", args)
	case args[0] != "-":
		return b.translate(args[0])
	}
	return EachLine(os.Stdin, b.translate)
}

// Must ends the process with status 9 if there is an error.
func Must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}

// EachLine calls f for each line of r that is not blank, without the space around it, as
// soon as the line is there, until f or reading fails.
func EachLine(r io.Reader, f func(line string) error) error {
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			if err := f(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Automaton returns what the translator with the bug makes of a formula of the store, unless it
// crashes.
func (b *Bug) Automaton(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	if b.formula != nil {
		f = b.formula(s, f)
	}
	a, err := translate.With(ctx, translate.Default, s, f)
	// Other bugs leave the automaton as it was made.
	if err == nil && b.automaton != nil {
		d := newDraft(a)
		b.automaton(d)
		a = d.build()
	}
	return a, err
}

// translate prints what the translator with the bug makes of a formula.
func (b *Bug) translate(text string) error {
	f, err := ltl.NewStore().Parse(text, ltl.Spot)
	if err == nil && b.crash != nil && b.crash(f) {
		fmt.Fprintln(os.Stderr, "assertion failed: no choice is left")
		os.Exit(3)
	}
	return b.write(context.Background(), text, os.Stdout)
}

// write writes the automaton that the translator with the bug makes of a formula.
func (b *Bug) write(ctx context.Context, text string, w io.Writer) error {
	s := ltl.NewStore()
	f, err := s.Parse(text, ltl.Spot)
	if err != nil {
		return err
	}
	a, err := b.Automaton(ctx, s, f)
	if err != nil {
		return err
	}
	a.Name = f.String()
	var out bytes.Buffer
	if err := hoa.Write(ctx, &out, a); err != nil {
		return err
	}
	// The declared property stands in the header, true or not.
	header, body, _ := strings.Cut(out.String(), "--BODY--")
	if b.declared != "" && !strings.Contains(header, " "+b.declared) {
		header += "properties: " + b.declared + "\n"
	}
	_, err = io.WriteString(w, header+"--BODY--"+body)
	return err
}

// Builtin returns the translator with the bug of that name, for a call within the process; nil for
// one that crashes.
func Builtin(name string) func(ctx context.Context, in string, out io.Writer) error {
	if b, ok := find(name); ok && b.crash == nil {
		return b.write
	}
	return nil
}

// A draft is an automaton that can be changed.
type draft struct {
	*omega.Automaton
	starts []omega.State
	edges  []edge
	accept omega.Acceptance
}

// An edge leads from src, with any number of marks.
type edge struct {
	src   omega.State
	label omega.Label
	marks []int
	dst   omega.State
}

func newDraft(a *omega.Automaton) *draft {
	d := &draft{Automaton: a, starts: a.Initial(), accept: a.Acceptance()}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			d.edges = append(d.edges, edge{s, e.Label, a.Marks().AppendTo(nil, e.Marks), e.Dst})
		}
	}
	return d
}

func (d *draft) build() *omega.Automaton {
	b := omega.NewBuilder(d.Alphabet(), d.accept)
	b.AddStates(d.NumStates())
	for _, s := range d.starts {
		b.AddStart(s)
	}
	for _, e := range d.edges {
		b.AddEdge(e.src, e.label, b.Marks().Of(e.marks...), e.dst)
	}
	return b.Automaton()
}
