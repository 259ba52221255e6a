package hoa

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

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
	b := bufio.NewWriter(w)
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
	labels map[omega.Label]string
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
	if onStates && len(edges) > 0 {
		w.signature(edges[0].Marks)
	}
	w.WriteByte('\n')
	for _, e := range edges {
		w.WriteByte('[')
		w.WriteString(w.label(e.Label))
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

// label returns the text of a label; each is made once.
func (w *writer) label(l omega.Label) string { return w.labels[l] }

// WriteNever writes an automaton as a never claim of Spin. It must have Büchi acceptance and
// one initial state. A claim has its marks on states. So a state with marked and unmarked
// incoming edges is written twice, and the accepting copy is for the marked edges. WriteNever
// fails when ctx is done, and for labels that only HOA can write.
func WriteNever(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	switch {
	case a.Alternating():
		return omega.ErrAlternating
	case a.Acceptance().Name() != "Buchi" && a.Acceptance().Name() != "all":
		return fmt.Errorf("a never claim has Büchi acceptance, not %s", a.Acceptance())
	case len(a.Initial()) == 0:
		_, err := fmt.Fprintf(w, "never { /* %s */\nT0_init:\n\tfalse;\n}\n", strings.ReplaceAll(a.Name, "*/", "* /"))
		return err
	case len(a.Initial()) > 1:
		return fmt.Errorf("a never claim has one initial state, not %d", len(a.Initial()))
	}
	for _, p := range a.Alphabet().Props() {
		if _, err := ltl.NewStore().Prop(p).Format(ltl.Spin); err != nil {
			return err
		}
	}
	n := &neverWriter{Writer: bufio.NewWriter(w), a: a, all: a.Acceptance().Sets == 0, onStates: a.HasStateMarks()}
	n.budget = budget.New(ctx)
	defer a.Alphabet().Bind(n.budget).Release(&err)
	fmt.Fprintf(n, "never { /* %s */\n", strings.ReplaceAll(a.Name, "*/", "* /"))
	n.visit(claimState{a.Initial()[0], false})
	for i := 0; i < len(n.queue); i++ {
		if err := n.state(n.queue[i]); err != nil {
			return err
		}
	}
	fmt.Fprintln(n, "}")
	return n.Flush()
}

// claimState is a state of a claim: a state of the automaton, and whether the
// edge that led there had the mark.
type claimState struct {
	state  omega.State
	marked bool
}

type neverWriter struct {
	*bufio.Writer
	budget        *budget.Budget
	a             *omega.Automaton
	all, onStates bool
	queue         []claimState
	seen          map[claimState]bool
	guards        map[omega.Label]string
}

// visit returns the label of a state, and sees to it that it is written.
func (n *neverWriter) visit(s claimState) string {
	marked := s.marked
	if n.onStates || n.all {
		s.marked = false
		edges := n.a.Edges(s.state)
		marked = n.all || len(edges) > 0 && edges[0].Marks != 0
	}
	if !n.seen[s] {
		if n.seen == nil {
			n.seen = map[claimState]bool{}
		}
		n.seen[s] = true
		n.queue = append(n.queue, s)
	}
	label := fmt.Sprintf("S%d", s.state)
	if s == n.queue[0] {
		label = "init"
	}
	switch {
	case marked && label == "init":
		return "accept_init"
	case label == "init":
		return "T0_init"
	case marked:
		return "accept_" + label
	}
	return "T0_" + label
}

func (n *neverWriter) state(s claimState) error {
	fmt.Fprintf(n, "%s:\n", n.visit(s))
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
		fmt.Fprintf(n, "\t:: ((%s)) -> goto %s\n", guard, n.visit(claimState{e.Dst, e.Marks != 0}))
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
	if _, ok := alphabet.Cover(l); ok {
		text = strings.ReplaceAll(text, " || ", ") || (")
	}
	if n.guards == nil {
		n.guards = map[omega.Label]string{}
	}
	n.guards[l] = text
	return text, nil
}

// WriteDot writes an automaton as a graph for Graphviz. Edges show their marks. Universal
// branching shows as a point with edges to the destinations. WriteDot fails when ctx is done.
func WriteDot(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	budget := budget.New(ctx)
	defer a.Alphabet().Bind(budget).Release(&err)
	b := bufio.NewWriter(w)
	name := func(i int) string { return a.Alphabet().Props()[i] }
	fmt.Fprintf(b, "digraph {\n\trankdir=LR\n\tlabelloc=t\n\tlabel=%s\n\tnode [shape=circle]\n", quote(a.Name+"\n["+a.Acceptance().String()+"]"))
	target := func(s omega.State) string {
		if s >= 0 {
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
