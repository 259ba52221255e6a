package reduce

import (
	"iter"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/internal/transform/letters"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A letterTable has the edges of a deterministic automaton with parity acceptance by letter.
// Letters that no label distinguishes count as one.
type letterTable struct {
	states, letters int
	dst             []omega.State // by state and letter; -1 if there is no edge
	priority        []int32       // of the edge
}

// Bounds of the search for states that accept the same words: the letters and the entries of a
// letterTable, and the edges between pairs of states.
const (
	maxLetters    = 1 << 10
	maxTable      = 1 << 20
	maxPairs      = 1 << 23
	residualSteps = 1 << 24
)

// newLetterTable returns the table of a, or nil if it would be too large.
func newLetterTable(a *omega.Automaton, w *budget.Budget) *letterTable {
	letters := letters.Classes(a, w, func(n int) bool { return n > maxLetters || n*a.NumStates() > maxTable })
	if letters == nil {
		return nil
	}
	t := &letterTable{states: a.NumStates(), letters: len(letters)}
	t.dst, t.priority = make([]omega.State, t.states*t.letters), make([]int32, t.states*t.letters)
	priority := a.Priorities()
	for s := range t.states {
		edges := a.Edges(omega.State(s))
		for k, l := range letters {
			at := s*t.letters + k
			t.dst[at] = -1
			for i, e := range edges {
				if w.Stop() {
					return nil
				}
				if a.Alphabet().Meet(l, e.Label) { // then l is within the label
					t.dst[at], t.priority[at] = e.Dst, priority[i]
				}
			}
		}
		priority = priority[len(edges):]
	}
	return t
}

// residual redirects edges of a deterministic automaton with parity acceptance. An edge leads to a
// state that accepts the same words as its old destination, in the component with the smallest
// number. From each state, some word must be accepted. In
//
//	State: 0  [a] 0  [!a] 1
//	State: 1  [a] 2  [!a] 1 {0}
//	State: 2  [a] 2  [!a] 2 {0}
//
// each state accepts the words with infinitely many !a, and state 2 is in the last component:
//
//	State: 0  [a] 2  [!a] 2
//	State: 1  [a] 2  [!a] 2 {0}
//	State: 2  [a] 2  [!a] 2 {0}
//
// The language is the same. Component numbers decrease along a run, so a run uses finitely many
// edges that change the component. After them, it continues from a state that accepts the right
// words.
func residual(a *omega.Automaton, w *reducer) *omega.Automaton {
	if a.NumStates() < 2 || w.noResidual {
		return a
	}
	var class []omega.State
	if !w.attempt(a, residualSteps, func(v *budget.Budget) {
		if t := newLetterTable(a, v); t != nil {
			class = t.residuals(v)
		}
	}) || class == nil {
		w.noResidual = true
		return a
	}
	c := a.ComponentsWithin(w.Budget)
	if w.Err() != nil {
		return nil
	}
	best := make([]omega.State, a.NumStates()) // of each class, plus one
	for s, k := range class {
		if best[k] == 0 || c.Of[s] < c.Of[best[k]-1] {
			best[k] = omega.State(s) + 1
		}
	}
	instead := make([]omega.State, a.NumStates())
	for s, k := range class {
		instead[s] = omega.State(s)
		if t := best[k] - 1; c.Of[t] != c.Of[s] { // edges within a component stay
			instead[s] = t
		}
	}
	return led(a, instead)
}

// led returns a with each edge leading to instead[d], where d is its destination.
func led(a *omega.Automaton, instead []omega.State) *omega.Automaton {
	b := omega.NewBuilderLike(a)
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(instead[s])
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, e.Marks, instead[e.Dst])
		}
	}
	return b.Automaton()
}

// residuals returns the class of each state, which is the number of its first member. Two states
// are in one class if and only if they accept the same words. It returns nil if there are too many
// pairs of states.
func (t *letterTable) residuals(w *budget.Budget) []omega.State {
	n := omega.State(t.states)
	if t.states*t.states*t.letters > maxPairs {
		return nil
	}
	differ := t.distinguish(w)
	class := make([]omega.State, n)
	for s := range class {
		class[s] = -1
	}
	for s := range n {
		if class[s] >= 0 {
			continue
		}
		for q := s; q < n; q++ {
			if !w.Stop() && class[q] < 0 && !differ[s*n+q] {
				class[q] = s
			}
		}
	}
	return class
}

// statePairs is a graph of pairs of states, with the priorities of both edges.
type statePairs struct {
	first       []int32
	dst         []omega.State
	left, right []int32
	top         int32 // the greatest of all
}

// add adds an edge to the current pair.
func (g *statePairs) add(dst omega.State, left, right int32) {
	k := len(g.dst) - 1
	if k >= int(g.first[len(g.first)-1]) && g.dst[k] == dst && g.left[k] == left && g.right[k] == right {
		return // another letter has added it
	}
	g.dst, g.left, g.right = append(g.dst, dst), append(g.left, left), append(g.right, right)
	g.top = max(g.top, left, right)
}

// end ends the edges of the current pair.
func (g *statePairs) end() { g.first = append(g.first, int32(len(g.dst))) }

// distinguish reports for each pair of states p, q, at index p·n+q, whether exactly one of them
// accepts some word. There are two reasons. Only one of them has an edge on some letter, and this
// edge leads to a state that accepts a word. Or there is a path to a cycle of pairs whose greatest
// priority is even on one side and odd on the other.
//
// For two such priorities, the cycle exists if a component of the pairs has both after all edges
// with greater ones are removed.
func (t *letterTable) distinguish(w *budget.Budget) []bool {
	n := omega.State(t.states)
	differ := make([]bool, n*n)
	g := &statePairs{first: make([]int32, 1, n*n+1)}
	for p := range n {
		for q := range n {
			for k := range t.letters {
				i, j := int(p)*t.letters+k, int(q)*t.letters+k
				if w.Stop() {
					return differ
				}
				switch e, f := t.dst[i], t.dst[j]; {
				case (e < 0) != (f < 0):
					differ[p*n+q] = true
				case e != f: // equal states accept the same words
					g.add(e*n+f, t.priority[i], t.priority[j])
				}
			}
			g.end()
		}
	}
	for x, y := range g.opposed() {
		if g.markCycles(x, y, differ, w); w.Err() != nil {
			return differ
		}
	}
	g.spread(differ, w)
	return differ
}

// opposed returns the pairs of an even and an odd priority, in both orders.
func (g *statePairs) opposed() iter.Seq2[int32, int32] {
	return func(yield func(x, y int32) bool) {
		for x := range g.top + 1 {
			for y := 1 - x%2; y <= g.top; y += 2 {
				if !yield(x, y) {
					return
				}
			}
		}
	}
}

// markCycles sets differ for the pairs on cycles whose greatest priorities are x on the left and y
// on the right. It reports whether there are such pairs.
func (g *statePairs) markCycles(x, y int32, differ []bool, w *budget.Budget) (found bool) {
	n := len(g.first) - 1
	first := make([]int32, 1, n+1)
	var dst []omega.State
	// Pairs that differ have no edges here. The other pairs of their cycles lead to them, so spread
	// finds these.
	for p := range n {
		for i := g.first[p]; i < g.first[p+1] && !differ[p]; i++ {
			if g.left[i] <= x && g.right[i] <= y && !differ[g.dst[i]] {
				dst = append(dst, g.dst[i])
			}
		}
		first = append(first, int32(len(dst)))
		if w.Stop() {
			return false
		}
	}
	c := scc.Find(w, first, dst)
	if w.Err() != nil {
		return false
	}
	hasX, hasY := make([]bool, c.Count), make([]bool, c.Count)
	for p := range n {
		for i := g.first[p]; i < g.first[p+1]; i++ {
			if g.left[i] <= x && g.right[i] <= y && c.Of[p] == c.Of[g.dst[i]] {
				hasX[c.Of[p]] = hasX[c.Of[p]] || g.left[i] == x
				hasY[c.Of[p]] = hasY[c.Of[p]] || g.right[i] == y
			}
		}
		if w.Stop() {
			return false
		}
	}
	// In a strongly connected component, one cycle through p takes both edges.
	for p := range n {
		if hasX[c.Of[p]] && hasY[c.Of[p]] {
			differ[p], found = true, true
		}
	}
	return found
}

// spread notes the pairs that can reach a pair that differs.
func (g *statePairs) spread(differ []bool, w *budget.Budget) {
	n := len(g.first) - 1
	if w.Spend(n) {
		return
	}
	from, source := scc.Grouped(n, func(yield func(dst, src omega.State) bool) {
		for p := range n {
			for _, q := range g.dst[g.first[p]:g.first[p+1]] {
				yield(q, omega.State(p))
			}
		}
	})
	var work []omega.State
	for p := range n {
		if differ[p] {
			work = append(work, omega.State(p))
		}
	}
	for len(work) > 0 && !w.Stop() {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range source[from[q]:from[q+1]] {
			if !differ[p] {
				differ[p] = true
				work = append(work, p)
			}
		}
	}
}
