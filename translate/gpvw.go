package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The tableau of Gerth, Peled, Vardi and Wolper, "Simple On-the-fly Automatic Verification of
// Linear Temporal Logic" (PSTV 1995).
//
// A node of the tableau guesses the subformulas that hold now. It has three sets: New, the
// formulas still to be processed; Old, the processed ones; and Next, what must hold after the next
// letter. Processing moves a formula from New to Old and adds its demands. Some formulas offer a
// choice, which splits the node:
//
//	            now     next          or now
//	f & g       f, g
//	f | g       f                     g
//	X f                 f
//	F f                 F f           f
//	G f         f       G f
//	f U g       f       f U g         g
//	f W g       f       f W g         g
//	f R g       g       f R g         f, g
//	f M g       g       f M g         f, g
//
// When New is empty, the node is complete. Its literals say which letters it can read, and its Next
// is the New of its successors. A run could choose "F f next" forever. So each formula that
// promises something has an acceptance set: the nodes that do not postpone the promise. F f and f U
// g are not in Old there, or what they promise (f or g) is; for f M g it is f.
//
// For a U b, the node {a U b} splits into two: a now and a U b next, which postpones b; or b now
// and nothing next. So there are two states, a U b and the empty set, which accepts every word:
//
//	a U b:  -a-> a U b;  -b-> {} with the mark
//	{}:     -1-> {} with the mark
//
// In the paper a node is a state, and states carry labels. Here the edges into a node carry its
// label and marks. Then Old is no longer needed: nodes with the same Next have the same successors,
// and are one state. So a state is a set of formulas that must hold, at first the given formula
// alone. An edge is a complete node of the tableau that starts with this set as New.
//
// A node is not split for a formula if it already has everything that one branch demands, unless
// that branch postpones a promise. (Daniele, Giunchiglia and Vardi, CAV 1999, go further.) The
// formula is only brought into negation normal form, and not simplified.

// gpvwSource is the newSource of the tableau. Each F, U and M in the negation normal form has an
// acceptance set. It takes time linear in that form.
func gpvwSource(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	t := &tableau{Budget: budget.New(ctx)}
	nnf := s.NNF(f)
	closure := subformulas(nnf)
	if err := ondemand.AdmitBits(len(closure)); err != nil {
		return nil, err
	}
	alphabet := omega.NewAlphabet(f.Props()...)
	t.addRules(alphabet, closure)
	t.Automaton = ondemand.New(alphabet, len(t.promises))
	t.MakeEdges = t.edgesOf
	t.words = (len(closure) + 63) / 64
	start := make(ondemand.BitSet, t.words)
	start.Add(slices.Index(closure, nnf))
	t.Starts = []omega.State{t.state(start)}
	t.long = ondemand.StepLength(alphabet, 64*t.words)
	t.LimitMemory(ondemand.MaxMemory, t.memory)
	return t, nil
}

// A tableau is the automaton whose states are sets of obligations and whose
// edges are the complete nodes of the tableaux for these.
type tableau struct {
	ondemand.Automaton
	*budget.Budget
	long int // steps of the budget that one of ours takes

	rules    []rule    // of each subformula
	promises []promise // by mark
	words    int       // of a set of formulas

	obligations intern.Lists[uint64] // of each state

	// For the expansion of one state.
	stack []*node // and, above its length, nodes to be used again
	list  []int
}

// A rule says what a formula demands: the literal that label is, and one of the
// branches, if there are any.
type rule struct {
	label    omega.Label
	branches []branch // at most two
	putsOff  bool     // the first branch puts off what the formula promises
}

// A branch has the formulas that must hold now and the formulas that must hold next.
type branch struct{ now, next []int }

// A promise is a formula that is kept at a node if it is not in Old, or if goal is.
type promise struct{ formula, goal int }

// A node of the tableau. The label is the conjunction of the literals in old;
// it is false if they contradict each other.
type node struct {
	label          omega.Label
	new, old, next ondemand.BitSet // of formulas
}

// subformulas returns the subformulas of f. Literals and constants come first,
// then formulas that demand all of something, then those that leave a choice;
// within these, they are in order of occurrence. A node takes its formulas apart
// in that order, so that most contradictions are found before it is split.
func subformulas(f *ltl.Formula) []*ltl.Formula {
	var list []*ltl.Formula
	seen := map[*ltl.Formula]bool{f: true}
	for stack := []*ltl.Formula{f}; len(stack) > 0; {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		list = append(list, g)
		if g.Op() == ltl.OpNot {
			continue
		}
		for _, h := range []*ltl.Formula{g.Right(), g.Left()} {
			if h != nil && !seen[h] {
				seen[h] = true
				stack = append(stack, h)
			}
		}
	}
	class := func(g *ltl.Formula) int {
		switch g.Op() {
		case ltl.OpFalse, ltl.OpTrue, ltl.OpProp, ltl.OpNot:
			return 0
		case ltl.OpAnd, ltl.OpNext, ltl.OpGlobally:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(g, h *ltl.Formula) int { return class(g) - class(h) })
	return list
}

// addRules makes the rule of each subformula, and the promises.
func (t *tableau) addRules(alphabet *omega.Alphabet, closure []*ltl.Formula) {
	index := make(map[*ltl.Formula]int, len(closure))
	for i, f := range closure {
		index[f] = i
	}
	for i, f := range closure {
		r := rule{label: alphabet.True()}
		left, right := index[f.Left()], index[f.Right()]
		switch f.Op() {
		case ltl.OpTrue:
		case ltl.OpAnd:
			r.branches = []branch{{now: []int{left, right}}}
		case ltl.OpOr:
			r.branches = []branch{{now: []int{left}}, {now: []int{right}}}
		case ltl.OpNext:
			r.branches = []branch{{next: []int{left}}}
		case ltl.OpFinally:
			r.branches = []branch{{next: []int{i}}, {now: []int{left}}}
			r.putsOff = true
			t.promises = append(t.promises, promise{i, left})
		case ltl.OpGlobally:
			r.branches = []branch{{now: []int{left}, next: []int{i}}}
		case ltl.OpUntil, ltl.OpWeakUntil:
			r.branches = []branch{{now: []int{left}, next: []int{i}}, {now: []int{right}}}
			if f.Op() == ltl.OpUntil {
				r.putsOff = true
				t.promises = append(t.promises, promise{i, right})
			}
		case ltl.OpRelease, ltl.OpStrongRelease:
			r.branches = []branch{{now: []int{right}, next: []int{i}}, {now: []int{left, right}}}
			if f.Op() == ltl.OpStrongRelease {
				r.putsOff = true
				t.promises = append(t.promises, promise{i, left})
			}
		default:
			r.label = must.Get(alphabet.Formula(f)) // a literal, or false
		}
		t.rules = append(t.rules, r)
	}
}

func (t *tableau) state(obligations ondemand.BitSet) omega.State {
	s, _ := t.obligations.Number(obligations)
	return omega.State(s)
}

// edgesOf takes apart the obligations of s, and returns an edge for each complete node that comes
// of it; nodes that differ in their labels only are one edge. The result is not nil.
func (t *tableau) edgesOf(s omega.State) ([]omega.Edge, error) {
	edges := []omega.Edge{}
	t.stack = t.stack[:0]
	root := t.push()
	root.label = t.Over.True()
	copy(root.new, t.obligations.At(int32(s)))
	clear(root.old)
	clear(root.next)
	for len(t.stack) > 0 {
		if t.Spend(t.long) {
			return nil, t.Err()
		}
		n := t.stack[len(t.stack)-1]
		i, ok := n.new.First()
		if !ok {
			t.stack = t.stack[:len(t.stack)-1]
			// The node is complete.
			t.list = t.list[:0]
			for mark, p := range t.promises {
				if !n.old.Has(p.formula) || n.old.Has(p.goal) {
					t.list = append(t.list, mark)
				}
			}
			edges = t.Merge(edges, omega.Edge{Label: n.label, Marks: t.MarkTable.Of(t.list...), Dst: t.state(n.next)})
			continue
		}
		n.new.Remove(i)
		n.old.Add(i)
		r := &t.rules[i]
		// The literals contradict each other: the node has no letter.
		if n.label = t.Over.And(n.label, r.label); n.label == omega.False {
			t.stack = t.stack[:len(t.stack)-1]
			continue
		}
		if len(r.branches) > 1 {
			// One branch demands nothing new, and any run of the other one is also a run of this
			// one.
			if n.grants(r) {
				continue
			}
			// The node is split. The copy takes the second branch.
			m := t.push()
			m.label = n.label
			copy(m.new, n.new)
			copy(m.old, n.old)
			copy(m.next, n.next)
			m.take(r.branches[1])
		}
		if len(r.branches) > 0 {
			n.take(r.branches[0])
		}
	}
	return edges, nil
}

// memory returns about how many bytes the states, the edges with their marks, and the nodes take.
func (t *tableau) memory() int64 {
	set := int64(8 * t.words)
	return int64(t.obligations.Len())*(2*set+100) + int64(cap(t.stack))*(3*set+100) +
		t.Made*int64(24+len(t.promises)/4) + t.Over.Memory()
}

// push returns a new node on the stack, with arbitrary content.
func (t *tableau) push() *node {
	if n := len(t.stack); n < cap(t.stack) && t.stack[:n+1][n] != nil {
		t.stack = t.stack[:n+1]
	} else {
		sets := make(ondemand.BitSet, 3*t.words)
		n := &node{new: sets[:t.words], old: sets[t.words : 2*t.words], next: sets[2*t.words:]}
		t.stack = append(t.stack, n)
	}
	return t.stack[len(t.stack)-1]
}

// take adds the demands of a branch to the node.
func (n *node) take(b branch) {
	for _, i := range b.now {
		// What is in Old has been taken apart.
		if !n.old.Has(i) {
			n.new.Add(i)
		}
	}
	for _, i := range b.next {
		n.next.Add(i)
	}
}

// grants reports whether the node already has all that some branch of the rule
// demands, so that the other would only demand more. A branch that puts off a
// promise does not count: the one that keeps it may be possible.
func (n *node) grants(r *rule) bool {
	for k, b := range r.branches {
		if !(k == 0 && r.putsOff) && n.old.HasAll(b.now) && n.next.HasAll(b.next) {
			return true
		}
	}
	return false
}
