package exhaustive

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestCommentBlocks: the examples of words in comments.
func TestCommentBlocks(t *testing.T) {
	b := block{shape: shape{props: 2, prefix: 1, cycle: 1}}
	if got, want := b.word(6).Letters, [][]bool{{false, true}, {true, false}}; !reflect.DeepEqual(got, want) {
		t.Errorf("word 6: %v", got)
	}
	if n := Words(1, 2); n != 6 {
		t.Errorf("%d words up to size 2", n)
	}
}

// TestCommentDisjuncts: the example of a condition.
func TestCommentDisjuncts(t *testing.T) {
	inf := func(i int) *certify.Condition { return &certify.Condition{Op: certify.Inf, Mark: i} }
	list, ok := disjuncts(&certify.Condition{Op: certify.AllOf, Args: []*certify.Condition{
		{Op: certify.Fin, Mark: 0},
		{Op: certify.AnyOf, Args: []*certify.Condition{inf(1), inf(2)}},
	}})
	if text := fmt.Sprint(list); !ok || text != "[{[{0 false}] [{1 false}]} {[{0 false}] [{2 false}]}]" {
		t.Errorf("%s, %v", text, ok)
	}
}

// TestCommentForever: the example of fixed points. Of the words of two letters, the automaton
// accepts all but cycle{!a; !a}, and of those with one letter in the cycle, cycle{a}.
func TestCommentForever(t *testing.T) {
	a := &certify.Label{Op: certify.Prop}
	automaton := &certify.Automaton{Props: []string{"a"}, States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
	automaton.AddEdge(0, a, []int{0}, 0)
	automaton.AddEdge(0, &certify.Label{Op: certify.Not, Args: []*certify.Label{a}}, nil, 0)
	x, err := newAutomaton(automaton, []string{"a"}, budget.Free())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cycle int
		want  column
	}{{1, 0b10}, {2, 0b1110}} {
		b := block{shape: shape{props: 1, cycle: test.cycle}}
		got, err := x.on(b, budget.Free())
		if got &= 1<<(1<<b.bits()) - 1; err != nil || got != test.want {
			t.Errorf("cycles of %d letters: %b, %v", test.cycle, got, err)
		}
	}
}

// TestCommentPast: the example of an operator of the past.
func TestCommentPast(t *testing.T) {
	f, err := ltl.NewStore().Parse("Y a", ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newFormula(f, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.on(block{shape: shape{props: 1, cycle: 1}}, budget.New(context.Background())); err != nil {
		t.Fatal(err)
	}
	const cycleA = 1 // the number of the word cycle{a}
	if values := x.values[len(x.values)-2:]; values[0]>>cycleA&1 != 0 || values[1]>>cycleA&1 != 1 {
		t.Errorf("Y a in the rounds: %b", values)
	}
}
