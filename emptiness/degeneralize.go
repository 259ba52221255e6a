package emptiness

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/convert"
)

// degeneralized is a Source with several clauses as one with Büchi acceptance,
// made on demand. Its states are pairs of a state and a level: the number of
// clauses of which a mark was seen since the last accepting edge, where the marks
// are waited for in the order of the clauses. An edge that completes the last
// level is accepting. So a run is accepting if and only if it is one of src, and
// each state is there at most as often as there are clauses (the construction is
// Choueka's, 1974, with the marks on edges; an edge may pass several levels).
type degeneralized struct {
	omega.Source
	clauses []omega.Marks
	marks   *omega.MarkTable // of one mark
	pairs   []pair           // by state
	first   []int32          // by state of src: one of its pairs, plus one; 0 if there is none
	initial []omega.State
	buf     []omega.Edge
}

// pair is a state of src with a level, in a list of those with the same state.
type pair struct {
	state omega.State
	level int32
	next  int32 // as in first
}

func degeneralize(src omega.Source, clauses []omega.Marks) *degeneralized {
	d := &degeneralized{Source: src, clauses: clauses, marks: omega.NewMarkTable(1)}
	for _, s := range src.Initial() {
		d.initial = append(d.initial, d.number(s, 0))
	}
	return d
}

func (d *degeneralized) Acceptance() omega.Acceptance { return omega.Buchi() }
func (d *degeneralized) Marks() *omega.MarkTable      { return d.marks }
func (d *degeneralized) Initial() []omega.State       { return d.initial }

// Memory returns the bytes that the pairs take, and the Source.
func (d *degeneralized) Memory() int64 {
	n := int64(12*cap(d.pairs) + 4*cap(d.first))
	if sized, ok := d.Source.(omega.Sized); ok {
		n += sized.Memory()
	}
	return n
}

// number returns the state that stands for a pair. It takes time linear in the
// number of levels.
func (d *degeneralized) number(s omega.State, level int32) omega.State {
	d.first = grown(d.first, s)
	for i := d.first[s]; i != 0; i = d.pairs[i-1].next {
		if d.pairs[i-1].level == level {
			return omega.State(i - 1)
		}
	}
	d.pairs = append(d.pairs, pair{s, level, d.first[s]})
	d.first[s] = int32(len(d.pairs))
	return omega.State(len(d.pairs) - 1)
}

// AppendEdges appends an edge for each one of the source, in the same order.
func (d *degeneralized) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	p := d.pairs[s]
	var err error
	if d.buf, err = d.Source.AppendEdges(d.buf[:0], p.state); err != nil {
		return buf, err
	}
	for _, e := range d.buf {
		level, accepting := d.after(p.level, e.Marks)
		e.Marks = 0
		if accepting {
			e.Marks = 1
		}
		e.Dst = d.number(e.Dst, level)
		buf = append(buf, e)
	}
	return buf, nil
}

// after returns the level to which an edge with marks m leads.
func (d *degeneralized) after(level int32, m omega.Marks) (next int32, accepting bool) {
	n := int32(len(d.clauses))
	table := d.Source.Marks()
	for level < n && table.Common(m, d.clauses[level]) {
		level++
	}
	if level < n {
		return level, false
	}
	// The edge counts for the next round as well.
	for level = 0; level < n && table.Common(m, d.clauses[level]); {
		level++
	}
	return level % n, true
}

// original replaces the steps of a run by steps of the source.
func (d *degeneralized) original(r *Run) error {
	var own []omega.Edge
	for _, part := range [][]Step{r.Prefix, r.Cycle} {
		for i := range part {
			step := &part[i]
			var err error
			if own, err = d.AppendEdges(own[:0], step.From); err != nil {
				return err
			}
			k := slices.Index(own, step.Edge)
			if k < 0 {
				return errNoPath
			}
			*step = Step{d.pairs[step.From].state, d.buf[k]}
		}
	}
	return nil
}

// asBuchi runs a search for automata with one clause at most on any Source that
// has clauses, and reports whether it does.
func asBuchi(src omega.Source, search func(src omega.Source, accepting clause) (*Result, error)) (*Result, bool, error) {
	list, ok := convert.Clauses(src.Acceptance().Condition, src.Marks())
	switch {
	case !ok:
		return &Result{}, false, nil
	case len(list) == 0:
		r, err := search(src, clause{all: true})
		return r, true, err
	case len(list) == 1:
		r, err := search(src, clause{marks: src.Marks(), any: list[0]})
		return r, true, err
	}
	d := degeneralize(src, list)
	r, err := search(d, clause{marks: d.marks, any: 1})
	if err == nil && r.Run != nil {
		err = d.original(r.Run)
	}
	return r, true, err
}

// clause tells the accepting edges of a Büchi automaton.
type clause struct {
	all   bool // every edge is
	marks *omega.MarkTable
	any   omega.Marks
}

func (c *clause) has(e omega.Edge) bool { return c.all || c.marks.Common(e.Marks, c.any) }
