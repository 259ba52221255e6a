// Package prooftext writes and reads proofs, in the format of docs/proofs.md. It imports only what certify does:
// to check a proof, no other package of xcheck is needed.
package prooftext

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// maxText is the length of a proof's text, in bytes.
const maxText = 1 << 26

// maxLabel is the length of the text of a label, in bytes.
const maxLabel = 1 << 20

// CheckSteps is how many steps of a game or a check there may be for each step of a tableau, which takes more memory.
const CheckSteps = 8

// Write is prove.Write, in at most effort steps.
func Write(ctx context.Context, w io.Writer, p *certify.Proof, effort int) error {
	if p == nil || p.Automaton == nil || p.Automaton.Acceptance == nil || p.Tableau == nil && (p.Given == nil || p.Given.Acceptance == nil) {
		return errNoProof
	}
	b := &textWriter{ctx: ctx}
	if p.Tableau != nil {
		b.tracked = [2][]*ltl.Formula{p.Tableau.Kernel, p.Tableau.Memory}
	}
	if b.proof(p); b.err != nil {
		return b.err
	}
	read, err := Read(ctx, bytes.NewReader(b.Bytes()), effort)
	if _, wrong := err.(*SyntaxError); wrong {
		return &certify.Refusal{Reason: "its text cannot be read: " + err.Error()}
	}
	if err == nil {
		err = read.Check(ctx, CheckSteps*effort)
	}
	if err == nil {
		_, err = guard.Writer(w).Write(b.Bytes())
	}
	return err
}

var errNoProof = errors.New("no proof given")

// ErrLineBreak reports a proof that has no text form.
var ErrLineBreak = errors.New("unsupported: a proposition with a line break")

// full returns a formula with all parentheses.
func full(f *ltl.Formula) string { return f.Text(ltl.Letters, true) }

// A textWriter collects the text of a proof.
type textWriter struct {
	bytes.Buffer
	ctx     context.Context
	tracked [2][]*ltl.Formula      // the formulas of the tableau's kernel and memory, in the order of the text
	name    func(state int) string // of the left
	err     error
}

func (b *textWriter) proof(p *certify.Proof) {
	left := p.Given
	b.name = strconv.Itoa
	b.printf("xcheck-proof: 1\n")
	if t := p.Tableau; t != nil {
		left = t.Automata[p.Truth]
		b.printf("formula: %s\ntruth: %s\n", full(t.Formula), strconv.FormatBool(p.Truth))
		for i, name := range []string{"kernel", "memory"} {
			for _, f := range b.tracked[i] {
				b.printf("%s: %s\n", name, full(f))
			}
		}
		orders := [2][]int{ordered(t.Kernel, b.tracked[0]), ordered(t.Memory, b.tracked[1])}
		b.name = func(i int) string { return stateName(&t.States[i], orders) }
	} else {
		b.automaton(p.Given)
	}
	b.automaton(p.Automaton)
	b.strategy(left, p.Automaton, p.Nodes)
	if p.Tableau == nil {
		b.strategy(p.Automaton, left, p.Back)
	}
	b.printf("end\n")
}

func (b *textWriter) strategy(left, right *certify.Automaton, nodes []certify.Node) {
	props, _, err := certify.Letters(left, right)
	if slices.ContainsFunc(props, func(name string) bool { return strings.Contains(name, "\n") }) {
		err = cmp.Or(err, ErrLineBreak)
	}
	b.err = cmp.Or(b.err, err)
	for i, n := range nodes {
		if i == 0 {
			b.printf("node 0: start\n")
		} else {
			b.printf("node %d: %s, state %d\n", i, b.name(n.Left), n.Right)
		}
		if b.err = cmp.Or(b.err, b.ctx.Err()); b.err != nil {
			return
		}
		for _, r := range n.Answers {
			b.printf("  to %s: edge %d, node %d, on %s\n", b.name(r.To), r.Edge, r.Next, letters(r.Cube, props))
		}
	}
}

func (b *textWriter) printf(format string, args ...any) {
	if b.err == nil && b.Len() > maxText {
		b.err = certify.ErrLarge
	}
	if b.err != nil {
		return
	}
	fmt.Fprintf(b, format, args...)
}

// ordered returns the places of the formulas in a list that has all of them, in any order. It returns
// nil if the list has others. A tableau has formulas of its own: the same text is the same formula.
func ordered(formulas, list []*ltl.Formula) []int {
	places, texts := []int{}, map[string]int{}
	for i, f := range formulas {
		texts[full(f)] = i + 1
	}
	for _, f := range list {
		places = append(places, texts[full(f)]-1)
	}
	for i := range max(len(places), len(formulas)) { // a permutation has all
		if !slices.Contains(places, i) {
			return nil
		}
	}
	return places
}

// stateName returns the name of a state of the tableau: the truth of the kernel's formulas, and after a slash
// the memory. The orders are places of the formulas.
func stateName(s *certify.TableauState, orders [2][]int) string {
	var name []byte
	for k, set := range []uint64{s.Kernel, s.Memory} {
		if k == 1 && len(orders[k]) > 0 {
			name = append(name, '/')
		}
		for _, i := range orders[k] {
			name = append(name, '0'+byte(set>>i&1))
		}
	}
	return string(name)
}

// letters returns a cube as a conjunction.
func letters(c certify.Cube, props []string) string {
	var list []string
	for i, name := range props {
		switch {
		case c.Pos>>i&1 != 0:
			list = append(list, ltl.PropText(name))
		case c.Neg>>i&1 != 0:
			list = append(list, "!"+ltl.PropText(name))
		}
	}
	if len(list) == 0 {
		return "1"
	}
	return strings.Join(list, "&")
}

// automaton writes the automaton in HOA. Its edges keep their order, and are grouped by states.
func (b *textWriter) automaton(a *certify.Automaton) {
	marks := 0
	var condition func(c *certify.Condition) string
	condition = func(c *certify.Condition) string {
		name := "Inf"
		switch c.Op {
		case certify.Never:
			return "f"
		case certify.Always:
			return "t"
		case certify.AllOf:
			return joined(c.Args, condition, " & ", "t", "f")
		case certify.AnyOf:
			return joined(c.Args, condition, " | ", "f", "t")
		case certify.Fin:
			name = "Fin"
		}
		marks = max(marks, c.Mark+1)
		if c.Complement {
			return fmt.Sprintf("%s(!%d)", name, c.Mark)
		}
		return fmt.Sprintf("%s(%d)", name, c.Mark)
	}
	acceptance := condition(a.Acceptance) // also counts marks
	for _, e := range a.List() {
		marks = max(marks, slices.Max(append(e.Marks, -1))+1)
	}
	texts := map[*certify.Label]string{} // labels share parts, and would take exponential time
	var label, text func(l *certify.Label) string
	text = func(l *certify.Label) string {
		switch l.Op {
		case certify.False:
			return "f"
		case certify.True:
			return "t"
		case certify.Prop:
			return strconv.Itoa(l.Prop)
		case certify.Not:
			return strings.TrimPrefix("!"+label(l.Args[0]), "!!")
		case certify.And:
			return joined(l.Args, label, "&", "t", "f")
		}
		return joined(l.Args, label, " | ", "f", "t")
	}
	label = func(l *certify.Label) string {
		s, ok := texts[l]
		if !ok {
			s = text(l)
			texts[l] = s
		}
		if b.err = cmp.Or(b.err, b.ctx.Err()); b.err == nil && len(s) > maxLabel {
			b.err = certify.ErrLarge
		}
		if b.err != nil {
			return "" // of no use, and it could double with each level
		}
		return s
	}
	b.printf("HOA: v1\nStates: %d\n", a.States)
	for _, s := range a.Start {
		b.printf("Start: %d\n", s[0])
	}
	b.printf("AP: %d", len(a.Props))
	for _, name := range a.Props {
		b.printf(` "%s"`, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name))
	}
	b.printf("\nAcceptance: %d %s\n--BODY--\n", marks, acceptance)
	for s := range a.States {
		b.printf("State: %d\n", s)
		for _, e := range a.Edges(s) {
			b.printf("[%s] %d", label(e.Label), e.To[0])
			for i, mark := range e.Marks {
				b.printf("%s%d", [...]string{" {", " "}[min(i, 1)], mark)
			}
			b.printf("%s\n", [...]string{"", "}"}[min(len(e.Marks), 1)])
		}
	}
	b.printf("--END--\n")
}

// joined returns operands in parentheses, without the neutral one. Any that dominates is the result.
func joined[T any](args []T, text func(T) string, by, neutral, dominant string) string {
	var list []string
	for _, arg := range args {
		switch s := text(arg); s {
		case neutral:
		case dominant:
			return dominant
		default:
			list = append(list, s)
		}
	}
	switch len(list) {
	case 0:
		return neutral
	case 1:
		return list[0]
	}
	return "(" + strings.Join(list, by) + ")"
}
