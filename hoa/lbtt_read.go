package hoa

import (
	"bytes"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
)

// generalized is a generalized Büchi automaton in LBTT format while it is read
// (Tauriainen, "A Randomized Testbench for Algorithms Translating Linear Temporal
// Logic Formulae into Büchi Automata", 1999, and the manual of lbtt 1.2):
//
//	2 1t       // number of states; of sets, which are on edges (t), states (s) or both (st)
//	0 1        // number of a state; 1 if it is initial, else 0
//	0 -1 t     // destination; its sets and -1; a guard in prefix notation
//	1 0 -1 & p0 ! p1
//	-1         // end of the state
//	1 0
//	1 0 -1 t
//	-1
//
// Without letters after the number of sets, the sets are on states: a state's line is then
// "0 1", its sets and -1, and edges have no sets. The numbers of states and sets are names. Any
// numbers will do, but there must not be more than announced.
type generalized struct {
	*parser
	onStates, onEdges bool
	sets              int
	names             map[int]int // states by their numbers
	states            []lbttNode
	edges             []lbttLink
	raw               []int // sets as they are written
	seenProps
	guards map[string]*certify.Label // by their texts
}

// lbttNode is a state: its sets are raw[from:to].
type lbttNode struct {
	initial  bool
	from, to int
}

type lbttLink struct {
	src      int // an index of states
	dst      int // the number in the text
	dstAt    int // the offset of dst in the text
	from, to int // its sets in raw
	guard    *certify.Label
}

// lbtt reads an automaton in LBTT format.
func (p *parser) lbtt() (*omega.Automaton, error) {
	p.plain = true
	g := &generalized{parser: p, names: map[int]int{}, guards: map[string]*certify.Label{}}
	n, err := g.integer("a number of states", maxStates)
	if err != nil {
		return nil, err
	}
	if g.sets, err = p.number("a number of acceptance sets", omega.MaxMarks); err != nil {
		return nil, err
	}
	for ; p.at < len(p.text) && (p.text[p.at] == 's' || p.text[p.at] == 't'); p.at++ {
		g.onEdges = g.onEdges || p.text[p.at] == 't'
		g.onStates = g.onStates || p.text[p.at] == 's'
	}
	g.onStates = g.onStates || !g.onEdges // no letters: the sets are on states
	if err := g.delimited(); err != nil {
		return nil, err
	}
	for range n {
		if err := g.state(); err != nil {
			return nil, err
		}
	}
	if p.skip(); p.at < len(p.text) {
		return nil, p.expected("the end: all " + plural.Of(n, "state") + " have been read")
	}
	return g.finish()
}

func (g *generalized) state() error {
	g.skip()
	at := g.at
	name, err := g.integer("the number of a state", maxStates)
	if err != nil {
		return err
	}
	s := len(g.states)
	if _, ok := g.names[name]; ok {
		return g.errorAt(at, "state %d occurs twice", name)
	}
	g.names[name] = s
	g.skip()
	at = g.at
	initial, err := g.integer("1 for an initial state, or 0", maxStates)
	if err != nil || initial > 1 {
		return g.expectedAt(at, "1 for an initial state, or 0")
	}
	node := lbttNode{initial: initial == 1}
	if g.onStates {
		if node.from, node.to, err = g.setsUpTo("the number of an acceptance set of the state, or -1"); err != nil {
			return err
		}
	}
	g.states = append(g.states, node)
	for !g.keyword("-1") {
		if err := g.edge(s); err != nil {
			return err
		}
	}
	return nil
}

// setsUpTo reads sets and the -1 behind them.
func (g *generalized) setsUpTo(what string) (from, to int, err error) {
	for from = len(g.raw); !g.keyword("-1"); {
		i, err := g.integer(what, maxStates)
		if err != nil {
			return 0, 0, err
		}
		g.raw = append(g.raw, i)
	}
	return from, len(g.raw), nil
}

func (g *generalized) edge(src int) (err error) {
	g.skip()
	e := lbttLink{src: src, dstAt: g.at}
	if e.dst, err = g.integer("the number of a destination, or -1", maxStates); err != nil {
		return err
	}
	if g.onEdges {
		if e.from, e.to, err = g.setsUpTo("the number of an acceptance set of the edge, or -1"); err != nil {
			return err
		}
	}
	g.skip()
	start := g.at
	if e.guard, err = g.prefix(0); err != nil {
		return err
	}
	text := bytes.TrimRight(g.text[start:g.at], blanks)
	if known, ok := g.guards[string(text)]; ok { // equal guards share a label, which is evaluated once
		e.guard = known
	} else {
		g.guards[string(text)] = e.guard
	}
	g.edges = append(g.edges, e)
	return g.delimited()
}

// prefix reads a guard in prefix notation.
func (g *generalized) prefix(depth int) (*certify.Label, error) {
	g.skip()
	if depth > maxDepth {
		return nil, g.errorAt(g.at, "guard nested deeper than %d", maxDepth)
	}
	if g.at < len(g.text) && g.text[g.at] == '"' {
		name, err := g.str("")
		if err != nil {
			return nil, err
		}
		return g.prop(name), nil
	}
	at := g.at
	for g.at < len(g.text) && isLetter(g.text[g.at]) {
		g.at++
	}
	if g.at == at && at < len(g.text) { // an operator is one character
		g.at++
	}
	operands := 0
	op := string(g.text[at:g.at])
	switch op {
	case "t":
		return always, nil
	case "f":
		return never, nil
	case "!":
		operands = 1
	case "&", "|", "^", "i", "e":
		operands = 2
	default:
		temporal := len(op) == 1 && strings.Contains("UVWMRBXFG", op) // not in a guard
		if op == "" || !isLetter(op[0]) || isDigit(op[0]) || len(op) >= farthest || temporal {
			return nil, g.expectedAt(at, "a proposition, t, f, !, &, |, ^, i or e")
		}
		return g.prop(op), nil
	}
	args := make([]*certify.Label, operands)
	for i := range args {
		var err error
		if args[i], err = g.prefix(depth + 1); err != nil {
			return nil, err
		}
	}
	switch op {
	case "!":
		return negated(args[0]), nil
	case "&":
		return allOf(args...), nil
	case "|":
		return anyOf(args...), nil
	case "i":
		return anyOf(negated(args[0]), args[1]), nil
	case "^":
		args[1] = negated(args[1]) // xor is the equivalence with one operand negated
	}
	return anyOf(allOf(args...), allOf(negated(args[0]), negated(args[1]))), nil // both or none
}

// marks replaces the numbers of the sets by numbers of marks. Numbers that are all less
// than the number of sets stay as they are.
func (g *generalized) marks() error {
	if len(g.raw) == 0 || slices.Max(g.raw) < g.sets {
		return nil
	}
	// The numbers are names: 3 and 7 become marks 0 and 1.
	names := slices.Compact(slices.Sorted(slices.Values(g.raw)))
	if len(names) > g.sets {
		return g.errorAt(0, "%s used, but %s announced", plural.Of(len(names), "acceptance set"), plural.Of(g.sets, "acceptance set"))
	}
	for k, name := range g.raw {
		g.raw[k], _ = slices.BinarySearch(names, name)
	}
	return nil
}

func (g *generalized) finish() (_ *omega.Automaton, err error) {
	if err := g.marks(); err != nil {
		return nil, err
	}
	r, err := g.recorder(g.parser, g.sets)
	if err != nil {
		return nil, err
	}
	defer r.release(&err)
	for s, node := range g.states {
		if node.initial {
			r.start(s)
		}
	}
	for _, e := range g.edges {
		dst, ok := g.names[e.dst]
		if !ok {
			return nil, g.errorAt(e.dstAt, "edge to state %d, but there is none of that number", e.dst)
		}
		node := g.states[e.src]
		g.labelAt = e.dstAt
		marks := slices.Concat(g.raw[node.from:node.to], g.raw[e.from:e.to]) // the sets of a state are on all of its edges
		r.edge(e.src, r.evaluated(e.guard), r.builder.Marks().Of(marks...), marks, dst)
	}
	a := r.automaton(len(g.states))
	a.StateMarks = !g.onEdges
	return a, nil
}
