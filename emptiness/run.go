package emptiness

import (
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// run returns an accepting run through a component, by way of visited states.
func (x *explorer) run(c *component, visited func(omega.State) bool) (*Run, error) {
	const inside = 1
	var in []int8
	for _, state := range c.states {
		in = grown(in, state)
		in[state] = inside
	}
	is := func(state omega.State) bool { return int(state) < len(in) && in[state] == inside }
	f := &finder{explorer: x}
	r := &Run{}
	// The way to the component, through states that the search has visited.
	entry := omega.State(-1)
	for _, init := range x.src.Initial() {
		if is(init) {
			entry = init
			break
		}
	}
	if entry < 0 {
		var err error
		entry, err = f.find(x.src.Initial(), &r.Prefix,
			func(e omega.Edge) bool { return visited(e.Dst) },
			func(e omega.Edge) bool { return is(e.Dst) })
		if err != nil {
			return nil, err
		}
	}
	// The cycle: from one mark that is needed to the next, then back.
	within := func(e omega.Edge) bool {
		return is(e.Dst) && x.marks.Minus(e.Marks, c.marks) == 0
	}
	list, _ := x.needed(x.cond, c.marks)
	need := x.marks.Of(list...)
	at := entry
	for need != 0 {
		from := len(r.Cycle)
		next, err := f.find([]omega.State{at}, &r.Cycle, within,
			func(e omega.Edge) bool { return x.marks.Common(e.Marks, need) })
		if err != nil {
			return nil, err
		}
		for _, step := range r.Cycle[from:] {
			need = x.marks.Minus(need, step.Edge.Marks)
		}
		at = next
	}
	if at != entry || len(r.Cycle) == 0 {
		_, err := f.find([]omega.State{at}, &r.Cycle, within,
			func(e omega.Edge) bool { return e.Dst == entry })
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// needed reports whether c holds where all of m are seen and no others, and
// returns marks that are enough for it, as few as the shape of c shows. (A mark may be
// there twice.)
func (x *explorer) needed(c *omega.Condition, m omega.Marks) (need []int, ok bool) {
	switch c.Op {
	case omega.CondInf:
		return []int{c.Mark}, x.marks.Has(m, c.Mark)
	case omega.CondAnd:
		for _, d := range c.Args {
			more, ok := x.needed(d, m)
			if !ok {
				return nil, false
			}
			need = append(need, more...)
		}
		return need, true
	case omega.CondOr:
		least := -1
		for _, d := range c.Args {
			marks, ok := x.needed(d, m)
			if !ok {
				continue
			}
			if n := distinct(marks); least < 0 || n < least {
				need, least = marks, n
			}
		}
		return need, least >= 0
	}
	return nil, c.Eval(x.marks, m)
}

// distinct returns the number of different marks in a list, which it sorts.
func distinct(marks []int) int {
	slices.Sort(marks)
	return len(slices.Compact(slices.Clone(marks)))
}

// finder does breadth-first searches. Its tables are kept from one to the next.
type finder struct {
	*explorer
	seen   []int32 // by state: the number of the last search that met it
	number int32
	link   []link
	edges  []omega.Edge // of one state
}

// link is a state that a search met, with the step that led there.
type link struct {
	step Step
	from int32 // index of the link before, or -1
	at   omega.State
}

// errNoPath cannot happen unless a Source changes its answers or a search is
// wrong.
var errNoPath = fmt.Errorf("%w: emptiness: no path in a strongly connected component", ErrInternal)

// ErrInternal reports a search that contradicts itself: a bug in its code.
var ErrInternal = errors.New("internal error")

// find appends to steps a shortest path from one of the states in from, along
// edges that may be used, whose last edge is as wanted, and returns where it
// ends.
func (f *finder) find(from []omega.State, steps *[]Step, use, wanted func(omega.Edge) bool) (omega.State, error) {
	f.number++
	f.link = f.link[:0]
	for _, s := range from {
		f.meet(link{from: -1, at: s})
	}
	for i := 0; i < len(f.link); i++ {
		s := f.link[i].at
		var err error
		if f.edges, err = f.src.AppendEdges(f.edges[:0], s); err != nil {
			return 0, err
		}
		if f.budget.Spend(1 + len(f.edges)) {
			return 0, f.budget.Err()
		}
		for _, e := range f.edges {
			if !use(e) {
				continue
			}
			l := link{Step{s, e}, int32(i), e.Dst}
			if wanted(e) {
				f.trace(l, steps)
				return e.Dst, nil
			}
			f.meet(l)
		}
	}
	return 0, fmt.Errorf("%w (%d states searched)", errNoPath, len(f.link))
}

func (f *finder) meet(l link) {
	f.seen = grown(f.seen, l.at)
	if f.seen[l.at] != f.number {
		f.seen[l.at] = f.number
		f.link = append(f.link, l)
	}
}

// trace appends the steps that led to l.
func (f *finder) trace(l link, steps *[]Step) {
	start := len(*steps)
	for {
		*steps = append(*steps, l.step)
		if l = f.link[l.from]; l.from < 0 {
			break
		}
	}
	slices.Reverse((*steps)[start:])
}

// Word returns the word of a run: the labels of its edges.
func (r *Run) Word(alphabet *omega.Alphabet) *omega.Word {
	w := &omega.Word{Alphabet: alphabet}
	for _, s := range r.Prefix {
		w.Prefix = append(w.Prefix, s.Edge.Label)
	}
	for _, s := range r.Cycle {
		w.Cycle = append(w.Cycle, s.Edge.Label)
	}
	return w
}
