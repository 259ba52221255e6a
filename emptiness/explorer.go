package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An explorer is what all searches have in common: the path of a depth-first
// search with the edges of its states, the counts, and the limits.
type explorer struct {
	budget *budget.Budget
	src    omega.Source
	limits Limits
	pruner Pruner // nil if src is none
	cond   *omega.Condition
	marks  *omega.MarkTable
	cost   int // of one look at the condition, in steps

	path   []frame
	edges  []omega.Edge // those of the path's states, one after the other
	result Result
	// Bytes that the search takes beside the path, when it last said so: for tables with an
	// element for each state, and for stacks.
	tables, stacks int64
}

// frame is a state on the path. Its edges begin at base in the buffer; those
// before next have been followed, and the search is below the last of these.
type frame struct {
	state      omega.State
	next, base int
}

func newExplorer(ctx context.Context, src omega.Source, limits Limits) explorer {
	x := explorer{budget: budget.New(ctx), src: src, limits: limits, cond: src.Acceptance().Condition, marks: src.Marks()}
	x.cost = x.cond.Size()/8 + x.marks.Words()
	x.pruner, _ = src.(Pruner)
	return x
}

// start makes the labels obey the budget of the search, and that the limit of memory,
// until the result is released.
func (x *explorer) start() *omega.Binding {
	x.budget.LimitMemory(x.limits.Memory, x.memory)
	return x.src.Alphabet().Bind(x.budget)
}

// decide runs a search for a run, and returns what it found, with the counts.
func (x *explorer) decide(search func() (*Run, error)) (result *Result, err error) {
	defer x.start().Release(&err)
	result = &x.result
	result.Run, err = search()
	x.measure()
	return result, err
}

// measure notes the memory that the search takes now, if it never took more.
func (x *explorer) measure() {
	x.result.Tables = max(x.result.Tables, x.tables)
	x.result.Memory = max(x.result.Memory, x.own())
}

// enter counts a new state.
func (x *explorer) enter() error {
	x.result.States++
	if x.limits.States > 0 && x.result.States > x.limits.States {
		return &omega.LimitError{What: "states", Limit: x.limits.States}
	}
	return nil
}

// push puts a state at the end of the path and asks for its edges. The tables and the stacks
// of the search take the given numbers of bytes.
func (x *explorer) push(s omega.State, tables, stacks int) error {
	x.tables, x.stacks = int64(tables), int64(stacks)
	base := len(x.edges)
	var err error
	if x.edges, err = x.src.AppendEdges(x.edges, s); err != nil {
		return err
	}
	if x.budget.Spend(1 + len(x.edges) - base) {
		return x.budget.Err()
	}
	x.result.Edges += len(x.edges) - base
	x.path = append(x.path, frame{state: s, next: base, base: base})
	x.result.Depth = max(x.result.Depth, len(x.path))
	return nil
}

// pop takes the last state off the path, with its edges.
func (x *explorer) pop() frame {
	top := x.path[len(x.path)-1]
	x.path = x.path[:len(x.path)-1]
	x.edges = x.edges[:top.base]
	return top
}

// next returns the next edge of the path's last state, if one is left.
func (x *explorer) next() (e omega.Edge, ok bool) {
	top := &x.path[len(x.path)-1]
	if top.next == len(x.edges) {
		return e, false
	}
	top.next++
	return x.edges[top.next-1], true
}

// own returns the bytes that the search takes: its path, tables and stacks.
func (x *explorer) own() int64 {
	return int64(24*cap(x.path)+24*cap(x.edges)) + x.tables + x.stacks
}

func (x *explorer) memory() int64 {
	return x.own() + x.marks.Memory() + omega.MemoryOf(x.src)
}

// lasso returns the run that follows the path to its end and the last edge from
// there, which leads back to a state of the path.
func (x *explorer) lasso(back omega.State) *Run {
	r := &Run{}
	part := &r.Prefix
	for _, f := range x.path {
		if f.state == back {
			part = &r.Cycle
		}
		*part = append(*part, Step{f.state, x.edges[f.next-1]})
	}
	return r
}

// grown returns the table, longer if it has no place i yet, with zeros for what is
// new.
func grown[T any, I ~int | ~int32](table []T, i I) []T {
	if int(i) < len(table) {
		return table
	}
	more := max(int(i)+1-len(table), len(table)/2+64)
	table = grow.By(table, more)
	clear(table[len(table) : len(table)+more])
	return table[:len(table)+more]
}
