// Package hoa reads and writes ω-automata as text.
//
// A [Reader] reads a stream of automata, one at a time:
//
//	r := hoa.NewReader(os.Stdin)
//	for {
//		a, err := r.Next(ctx)
//		if err == io.EOF {
//			break
//		}
//		…
//	}
//
// It recognizes the format by how each automaton starts:
//
//   - HOA, the Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015), and the draft of
//     version 1.1: Alphabet:, dots in names, negated properties, the other order of Streett pairs
//   - never claims, as Spin, LTL2BA and LTL3BA print them
//   - the format of the testbench LBTT
//   - DSTAR, the format of ltl2dstar
//
// The Reader returns an automaton as soon as its last character has arrived. So it can read from a
// program that waits for the next question. [Write] writes HOA. [WriteNever], [WriteLBTT],
// [WriteDot] writes other formats.
//
// # What is checked
//
// A truncated automaton is an error. So is one that contradicts its header, for example with a
// state number out of range. The error has line and column; the Reader never returns a part of an
// automaton. A state without a State: line is a [MissingStateError].
//
// Declared properties are kept but not verified: package properties does that.
//
// # What is normalized
//
//   - Marks on states move to their outgoing edges.
//   - Fin(!i) and Inf(!i) become conditions on a new mark, on the edges without mark i.
//
// [omega.Automaton].AsRead keeps the text unchanged, for package certify.
//
// # Other text in a stream
//
// A [Splitter] cuts a stream into automata and other text without reading the automata. Use it if
// the other text matters, or if bytes arrive from several streams.
package hoa

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/omega"
)

// hoaFormat is the Hanoi Omega-Automata format (http://adl.github.io/hoaf/).
var hoaFormat = &Format{
	Name:  "hoa",
	Write: Write,
	input: &input{
		title:   "HOA",
		starts:  "H",
		opens:   hoaOpens,
		follows: hoaFollows,
		scan:    func() scanner { return &hoaScan{} },
		read:    readHOA,
	},
}

func init() { classify(`"\/*-`, inHOA) }

// readHOA reads an automaton in HOA. If it has --ABORT-- at its end, that is the error,
// whatever else is wrong.
func readHOA(p *parser) (*omega.Automaton, error) {
	a, err := p.hoa()
	if err != nil && p.complete && bytes.HasSuffix(p.text, []byte(abortToken)) {
		return nil, ErrAborted
	}
	return a, err
}

func hoaOpens(l *look, within bool) bool {
	if !l.word("HOA:") {
		return false
	}
	l.run(isBlank)
	l.sure = l.next() == 'v'
	l.short = l.short && within // between pieces, there is no need to know
	return true
}

// firstItems are the header items that a header may well begin with.
var firstItems = append([]string{"Start:", "properties:", "Alias:"}, once[1:]...)

// hoaFollows reports whether the text is HOA:, a version and a header item that is known.
func hoaFollows(l *look) bool {
	if !l.word("HOA:") {
		return false
	}
	l.run(isBlank)
	if !l.word("v") || !l.run(isDigit) || !l.run(isSpace) {
		return false
	}
	from := l.at
	l.run(func(b byte) bool { return isLetter(b) || b == '-' })
	return l.next() == ':' && slices.Contains(firstItems, string(l.text[from:l.at+1]))
}

// The tokens of HOA with dashes.
const (
	bodyToken  = "--BODY--"
	endToken   = "--END--"
	abortToken = "--ABORT--"
)

// dashed returns the token with dashes that the text starts with, or "". It is not known
// if the text is too short.
func dashed(text []byte) (token string, known bool) {
	for _, token := range []string{bodyToken, endToken, abortToken} {
		if bytes.HasPrefix(text, []byte(token)) {
			return token, true
		}
		if bytes.HasPrefix([]byte(token), text) {
			return "", false
		}
	}
	return "", true
}

// hoaScan finds the --END-- or --ABORT-- of an automaton in HOA.
type hoaScan struct {
	named bool // in an identifier, in which --END-- means nothing
}

func (h *hoaScan) reset() { *h = hoaScan{} }

func (h *hoaScan) scan(s *Splitter, text []byte) answer {
	for {
		// Most bytes are passed over: all that a name may have, and otherwise those without a
		// class.
		for s.at < len(text) && (h.named && (wordByte(text[s.at]) || text[s.at] == '.') || !h.named && classes[text[s.at]]&(interrupts|inHOA) == 0) {
			s.at++
		}
		if s.at == len(text) {
			return wait
		}
		if h.named { // the name ends here
			h.named = false
			continue
		}
		switch b := text[s.at]; {
		case classes[b]&interrupts != 0:
			if a := s.goesOn(text); a != yes {
				return a
			}
		case s.quoted || s.comment > 0 || b != '-': // in a string or a comment, or where one may begin
			if !s.inside(text, true) {
				return wait
			}
			continue
		case inIdentifier(text[:s.at]): // foo--END-- is a name
			h.named = true
			continue
		default:
			token, known := dashed(text[s.at:])
			if !known {
				return wait
			}
			s.at += max(1, len(token)) // 1: the dash begins no token
			if token == endToken || token == abortToken {
				return yes
			}
			continue
		}
		s.at++
	}
}

// inIdentifier reports whether a dash behind the text belongs to an identifier, or to the
// name of an alias, that the text ends with: foo--END-- is one, 0--END-- is a number and
// the end.
func inIdentifier(text []byte) bool {
	i := len(text)
	for i > 0 && (isLetter(text[i-1]) || text[i-1] == '.') {
		i--
	}
	if i > 0 && text[i-1] == '@' {
		return true
	}
	return len(bytes.TrimLeft(text[i:], "0123456789")) > 0
}

// quote writes a string as HOA does.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Write writes an automaton in HOA. The text depends only on the automaton, and reads as the
// same automaton, except for its properties. Write determines these itself; it does not copy
// the declared ones. Only "tight", which takes long to decide, is copied. Write fails when ctx
// is done.
func Write(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	budget := budget.New(ctx)
	defer a.Alphabet().Bind(budget).Release(&err)
	b := bufio.NewWriter(guard.Writer(w))
	fmt.Fprintln(b, "HOA: v1")
	if a.Name != "" {
		fmt.Fprintf(b, "name: %s\n", quote(a.Name))
	}
	fmt.Fprintf(b, "States: %d\n", a.NumStates())
	for _, s := range a.Initial() {
		fmt.Fprintf(b, "Start: %s\n", conjunction(a, s))
	}
	fmt.Fprintf(b, "AP: %d", a.Alphabet().Len())
	for _, p := range a.Alphabet().Props() {
		fmt.Fprintf(b, " %s", quote(p))
	}
	fmt.Fprintln(b)
	if name := a.Acceptance().Name(); name != "" {
		fmt.Fprintf(b, "acc-name: %s\n", name)
	}
	fmt.Fprintf(b, "Acceptance: %s\n", a.Acceptance())
	onStates := a.StateMarks && a.HasStateMarks()
	fmt.Fprintf(b, "properties: %s\n", strings.Join(properties(a, onStates, budget), " "))
	body := &writer{Writer: b, budget: budget, a: a, labels: map[omega.Label]string{}}
	body.aliases()
	fmt.Fprintln(b, "--BODY--")
	for s := range omega.State(a.NumStates()) {
		if budget.Spend(1 + len(a.Edges(s))) {
			return budget.Err()
		}
		body.state(s, onStates)
	}
	fmt.Fprintln(b, "--END--")
	return b.Flush()
}

func properties(a *omega.Automaton, onStates bool, b *budget.Budget) []string {
	list := []string{"trans-labels", "explicit-labels"}
	if onStates {
		list = append(list, "state-acc")
	} else {
		list = append(list, "trans-acc")
	}
	if slices.Contains(a.Declared.Properties, "tight") {
		list = append(list, "tight")
	}
	if a.Alternating() {
		return append(list, "univ-branch")
	}
	for _, p := range []struct {
		name string
		is   func() bool
	}{{"complete", a.IsComplete}, {"deterministic", a.IsDeterministic}} {
		// Unions of labels may be large: then it is not written.
		holds := false
		if a.Alphabet().Attempt(b, propertySteps, func(*budget.Budget) { holds = p.is() }) && holds {
			list = append(list, p.name)
		}
	}
	return list
}

// propertySteps bounds what it takes to find out whether an automaton has a property.
const propertySteps = 1 << 24

// conjunction returns a destination: a state, or several joined by &.
func conjunction(a *omega.Automaton, s omega.State) string {
	var parts []string
	for _, t := range a.Universal(s) {
		parts = append(parts, strconv.Itoa(int(t)))
	}
	return strings.Join(parts, "&")
}

type writer struct {
	*bufio.Writer
	budget *budget.Budget
	a      *omega.Automaton
	labels map[omega.Label]string // their texts: see aliases
	parts  map[omega.Label]string // of labels that have no small cover: a proposition or an alias
	named  int                    // aliases
	marks  []int
	num    []byte
}

func (w *writer) state(s omega.State, onStates bool) {
	w.WriteString("State: ")
	w.number(int(s))
	if w.a.StateNames != nil && w.a.StateNames[s] != "" {
		w.WriteByte(' ')
		w.WriteString(quote(w.a.StateNames[s]))
	}
	edges := w.a.Edges(s)
	if onStates && len(edges) > 0 { // the marks of a state are on all of its edges
		w.signature(edges[0].Marks)
	}
	w.WriteByte('\n')
	for _, e := range edges {
		w.WriteByte('[')
		w.WriteString(w.labels[e.Label])
		w.WriteString("] ")
		if e.Dst < 0 {
			w.WriteString(conjunction(w.a, e.Dst))
		} else {
			w.number(int(e.Dst))
		}
		if !onStates {
			w.signature(e.Marks)
		}
		w.WriteByte('\n')
	}
}

func (w *writer) number(n int) {
	w.num = strconv.AppendInt(w.num[:0], int64(n), 10)
	w.Write(w.num)
}

func (w *writer) signature(m omega.Marks) {
	if m == 0 {
		return
	}
	w.marks = w.a.Marks().AppendTo(w.marks[:0], m)
	sep := " {"
	for _, i := range w.marks {
		w.WriteString(sep)
		w.number(i)
		sep = " "
	}
	w.WriteByte('}')
}

// aliases makes the texts of all labels. A label that has a small cover is a disjunction of
// cubes. For any other, the parts of its diagram are written as aliases, each once, the
// smaller ones first:
//
//	Alias: @0 28&!29 | !28&29
//	Alias: @1 27&!@0 | !27&@0
func (w *writer) aliases() {
	alphabet := w.a.Alphabet()
	for s := range omega.State(w.a.NumStates()) {
		for _, e := range w.a.Edges(s) {
			if _, ok := w.labels[e.Label]; ok {
				continue
			}
			if w.budget.Err() != nil {
				return
			}
			if cubes, ok := alphabet.Cover(e.Label); ok {
				w.labels[e.Label] = disjunction(cubes)
			} else {
				w.labels[e.Label] = w.alias(e.Label)
			}
		}
	}
}

// disjunction returns the text of a label that is the union of the cubes: "0&!1 | 2".
func disjunction(cubes [][]omega.Literal) string {
	var b strings.Builder
	for i, cube := range cubes {
		if i > 0 {
			b.WriteString(" | ")
		}
		if len(cube) == 0 { // an empty conjunction is true
			b.WriteByte('t')
		}
		for j, x := range cube {
			if j > 0 {
				b.WriteByte('&')
			}
			if x.Negated() {
				b.WriteByte('!')
			}
			b.WriteString(strconv.Itoa(x.Prop()))
		}
	}
	return b.String()
}

// alias returns an operand that stands for a label, which is written as an alias if it has
// not been.
func (w *writer) alias(l omega.Label) string {
	alphabet := w.a.Alphabet()
	switch l {
	case omega.False:
		return "f"
	case alphabet.True():
		return "t"
	}
	if text, ok := w.parts[l]; ok {
		return text
	}
	// A label and its negation share an alias.
	if not := alphabet.Not(l); not < l {
		return "!" + w.alias(not)
	}
	prop, lo, hi := alphabet.Split(l)
	p := strconv.Itoa(prop)
	var text string
	switch {
	case lo == omega.False && hi == alphabet.True(): // a literal needs no alias
		text = p
	case lo == omega.False:
		text = p + "&" + w.alias(hi)
	case hi == omega.False:
		text = "!" + p + "&" + w.alias(lo)
	case lo == alphabet.True():
		text = "!" + p + " | " + w.alias(hi)
	case hi == alphabet.True():
		text = p + " | " + w.alias(lo)
	default:
		text = p + "&" + w.alias(hi) + " | !" + p + "&" + w.alias(lo)
	}
	if text != p {
		fmt.Fprintf(w, "Alias: @%d %s\n", w.named, text)
		text = "@" + strconv.Itoa(w.named)
		w.named++
	}
	if w.parts == nil {
		w.parts = map[omega.Label]string{}
	}
	w.parts[l] = text
	return text
}
