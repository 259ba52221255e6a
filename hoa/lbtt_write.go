package hoa

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// WriteLBTT writes an automaton in LBTT's format. It must have generalized Büchi acceptance
// and one initial state. If its marks are on states, so are the acceptance sets; otherwise
// they are on edges (t). A proposition that is not one of LBTT's p0, p1, … is written in
// quotes, as Spot does. WriteLBTT fails when ctx is done, and for labels that only HOA can
// write.
func WriteLBTT(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	switch {
	case a.Alternating():
		return omega.ErrAlternating
	case !a.Acceptance().IsGeneralizedBuchi():
		return fmt.Errorf("an LBTT automaton has generalized Büchi acceptance, not %s", a.Acceptance())
	case len(a.Initial()) != 1:
		return fmt.Errorf("an LBTT automaton has one initial state, not %d", len(a.Initial()))
	}
	l := &lbttWriter{Writer: bufio.NewWriter(w), a: a, store: ltl.NewStore(), guards: map[omega.Label]string{},
		onStates: a.StateMarks && a.HasStateMarks()}
	b := budget.New(ctx)
	defer a.Alphabet().Bind(b).Release(&err)
	kind := "t"
	if l.onStates {
		kind = ""
	}
	fmt.Fprintf(l, "%d %d%s\n", a.NumStates(), a.Acceptance().Sets, kind)
	for s := range omega.State(a.NumStates()) {
		if b.Spend(1 + len(a.Edges(s))) {
			return b.Err()
		}
		if err := l.state(s); err != nil {
			return err
		}
	}
	return l.Flush()
}

type lbttWriter struct {
	*bufio.Writer
	a        *omega.Automaton
	onStates bool
	store    *ltl.Store
	guards   map[omega.Label]string // each is made once
	marks    []int
}

func (l *lbttWriter) state(s omega.State) error {
	initial := 0
	if l.a.Initial()[0] == s {
		initial = 1
	}
	fmt.Fprintf(l, "%d %d", s, initial)
	edges := l.a.Edges(s)
	if l.onStates {
		m := omega.Marks(0)
		if len(edges) > 0 {
			m = edges[0].Marks
		}
		l.sets(m)
	}
	fmt.Fprintln(l)
	for _, e := range edges {
		guard, err := l.guard(e.Label)
		if err != nil {
			return err
		}
		fmt.Fprintf(l, "%d", e.Dst)
		if !l.onStates {
			l.sets(e.Marks)
		}
		fmt.Fprintf(l, " %s\n", guard)
	}
	_, err := fmt.Fprintln(l, "-1")
	return err
}

// sets writes the numbers of sets and the -1 behind them.
func (l *lbttWriter) sets(m omega.Marks) {
	l.marks = l.a.Marks().AppendTo(l.marks[:0], m)
	for _, i := range l.marks {
		fmt.Fprintf(l, " %d", i)
	}
	fmt.Fprint(l, " -1")
}

// guard returns a label in prefix notation.
func (l *lbttWriter) guard(label omega.Label) (string, error) {
	text, ok := l.guards[label]
	if ok {
		return text, nil
	}
	props := l.a.Alphabet().Props()
	infix, err := l.a.Alphabet().Expression(label, &omega.Operators{Not: "!", And: "&", Or: " | ", Name: func(i int) string {
		return l.store.Prop(props[i]).String()
	}})
	if err != nil {
		return "", err
	}
	f, err := l.store.Parse(infix, ltl.Spot)
	if err == nil {
		text, err = f.Format(ltl.LBT)
	}
	l.guards[label] = text
	return text, err
}
