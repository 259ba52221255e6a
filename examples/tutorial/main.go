// Command tutorial prints an automaton for an LTL formula in prefix syntax, such as G F p0. One line
// is wrong: docs/tutorial.md finds it.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A node is a formula. Its operands are the indices of other nodes.
type node struct {
	op          string // & | X U V t f, a proposition, or ! in front of one
	left, right int
}

var nodes []node

// add returns the index of a node.
func add(op string, left, right int) int {
	n := node{op, left, right}
	if !slices.Contains(nodes, n) {
		nodes = append(nodes, n)
	}
	return slices.Index(nodes, n)
}

var (
	words []string // what is left to read
	long  = map[string][]string{"F": {"U", "t"}, "G": {"V", "f"}}
	dual  = map[string]string{"t": "f", "f": "t", "&": "|", "|": "&", "U": "V", "V": "U"}
)

// parse reads a formula, or its negation. Negations move to the propositions.
func parse(negate bool) int {
	op := words[0]
	words = append(slices.Clone(long[op]), words[1:]...)
	if d := dual[op]; d != "" && negate {
		op = d // !(a & b) is !a | !b
	}
	switch op {
	case "F", "G":
		return parse(negate)
	case "!":
		return parse(!negate)
	case "t", "f":
		return add(op, 0, 0)
	case "X":
		return add("X", parse(negate), 0)
	case "&", "|", "U", "V":
		return add(op, parse(negate), parse(negate))
	}
	p := add(op, 0, 0)
	if negate {
		return add("!", p, 0)
	}
	return p
}

// An edge reads a letter.
type edge struct {
	now   []int // what holds from this letter on: its literals are the label
	next  []int // what must hold from the next letter on: the next state
	later []int // each a U b that still waits for its b
}

// with returns a copy of a set, with f in it.
func with(set []int, f int) []int {
	set = append(slices.Clone(set), f)
	slices.Sort(set)
	return slices.Compact(set)
}

// expand completes the edge e in each way that makes all formulas of todo true.
func expand(todo []int, e edge) []edge {
	if len(todo) == 0 {
		return []edge{e}
	}
	f, todo := todo[0], todo[1:]
	if slices.Contains(e.now, f) {
		return expand(todo, e)
	}
	e.now = with(e.now, f)
	n := nodes[f]
	a, b := with(todo, n.left), with(todo, n.right)
	wait := e
	wait.next = with(e.next, f)
	switch n.op {
	case "f":
		return nil
	case "&":
		return expand(with(a, n.right), e)
	case "|":
		return append(expand(a, e), expand(b, e)...)
	case "X":
		e.next = with(e.next, n.left)
	case "U": // b holds now, or a does and b comes later
		wait.later = with(e.later, f)
		return append(expand(b, e), expand(a, wait)...)
	case "V": // b holds until a releases it
		return append(expand(a, e), expand(b, wait)...)
	case "!":
		if slices.Contains(e.now, n.left) {
			return nil
		}
	default:
		if slices.Contains(e.now, add("!", f, 0)) {
			return nil
		}
	}
	return expand(todo, e)
}

// line prints the edge to a state. Its marks are those a U b that do not wait.
func (e edge) line(to int) string {
	label, marks, p, u := "t", "", 0, 0
	for f, n := range nodes {
		switch {
		case n.op == "U":
			if !slices.Contains(e.later, f) {
				marks += fmt.Sprint(u, " ")
			}
			u++
		case n.op[0] == 'p':
			if slices.Contains(e.now, f) {
				label += fmt.Sprint(" & ", p)
			} else if slices.Contains(e.now, add("!", f, 0)) {
				label += fmt.Sprint(" & !", p)
			}
			p++
		}
	}
	return fmt.Sprintf("[%s] %d { %s}\n", label, to, marks)
}

func main() {
	words = strings.Fields(os.Args[1])
	states := [][]int{{parse(false)}} // a state is what must hold from it on
	names, props, untils, acceptance := "", 0, 0, "t"
	for _, n := range nodes {
		if n.op[0] == 'p' { // a proposition
			names += fmt.Sprintf(" %q", n.op)
			props++
		} else if n.op == "U" { // it must stop waiting for its b infinitely often
			acceptance += fmt.Sprintf(" & Inf(%d)", untils)
			untils++
		}
	}
	var body strings.Builder
	for i := 0; i < len(states); i++ { // the edges of a state may lead to new states, which are appended
		fmt.Fprintln(&body, "State:", i)
		for _, e := range expand(states[i], edge{}) {
			same := func(s []int) bool { return slices.Equal(s, e.next) }
			if !slices.ContainsFunc(states, same) {
				states = append(states, e.next)
			}
			body.WriteString(e.line(slices.IndexFunc(states, same)))
		}
	}
	fmt.Printf("HOA: v1\nStates: %d\nStart: 0\n", len(states))
	fmt.Printf("AP: %d%s\n", props, names)
	fmt.Printf("Acceptance: %d %s\n--BODY--\n%s--END--\n", untils, acceptance, &body)
}
