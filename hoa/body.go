package hoa

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
)

// body reads what stands between --BODY-- and --END--.
type body struct {
	*parser
	*header
	labels
	defined        []bool
	names          []string
	last           int // greatest state that is mentioned
	lastAt         int
	written        omega.Written
	valuations     []label // of implicit labels; a state's come in order
	marks, targets []int
	absent         omega.Marks // all fresh marks; 0 if the set was not made yet
}

// hoa reads an automaton in HOA format.
func (p *parser) hoa() (_ *omega.Automaton, err error) {
	h, err := p.header()
	if err != nil {
		return nil, err
	}
	b := &body{parser: p, header: h, last: -1}
	b.labels = labels{recorder: p.record(h.props, h.acceptance, h.condition), count: len(h.props), known: map[string]label{}}
	defer b.release(&err)
	if len(h.aliases) > 0 {
		b.byName = map[string]*certify.Label{}
	}
	end := p.at // aliases stand in the header, but their labels need its propositions
	for _, a := range h.aliases {
		p.at = a.at
		text, err := p.label(&b.labels)
		if err != nil {
			return nil, err
		}
		p.labelAt = a.at // the place of a LimitError
		b.byName[a.name] = b.evaluated(text).text
	}
	p.at = end
	for k, s := range h.start {
		for _, state := range s {
			b.mention(state, h.startAt[k])
		}
	}
	for {
		p.skip()
		at := p.at
		switch {
		case p.keyword(endToken):
			if p.skip(); p.at < len(p.text) {
				return nil, p.expected("the end")
			}
			return b.finish(at)
		case p.keyword(abortToken):
			return nil, ErrAborted
		case p.keyword("State:"):
			if err := b.state(); err != nil {
				return nil, err
			}
		default:
			return nil, p.expected("State: or --END--")
		}
	}
}

// mention notes a state that must exist.
func (b *body) mention(s, at int) {
	if s > b.last {
		b.last, b.lastAt = s, at
	}
}

// finish returns the automaton. Its --END-- is at end.
func (b *body) finish(end int) (*omega.Automaton, error) {
	n := b.states
	if n < 0 {
		n = b.last + 1
	}
	if b.last >= n {
		return nil, b.errorAt(b.lastAt, "state %d, but there %s", b.last, only(n, "state"))
	}
	if err := b.missing(n, end); err != nil {
		return nil, err
	}
	for _, s := range b.header.start {
		b.recorder.start(s...)
	}
	a := b.automaton(n)
	a.Name = b.name
	a.Declared, a.Written = b.declared, b.written
	a.Written.Fresh = len(b.negated)
	if b.names != nil {
		a.StateNames = append(b.names, make([]string, n-len(b.names))...)
	}
	// Without marks, the header decides.
	a.StateMarks = a.Written.EdgeMarks == 0 && (a.Written.StateMarks > 0 || slices.Contains(a.Declared.Properties, "state-acc"))
	return a, nil
}

// missing returns an error if one of the first n states has no State: line.
func (b *body) missing(n, end int) error {
	if len(b.defined) >= n && !slices.Contains(b.defined, false) {
		return nil
	}
	b.defined = append(b.defined, make([]bool, max(0, n-len(b.defined)))...)
	const maxRanges = 5
	var ranges []string // 1, 3-5
	e := &MissingStateError{}
	for s := 0; s < n; s++ {
		first := s
		for s < n && !b.defined[s] {
			s++
		}
		if s == first {
			continue
		}
		if e.Count == 0 {
			e.State = first
		}
		e.Count += s - first
		switch text := strconv.Itoa(first); {
		case len(ranges) > maxRanges: // the list is cut off
		case len(ranges) == maxRanges:
			ranges = append(ranges, "…")
		case s == first+1:
			ranges = append(ranges, text)
		default:
			ranges = append(ranges, text+"-"+strconv.Itoa(s-1))
		}
	}
	have := "states " + strings.Join(ranges, ", ") + " have"
	if e.Count == 1 {
		have = "state " + ranges[0] + " has"
	}
	e.Line, e.Column = b.place(end)
	e.Reason = have + " no State: line: every state needs one, even without edges"
	return e
}

// state reads a state and its edges, behind State:.
func (b *body) state() error {
	own, labelled := label{always, b.alphabet.True()}, false
	if b.peek() == '[' {
		var err error
		if own, err = b.bracketed(&b.labels); err != nil {
			return err
		}
		labelled = true
	}
	b.skip()
	numberAt := b.at
	s, err := b.number("a state number", maxStates)
	if err != nil {
		return err
	}
	if b.states >= 0 && s >= b.states {
		return b.errorAt(numberAt, "state %d, but there %s", s, only(b.states, "state"))
	}
	b.mention(s, numberAt)
	if s >= len(b.defined) {
		b.defined = append(b.defined, make([]bool, s+1-len(b.defined))...)
	}
	if b.defined[s] {
		return b.errorAt(numberAt, "state %d occurs twice", s)
	}
	b.defined[s] = true
	if b.peek() == '"' {
		name, err := b.str("a name")
		if err != nil {
			return err
		}
		if s >= len(b.names) {
			b.names = append(b.names, make([]string, s+1-len(b.names))...)
		}
		b.names[s] = name
	}
	stateMarks, some, err := b.signature()
	if err != nil {
		return err
	}
	if some {
		first(&b.written.StateMarks, s)
	}
	if labelled {
		first(&b.written.StateLabels, s)
	}
	return b.edges(s, own, labelled, stateMarks)
}

// edges reads the edges of a state up to the next state or the end.
func (b *body) edges(s int, stateLabel label, labelled bool, stateMarks []int) error {
	own := slices.Clone(stateMarks) // b.signature uses its slice again
	explicit, implicit := 0, 0
	for {
		c := b.peek()
		at := b.at
		l := stateLabel
		switch {
		case c == '[' && labelled:
			return b.errorAt(at, "label on an edge of a state that has a label itself")
		case c == '[' && implicit > 0:
			return b.errorAt(at, "label on an edge, but the edges before it have none")
		case c == '[':
			explicit++
			first(&b.written.EdgeLabels, s)
			var err error
			if l, err = b.bracketed(&b.labels); err != nil {
				return err
			}
		case '0' <= c && c <= '9':
			if labelled {
				break // the edges have the label of the state
			}
			if explicit > 0 {
				return b.errorAt(at, "edge without a label, but the edges before it have one")
			}
			if n, ok := b.most(); !ok || implicit >= n {
				return b.errorAt(at, "more than 2^%d edges without a label", b.count)
			}
			l = b.letter(implicit)
			implicit++
			first(&b.written.ImplicitLabels, s)
		default: // no edge begins here
			if n, _ := b.most(); implicit > 0 && implicit != n {
				return b.errorAt(at, "state %d has %s without a label: expected one for each of the %d letters", s, plural.Of(implicit, "edge"), n)
			}
			return nil
		}
		b.skip()
		dstAt := b.at
		dst, err := b.conjunction(b.targets[:0])
		if err != nil {
			return err
		}
		b.targets = dst
		for _, t := range dst {
			if b.states >= 0 && t >= b.states {
				return b.errorAt(dstAt, "edge to state %d, but there %s", t, only(b.states, "state"))
			}
			b.mention(t, dstAt)
		}
		marks, some, err := b.signature()
		if err != nil {
			return err
		}
		if some {
			first(&b.written.EdgeMarks, s)
		}
		set := b.marksOf(own, marks)
		b.edge(s, l, set, append(marks, own...), dst...)
	}
}

// first notes a state in which something is written, unless there was one before.
func first(at *omega.State, s int) {
	if *at == 0 {
		*at = omega.State(s) + 1
	}
}

// letter returns the label of the letter in which the bits of v are the
// propositions. States share them.
func (b *body) letter(v int) label {
	if v < len(b.valuations) {
		return b.valuations[v]
	}
	args := make([]*certify.Label, b.count)
	for i := range args {
		args[i] = &b.atoms[2*i+1-v>>i&1] // the proposition if its bit is set, else its negation
	}
	all := 1<<b.count - 1
	l := label{&certify.Label{Op: certify.And, Args: args}, b.alphabet.Cube(uint64(v), uint64(^v&all))}
	b.valuations = append(b.valuations, l)
	b.kept += labelSize + int64(8*len(args))
	return l
}

// signature reads marks in braces. The slice is valid until the next call.
func (b *body) signature() (marks []int, some bool, err error) {
	b.marks = b.marks[:0]
	if b.peek() != '{' {
		return nil, false, nil
	}
	b.at++
	for b.peek() != '}' {
		at := b.at
		i, err := b.number("the number of a mark or '}'", omega.MaxMarks)
		if err != nil {
			return nil, false, err
		}
		if i >= b.sets {
			return nil, false, b.errorAt(at, "mark %d, but there %s", i, only(b.sets, "mark"))
		}
		b.marks = append(b.marks, i)
	}
	b.at++
	return b.marks, len(b.marks) > 0, nil
}

// marksOf returns the marks of an edge: the marks of its state, its own, and a fresh mark
// for each negated mark that is in neither.
func (b *body) marksOf(state, edge []int) omega.Marks {
	table := b.builder.Marks()
	if len(b.negated) == 0 && table.Inline() { // the bits of Marks are the marks
		var m omega.Marks
		for _, i := range state {
			m |= 1 << i
		}
		for _, i := range edge {
			m |= 1 << i
		}
		return m
	}
	list := append(slices.Clone(state), edge...)
	if len(b.negated) == 0 {
		return table.Of(list...)
	}
	b.budget.Spend(1 + len(b.negated)/64)
	var there []int // fresh marks
	for _, i := range list {
		if k, ok := b.fresh[i]; ok {
			there = append(there, b.sets+k)
		}
	}
	if b.absent == 0 {
		all := make([]int, len(b.negated))
		for k := range all {
			all[k] = b.sets + k
		}
		b.absent = table.Of(all...)
	}
	return table.Changed(b.absent, there, list) // an edge with mark i lacks the fresh mark of i
}

// only says how many there are: "is only 1 state", "are only 2 states".
func only(n int, what string) string {
	if n == 1 {
		return "is only 1 " + what + ", number 0"
	}
	if n == 0 {
		return "are no " + plural.Word(what)
	}
	return "are only " + plural.Of(n, what) + ", numbered from 0"
}
