package omega

import (
	"cmp"
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
)

// maxSquare bounds the bytes that the pairs of states of IsUnambiguous take, and the edges
// between them, if the context sets no limit of memory.
const maxSquare = 512 << 20

// IsUnambiguous reports whether no word has two different accepting runs. A run is a sequence
// of edges, as in HOA. So two edges between the same states that share a letter make two runs
// if their marks differ, even if the condition does not use these marks. With the same marks,
// they are one edge that is written as two. Runs from different initial states differ.
//
// This takes time and memory quadratic in the edges. It also takes an emptiness check for the
// conjunction of the condition with itself. That is no harder for generalized Büchi and Streett
// conditions; for Rabin conditions, all pairs of pairs must be tried.
//
// With 0 -1-> 0, 0 -a-> 1 and 1 -a-> 1 {0}, runs on cycle{a} may go to 1 at any time. The runs 0 0
// 1 1 … and 0 1 1 1 … visit the pair (0, 1), and meet in 1.
//
// An alternating automaton must be deterministic: at most one initial conjunction of states,
// and no two edges of a state that meet. Otherwise IsUnambiguous fails with ErrAlternating. It
// also fails when ctx is done, and with a LimitError if the pairs take more memory
// than ctx allows, or 512 MiB.
func (a *Automaton) IsUnambiguous(ctx context.Context) (ok bool, err error) {
	w := budget.New(ctx)
	defer a.alphabet.Bind(w).Release(&err)
	if len(a.start) <= 1 && !a.branches() || w.Err() != nil {
		return w.Err() == nil, w.Err()
	}
	if a.Alternating() {
		return false, ErrAlternating
	}
	// Two runs on a word differ from some edge on. If they meet again in a state that accepting runs
	// visit, they can continue as one, and the word has two accepting runs.
	s := newSquare(a, w)
	w.LimitMemory(cmp.Or(w.MemoryLimit(), maxSquare), s.memory)
	twice, err := s.explore()
	if err != nil || twice {
		return false, err
	}
	condition := a.acceptance.Condition
	// The runs never meet again. They stay in pairs of different states, where both must be
	// accepting.
	both := AllOf(condition, condition.Shift(a.acceptance.Sets)).Simplify()
	twice = acceptingCycle(&s.graph, s.marks.MarkTable, both)
	return !twice && w.Err() == nil, w.Err()
}

// A square has pairs of different states for its nodes. Its edges have the marks of both sides. The
// second side's marks are above the first side's.
type square struct {
	a      *Automaton
	live   []bool // by state: some accepting run starts there
	graph  markedGraph
	marks  *JointMarks
	budget *budget.Budget

	number [][]int32  // of a pair, plus one; rows are made when they are needed
	pairs  [][2]State // by number
	rows   int        // that have been made
}

func newSquare(a *Automaton, w *budget.Budget) *square {
	s := &square{a: a, budget: w, live: make([]bool, a.NumStates()), number: make([][]int32, a.NumStates())}
	c := a.ComponentsWithin(w)
	live, _ := a.LiveWithin(c, w, budget.Unlimited)
	if w.Err() != nil {
		return s
	}
	for i := range s.live {
		s.live[i] = live[c.Of[i]]
	}
	s.graph, s.marks = markedGraph{Budget: w}, a.marks.Joint(a.marks, 0)
	return s
}

func (s *square) memory() int64 {
	return int64(4*s.rows*len(s.live)+8*cap(s.pairs)+16*cap(s.graph.Edges)) + s.marks.Memory()
}

// explore makes the part of the square that can be reached by two runs that differ.
// It reports true, and stops, if they can meet again.
func (s *square) explore() (meet bool, err error) {
	reached := make([]bool, len(s.live))
	var queue []State
	reach := func(p State) {
		if s.live[p] && !reached[p] {
			reached[p] = true
			queue = append(queue, p)
		}
	}
	for _, p := range s.a.start {
		for _, q := range s.a.start {
			if s.budget.Stop() {
				return false, s.budget.Err()
			}
			// Runs from different initial states differ at once. Their order does not matter.
			if p < q && s.live[p] && s.live[q] {
				s.pair(p, q)
			}
		}
		reach(p)
	}
	for ; len(queue) > 0 && s.budget.Err() == nil; queue = queue[1:] {
		edges := s.a.Edges(queue[0])
		for i, e := range edges {
			reach(e.Dst)
			for _, f := range edges[:i] {
				if s.budget.Stop() || !s.meet(e, f) {
					continue
				}
				if e.Dst != f.Dst { // the runs differ from here on
					s.pair(e.Dst, f.Dst)
				} else if e.Marks != f.Marks { // they differ in this edge, and meet after it
					return s.budget.Err() == nil, s.budget.Err()
				}
			}
		}
	}
	// The list of pairs grows while their edges are followed.
	for i := int32(0); int(i) < len(s.pairs) && s.budget.Err() == nil; i++ {
		if s.follow(i) {
			return s.budget.Err() == nil, s.budget.Err()
		}
	}
	s.graph.Nodes = len(s.pairs)
	return false, s.budget.Err()
}

// follow adds the edges of a pair, and reports whether one of them leads to a single
// state.
func (s *square) follow(i int32) bool {
	p, q := s.pairs[i][0], s.pairs[i][1]
	for _, e := range s.a.Edges(p) {
		for _, f := range s.a.Edges(q) {
			if s.budget.Stop() {
				return false
			}
			if !s.meet(e, f) {
				continue
			}
			// Both runs go on as one accepting run, since the state is live.
			if e.Dst == f.Dst {
				return true
			}
			to := markedEdge{Src: i, Dst: s.pair(e.Dst, f.Dst), Tag: s.marks.Join(e.Marks, f.Marks)}
			s.graph.Edges = append(grow.By(s.graph.Edges, 1), to)
		}
	}
	return false
}

// meet reports whether two runs may follow the two edges at a time, and be accepting.
func (s *square) meet(e, f Edge) bool {
	return s.live[e.Dst] && s.live[f.Dst] && s.a.alphabet.Meet(e.Label, f.Label)
}

func (s *square) pair(p, q State) int32 {
	if s.number[p] == nil {
		s.number[p] = make([]int32, len(s.live))
		s.rows++
	}
	n := &s.number[p][q]
	if *n == 0 {
		s.pairs = append(grow.By(s.pairs, 1), [2]State{p, q})
		*n = int32(len(s.pairs))
	}
	return *n - 1
}
