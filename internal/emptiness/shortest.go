package emptiness

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// ShortestRun returns a shortest accepting run: one with the fewest edges in prefix and cycle
// together. For time and memory, see Minimizer.
//
// ShortestRun fails as Check does. With an error, the Run is the shortest one found so far, if
// any. Without an error, no run is shorter.
func ShortestRun(ctx context.Context, src omega.Source, limits omega.Limits) (*Result, error) {
	r, err := (&Minimizer{Limits: limits}).Run(ctx, src)
	return &r.Result, err
}

// A Minimizer looks for shortest accepting runs by gm-min (Gastin and Moro 2007, Algorithms 2 to 5).
// The zero value of each option is the best choice.
//
// With n states, m edges and k marks in the condition, it does two breadth-first searches for each
// state that has an edge with a necessary mark: O(n·m·log n) time, O(n) memory. For conditions that
// the marks of a single edge do not decide, it searches pairs of a state and the marks seen, which
// costs up to 2^k times as much.
//
// The papers have marks on states and one initial state. Put a new state in the middle of each
// edge, accepting if the edge is. This doubles all lengths, and the papers' algorithms on that
// graph are the ones here. A new state before all initial ones adds the same number to all
// lengths.
type Minimizer struct {
	Limits omega.Limits // ProductStates counts the automaton's states, not pairs of them
	Bound  int          // only runs shorter than this are looked for; 0: of any length

	// Without are the improvements that gm-min leaves out.
	Without Improvements
	// Tracer finds the edges of a run whose length is known; nil is a Finder.
	Tracer Tracer

	// First, if set, replaces Hunt.First.
	First func(h *Hunt) (first *Run, black []bool, err error)
	// Found, if set, gets each run that is found. Each is shorter than the one before.
	Found func(*Run)
}

// A Minimal is a Result whose Run is shortest. Its counts include the search for the run.
type Minimal struct {
	Result
	// Least is proved: no accepting run has fewer edges. It is the length of Run, if that is a
	// shortest one, and NoRun if there is none at all. With a Bound, Run may be nil although
	// there are longer runs; then Least is the Bound.
	Least   int
	Runs    int   // runs found on the way, each shorter than the one before
	Matched int   // times that an edge led to a state that had been met before
	Queued  int   // entries of gm-min's priority queues
	Memory  int64 // bytes that the search took, without the Source
}

// NoRun is more than the length of any run.
const NoRun = math.MaxInt

// Run returns a shortest run. It fails if src does, when the context is done, or with an
// omega.LimitError. Then the Run is the shortest one found so far, if any.
func (m *Minimizer) Run(ctx context.Context, src omega.Source) (*Minimal, error) {
	return Search(ctx, src, m, func(h *Hunt) error { return h.ByPivots(All&^m.Without, nil) })
}

// Search does what Run of m does, but by the given search, which sets Empty once it has proved that the automaton has
// no accepting run.
func Search(ctx context.Context, src omega.Source, m *Minimizer, search func(*Hunt) error) (result *Minimal, err error) {
	if err := omega.Supported(src); err != nil {
		return &Minimal{}, err
	}
	h := newHunt(ctx, src, m)
	result = &h.Result
	h.Budget.LimitMemory(h.Limits.Memory, h.memory)
	defer src.Alphabet().Bind(h.Budget).Release(&err)
	err = search(h)
	h.end(err)
	return result, err
}

// end completes the result of a search that ended with an error or nil.
func (h *Hunt) end(err error) {
	h.measure()
	least := h.Bound // the run's length, if there is one
	if err != nil {
		least = min(h.Bound, h.Least)
	} else if h.Empty {
		least = NoRun
	}
	h.Result.Least = least
}

// A Hunt is what all searches for shortest runs share: the automaton, the limits,
// the best run so far and the counts.
type Hunt struct {
	ctx    context.Context
	Budget *budget.Budget
	Src    omega.Source
	Limits omega.Limits
	tracer Tracer
	first  func(*Hunt) (*Run, []bool, error)
	found  func(*Run)
	cond   *omega.Condition
	Marks  *omega.MarkTable
	unused omega.Marks // those that don't occur in cond
	Simple bool        // a cycle is accepting if and only if an edge of it is
	enough omega.Marks // if simple: a set that satisfies cond, if any does
	hasFin bool

	Bound  int  // runs must be shorter
	Least  int  // no run is shorter, as far as has been proved
	Empty  bool // the search has proved that no run accepts
	Result Minimal
	known  []uint64     // bit set of the states whose edges were asked for
	Held   func() int64 // bytes that the present part of the search takes
}

// Unbounded is the Bound of a Hunt that any run is shorter than.
const Unbounded = NoRun

func newHunt(ctx context.Context, src omega.Source, m *Minimizer) *Hunt {
	acc := src.Acceptance()
	h := &Hunt{
		ctx:    ctx,
		Budget: budget.New(ctx),
		Src:    src,
		Limits: m.Limits.WithDefaults(),
		tracer: cmp.Or(m.Tracer, Tracer(new(Finder))),
		first:  m.First,
		found:  m.Found,
		cond:   acc.Condition,
		Marks:  src.Marks(),
		Simple: distributes(acc.Condition),
		hasFin: acc.Condition.HasFin(),
		Bound:  Unbounded,
		Least:  1,
		Held:   func() int64 { return 0 },
	}
	if h.first == nil {
		h.first = (*Hunt).First
	}
	if m.Bound > 0 {
		h.Bound = m.Bound
	}
	used := make([]bool, max(acc.Sets, acc.Condition.Used()))
	last := -1
	acc.Condition.Leaves(func(l *omega.Condition) {
		used[l.Mark] = true
		last = l.Mark
	})
	if last >= 0 {
		h.enough = h.Marks.Of(last)
	}
	var unused []int
	for i := range acc.Sets {
		if !used[i] {
			unused = append(unused, i)
		}
	}
	h.unused = h.Marks.Of(unused...)
	return h
}

// distributes reports whether c holds for the marks of a cycle if and only if it holds for the
// marks of one of its edges. Inf(0) | Inf(1) does, and Inf(0) & Inf(1) does not.
func distributes(c *omega.Condition) bool {
	return c.Op != omega.CondFin && c.Op != omega.CondAnd &&
		!slices.ContainsFunc(c.Args, func(d *omega.Condition) bool { return !distributes(d) })
}

// Accepting reports whether marks m, of a cycle or an edge, satisfy the condition.
func (h *Hunt) Accepting(m omega.Marks) bool { return h.cond.Eval(h.Marks, m) }

// Add returns the marks seen after set and then an edge, as far as they matter.
func (h *Hunt) Add(set, edge omega.Marks) omega.Marks {
	if h.Simple {
		// One accepting edge decides, so only two sets are told apart: nothing seen, and enough.
		if set == h.enough || !h.Accepting(edge) {
			return set
		}
		return h.enough
	}
	if h.unused != 0 {
		edge = h.Marks.Minus(edge, h.unused)
	}
	return h.Marks.Union(set, edge)
}

// Hopeless reports whether no marks that are seen in addition make m satisfy the
// condition: after mark 0, nothing satisfies Fin(0) & Inf(1).
func (h *Hunt) Hopeless(m omega.Marks) bool { return h.hasFin && !h.possible(h.cond, m) }

func (h *Hunt) possible(c *omega.Condition, m omega.Marks) bool {
	switch c.Op {
	case omega.CondFalse:
		return false
	case omega.CondFin:
		return !h.Marks.Has(m, c.Mark)
	case omega.CondAnd:
		return !slices.ContainsFunc(c.Args, func(d *omega.Condition) bool { return !h.possible(d, m) })
	case omega.CondOr:
		return slices.ContainsFunc(c.Args, func(d *omega.Condition) bool { return h.possible(d, m) })
	}
	return true
}

// Edges appends the Edges of s to buf. All searches ask here, so that this is
// where they are counted and limited.
func (h *Hunt) Edges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if err := h.meet(s); err != nil {
		return buf, err
	}
	n := len(buf)
	buf, err := h.Src.AppendEdges(buf, s)
	h.Result.Edges += len(buf) - n
	if err == nil && h.Budget.Spend(1+len(buf)-n) {
		err = h.Budget.Err()
	}
	return buf, err
}

// meet counts a state, once. It fails if there are too many.
func (h *Hunt) meet(s omega.State) error {
	h.known = Grown(h.known, int(s)/64)
	if w, bit := &h.known[s/64], uint64(1)<<(s%64); *w&bit == 0 {
		if h.Limits.ProductStates > 0 && h.Result.States == h.Limits.ProductStates {
			return &omega.LimitError{What: "states", Limit: h.Limits.ProductStates}
		}
		*w |= bit
		h.Result.States++
	}
	return nil
}

func (h *Hunt) memory() int64 {
	return h.measure() + h.Marks.Memory() + omega.MemoryOf(h.Src)
}

// measure returns the memory that the search takes now, and keeps the most.
func (h *Hunt) measure() int64 {
	n := int64(8*cap(h.known)) + h.Held()
	h.Result.Memory = max(h.Result.Memory, n)
	return n
}

// RunBytes returns the memory of the best run so far.
func (h *Hunt) RunBytes() int64 {
	if h.Result.Run == nil {
		return 0
	}
	return int64(32 * h.Result.Run.Size())
}

// Improve takes note of a run that is shorter than all before.
func (h *Hunt) Improve(r *Run) {
	h.Result.Run = r
	h.Result.Runs++
	h.Bound = r.Size()
	if h.found != nil {
		h.found(r)
	}
}

// A pairTable numbers pairs of a state and the marks seen. If it is trivial, the
// marks don't matter, and a pair has the number of its state.
type pairTable struct {
	trivial bool
	pairs   []markedState
	index   intern.Index
}

type markedState struct {
	set   omega.Marks
	state omega.State
}

func (t *pairTable) memory() int64 { return int64(16*cap(t.pairs)) + t.index.Memory() }

func (t *pairTable) at(n int32) (omega.State, omega.Marks) {
	if t.trivial {
		return omega.State(n), 0
	}
	p := &t.pairs[n]
	return p.state, p.set
}

func (t *pairTable) number(s omega.State, set omega.Marks) int32 {
	if t.trivial {
		return int32(s)
	}
	p := markedState{set, s}
	i, at := t.index.First(p.hash())
	for ; i >= 0; i, at = t.index.Next(at) {
		if t.pairs[i] == p {
			return i
		}
	}
	i = int32(len(t.pairs))
	t.pairs = append(t.pairs, p)
	t.index.Add(at, i, func(i int32) uint64 { return t.pairs[i].hash() })
	return i
}

func (p markedState) hash() uint64 {
	hi, lo := bits.Mul64(uint64(uint32(p.state))^0x9e3779b97f4a7c15, uint64(p.set)*0xbf58476d1ce4e5b9^0xd6e8feb86659fd93)
	hi, lo = bits.Mul64(hi^lo, 0x94d049bb133111eb)
	return hi ^ lo
}
