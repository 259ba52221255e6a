package emptiness

import (
	"context"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// lowlinks is a search that finds components as Tarjan 1972 does: each state
// has its number in the order of visits, and the least number known of a state
// of its component (its low link). A state whose two numbers are equal when the
// search leaves it was the first of a component, which is then complete: the
// states that were visited since and are in no complete component.
//
// With 0→1, 1→2, 2→1, the numbers are 1, 2, 3 and the low links become 1, 2, 2. The search
// leaves 1 with both equal, so 1 and 2 are a component.
//
// Tarjan's algorithm looks at a component when it is complete. That of
// Geldenhuys and Valmari stops as soon as the edges that it has followed close
// an accepting cycle: if 1→2 is accepting, the goal of 2 is the number of 1, and the edge 2→1
// makes the low link of 2 as low.
type lowlinks struct {
	product.Explorer
	number []int32       // by state: 0 if new, dead if its component is complete
	low    []int32       // by state
	live   []omega.State // those visited whose component is not complete
	last   int32

	// A search for accepting components has for each state of the path the marks
	// between the states below that are known to be of its component.
	inside []part
	// One for accepting cycles, early, has the highest number that a state before the
	// path's last accepting edge can have, 0 if there is none.
	early     bool
	goals     []int32
	accepting clause
}

// part is what is known of a component: its marks, and whether it has an edge.
type part struct {
	marks  omega.Marks
	closed bool
}

func checkTarjan(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	l := &lowlinks{Explorer: product.NewExplorer(ctx, src, limits)}
	return l.Decide(func() (*Run, error) {
		found, _, err := l.search()
		if err != nil || found == nil {
			return nil, err
		}
		return l.Run(found, func(s omega.State) bool { return l.at(s) != 0 })
	})
}

func checkGV(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	return asBuchi(ByGV, generalizedBuchi, src, func(src omega.Source, accepting clause) (*Result, error) {
		l := &lowlinks{Explorer: product.NewExplorer(ctx, src, limits), early: true, accepting: accepting}
		return l.Decide(func() (*Run, error) {
			_, found, err := l.search()
			if err != nil || !found {
				return nil, err
			}
			return l.close()
		})
	})
}

func (l *lowlinks) at(s omega.State) int32 {
	if int(s) >= len(l.number) {
		l.number, l.low = product.Grown(l.number, s), product.Grown(l.low, s)
	}
	return l.number[s]
}

// visit comes to a new state, unless nothing is accepted from there. Edges to complete
// components are dropped.
func (l *lowlinks) visit(s omega.State, goal int32) error {
	if l.Pruner != nil && l.Pruner.Hopeless(s) {
		l.number[s] = dead
		return nil
	}
	if err := l.Enter(); err != nil {
		return err
	}
	tables, stacks := 4*cap(l.number)+4*cap(l.low), 4*cap(l.live)+16*cap(l.inside)+4*cap(l.goals)
	if err := l.Push(s, tables, stacks); err != nil {
		return err
	}
	if l.early {
		l.goals = append(l.goals, goal)
	} else {
		l.inside = append(l.inside, part{})
	}
	l.last++
	l.number[s], l.low[s] = l.last, l.last
	l.live = append(l.live, s)
	l.Result.Live = max(l.Result.Live, len(l.live))
	base := l.Path[len(l.Path)-1].Base
	// An edge to a complete component is on no cycle.
	kept := l.Edges[:base]
	for _, e := range l.Edges[base:] {
		if l.at(e.Dst) != dead {
			kept = append(kept, e)
		}
	}
	l.Edges = kept
	return nil
}

// search runs until it knows an accepting cycle. Tarjan's looks at complete components: it returns
// one whose edges together carry marks that satisfy the condition. With early, it ends with an edge
// that closes an accepting cycle: the last one of the path's last state. (As in nested searches an
// accepting edge stands for two with an accepting state between them. In the paper's Figure 7 the
// goal is the last such state on the path; the states of components not complete that were visited
// before it are those with a way to it.)
func (l *lowlinks) search() (complete *product.Component, closed bool, err error) {
	for _, init := range l.Src.Initial() {
		if l.at(init) != 0 {
			continue
		}
		if err := l.visit(init, 0); err != nil {
			return nil, false, err
		}
		for len(l.Path) > 0 {
			end := len(l.Path) - 1
			s := l.Path[end].State
			e, ok := l.Next()
			if !ok {
				if found := l.leave(); found != nil {
					return found, false, nil
				}
				continue
			}
			switch l.at(e.Dst) {
			case dead:
			case 0:
				goal := int32(0)
				if l.early {
					// A live state with a number up to this one leads to a state of the path up to
					// s, and from there past the accepting edge.
					if goal = l.goals[end]; l.accepting.has(e) {
						goal = l.last
					}
				}
				if err := l.visit(e.Dst, goal); err != nil {
					return nil, false, err
				}
			default:
				// The low link of the state there is taken, not its number: both are live, and a
				// lower number shows an accepting cycle earlier.
				l.low[s] = min(l.low[s], l.low[e.Dst])
				if !l.early {
					l.add(end, e.Marks)
					// A way leads from here to a state before the last accepting edge of the path.
				} else if l.accepting.has(e) || l.low[s] <= l.goals[end] {
					return nil, true, nil
				}
			}
		}
	}
	return nil, false, nil
}

// leave takes the last state off the path. If it was the first of a component, that is complete,
// and returned if it is accepting.
func (l *lowlinks) leave() *product.Component {
	s := l.Pop().State
	end := len(l.Path)
	var p part
	if l.early {
		l.goals = l.goals[:end]
	} else {
		p = l.inside[end]
		l.inside = l.inside[:end]
	}
	if l.low[s] != l.number[s] { // so there is a state before it on the path
		f := l.Path[end-1]
		l.low[f.State] = min(l.low[f.State], l.low[s])
		if !l.early {
			l.add(end-1, l.Marks.Union(p.marks, l.Edges[f.Next-1].Marks))
		}
		// The states below had goals no lower, so the goal of f is not reached.
		return nil
	}
	// All states visited after s that are still live are in its component.
	first := len(l.live) - 1
	for l.live[first] != s {
		first--
	}
	states := l.live[first:]
	if p.closed && l.Cond.Eval(l.Marks, p.marks) {
		return &product.Component{States: states, Marks: p.marks}
	}
	if l.Pruner != nil {
		l.Pruner.Dead(states)
	}
	for _, s := range states {
		l.number[s] = dead
	}
	l.live = l.live[:first]
	return nil
}

// add adds marks to what is known of the component of a state on the path.
func (l *lowlinks) add(i int, m omega.Marks) {
	p := &l.inside[i]
	p.marks, p.closed = l.Marks.Union(p.marks, m), true
}

// close returns the run along the path to its end and by the edge that closed an
// accepting cycle; from there, through live states, a shortest way to a state of
// the path before its last accepting edge.
func (l *lowlinks) close() (*Run, error) {
	last := len(l.Path) - 1
	for ; !l.accepting.has(l.Edges[l.Path[last].Next-1]); last-- {
	}
	var before []bool // by state: on the path before the last accepting edge
	for _, f := range l.Path[:last+1] {
		before = product.Grown(before, f.State)
		before[f.State] = true
	}
	is := func(s omega.State) bool { return int(s) < len(before) && before[s] }
	end := l.Path[len(l.Path)-1]
	back := l.Edges[end.Next-1].Dst
	var way []Step
	if !is(back) {
		var err error
		back, err = l.Walk(&product.Finder{}, &way, []omega.State{back},
			func(e omega.Edge) bool { return l.at(e.Dst) > 0 },
			func(e omega.Edge) bool { return is(e.Dst) })
		if err != nil {
			return nil, err
		}
	}
	r := lasso(&l.Explorer, back)
	r.Cycle = append(r.Cycle, way...)
	return r, nil
}
