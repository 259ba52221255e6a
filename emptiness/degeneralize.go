package emptiness

import (
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/convert"
)

// original replaces the steps of a run by steps of the source.
func original(d *convert.OnDemand, r *Run) error {
	for _, part := range [][]Step{r.Prefix, r.Cycle} {
		for i := range part {
			step := &part[i]
			state, edge, ok, err := d.Original(step.From, step.Edge)
			if err != nil {
				return err
			}
			if !ok {
				return errNoPath
			}
			*step = Step{state, edge}
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
		return search(src, clause{all: true})
	case len(list) == 1:
		return search(src, clause{marks: src.Marks(), any: list[0]})
	}
	d := convert.NewOnDemand(src, list)
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
