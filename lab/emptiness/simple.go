package emptiness

import (
	"context"
	"fmt"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Searches for automata with a simple structure (Schwoon and Esparza 2005,
// section 5.1, after Černá and Pelánek 2003).

// What states of a simple search are.
const (
	unseen uint8 = iota
	current
	left
)

// simple is a single depth-first search.
type simple struct {
	product.Explorer
	colour []uint8 // by state
}

func (d *simple) at(s omega.State) uint8 {
	if int(s) >= len(d.colour) {
		d.colour = product.Grown(d.colour, s)
	}
	return d.colour[s]
}

func (d *simple) visit(s omega.State) error {
	if err := d.Enter(); err != nil {
		return err
	}
	d.colour[s] = current
	return d.Push(s, cap(d.colour), 0)
}

// search goes through the automaton until an edge has what is wanted.
func (d *simple) search(wanted func(e omega.Edge, dst uint8) bool) (e omega.Edge, found bool, err error) {
	for _, init := range d.Src.Initial() {
		if d.at(init) != unseen {
			continue
		}
		if err := d.visit(init); err != nil {
			return e, false, err
		}
		for len(d.Path) > 0 {
			e, ok := d.Next()
			if !ok {
				d.colour[d.Pop().State] = left
				continue
			}
			c := d.at(e.Dst)
			if wanted(e, c) {
				return e, true, nil
			}
			if c == unseen {
				if err := d.visit(e.Dst); err != nil {
					return e, false, err
				}
			}
		}
	}
	return e, false, nil
}

// checkWeak looks for an edge back to the path whose marks satisfy the condition:
// all edges of the cycle carry the same ones. With 0→1, 1→2 {0}, 2→1 {0}, that is 2→1.
func checkWeak(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	if w, ok := src.(interface{ IsWeak() bool }); !ok || !w.IsWeak() {
		return &Result{}, unfit(ByWeak, src, "a weak automaton")
	}
	d := &simple{Explorer: product.NewExplorer(ctx, src, limits)}
	var last omega.Marks // the marks seen last, and whether they satisfy the condition
	good := d.Cond.Eval(d.Marks, last)
	return d.Decide(func() (*Run, error) {
		e, found, err := d.search(func(e omega.Edge, dst uint8) bool {
			if dst != current {
				return false
			}
			if e.Marks != last {
				last, good = e.Marks, d.Cond.Eval(d.Marks, e.Marks)
			}
			return good
		})
		if !found {
			return nil, err
		}
		return lasso(&d.Explorer, e.Dst), nil
	})
}

// checkTerminal looks for an accepting edge. If there is none, nothing is
// accepted, terminal or not. If there is one, every way on from there ends in an
// accepting cycle if the automaton is terminal; one way is tried.
//
// With 0→1 {0}, 1→1 {0}, the way is 1→1, which accepts. With 0→1 {0}, 1→1, it is 1→1 too, which
// does not, so the automaton is not terminal.
func checkTerminal(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	const needs = "a terminal automaton"
	return asBuchi(ByTerminal, needs+" with "+generalizedBuchi, src, func(src omega.Source, accepting clause) (*Result, error) {
		d := &simple{Explorer: product.NewExplorer(ctx, src, limits)}
		return d.Decide(func() (*Run, error) {
			e, found, err := d.search(func(e omega.Edge, _ uint8) bool { return accepting.has(e) })
			if err != nil || !found {
				return nil, err
			}
			run, err := d.onwards(e, accepting)
			if err == nil && run == nil {
				err = unfit(ByTerminal, src, needs)
			}
			return run, err
		})
	})
}

// onwards follows the first edge of each state, from the accepting edge e at the
// end of the path on, until a state comes again. It returns the run if the cycle
// is accepting.
func (d *simple) onwards(e omega.Edge, accepting clause) (*Run, error) {
	way := []Step{}
	var place []int32 // by state: how long the way was when it came there, plus one
	r := lasso(&d.Explorer, -1)
	var buf []omega.Edge
	for s := e.Dst; ; {
		place = product.Grown(place, s)
		if place[s] != 0 {
			// The way has come back to s, and goes on like that for ever.
			i := place[s] - 1
			r.Prefix = append(r.Prefix, way[:i]...)
			for _, step := range way[i:] {
				if accepting.has(step.Edge) {
					r.Cycle = way[i:]
					return r, nil
				}
			}
			return nil, nil
		}
		if len(way)%256 == 0 {
			d.Stacks = int64(4*cap(place) + 32*cap(way))
			if err := d.Budget.Check(); err != nil {
				return nil, err
			}
		}
		place[s] = int32(len(way) + 1)
		var err error
		if buf, err = d.Src.AppendEdges(buf[:0], s); err != nil {
			return nil, err
		}
		// A dead end after an accepting edge: the automaton is not terminal.
		if len(buf) == 0 {
			return nil, nil
		}
		way = append(way, Step{From: s, Edge: buf[0]})
		s = buf[0].Dst
	}
}

// generalizedBuchi is what most algorithms need.
const generalizedBuchi = "generalized Büchi acceptance"

// unfit is the error of an algorithm that can't decide a Source.
func unfit(name Algorithm, src omega.Source, needs string) error {
	use := ByCouvreur
	if src.Acceptance().Condition.HasFin() {
		use = ByGeneric
	}
	return fmt.Errorf("%w: %s needs %s (the acceptance condition is %s): use %s", ErrUnfit, name, needs, src.Acceptance(), use)
}

// original replaces the steps of a run by steps of the source.
func original(d *OnDemand, r *Run) error {
	for _, part := range [][]Step{r.Prefix, r.Cycle} {
		for i := range part {
			step := &part[i]
			state, edge, ok, err := d.Original(step.From, step.Edge)
			if err != nil {
				return err
			}
			if !ok {
				return product.ErrNoPath
			}
			*step = Step{From: state, Edge: edge}
		}
	}
	return nil
}

// asBuchi runs a search for automata with one clause at most on any Source that
// has clauses. It fails with ErrUnfit, naming what the algorithm needs, if there are none.
func asBuchi(name Algorithm, needs string, src omega.Source, search func(src omega.Source, accepting clause) (*Result, error)) (*Result, error) {
	list, ok := convert.Clauses(src.Acceptance().Condition, src.Marks())
	switch {
	case !ok:
		return &Result{}, unfit(name, src, needs)
	case len(list) == 0:
		// Nothing must be seen, so each cycle is accepting.
		return search(src, clause{all: true})
	case len(list) == 1:
		return search(src, clause{marks: src.Marks(), any: list[0]})
	}
	// Several marks that must be seen in turn become one, by a level in each state.
	d := NewOnDemand(src, list)
	r, err := search(d, clause{marks: d.Marks(), any: 1})
	if err == nil && r.Run != nil {
		err = original(d, r.Run)
	}
	return r, err
}

// clause tells the accepting edges of a Büchi automaton.
type clause struct {
	all   bool // every edge is
	marks *omega.MarkTable
	any   omega.Marks
}

func (c *clause) has(e omega.Edge) bool { return c.all || c.marks.Common(e.Marks, c.any) }

// lasso returns the run that follows the path of a search to its end and the last edge from
// there, which leads back to a state of the path.
func lasso(x *product.Explorer, back omega.State) *Run {
	r := &Run{}
	part := &r.Prefix
	for _, f := range x.Path {
		if f.State == back {
			part = &r.Cycle
		}
		*part = append(*part, Step{From: f.State, Edge: x.Edges[f.Next-1]})
	}
	return r
}
