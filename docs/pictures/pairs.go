package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The automata whose pairs are drawn: a infinitely often, and a at every second letter.
const (
	infinitelyOften = `HOA: v1
States: 2
Start: 0
AP: 1 "a"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[!0] 0
[0] 1
State: 1
[!0] 0 {0}
[0] 1 {0}
--END--
`
	everySecond = `HOA: v1
States: 2
Start: 0
AP: 1 "a"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 1 {0}
State: 1
[!0] 0
--END--
`
)

// pairs draws two automata, and the pairs of their states. The pairs that a search makes are
// filled, and the accepting component is green.
func pairs() (string, error) {
	left, _, err := hoa.ReadOne(context.Background(), []byte(infinitelyOften))
	if err != nil {
		return "", err
	}
	right, _, err := hoa.ReadOne(context.Background(), []byte(everySecond))
	if err != nil {
		return "", err
	}
	right, err = right.Over(context.Background(), left.Alphabet())
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("digraph {\n\trankdir=LR nodesep=0.35 ranksep=0.6\n\tnode [shape=circle, width=0.45, fixedsize=true, style=filled]\n")
	drawPairs(&b, left, right)
	cluster(&b, "left", "left: a infinitely often", leftMark, left)
	cluster(&b, "right", "right: a at every second letter", rightMark, right)
	b.WriteString("\t{left1} -> right0 [style=invis]\n") // side by side
	for s := range right.NumStates() {                   // as high as the left one
		fmt.Fprintf(&b, "\t{right%d} -> right%d [style=invis, label=\" a ●\"]\n", s, s)
	}
	b.WriteString("}\n")
	return b.String(), nil
}

// The marks of the left automaton, and of the right one.
const leftMark, rightMark = "●", "○"

// cluster draws one automaton.
func cluster(b *strings.Builder, name, title, mark string, a *omega.Automaton) {
	fmt.Fprintf(b, "\tsubgraph cluster_%s { label=%q color=transparent\n", name, title)
	for s := range omega.State(a.NumStates()) {
		fmt.Fprintf(b, "\t\t%s%d [label=%d]\n", name, s, s)
		for _, e := range a.Edges(s) {
			fmt.Fprintf(b, "\t\t%s%d -> %s%d [label=%q]\n", name, s, name, e.Dst, edgeText(a, e.Label, marked(a, e, mark)))
		}
	}
	b.WriteString("\t}\n")
}

func marked(a *omega.Automaton, e omega.Edge, mark string) string {
	if a.Marks().Has(e.Marks, 0) {
		return mark
	}
	return ""
}

// edgeText returns a label and marks as a picture shows them.
func edgeText(a *omega.Automaton, label omega.Label, marks string) string {
	return strings.TrimRight(" "+a.Alphabet().Text(label)+" "+marks, " ")
}

// A statePair is a state of the left automaton, and one of the right.
type statePair struct{ left, right omega.State }

// drawPairs draws all pairs of states: filled if the search makes them, dashed if not. All of
// them that it makes are in one component, which has both marks. A row has a state of the left
// automaton.
func drawPairs(b *strings.Builder, left, right *omega.Automaton) {
	b.WriteString("\tsubgraph cluster_pairs { label=\"pairs: the search makes two of four\" color=transparent\n")
	b.WriteString("\t\tnode [shape=box, style=\"rounded,filled\", width=0.6]\n")
	for l := range omega.State(left.NumStates()) {
		fmt.Fprintf(b, "\t\t{\"%d,0\"} -> \"%d,1\" [style=invis]\n", l, l)
	}
	made := map[statePair]bool{{0, 0}: true}
	for queue := []statePair{{0, 0}}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		for _, l := range left.Edges(p.left) {
			for _, r := range right.Edges(p.right) {
				label := left.Alphabet().And(l.Label, r.Label)
				if label == 0 {
					continue
				}
				to := statePair{l.Dst, r.Dst}
				fmt.Fprintf(b, "\t\t\"%d,%d\" -> \"%d,%d\" [label=%q, color=\"$green\"]\n", p.left, p.right, to.left, to.right,
					edgeText(left, label, marked(left, l, leftMark)+marked(right, r, rightMark)))
				if !made[to] {
					made[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	for l := range omega.State(left.NumStates()) {
		for r := range omega.State(right.NumStates()) {
			style := `style="rounded,dashed"`
			if made[statePair{l, r}] {
				style = `color="$green", penwidth=2`
			}
			fmt.Fprintf(b, "\t\t\"%d,%d\" [%s]\n", l, r, style)
		}
	}
	b.WriteString("\t}\n")
}
