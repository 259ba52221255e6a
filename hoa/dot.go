package hoa

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/omega"
)

var dotFormat = &Format{Name: "dot", Write: WriteDot}

// WriteDot writes an automaton as a graph for Graphviz. Edges show their marks. Universal
// branching shows as a point with edges to the destinations. WriteDot fails when ctx is done.
func WriteDot(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	budget := budget.New(ctx)
	defer a.Alphabet().Bind(budget).Release(&err)
	b := bufio.NewWriter(guard.Writer(w))
	name := func(i int) string { return a.Alphabet().Props()[i] }
	fmt.Fprintf(b, "digraph {\n\trankdir=LR\n\tlabelloc=t\n\tlabel=%s\n\tnode [shape=circle]\n", quote(a.Name+"\n["+a.Acceptance().String()+"]"))
	target := func(s omega.State) string {
		if s >= 0 { // universal branching is negative
			return strconv.Itoa(int(s))
		}
		return fmt.Sprintf("u%d", -s)
	}
	drawn := map[omega.State]bool{}
	branch := func(s omega.State) {
		if s < 0 && !drawn[s] {
			drawn[s] = true
			fmt.Fprintf(b, "\t%s [shape=point, label=\"\"]\n", target(s))
			for _, t := range a.Universal(s) {
				fmt.Fprintf(b, "\t%s -> %d [style=dashed]\n", target(s), t)
			}
		}
	}
	for i, s := range a.Initial() {
		branch(s)
		fmt.Fprintf(b, "\ti%d [shape=none, label=\"\"]\n\ti%d -> %s\n", i, i, target(s))
	}
	for s := range omega.State(a.NumStates()) {
		if budget.Spend(1 + len(a.Edges(s))) {
			return budget.Err()
		}
		label := strconv.Itoa(int(s))
		if a.StateNames != nil && a.StateNames[s] != "" {
			label += "\n" + a.StateNames[s]
		}
		fmt.Fprintf(b, "\t%d [label=%s]\n", s, quote(label))
		for _, e := range a.Edges(s) {
			branch(e.Dst)
			text := a.Alphabet().Format(e.Label, name)
			if marks := a.Marks().AppendTo(nil, e.Marks); len(marks) > 0 {
				text += "\n{" + strings.Trim(fmt.Sprint(marks), "[]") + "}"
			}
			fmt.Fprintf(b, "\t%d -> %s [label=%s]\n", s, target(e.Dst), quote(text))
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}
