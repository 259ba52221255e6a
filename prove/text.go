package prove

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
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// maxText is the length of a proof's text, in bytes.
const maxText = 1 << 26

// maxLabel is the length of the text of a label, in bytes.
const maxLabel = 1 << 20

// Write writes the text form of a proof, after it has read it back and checked it: so the file is right, whatever
// is in memory. docs/proofs.md describes it. Write fails as Check does: with a *certify.Refusal also if the text
// is no proof, with certify.ErrLarge also past 64 MiB, or a mebibyte for one label, and with ErrLineBreak.
func Write(ctx context.Context, w io.Writer, p *certify.Proof) error {
	if p == nil || p.Automaton == nil || p.Automaton.Acceptance == nil || p.Tableau == nil && (p.Given == nil || p.Given.Acceptance == nil) {
		return errNoProof
	}
	b := &textWriter{ctx: ctx, merges: true}
	if p.Tableau != nil {
		b.tracked = [2][]*ltl.Formula{p.Tableau.Kernel, p.Tableau.Memory}
	}
	if b.proof(p); b.err != nil {
		return b.err
	}
	read, err := Read(ctx, bytes.NewReader(b.Bytes()))
	if _, wrong := err.(*SyntaxError); wrong {
		return &certify.Refusal{Reason: "its text cannot be read: " + err.Error()}
	}
	if err == nil {
		err = read.Check(ctx, MaxEffort)
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
	merges  bool                   // join answers
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
		answers := n.Answers
		if b.merges {
			answers, err = merged(b.ctx, slices.Clone(answers))
		}
		if b.err = cmp.Or(b.err, err, b.ctx.Err()); b.err != nil {
			return
		}
		for _, r := range answers {
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

// merged joins answers that differ only in the truth of one proposition: on a&b and a&!b to one on a. The
// order of the answers does not matter, since no two to one state are on the same letter. For n answers
// over k propositions, it takes n·k steps.
func merged(ctx context.Context, list []certify.Answer) ([]certify.Answer, error) {
	place := make(map[certify.Answer]int, len(list)) // of the answers so far
	for i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// The answer may join an earlier one, and what they become another one, and so on.
		for at := i; ; {
			x := list[at]
			other, joined := -1, uint64(0)
			for left := x.Cube.Pos | x.Cube.Neg; left != 0; left &= left - 1 {
				bit := left & -left
				y := x
				y.Cube = certify.Cube{Pos: x.Cube.Pos ^ bit, Neg: x.Cube.Neg ^ bit} // the same, but for one proposition
				if k, ok := place[y]; ok && (other < 0 || k < other) {
					other, joined = k, bit
				}
			}
			if other < 0 {
				place[x] = at
				break
			}
			delete(place, list[other])
			delete(place, x)
			gone := max(at, other)
			at = min(at, other)
			list[at].Cube = certify.Cube{Pos: x.Cube.Pos &^ joined, Neg: x.Cube.Neg &^ joined}
			list[gone].Edge = -1
		}
	}
	return slices.DeleteFunc(list, func(x certify.Answer) bool { return x.Edge < 0 }), nil
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

// A SyntaxError says where the text of a proof is not as it should be.
type SyntaxError struct {
	Line     int
	Expected string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: expected %s", e.Line, e.Expected)
}

// Read reads the text form of a proof, and makes the tableau. It reads what Write writes: formulas of the kernel
// and of the memory may come in any order, and answers need not be joined. It checks nothing else.
func Read(ctx context.Context, r io.Reader) (*certify.Proof, error) {
	whole, err := io.ReadAll(io.LimitReader(guard.Reader(r), maxText+1))
	if err != nil {
		return nil, err
	}
	if len(whole) > maxText {
		return nil, fmt.Errorf("proof: longer than %d bytes", maxText)
	}
	rest, line := string(whole), 0
	next := func() (s string) {
		s, rest, _ = strings.Cut(rest, "\n")
		line++
		return s
	}
	fail := func(expected string) error { return &SyntaxError{line, expected} }
	store := ltl.NewStore()
	item := func(name string) (*ltl.Formula, error) {
		text, ok := strings.CutPrefix(next(), name)
		f, err := store.Parse(text, ltl.Spot)
		if !ok || err != nil {
			return nil, fail(fmt.Sprintf("%q and a formula", name))
		}
		return f, nil
	}

	automaton := func() (*certify.Automaton, error) {
		end := strings.Index(rest, "--END--\n")
		if end < 0 {
			return nil, fail("an automaton in HOA")
		}
		end += len("--END--\n")
		a, _, err := hoa.ReadOne(ctx, []byte(rest[:end]))
		line += strings.Count(rest[:end], "\n")
		if err != nil {
			return nil, cmp.Or(ctx.Err(), fail(fmt.Sprintf("an automaton in HOA before: %v", err)))
		}
		rest = rest[end:]
		return a.Plain(), nil
	}

	if next() != "xcheck-proof: 1" {
		return nil, fail(`"xcheck-proof: 1"`)
	}
	p := &certify.Proof{}
	var left *certify.Automaton
	var tracked [2][]*ltl.Formula
	var states map[string]int // by name
	if strings.HasPrefix(rest, "HOA: ") {
		if left, err = automaton(); err != nil {
			return nil, err
		}
		p.Given, states = left, numbers(left)
	} else {
		f, err := item("formula: ")
		if err != nil {
			return nil, err
		}
		truth := next()
		if p.Truth = truth == "truth: true"; !p.Truth && truth != "truth: false" {
			return nil, fail(`"truth: true" or "truth: false"`)
		}
		for i, name := range []string{"kernel: ", "memory: "} {
			for strings.HasPrefix(rest, name) {
				f, err := item(name)
				if err != nil {
					return nil, err
				}
				tracked[i] = append(tracked[i], f)
			}
		}
		t, err := certify.NewTableau(ctx, f, MaxEffort, tracked[0]...)
		if err != nil {
			return nil, fmt.Errorf("tableau: %w", err)
		}
		// The text may list them in any order, but must have all of them: else the state names mean nothing.
		orders := [2][]int{ordered(t.Kernel, tracked[0]), ordered(t.Memory, tracked[1])}
		if orders[0] == nil || orders[1] == nil {
			return nil, fail("the formulas of the kernel, and then of the memory, each once")
		}
		states = map[string]int{}
		for i := range t.States[2:] { // the first two are initial: no answer leads there
			states[stateName(&t.States[2+i], orders)] = 2 + i
		}
		p.Tableau, left = t, t.Automata[p.Truth]
	}
	if p.Automaton, err = automaton(); err != nil {
		return nil, err
	}
	props, _, err := certify.Letters(left, p.Automaton)
	if err != nil {
		return nil, err
	}

	nodes := &p.Nodes
	for {
		text := next()
		if text == "end" && rest == "" {
			err := same(ctx, string(whole), p, tracked)
			if err == ErrLineBreak {
				err = fail("propositions without line breaks before")
			}
			return p, err
		}
		var name string
		var n certify.Node
		var r certify.Answer
		number := len(*nodes)
		var ok bool
		if text == "node 0: start" && p.Tableau == nil && number > 0 && nodes == &p.Nodes { // the way back
			nodes, states = &p.Back, numbers(p.Automaton)
			props, _, _ = certify.Letters(p.Automaton, left) // the same propositions in another order
			*nodes = append(*nodes, n)
		} else if text == "node 0: start" && number == 0 {
			*nodes = append(*nodes, n)
		} else if k, err := fmt.Sscanf(text, "node %d: %s state %d", &r.Next, &name, &n.Right); err == nil && k == 3 && r.Next == number && number > 0 {
			if n.Left, ok = states[strings.TrimSuffix(name, ",")]; !ok {
				return nil, fail("a state of the left")
			}
			*nodes = append(*nodes, n)
		} else {
			head, tail, _ := strings.Cut(text, ", on ")
			k, err := fmt.Sscanf(head, "  to %s edge %d, node %d", &name, &r.Edge, &r.Next)
			w, wrong := certify.ParseWord("cycle{" + tail + "}") // letters are read as a word of one
			if err != nil || k != 3 || number == 0 || wrong != nil || len(w.Cycle) != 1 {
				return nil, fail(`"node", an answer as in "  to 10: edge 2, node 3, on a&!b", or "end"`)
			}
			if r.To, ok = states[strings.TrimSuffix(name, ":")]; !ok {
				return nil, fail("a state of the left")
			}
			for on, truth := range w.Cycle[0] {
				i := slices.Index(props, on)
				switch {
				case i < 0:
					return nil, fail("propositions of the formula or the automata")
				case truth:
					r.Cube.Pos |= 1 << i
				default:
					r.Cube.Neg |= 1 << i
				}
			}
			last := &(*nodes)[number-1]
			last.Answers = append(last.Answers, r)
		}
	}
}

// numbers returns the states of an automaton by their names.
func numbers(a *certify.Automaton) map[string]int {
	states := map[string]int{}
	for i := range a.States {
		states[strconv.Itoa(i)] = i
	}
	return states
}

// same fails unless a proof that was read is written as the same text. So nothing in the text was overlooked,
// and nothing in it can mean something else to another reader.
func same(ctx context.Context, text string, p *certify.Proof, tracked [2][]*ltl.Formula) error {
	b := &textWriter{ctx: ctx, tracked: tracked}
	if b.proof(p); b.err != nil {
		return b.err
	}
	written := b.String()
	for number := 1; text != written; number++ {
		was, restOfText, _ := strings.Cut(text, "\n")
		is, restOfWritten, _ := strings.Cut(written, "\n")
		if was != is || restOfText == "" || restOfWritten == "" {
			return &SyntaxError{number, strconv.Quote(is)}
		}
		text, written = restOfText, restOfWritten
	}
	return nil
}
