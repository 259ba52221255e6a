package prooftext

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A SyntaxError says where the text of a proof is not as it should be.
type SyntaxError struct {
	Line     int
	Expected string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: expected %s", e.Line, e.Expected)
}

// maxDepth bounds the nesting of labels and conditions.
const maxDepth = 10000

// Read is prove.Read, in at most effort steps. What was read is written, and must be the same text: so nothing in
// it was overlooked, and nothing can mean something else to another reader.
func Read(ctx context.Context, in io.Reader, effort int) (*certify.Proof, error) {
	text, err := io.ReadAll(io.LimitReader(guard.Reader(in), maxText+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("proof: longer than %d bytes", maxText)
	}
	r := &reader{ctx: ctx, rest: string(text)}
	b := &textWriter{ctx: ctx}
	p := r.proof(effort, &b.tracked)
	if r.err != nil {
		return nil, r.err
	}
	if b.proof(p); b.err != nil {
		return nil, b.err
	}
	read, written := string(text), b.String()
	for number := 1; read != written; number++ {
		was, rest, _ := strings.Cut(read, "\n")
		is, restOfWritten, _ := strings.Cut(written, "\n")
		if was != is || rest == "" || restOfWritten == "" {
			return nil, &SyntaxError{number, strconv.Quote(is)}
		}
		read, written = rest, restOfWritten
	}
	return p, nil
}

// A reader reads a proof line by line. After an error, all that it reads is empty.
type reader struct {
	ctx        context.Context
	line, rest string // the unread part of the line; the next lines
	number     int    // of the line
	props      int    // of the automaton
	depth      int    // of parentheses
	err        error
}

func (r *reader) fail(expected string) {
	r.err = cmp.Or(r.err, error(&SyntaxError{r.number, expected}))
	r.line, r.rest = "", ""
}

func (r *reader) take(text string) bool {
	rest, ok := strings.CutPrefix(r.line, text)
	r.line = rest
	return ok
}

func (r *reader) need(text string) {
	if !r.take(text) {
		r.fail(strconv.Quote(text))
	}
}

// headed begins a line with this text, and whole reads one that is this text.
func (r *reader) headed(text string) {
	line, rest, ok := strings.Cut(r.rest, "\n")
	r.line, r.rest = line, rest
	r.number++
	if r.err = cmp.Or(r.err, r.ctx.Err()); !ok || r.err != nil {
		r.fail("one more line")
	}
	r.need(text)
}

func (r *reader) whole(text string) {
	r.headed(text)
	r.end()
}

func (r *reader) end() {
	if r.line != "" {
		r.fail("the end of the line")
	}
}

// below returns a number below n.
func (r *reader) below(n int, what string) int {
	rest := strings.TrimLeft(r.line, "0123456789")
	k, err := strconv.Atoi(r.line[:len(r.line)-len(rest)])
	if r.line = rest; err != nil || k >= n {
		r.fail(what)
		return 0
	}
	return k
}

const maxNumber = 1 << 31

var (
	quoted  = regexp.MustCompile(`^"((?:[^"\\]|\\.)*)"`)
	escaped = regexp.MustCompile(`\\(.)`)
)

// list reads operands in parentheses, joined by one of two operators.
func list[T, Op any](r *reader, operand func() T, and string, all, some Op) (args []T, op Op) {
	r.need("(")
	if r.depth++; r.depth > maxDepth {
		r.fail(fmt.Sprintf("at most %d nested parentheses", maxDepth))
	}
	args = append(args, operand())
	by, op := " | ", some
	if strings.HasPrefix(r.line, and) {
		by, op = and, all
	}
	for r.take(by) {
		args = append(args, operand())
	}
	r.need(")")
	r.depth--
	return args, op
}

func (r *reader) label() *certify.Label {
	l := &certify.Label{}
	switch {
	case r.take("f"): // the zero Label
	case r.take("t"):
		l.Op = certify.True
	case strings.HasPrefix(r.line, "("):
		l.Args, l.Op = list(r, r.label, "&", certify.And, certify.Or)
	case strings.HasPrefix(r.line, "!") && !strings.HasPrefix(r.line, "!!"):
		r.need("!")
		l.Op, l.Args = certify.Not, []*certify.Label{r.label()}
	default:
		l.Op, l.Prop = certify.Prop, r.below(r.props, "a label over the propositions")
	}
	return l
}

func (r *reader) condition() *certify.Condition {
	c := &certify.Condition{}
	switch {
	case r.take("f"): // the zero Condition
	case r.take("t"):
		c.Op = certify.Always
	case strings.HasPrefix(r.line, "("):
		c.Args, c.Op = list(r, r.condition, " & ", certify.AllOf, certify.AnyOf)
	default:
		if c.Op = certify.Inf; !r.take("Inf(") {
			c.Op = certify.Fin
			r.need("Fin(")
		}
		c.Complement = r.take("!")
		c.Mark = r.below(maxNumber, "a mark")
		r.need(")")
	}
	return c
}

// automaton reads an automaton in the one form of HOA that automaton writes.
func (r *reader) automaton() *certify.Automaton {
	a := &certify.Automaton{}
	r.whole("HOA: v1")
	r.headed("States: ")
	a.States = r.below(maxNumber, "a number of states")
	for r.end(); strings.HasPrefix(r.rest, "Start: "); r.end() {
		r.headed("Start: ")
		a.Start = append(a.Start, []int{r.below(a.States, "a state")})
	}
	r.headed("AP: ")
	names := map[string]bool{}
	for range r.below(maxNumber, "a number of propositions") {
		r.need(" ")
		found := quoted.FindStringSubmatch(r.line)
		if found == nil || names[found[1]] {
			r.fail("other propositions in double quotes")
			break
		}
		r.line = r.line[len(found[0]):]
		names[found[1]] = true
		a.Props = append(a.Props, escaped.ReplaceAllString(found[1], "$1"))
	}
	r.end()
	r.props = len(a.Props)
	r.headed("Acceptance: ")
	r.below(maxNumber, "a number of marks")
	r.need(" ")
	a.Acceptance = r.condition()
	r.end()
	r.whole("--BODY--")
	for s := 0; s < a.States && r.err == nil; s++ {
		for r.whole("State: " + strconv.Itoa(s)); strings.HasPrefix(r.rest, "["); r.end() {
			r.headed("[")
			label := r.label()
			r.need("] ")
			to := r.below(a.States, "a state")
			var marks []int
			for by := " {"; r.take(by); by = " " {
				marks = append(marks, r.below(maxNumber, "a mark"))
			}
			if marks != nil {
				r.need("}")
			}
			a.AddEdge(s, label, marks, to)
		}
	}
	r.whole("--END--")
	return a
}

// proof reads all lines, and the formulas that it tracks.
func (r *reader) proof(effort int, tracked *[2][]*ltl.Formula) *certify.Proof {
	p := &certify.Proof{}
	var left *certify.Automaton
	var states map[string]int // of the left, by name
	if r.whole("xcheck-proof: 1"); strings.HasPrefix(r.rest, "HOA: ") {
		if p.Given = r.automaton(); r.err != nil {
			return nil
		}
		left, states = p.Given, numbers(p.Given)
	} else {
		store := ltl.NewStore()
		item := func(name string) *ltl.Formula {
			r.headed(name)
			f, err := store.Parse(r.line, ltl.Spot)
			if r.line = ""; err != nil {
				r.fail(fmt.Sprintf("%q and a formula", name))
			}
			return f
		}
		f := item("formula: ")
		r.headed("truth: ")
		p.Truth = r.take("true")
		if !p.Truth {
			r.need("false")
		}
		r.end()
		for i, name := range []string{"kernel: ", "memory: "} {
			for strings.HasPrefix(r.rest, name) {
				tracked[i] = append(tracked[i], item(name))
			}
		}
		if r.err != nil {
			return nil
		}
		t, err := certify.NewTableau(r.ctx, f, effort, tracked[0]...)
		if err != nil {
			r.err = fmt.Errorf("tableau: %w", err)
			return nil
		}
		// The text may list them in any order, but must have all of them: else the state names mean nothing.
		orders := [2][]int{ordered(t.Kernel, tracked[0]), ordered(t.Memory, tracked[1])}
		if orders[0] == nil || orders[1] == nil {
			r.fail("the formulas of the kernel, and then of the memory, each once")
			return nil
		}
		states = map[string]int{}
		for i := range t.States[2:] { // the first two are initial: no answer leads there
			states[stateName(&t.States[2+i], orders)] = 2 + i
		}
		p.Tableau, left = t, t.Automata[p.Truth]
	}
	if p.Automaton = r.automaton(); r.err != nil {
		return nil
	}
	props, _, err := certify.Letters(left, p.Automaton)
	r.err = err
	p.Nodes = r.strategy(states, props)
	if p.Tableau == nil && r.err == nil {
		props, _, _ = certify.Letters(p.Automaton, left) // the same propositions in another order
		p.Back = r.strategy(numbers(p.Automaton), props)
	}
	if r.whole("end"); r.rest != "" {
		r.fail("the end of the text")
	}
	return p
}

// numbers returns the states of an automaton by their names.
func numbers(a *certify.Automaton) map[string]int {
	states := map[string]int{}
	for i := range a.States {
		states[strconv.Itoa(i)] = i
	}
	return states
}

// strategy reads nodes from node 0 on.
func (r *reader) strategy(states map[string]int, props []string) (nodes []certify.Node) {
	state := func() int {
		name := r.line[:max(0, strings.IndexAny(r.line, ":,"))]
		s, ok := states[name]
		if r.line = r.line[len(name):]; !ok {
			r.fail("a state of the left")
		}
		return s
	}
	r.headed("node 0: start")
	for r.err == nil {
		var n certify.Node
		if len(nodes) > 0 {
			r.headed(fmt.Sprintf("node %d: ", len(nodes)))
			n.Left = state()
			r.need(", state ")
			n.Right = r.below(maxNumber, "a state")
		}
		for r.end(); strings.HasPrefix(r.rest, "  to "); r.end() {
			var x certify.Answer
			r.headed("  to ")
			x.To = state()
			r.need(": edge ")
			x.Edge = r.below(maxNumber, "an edge")
			r.need(", node ")
			x.Next = r.below(maxNumber, "a node")
			r.need(", on ")
			w, err := certify.ParseWord("cycle{" + r.line + "}") // letters are read as a word of one
			if err != nil || len(w.Cycle) != 1 {
				r.fail("letters as in a&!b")
				break
			}
			r.line = ""
			for on, truth := range w.Cycle[0] {
				i := slices.Index(props, on)
				switch {
				case i < 0:
					r.fail("propositions of the formula or the automata")
				case truth:
					x.Cube.Pos |= 1 << i
				default:
					x.Cube.Neg |= 1 << i
				}
			}
			n.Answers = append(n.Answers, x)
		}
		nodes = append(nodes, n)
		if strings.HasPrefix(r.rest, "node 0: ") || !strings.HasPrefix(r.rest, "node ") {
			break
		}
	}
	return nodes
}
