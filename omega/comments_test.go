package omega

import (
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// check compares what an example computes with what its comment says.
func check(t *testing.T, example, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", example, got, want)
	}
}

func condition(text string) *Condition {
	return must.Get(ParseCondition(text))
}

// TestCommentConditions: the examples of functions of acceptance conditions.
func TestCommentConditions(t *testing.T) {
	known := func(i int) int { return []int{1, -1, 0}[i] }
	check(t, "GiveUp", condition("Fin(0) & Inf(1) | Inf(0)").GiveUp(0).String(), "Inf(0)")
	check(t, "Assume", condition("Inf(0) & Fin(2) | Inf(1)").Assume(known).String(), "Fin(2)")
	check(t, "Simplify", condition("Inf(0) | Inf(0) & Fin(1)").Simplify().String(), "Inf(0)")
	check(t, "Simplify", condition("Fin(0) & (Inf(0) | Inf(1))").Simplify().String(), "Fin(0) & Inf(1)")
	check(t, "Parity", Parity("parity min odd", 3).Condition.String(), "Fin(0) & (Inf(1) | Fin(2))")
	check(t, "Parity", Parity("parity max even", 3).Condition.String(), "Inf(2) | Fin(1) & Inf(0)")
	for text, want := range map[string]string{
		"Inf(2) | Fin(1) & Inf(0)": "[2 3 4] 1", "Fin(0) | Inf(1)": "[1 2] 0", "Inf(0)": "[2] 1", "Fin(0) & Inf(1)": "[3 2] 1",
	} {
		c := condition(text)
		of, none, ok := c.priorities(1 + maxMark(c))
		check(t, text, fmt.Sprint(of, none, ok), want+" true")
	}
}

func maxMark(c *Condition) (most int) {
	c.Leaves(func(l *Condition) { most = max(most, l.Mark) })
	return most
}

// TestCommentLabels: the examples of functions of labels.
func TestCommentLabels(t *testing.T) {
	s := ltl.NewStore()
	alphabet := NewAlphabet("a", "b", "c")
	label := func(text string) Label {
		f := must.Get(s.Parse(text, ltl.Spot))
		return must.Get(alphabet.Formula(f))
	}
	check(t, "a", fmt.Sprintf("%b", label("a")&15), "1010")
	check(t, "a&b", fmt.Sprintf("%b", label("a&b")&15), "1000")
	pos, neg := alphabet.Literals(label("a & !c & (b | a)"))
	check(t, "Literals", fmt.Sprintf("%b %b", pos, neg), "1 100")
	_, lo, hi := alphabet.Split(label("a & b | !a & c"))
	check(t, "Split", alphabet.Text(lo)+", "+alphabet.Text(hi), "c, b")
	v, _ := alphabet.Letter(label("a | b"))
	check(t, "Letter", fmt.Sprint(v[:2]), "[false true]")
	cubes, _ := alphabet.Cover(label("a & b | !a & c | b & c"))
	check(t, "Cover", fmt.Sprint(cubes), "[[1 4] [0 2]]")
	to := NewAlphabet("a", "c")
	p := alphabet.To(to)
	check(t, "To", to.Text(p.Label(label("a & b | !b & c"))), "a | c")
	w := must.Get(ParseWord(t.Context(), "a; b; cycle{a; b; a; b}"))
	check(t, "Concrete", w.Concrete().String(), "cycle{a&!b; !a&b}")
}

// TestCommentAutomata: the examples of functions of automata.
func TestCommentAutomata(t *testing.T) {
	alphabet := NewAlphabet("a")
	every, a := alphabet.True(), alphabet.Prop(0)
	type edge struct {
		from  State
		label Label
		marks []int
		to    State
	}
	automaton := func(acceptance Acceptance, edges ...edge) *Automaton {
		b := NewBuilder(alphabet, acceptance)
		b.AddStates(2)
		b.AddStart(0)
		for _, e := range edges {
			b.AddEdge(e.from, e.label, b.Marks().Of(e.marks...), e.to)
		}
		return b.Automaton()
	}
	kinds := func(x *Automaton) string {
		c := x.Components()
		list := must.Get(x.Kinds(t.Context(), c))
		return fmt.Sprint(list[c.Of[0]], list[c.Of[1]])
	}
	early := automaton(Buchi(), edge{0, every, nil, 0}, edge{0, a, nil, 1}, edge{1, a, []int{0}, 1})
	check(t, "Kinds", kinds(early), fmt.Sprint(Rejecting, Accepting))
	mixed := automaton(Buchi(), edge{0, every, nil, 0}, edge{0, a, nil, 1}, edge{1, a, []int{0}, 1}, edge{1, a, nil, 1})
	check(t, "Kinds", kinds(mixed), fmt.Sprint(Rejecting, Mixed))
	avoiding := automaton(Acceptance{2, AllOf(Fin(0), Inf(1))}, edge{0, every, []int{0}, 1}, edge{1, every, []int{1}, 0}, edge{1, every, []int{1}, 1})
	check(t, "acceptingWalk", kinds(avoiding), fmt.Sprint(Mixed, Mixed))
	l := Lasso[int]{make([]int, 2), make([]int, 3)}
	check(t, "Next", fmt.Sprint(l.Next(0), l.Next(1), l.Next(2), l.Next(3), l.Next(4)), "1 2 3 4 2")
}

// Bound reports whether the alphabet is bound to a budget.
func (a *Alphabet) Bound() bool { return a.bound.binding != nil }
