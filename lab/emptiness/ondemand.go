package emptiness

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/omega"
)

// OnDemand makes a Source with clauses one with Büchi acceptance. Its states are made on request.
// They are pairs of a state and a level; see [convert.Advance]. An edge that ends a round carries the mark.
// So both have the same accepting runs, and each state occurs at most once for each clause (Choueka
// 1974, with the marks on edges).
type OnDemand struct {
	omega.Source
	clauses []omega.Marks
	marks   *omega.MarkTable // of one mark
	pairs   []level          // by state
	first   []int32          // by state of src: one of its pairs, plus one; 0 if there is none
	initial []omega.State
	buf     []omega.Edge // of the source
	own     []omega.Edge
}

// level is a state of the source with a level, in a list of all levels of the state.
type level struct {
	state omega.State
	at    int32
	next  int32 // as in first
}

// NewOnDemand returns the automaton of src, whose condition must have these Clauses, at least one.
func NewOnDemand(src omega.Source, clauses []omega.Marks) *OnDemand {
	if omega.Supported(src) == omega.ErrNoAutomaton {
		src = (*omega.Automaton)(nil).OrEmpty()
	}
	if len(clauses) == 0 { // every run is accepting, and every edge ends a round
		clauses = []omega.Marks{0}
	}
	d := &OnDemand{Source: src, clauses: clauses, marks: omega.NewMarkTable(1)}
	for _, s := range src.Initial() {
		d.initial = append(d.initial, d.number(s, 0))
	}
	return d
}

// Acceptance returns Büchi acceptance.
func (d *OnDemand) Acceptance() omega.Acceptance { return omega.Buchi() }

// Marks returns the table of the one mark.
func (d *OnDemand) Marks() *omega.MarkTable { return d.marks }

// Initial returns the initial states.
func (d *OnDemand) Initial() []omega.State { return d.initial }

// Memory returns the bytes that the pairs take, and the Source.
func (d *OnDemand) Memory() int64 {
	return int64(12*cap(d.pairs)+4*cap(d.first)) + omega.MemoryOf(d.Source)
}

// number returns the state for a pair. It takes time linear in the number of levels.
func (d *OnDemand) number(s omega.State, at int32) omega.State {
	for int(s) >= len(d.first) {
		d.first = append(grow.By(d.first, 1), 0)
	}
	for i := d.first[s]; i != 0; i = d.pairs[i-1].next {
		if d.pairs[i-1].at == at {
			return omega.State(i - 1)
		}
	}
	d.pairs = append(grow.By(d.pairs, 1), level{s, at, d.first[s]})
	d.first[s] = int32(len(d.pairs))
	return omega.State(len(d.pairs) - 1)
}

// AppendEdges appends an edge for each one of the source, in the same order.
func (d *OnDemand) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if uint(s) >= uint(len(d.pairs)) {
		return buf, nil
	}
	p := d.pairs[s]
	var err error
	if d.buf, err = d.Source.AppendEdges(d.buf[:0], p.state); err != nil {
		return buf, err
	}
	table := d.Source.Marks()
	for _, e := range d.buf {
		next, ended := convert.Advance(table, d.clauses, int(p.at), e.Marks)
		e.Marks = 0
		if ended {
			e.Marks = 1
			next %= len(d.clauses) // a second round has ended, but one mark is enough
		}
		e.Dst = d.number(e.Dst, int32(next))
		buf = append(buf, e)
	}
	return buf, nil
}

// Original returns the state and the edge of the source that an edge of state s stands for. If s
// has no such edge, ok is false.
func (d *OnDemand) Original(s omega.State, edge omega.Edge) (state omega.State, original omega.Edge, ok bool, err error) {
	if d.own, err = d.AppendEdges(d.own[:0], s); err != nil {
		return 0, original, false, err
	}
	k := slices.Index(d.own, edge)
	if k < 0 {
		return 0, original, false, nil
	}
	return d.pairs[s].state, d.buf[k], true, nil // buf and own are in the same order
}
