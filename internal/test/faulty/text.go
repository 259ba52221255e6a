package faulty

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// This file has the faults of what is printed.

func garbage(c *call) {
	fmt.Printf("sorry, %s is too hard\n", c.formula)
	os.Exit(0)
}

// around returns what prints text before and after the automaton.
func around(before, after string) func(*call) {
	return func(c *call) { c.print(slices.Concat([]byte(before), c.right, []byte(after))) }
}

// missingState leaves the last state out, with its edges.
func missingState(c *call) {
	state, end := bytes.LastIndex(c.right, []byte("\nState: ")), bytes.LastIndex(c.right, []byte("\n--END--"))
	c.print(slices.Concat(c.right[:state], c.right[end:]))
}

// headers of what package hoa writes.
var (
	nameLine    = regexp.MustCompile(`(?m)^name: .*\n`)
	accNameLine = regexp.MustCompile(`(?m)^acc-name: .*\n`)
	firstLine   = regexp.MustCompile(`^HOA: v1\n`)
	apLine      = regexp.MustCompile(`(?m)^AP: (\d+).*$`)
	label       = regexp.MustCompile(`(?m)^\[([^\]]*)\]`)
)

func nameOfBytes(c *call) {
	text := nameLine.ReplaceAll(c.right, nil)
	c.print(firstLine.ReplaceAll(text, []byte("HOA: v1\nname: \"f\xfcr \xe4lle\"\n")))
}

// falseAccName names an acceptance of four sets, which no automaton of ours has.
func falseAccName(c *call) {
	text := accNameLine.ReplaceAll(c.right, nil)
	c.print(bytes.Replace(text, []byte("\nAcceptance: "), []byte("\nacc-name: Rabin 2\nAcceptance: "), 1))
}

// otherCase is what a translator does that takes names of propositions for
// keywords.
func otherCase(c *call) {
	c.print(apLine.ReplaceAllFunc(c.right, func(line []byte) []byte {
		return append([]byte("AP:"), bytes.ToUpper(line[len("AP:"):])...)
	}))
}

// foreignProposition has a proposition more, which each label allows to be true
// or false.
func foreignProposition(c *call) {
	n := len(c.formula.Props())
	text := apLine.ReplaceAllFunc(c.right, func(line []byte) []byte {
		_, names, _ := strings.Cut(string(line[len("AP: "):]), " ")
		return fmt.Appendf(nil, "AP: %d %s \"foreign\"", n+1, names)
	})
	c.print(label.ReplaceAll(text, fmt.Appendf(nil, "[($1)&%d | ($1)&!%d]", n, n)))
}

// wrong gives the automaton of a formula that differs from the right one on the
// words that have the first proposition in their first two letters.
func wrong(c *call) {
	p := c.first()
	c.print(c.automaton(c.store.Xor(c.formula, c.store.And(p, c.store.Next(p)))))
}

func (c *call) first() *ltl.Formula {
	if props := c.formula.Props(); len(props) > 0 {
		return c.store.Prop(props[0])
	}
	return c.store.True()
}

// another answers another formula, and says so.
func another(c *call) {
	t, other := *c.translator, *c
	t.Names = true
	other.translator, other.formula = &t, c.store.Xor(c.formula, c.first())
	c.print(other.automaton(other.formula))
}

// later is how many formulas a process has had when faults begin that depend on
// that.
const later = 2

// afterSome returns what does something else only when the process has had some formulas
// before.
func afterSome(note string, act func(*call)) func(*call) {
	return func(c *call) {
		if c.before < later {
			c.answer()
			return
		}
		c.note(note)
		act(c)
	}
}
