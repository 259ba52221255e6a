package hoa

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
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
			if a := s.goesOn(text); a != yes {
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

// WriteNever writes an automaton as a never claim of Spin. It must have Büchi acceptance; see
// [AcceptanceError]. A claim has its marks on states. So a state with marked and unmarked incoming
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
// WriteNever fails when ctx is done, for labels that only HOA can write, and with a
// [PropositionError] for propositions that a guard of Promela can't have.
func WriteNever(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	if a, err = inBuchi(ctx, a, "a never claim has Büchi acceptance", 1); err != nil {
		return err
	}
	c := &claims{a: a, all: a.Acceptance().Sets == 0, onStates: a.HasStateMarks(), number: map[claimState]int{}}
	n := &neverWriter{Writer: bufio.NewWriter(guard.Writer(w)), claims: c, budget: budget.New(ctx), guards: map[omega.Label]string{}, texts: map[string]string{}, props: map[string]string{}}
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

// claimState is a state of a claim: a state of the automaton, and whether
// the edge that led there had the mark.
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
	return c.all || s.marked
}

type neverWriter struct {
	*bufio.Writer
	*claims
	budget *budget.Budget
	guards map[omega.Label]string
	texts  map[string]string // of propositions
	props  map[string]string // by the expressions that they are
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
			return fmt.Errorf("never claim: %w; HOA can write it", err)
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
	var bad error
	spin := &omega.Operators{Not: "!", And: " && ", Or: " || ", Name: func(i int) string {
		text, err := n.operand(alphabet.Props()[i])
		bad = cmp.Or(bad, err)
		return text
	}}
	if _, ok := alphabet.Cover(l); ok { // then it is a disjunction of cubes
		spin.Or = ") || ("
	}
	text, err := alphabet.Expression(l, spin)
	if err = cmp.Or(bad, err); err != nil {
		return "", err
	}
	n.guards[l] = text
	return text, nil
}

// An AcceptanceError reports an acceptance condition that a format can't express. Formats with
// Büchi or generalized Büchi acceptance take a conjunction of disjunctions of Inf, which gets a mark
// for each disjunction: Büchi acceptance has one at most. Other marks are left out.
type AcceptanceError struct {
	Format     string // and the acceptance that it has
	Acceptance omega.Acceptance
}

func (e *AcceptanceError) Error() string { return fmt.Sprintf("%s, not %s", e.Format, e.Acceptance) }

// A PropositionError reports a name that a format cannot give to a proposition.
type PropositionError struct{ text string }

func (e *PropositionError) Error() string { return e.text }

// inBuchi returns an automaton with the language of a, one initial state and at most so many marks,
// all of which an accepting run must see.
func inBuchi(ctx context.Context, a *omega.Automaton, format string, most int) (*omega.Automaton, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	clauses, ok := a.Acceptance().Condition.Simplify().Clauses()
	if !ok || len(clauses) > most {
		return nil, &AcceptanceError{format, a.Acceptance()}
	}
	b, w := omega.NewBuilder(a.Alphabet(), omega.GeneralizedBuchi(len(clauses))), budget.New(ctx)
	memo := map[omega.Marks]omega.Marks{}
	b.Copy(a, w, func(_ omega.State, e omega.Edge) omega.Edge {
		m, ok := memo[e.Marks]
		if !ok {
			var met []int
			for i, clause := range clauses {
				if slices.ContainsFunc(clause, func(mark int) bool { return a.Marks().Has(e.Marks, mark) }) {
					met = append(met, i)
				}
			}
			m = b.Marks().Of(met...)
			memo[e.Marks] = m
		}
		e.Marks = m
		return e
	})
	if err := w.Err(); err != nil {
		return nil, err
	}
	x := b.Automaton()
	x.Name, x.StateMarks = a.Name, a.StateMarks
	return x.OneStart(), nil
}
