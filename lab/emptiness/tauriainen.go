package emptiness

import (
	"context"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// carrying is a nested search for generalized Büchi acceptance, after Tauriainen 2003, "Nested
// emptiness search for generalized Büchi automata" (Schwoon and Esparza 2005, section 5.2).
//
// Each state has a set of marks. When the outer search has seen all that can be reached by an
// edge from s to t, an inner search carries the marks of s and of the edge to t, and on to all
// visited states that can be reached from there.
//
// There is an accepting cycle if the marks of a state on the outer search's path satisfy the
// condition. And when the first state of a component is left, every edge of the component has
// passed on its marks and the marks of the state before it, so this state has all marks of
// the component.
//
// With 0→1 {0}, 1→0 {1} and Inf(0)&Inf(1), the edge 1→0 carries {1} to 0, and from there to 1.
// When 1 is complete, 0→1 carries its {0} and the {1} of 0 to 1, and from there to 0. Now 0, on
// the path, has both marks.
type carrying struct {
	product.Explorer
	outer []uint8       // by state: byOuter, onOuter
	known []omega.Marks // by state
}

func checkTauriainen(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	c := &carrying{Explorer: product.NewExplorer(ctx, src, limits)}
	return c.Decide(c.search)
}

func (c *carrying) at(s omega.State) uint8 {
	if int(s) >= len(c.outer) {
		c.outer, c.known = product.Grown(c.outer, s), product.Grown(c.known, s)
	}
	return c.outer[s]
}

func (c *carrying) push(s omega.State) error {
	return c.Explorer.Push(s, cap(c.outer)+8*cap(c.known), 0)
}

// search is the outer search.
func (c *carrying) search() (*Run, error) {
	anyCycle := c.Cond.Eval(c.Marks, 0)
	for _, init := range c.Src.Initial() {
		if c.at(init) != 0 {
			continue
		}
		if err := c.visit(init); err != nil {
			return nil, err
		}
		for len(c.Path) > 0 {
			e, ok := c.Next()
			if !ok {
				c.outer[c.Pop().State] &^= onOuter
				if len(c.Path) == 0 {
					break
				}
				// The edge that led to the state that is complete now.
				e = c.Edges[c.Path[len(c.Path)-1].Next-1]
			} else if at := c.at(e.Dst); at == 0 {
				if err := c.visit(e.Dst); err != nil {
					return nil, err
				}
				continue
			} else if anyCycle && at&onOuter != 0 {
				return lasso(&c.Explorer, e.Dst), nil
			}
			if run, err := c.carry(e); run != nil || err != nil {
				return run, err
			}
		}
	}
	return nil, nil
}

// visit is the outer search coming to a new state.
func (c *carrying) visit(s omega.State) error {
	if err := c.Enter(); err != nil {
		return err
	}
	c.outer[s] = byOuter | onOuter
	return c.push(s)
}

// carry is the inner search that starts by an edge from the end of the path.
func (c *carrying) carry(e omega.Edge) (*Run, error) {
	depth := len(c.Path)
	load := c.Marks.Union(e.Marks, c.known[c.Path[depth-1].State])
	for {
		// The search stops where all that it carries is known. So it enters a state at most once
		// for each mark.
		if at := c.at(e.Dst); at != 0 && c.Marks.Minus(load, c.known[e.Dst]) != 0 {
			all := c.Marks.Union(load, c.known[e.Dst])
			c.known[e.Dst] = all
			c.Budget.Spend(c.Cost)
			// The marks of a state on the path are on edges of its component: the state leads to
			// the end of the path, where the search that brought them started.
			if at&onOuter != 0 && c.Cond.Eval(c.Marks, all) {
				return c.run(e.Dst)
			}
			if err := c.push(e.Dst); err != nil {
				return nil, err
			}
		}
		for {
			if len(c.Path) == depth {
				return nil, nil
			}
			var ok bool
			if e, ok = c.Next(); ok {
				break
			}
			c.Pop()
		}
	}
}

// run returns a run along the path to a state whose component is accepting, and on from there
// through visited states.
func (c *carrying) run(s omega.State) (*Run, error) {
	// The marks say that a cycle exists, and not where. A search for components from s finds it.
	r := lasso(&c.Explorer, s) // its cycle is replaced below
	seen := &removing{Explorer: product.NewExplorer(context.Background(), visited{c.Src, c, s}, Limits{})}
	seen.Budget = c.Budget
	c.Budget.LimitMemory(c.Limits.Memory, func() int64 { return c.Memory() + seen.Memory() })
	found, err := seen.search()
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, product.ErrNoPath
	}
	rest, err := seen.Run(found, func(s omega.State) bool { return seen.at(s) != 0 })
	if err != nil {
		return nil, err
	}
	r.Prefix = append(r.Prefix, rest.Prefix...)
	r.Cycle = rest.Cycle
	return r, nil
}

// visited is the part of a Source that the outer search has visited, from one state on.
type visited struct {
	omega.Source
	by   *carrying
	from omega.State
}

func (v visited) Initial() []omega.State { return []omega.State{v.from} }

func (v visited) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	base := len(buf)
	all, err := v.Source.AppendEdges(buf, s)
	kept := all[:base]
	for _, e := range all[base:] {
		if v.by.at(e.Dst) != 0 {
			kept = append(kept, e)
		}
	}
	return kept, err
}
