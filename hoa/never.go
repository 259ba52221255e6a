package hoa

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// neverFormat is the format of never claims in Promela (Spin's manual, page never).
var neverFormat = &Format{
	Name:  "never",
	Write: WriteNever,
	input: &input{
		title:   "never claim",
		starts:  "n",
		opens:   neverOpens,
		follows: neverFollows,
		scan:    func() scanner { return &neverScan{} },
		read:    (*parser).never,
	},
}

func init() { classify("\"\\/*\n{}", inNever) }

// neverOpens looks for the word, and for a name or none, and a brace, perhaps with a comment
// before it.
func neverOpens(l *look, _ bool) bool {
	if !l.word("never") {
		return false
	}
	if l.run(isSpace) && l.run(isLetter) {
		l.run(isSpace)
	}
	return l.next() == '{' || l.word("/*")
}

// neverFollows reports whether the text is a never claim up to its brace, and perhaps a
// comment, on the rest of a line, and a label on the next.
func neverFollows(l *look) bool {
	if !l.word("never") {
		return false
	}
	if l.run(isBlank) && l.run(isLetter) {
		l.run(isBlank)
	}
	if !l.word("{") {
		return false
	}
	l.run(isBlank)
	if l.word("/*") {
		for star := false; l.next() != 0 && !(star && l.next() == '/'); l.at++ {
			star = l.next() == '*'
		}
		if l.at >= farthest {
			return true // a long formula
		}
		if !l.word("/") {
			return false
		}
	}
	if l.run(isBlank); !l.word("\n") {
		return false
	}
	l.run(isSpace)
	from := l.at // the label of the first state
	return l.run(isLetter) && string(l.text[from:l.at]) != "HOA" && l.next() == ':'
}

// neverScan finds the closing brace of a never claim.
type neverScan struct {
	braces int // that are open
}

func (n *neverScan) reset() { *n = neverScan{} }

func (n *neverScan) scan(s *Splitter, text []byte) answer {
	for {
		for s.at < len(text) && classes[text[s.at]]&(interrupts|inNever) == 0 {
			s.at++
		}
		if s.at == len(text) {
			return wait
		}
		switch b := text[s.at]; {
		case b == '\n':
			s.slashes = false
		case s.slashes: // in a comment up to the end of the line
		case classes[b]&interrupts != 0:
			if a := s.opens(text); a != yes {
				return a
			}
		case s.quoted || s.comment > 0 || b != '{' && b != '}':
			if !s.inside(text, false) {
				return wait
			}
			continue
		case b == '{':
			n.braces++
		default:
			if n.braces--; n.braces <= 0 { // the last brace ends the never claim
				s.at++
				return yes
			}
		}
		s.at++
	}
}

// WriteNever writes an automaton as a never claim of Spin. It must have Büchi acceptance and one
// initial state. A claim has its marks on states. So a state with marked and unmarked incoming
// edges is written twice, and the accepting copy is for the marked edges. The state of GF a, with
// the edges 0 -!a-> 0 and 0 -a-> 0 {0}, becomes T0_init and accept_S0:
//
//	T0_init:
//		if
//		:: ((!a)) -> goto T0_init
//		:: ((a)) -> goto accept_S0
//		fi;
//	accept_S0:
//		if
//		:: ((!a)) -> goto T0_init
//		:: ((a)) -> goto accept_S0
//		fi;
//
// WriteNever fails when ctx is done, and for labels that only HOA can write.
func WriteNever(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	switch err := omega.Supported(a); {
	case err != nil:
		return err
	case a.Acceptance().Name() != "Buchi" && a.Acceptance().Name() != "all":
		return fmt.Errorf("a never claim has Büchi acceptance, not %s", a.Acceptance())
	case len(a.Initial()) == 0: // no word is accepted: a state without edges
		_, err := fmt.Fprintf(guard.Writer(w), "never { /* %s */\nT0_init:\n\tfalse;\n}\n", strings.ReplaceAll(a.Name, "*/", "* /"))
		return err
	}
	if a, err = oneInitial(ctx, a); err != nil {
		return err
	}
	for _, p := range a.Alphabet().Props() {
		if _, err := ltl.NewStore().Prop(p).Format(ltl.Spin); err != nil {
			return err
		}
	}
	n := &neverWriter{Writer: bufio.NewWriter(guard.Writer(w)), claims: newClaims(a), budget: budget.New(ctx), guards: map[omega.Label]string{}}
	defer a.Alphabet().Bind(n.budget).Release(&err)
	fmt.Fprintf(n, "never { /* %s */\n", strings.ReplaceAll(a.Name, "*/", "* /"))
	n.visit(claimState{a.Initial()[0], false})
	for i := 0; i < len(n.queue); i++ { // state appends to the queue
		if err := n.state(n.queue[i]); err != nil {
			return err
		}
	}
	fmt.Fprintln(n, "}")
	return n.Flush()
}

// claimState is a state of a claim, or of an automaton in BA: a state of the automaton, and whether
// the edge that led there had the mark. A negative state has no edges.
type claimState struct {
	state  omega.State
	marked bool
}

// claims are the states of such an automaton, which has its marks on states.
type claims struct {
	a             *omega.Automaton
	all, onStates bool // all states accept; the marks of a are on states
	queue         []claimState
	number        map[claimState]int
}

func newClaims(a *omega.Automaton) *claims {
	return &claims{a: a, all: a.Acceptance().Sets == 0, onStates: a.HasStateMarks(), number: map[claimState]int{}}
}

// visit returns the number of a state, and sees to it that it is written.
func (c *claims) visit(s claimState) int {
	if c.onStates || c.all { // marked and unmarked copies would be alike
		s.marked = false
	}
	n, ok := c.number[s]
	if !ok {
		n = len(c.queue)
		c.number[s] = n
		c.queue = append(c.queue, s)
	}
	return n
}

// accepting reports whether the state of a number accepts.
func (c *claims) accepting(n int) bool {
	s := c.queue[n]
	if edges := c.a.Edges(s.state); c.onStates && len(edges) > 0 {
		s.marked = edges[0].Marks != 0 // the marks of a state are on all of its edges
	}
	return c.all && s.state >= 0 || s.marked
}

type neverWriter struct {
	*bufio.Writer
	*claims
	budget *budget.Budget
	guards map[omega.Label]string
}

// label returns the label of a state. A claim starts in its first state.
func (n *neverWriter) label(s claimState) string {
	i := n.visit(s)
	label := fmt.Sprintf("S%d", s.state)
	if i == 0 {
		label = "init"
	}
	if n.accepting(i) {
		return "accept_" + label
	}
	return "T0_" + label
}

func (n *neverWriter) state(s claimState) error {
	fmt.Fprintf(n, "%s:\n", n.label(s))
	edges := n.a.Edges(s.state)
	if n.budget.Spend(1 + len(edges)) {
		return n.budget.Err()
	}
	if len(edges) == 0 {
		fmt.Fprint(n, "\tfalse;\n")
		return nil
	}
	fmt.Fprint(n, "\tif\n")
	for _, e := range edges {
		guard, err := n.guard(e.Label)
		if err != nil {
			return fmt.Errorf("never claim: state %d: %w; HOA can write it", s.state, err)
		}
		fmt.Fprintf(n, "\t:: ((%s)) -> goto %s\n", guard, n.label(claimState{e.Dst, e.Marks != 0}))
	}
	fmt.Fprint(n, "\tfi;\n")
	return nil
}

// guard returns a label as an expression of Promela; each is made once. Cubes are in
// parentheses.
func (n *neverWriter) guard(l omega.Label) (string, error) {
	if text, ok := n.guards[l]; ok {
		return text, nil
	}
	alphabet := n.a.Alphabet()
	spin := &omega.Operators{Not: "!", And: " && ", Or: " || ", Name: func(i int) string { return alphabet.Props()[i] }}
	text, err := alphabet.Expression(l, spin)
	if err != nil {
		return "", err
	}
	if _, ok := alphabet.Cover(l); ok { // then it is a disjunction of cubes
		text = strings.ReplaceAll(text, " || ", ") || (")
	}
	n.guards[l] = text
	return text, nil
}

// oneInitial returns an automaton of the same language with one initial state, for formats that have
// no more: one that is visited once, and has the edges of all initial states.
func oneInitial(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	if len(a.Initial()) < 2 {
		return a, nil
	}
	w := budget.New(ctx)
	b := omega.NewBuilderLike(a)
	b.Copy(a, w, func(_ omega.State, e omega.Edge) omega.Edge { return e })
	start := b.AddState() // no edge leads to it
	for _, s := range a.Initial() {
		for _, e := range a.Edges(s) {
			b.AddEdge(start, e.Label, 0, e.Dst) // taken once, an edge needs no mark
		}
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	x := b.Automaton()
	x.Name, x.StateMarks = a.Name, a.StateMarks
	return x.From(start)
}
