package emptiness

import (
	"context"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Result says whether an automaton is empty. Run is nil if it is, and otherwise an accepting
// run.
//
// The counts are as in Table 1 of Schwoon and Esparza 2005. They do not include the search
// for the run. If a generalized Büchi automaton is searched as a Büchi automaton, its states
// are pairs of a state and a level.
type Result struct {
	Run    *Run
	States int // distinct states visited
	Edges  int // edges made by the Source, each as often as it was asked for
	Depth  int // greatest length of the depth-first search's path
	// RunTime is how long the search for the run took, for algorithms that look for components:
	// the others have no such search of their own.
	RunTime time.Duration
	// For algorithms that look for components. Live is the greatest number of visited states
	// whose component is not complete (Tarjan's stack; 0 without it). Roots is the greatest
	// number of components on the path (Couvreur's stack of roots).
	Live, Roots int
	// Tables are the bytes of tables with an element for each state. Memory is the most that
	// the search took: these, its path with the edges, and its stacks, without the Source.
	// Both count what is allocated, which may be half as much again as what is used.
	Tables, Memory int64
}

// Empty reports whether the automaton accepts no word.
func (r *Result) Empty() bool { return r.Run == nil }

// A Run is an accepting run. Prefix leads from an initial state to the first state of Cycle,
// and Cycle leads back to that state. Cycle is not empty.
type Run struct{ omega.Lasso[Step] }

// A Step is an edge with the state that it leaves.
type Step struct {
	From omega.State
	Edge omega.Edge
}

// A Pruner is a Source that can tell the search to skip states.
type Pruner interface {
	omega.Source
	// Dead reports to the Source some states from which no word is accepted.
	Dead(states []omega.State)
	// Hopeless reports whether these reports imply that no word is accepted from s.
	Hopeless(s omega.State) bool
}

// Check decides emptiness for any acceptance condition.
//
// Without Fin, time and memory are linear in the explored part: an integer per state, and the
// edges of each state on the path. With Fin, a component that is not accepting as a whole is
// copied and searched again, at worst for every subset of the marks under Fin. (Emptiness of
// Emerson–Lei automata is NP-complete.) Rabin, Streett and parity conditions stay polynomial.
//
// Check fails if src does, when ctx is done, or with an omega.LimitError past the limits of product
// states and memory. The
// counts of the Result then say how far the search came.
func Check(ctx context.Context, src omega.Source, limits omega.Limits) (*Result, error) {
	if err := omega.Supported(src); err != nil {
		return &Result{}, err
	}
	s := &search{Explorer: NewExplorer(ctx, src, limits)}
	s.hasFin = s.Cond.HasFin()
	return s.any()
}

// any looks for any accepting run.
func (s *search) any() (*Result, error) {
	return s.Decide(func() (*Run, error) {
		for _, init := range s.Src.Initial() {
			if found, err := s.from(init); err != nil {
				return nil, err
			} else if found != nil {
				return s.Run(found, func(state omega.State) bool { return s.at(state) != 0 })
			}
		}
		return nil, nil
	})
}

// search is the state of one check.
type search struct {
	Explorer
	hasFin bool
	survey *Survey // for TakeSurvey

	late bool // components are judged when they are complete, not when they become accepting

	// Of tests: noUnavoidable leaves out the test of unavoidable marks, and splits counts the
	// calls of split.
	noUnavoidable bool
	splits        int

	order []int32       // by state: 0 if new, its number if live, dead
	live  []omega.State // states of components not yet complete, by number
	roots []root
}

// dead marks the states of components that are complete.
const dead = -1

// root is a component of the part of the graph that the search has seen, among
// the live states: those numbered from order up to the next root's. The
// components form a path; arc are the marks of the edge by which the search came
// to this one from the one below.
type root struct {
	order      int32
	closed     bool // some cycle is in it
	hopeful    bool // of a survey: an edge leads from it to a state that is not empty
	marks, arc omega.Marks
}

// Component is a strongly connected part of the automaton with an accepting
// closed walk: all edges between its states whose marks are within marks.
type Component struct {
	States []omega.State
	Marks  omega.Marks
}

// from runs the depth-first search from a state, unless that has been visited, until
// it meets an accepting component, which it returns, or has seen everything.
func (s *search) from(init omega.State) (*Component, error) {
	if s.at(init) != 0 {
		return nil, nil
	}
	found, err := s.visit(init, 0)
	for found == nil && err == nil && len(s.Path) > 0 {
		e, ok := s.Next()
		switch {
		case !ok:
			found, err = s.complete()
		case s.at(e.Dst) == 0:
			found, err = s.visit(e.Dst, e.Marks)
		default:
			found, err = s.meet(e), s.Budget.Err()
		}
	}
	return found, err
}

// meet follows an edge from the end of the path to a state that has been visited.
// It returns the component that this makes accepting, if it does.
func (s *search) meet(e omega.Edge) *Component {
	n := s.at(e.Dst)
	if n == dead {
		// No cycle leads to a complete component and back. For a survey, the edge still counts:
		// what is accepted there is accepted here.
		if s.survey != nil && s.survey.NonEmpty[e.Dst] {
			s.roots[len(s.roots)-1].hopeful = true
		}
		return nil
	}
	// The edge closes a cycle, since a live state leads to the end of the path.
	if !s.merge(n, e.Marks) || s.late {
		return nil
	}
	last := s.roots[len(s.roots)-1]
	return &Component{s.live[last.order-1:], last.marks}
}

func (s *search) at(state omega.State) int32 {
	if int(state) >= len(s.order) {
		s.order = Grown(s.order, state)
	}
	return s.order[state]
}

// sizes returns the bytes that the search takes beside its path.
func (s *search) sizes() (tables, stacks int) {
	tables, stacks = 4*cap(s.order), 4*cap(s.live)+32*cap(s.roots)
	if s.survey != nil {
		tables += cap(s.survey.NonEmpty)
	}
	return tables, stacks
}

// visit comes to a new state, to which an edge with marks arc leads.
func (s *search) visit(state omega.State, arc omega.Marks) (*Component, error) {
	if s.Pruner != nil && s.Pruner.Hopeless(state) {
		// Edges to the state are dropped from now on, as if its component were complete.
		s.order[state] = dead
		return nil, nil
	}
	if err := s.Enter(); err != nil {
		return nil, err
	}
	tables, stacks := s.sizes()
	if err := s.Push(state, tables, stacks); err != nil {
		return nil, err
	}
	s.live = append(s.live, state)
	n := int32(len(s.live))
	s.order[state] = n
	s.roots = append(s.roots, root{order: n, arc: arc})
	s.Result.Live, s.Result.Roots = max(s.Result.Live, len(s.live)), max(s.Result.Roots, len(s.roots))
	// Edges to visited states are followed at once. So a cycle is found as early as it can be, and
	// the edges need not be kept while the search is elsewhere: they would take most of the memory.
	base := s.Path[len(s.Path)-1].Base
	kept := base
	for _, e := range s.Edges[base:] {
		if s.at(e.Dst) == 0 {
			s.Edges[kept] = e
			kept++
		} else if found := s.meet(e); found != nil || s.Budget.Err() != nil {
			return found, s.Budget.Err()
		}
	}
	s.Edges = s.Edges[:kept]
	return nil, nil
}

// merge closes a cycle by an edge with marks m back to the live state of number
// n: all components from the top down to n's become one. It reports whether the
// new component is accepting.
//
// With 0→1, 1→2 {0}, 2→0 and Inf(0), the path 0 1 2 has three components, the last with arc
// {0}. The edge 2→0 makes one of them, with mark 0: accepting.
func (s *search) merge(n int32, m omega.Marks) bool {
	top := len(s.roots) - 1
	hopeful := false
	for ; s.roots[top].order > n; top-- {
		// The cycle passes this component, and the edge by which the search came to it.
		m = s.Marks.Union(m, s.Marks.Union(s.roots[top].marks, s.roots[top].arc))
		hopeful = hopeful || s.roots[top].hopeful
	}
	s.roots = s.roots[:top+1]
	r := &s.roots[top]
	r.hopeful = r.hopeful || hopeful
	// With the same marks as before, the condition would have the same value as before.
	if all := s.Marks.Union(r.marks, m); all != r.marks || !r.closed {
		r.marks, r.closed = all, true
		s.Budget.Spend(s.Cost)
		return s.Cond.Eval(s.Marks, all)
	}
	return false
}

// complete leaves the state at the end of the path. If it was the first of its
// component, the component is complete.
func (s *search) complete() (*Component, error) {
	top := s.Pop()
	n := s.order[top.State]
	// Otherwise a cycle joins the state to an earlier one of the path, whose component goes on.
	if s.roots[len(s.roots)-1].order != n {
		return nil, nil
	}
	states := s.live[n-1:]
	if s.survey != nil {
		if err := s.note(states); err != nil {
			return nil, err
		}
	} else if r := s.roots[len(s.roots)-1]; s.hasFin && r.closed {
		found, err := s.inner(states, r.marks)
		if found != nil || err != nil {
			return found, err
		}
	}
	s.roots = s.roots[:len(s.roots)-1]
	if s.Pruner != nil {
		// Nothing is accepted in the component, nor from the components that it leads to: these
		// were complete before.
		s.Pruner.Dead(states)
	}
	for _, state := range states {
		s.order[state] = dead
	}
	s.live = s.live[:n-1]
	return nil, nil
}

// An Explorer is what all searches have in common: the path of a depth-first
// search with the edges of its states, the counts, and the limits.
type Explorer struct {
	Budget *budget.Budget
	Src    omega.Source
	Limits omega.Limits
	Pruner Pruner // nil if src is none
	Cond   *omega.Condition
	Marks  *omega.MarkTable
	Cost   int // of one look at the condition, in steps

	Path   []Frame
	Edges  []omega.Edge // the edges of the path's states, state by state
	Result Result
	// Bytes that the search takes beside the path, when it last said so: for Tables with an
	// element for each state, and for Stacks.
	Tables, Stacks int64
}

// Frame is a state on the path. Its edges begin at base in the buffer; those
// before next have been followed, and the search is below the last of these.
type Frame struct {
	State      omega.State
	Next, Base int
}

func NewExplorer(ctx context.Context, src omega.Source, limits omega.Limits) Explorer {
	x := Explorer{Budget: budget.New(ctx), Src: src, Limits: limits.WithDefaults(), Cond: src.Acceptance().Condition, Marks: src.Marks()}
	x.Cost = x.Cond.Size()/8 + x.Marks.Words()
	x.Pruner, _ = src.(Pruner)
	return x
}

// Decide runs a search for a run, and returns the run, if any, with the counts.
func (x *Explorer) Decide(search func() (*Run, error)) (result *Result, err error) {
	x.Budget.LimitMemory(x.Limits.Memory, x.Memory)
	defer x.Src.Alphabet().Bind(x.Budget).Release(&err)
	result = &x.Result
	result.Run, err = search()
	x.measure()
	return result, err
}

// measure notes the memory that the search takes now, if it never took more.
func (x *Explorer) measure() {
	x.Result.Tables = max(x.Result.Tables, x.Tables)
	x.Result.Memory = max(x.Result.Memory, x.own())
}

// Enter counts a new state.
func (x *Explorer) Enter() error {
	x.Result.States++
	if x.Limits.ProductStates > 0 && x.Result.States > x.Limits.ProductStates {
		return &omega.LimitError{What: "states", Limit: x.Limits.ProductStates}
	}
	return nil
}

// Push puts a state at the end of the path and asks for its edges. The tables and the stacks
// of the search take the given numbers of bytes.
func (x *Explorer) Push(s omega.State, tables, stacks int) error {
	x.Tables, x.Stacks = int64(tables), int64(stacks)
	base := len(x.Edges)
	var err error
	if x.Edges, err = x.Src.AppendEdges(x.Edges, s); err != nil {
		return err
	}
	if x.Budget.Spend(1 + len(x.Edges) - base) {
		return x.Budget.Err()
	}
	x.Result.Edges += len(x.Edges) - base
	x.Path = append(x.Path, Frame{State: s, Next: base, Base: base})
	x.Result.Depth = max(x.Result.Depth, len(x.Path))
	return nil
}

// Pop takes the last state off the path, with its edges.
func (x *Explorer) Pop() Frame {
	top := x.Path[len(x.Path)-1]
	x.Path = x.Path[:len(x.Path)-1]
	x.Edges = x.Edges[:top.Base]
	return top
}

// Next returns the Next edge of the path's last state, if one is left.
func (x *Explorer) Next() (e omega.Edge, ok bool) {
	top := &x.Path[len(x.Path)-1]
	if top.Next == len(x.Edges) {
		return e, false
	}
	top.Next++
	return x.Edges[top.Next-1], true
}

// own returns the bytes that the search takes: its path, tables and stacks.
func (x *Explorer) own() int64 {
	return int64(24*cap(x.Path)+24*cap(x.Edges)) + x.Tables + x.Stacks
}

func (x *Explorer) Memory() int64 {
	return x.own() + x.Marks.Memory() + omega.MemoryOf(x.Src)
}

// Grown returns the table, longer if it has no place i yet, with zeros for what is
// new.
func Grown[T any, I ~int | ~int32](table []T, i I) []T {
	if int(i) < len(table) {
		return table
	}
	// At least half as much again: then the copies take linear time in all.
	more := max(int(i)+1-len(table), len(table)/2+64)
	table = grow.By(table, more)
	clear(table[len(table) : len(table)+more])
	return table[:len(table)+more]
}

// A Survey says for every state of an automaton whether it accepts some word from there.
type Survey struct {
	// NonEmpty has an element for each visited state, and perhaps for others.
	NonEmpty []bool
	// Reached[i] counts what is reachable from the initial states up to i.
	Reached []Reached

	components int // complete ones
}

// Reached counts a part of an automaton. Edges are those that the Source gives.
type Reached struct{ States, Edges, Components int }

// TakeSurvey decides for all reachable states whether the language from there is empty, for
// any acceptance condition.
//
// It is the search of Check, continued after the first accepting component (Gabow 2000). A
// state accepts a word if its component has an accepting part, or an edge to a state that
// accepts a word. It costs as much as Check on an empty automaton, and fails as Check
// does.
//
// With 0→1, 0→2, 1→1, 2→2 {0} and Inf(0), 2 and 0 accept some word, and 1 does not.
func TakeSurvey(ctx context.Context, src omega.Source, limits omega.Limits) (_ *Survey, err error) {
	if err := omega.Supported(src); err != nil {
		return nil, err
	}
	s := &search{Explorer: NewExplorer(ctx, src, limits), late: true, survey: &Survey{}}
	s.Pruner = nil // the states that it would skip are part of the survey
	s.Budget.LimitMemory(s.Limits.Memory, s.Memory)
	defer src.Alphabet().Bind(s.Budget).Release(&err)
	s.hasFin = s.Cond.HasFin()
	for _, init := range src.Initial() {
		if _, err := s.from(init); err != nil {
			return nil, err
		}
		s.survey.Reached = append(s.survey.Reached, Reached{s.Result.States, s.Result.Edges, s.survey.components})
	}
	return s.survey, nil
}

// note takes down whether some word is accepted from the states of the topmost component,
// which is complete.
func (s *search) note(states []omega.State) error {
	last := len(s.roots) - 1
	r := s.roots[last]
	// Components that it leads to were complete before, and have set hopeful.
	some := r.hopeful || r.closed && s.Cond.Eval(s.Marks, r.marks)
	if !some && r.closed && s.hasFin {
		found, err := s.inner(states, r.marks)
		if err != nil {
			return err
		}
		some = found != nil
	}
	for _, state := range states {
		s.survey.NonEmpty = Grown(s.survey.NonEmpty, state)
		s.survey.NonEmpty[state] = some
	}
	s.survey.components++
	// The component below on the path has an edge to this one.
	if some && last > 0 {
		s.roots[last-1].hopeful = true
	}
	return nil
}
