// Package explain says why: why an automaton accepts or rejects a word, and why a formula holds on
// it or does not.
//
// [Acceptance] explains an automaton on a word. The result is a value for people that prints itself:
//
//	stuck at letter 2: state 1 has no edge for !a, only for a
//	         letter  state
//	      1  a       0 -> 1
//	      2          1 stuck
//
// [Repair] names the place of a wrong automaton where a change makes it right, if there is only one.
//
// [Truths] is a table of the truth of all subformulas along a word. [Progression] is what must hold
// from each letter on. [Annotate] adds that to the steps of a run.
package explain

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/transform/letters"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// Bounds of the search for repairs. Past one, no place is named, because there might be others.
const (
	maxClasses  = 16      // of letters
	maxTrials   = 1 << 20 // steps of changed automata on words
	maxDecided  = 100     // changed automata whose languages are compared
	maxRepaired = 1 << 11 // macrostates, and product states, of such a comparison
)

// Repair returns the only place where a change makes a wrong automaton right. It returns nil if there is no
// such place, if there are several, or past a limit. Right has the words that the automaton should accept,
// over the same alphabet. On w the automaton is wrong. These changes are tried:
//
//   - an edge gets another label, or another destination, or a mark more or less, or is removed
//   - two edges exchange their destinations
//   - a state gets one more edge: with no mark, one mark, or the marks of another edge
//   - a state gets a mark more or less, if the automaton was written with marks of states
//   - an initial state is removed, or added, or replaces all others
//
// Take 0 -a&!b-> 0, 0 -!a|b-> 1, 1 -1{0}-> 1 for a U b. It accepts cycle{!a&!b}. With the label b on the
// second edge it is right. No change elsewhere helps, because state 1 is right after the letter b.
//
// If a tool makes one such mistake in an automaton that is right otherwise, then undoing it is
// among the changes. So a place that Repair returns is the place of the mistake.
func Repair(ctx context.Context, a *omega.Automaton, right *productcheck.Language, w *omega.Word) (*outcome.Repair, error) {
	spec := right.Automaton()
	if a.Alphabet() == nil || spec.Alphabet() == nil {
		return nil, omega.ErrNoAutomaton
	}
	edges, states := a.NumEdges(), a.NumStates()
	// Each change takes at least one step for each edge. With too many changes, don't begin.
	large := max(edges, states) >= 1<<10 || (edges*edges/2+edges*states+states*states)*edges > maxTrials
	if a.Alternating() || spec.Alternating() || a.Alphabet() != spec.Alphabet() || large {
		return nil, nil
	}
	truth, err := spec.Accepts(ctx, w)
	if err != nil {
		return nil, err
	}
	r := &repairer{ctx: ctx, a: a, right: right, samples: []sample{{w, truth}}, budget: budget.New(ctx).Part(maxTrials)}
	labels := a.NewBuilder()
	labels.AddStates(1)
	for _, x := range []*omega.Automaton{a, spec} {
		for s := range omega.State(x.NumStates()) { // both: a new label can only tell apart what one of them does
			for _, e := range x.Edges(s) {
				labels.AddEdge(0, e.Label, 0, 0)
			}
		}
	}
	r.classes = letters.Classes(labels.Automaton(), r.budget, func(n int) bool { return n > maxClasses })
	if r.classes == nil {
		return nil, ctx.Err()
	}
	var found []change
	for c := range r.changes() {
		ok := c.relabel && r.relabels(&c) || !c.relabel && r.wrong(c) == nil
		switch {
		case r.budget.Err() != nil || r.decided > maxDecided:
			return nil, ctx.Err()
		case ok && len(found) > 0 && !slices.Equal(c.states(), found[0].states()): // no longer the only place
			return nil, nil
		case ok:
			found = append(found, c)
		}
	}
	if found == nil {
		return nil, nil
	}
	return r.tell(found), nil
}

// A change replaces edges, or the initial states.
type change struct {
	edits []edit
	start []omega.State // if there are no edits
	// relabel stands for the change with any label on the edge of the only edit.
	relabel bool
	how     string // for people
}

// An edit puts an edge in the place of another.
type edit struct {
	state omega.State
	place int        // in Edges(state), or -1 for a new edge
	edge  omega.Edge // with label False, there will be none
}

// states returns the states whose edges change.
func (c *change) states() (list []omega.State) {
	for _, x := range c.edits {
		list = append(list, x.state)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A repairer tries changes of an automaton.
type repairer struct {
	ctx     context.Context
	a       *omega.Automaton
	right   *productcheck.Language
	classes []omega.Label // of letters that no label tells apart
	// samples are words on which some change was wrong. The last one comes first: it is likely to
	// show that the next change is wrong too.
	samples []sample
	budget  *budget.Budget
	decided int
}

// A sample is a word and whether it should be accepted.
type sample struct {
	word  *omega.Word
	truth bool
}

// changes returns all changes to try. The changes that are easiest to describe come first at each edge.
func (r *repairer) changes() iter.Seq[change] {
	var all []edit
	// A new edge has the marks of some other edge, or one mark, or none.
	marks := []omega.Marks{0}
	for m := range r.a.Acceptance().Sets {
		marks = append(marks, r.a.Marks().Of(m))
	}
	for s := range omega.State(r.a.NumStates()) {
		for i, e := range r.a.Edges(s) {
			all = append(all, edit{s, i, e})
			if !slices.Contains(marks, e.Marks) {
				marks = append(marks, e.Marks)
			}
		}
	}
	return func(yield func(change) bool) {
		for i, x := range all {
			old := x.edge
			for m := range r.a.Acceptance().Sets {
				x.edge.Marks = r.toggled(old.Marks, m)
				if !yield(change{edits: []edit{x}, how: "with " + r.marks(x.edge)}) {
					return
				}
			}
			x.edge = old // one change at a time
			for t := range omega.State(r.a.NumStates()) {
				if x.edge.Dst = t; t != old.Dst && !yield(change{edits: []edit{x}, how: fmt.Sprintf("with destination %d", t)}) {
					return
				}
			}
			x.edge = old // one change at a time
			if !yield(change{edits: []edit{x}, relabel: true}) {
				return
			}
			for _, y := range all[:i] { // each pair once
				x := x
				x.edge.Dst, y.edge.Dst = y.edge.Dst, x.edge.Dst
				if x.edge.Dst != y.edge.Dst && !yield(change{edits: []edit{y, x}, how: "with exchanged destinations"}) {
					return
				}
			}
		}
		for s := range omega.State(r.a.NumStates()) {
			for t := range omega.State(r.a.NumStates()) {
				for _, m := range marks {
					if !yield(change{edits: []edit{{s, -1, omega.Edge{Dst: t, Marks: m}}}, relabel: true}) {
						return
					}
				}
			}
			for m := range r.a.Acceptance().Sets {
				var c change
				for _, x := range all {
					if x.state == s {
						x.edge.Marks = r.toggled(x.edge.Marks, m)
						c.how = "with " + r.marks(x.edge)
						c.edits = append(c.edits, x)
					}
				}
				if r.a.StateMarks && len(c.edits) > 0 && !yield(c) { // otherwise edges get marks one by one
					return
				}
			}
			with := append(slices.Clone(r.a.Initial()), s)
			if i := slices.Index(r.a.Initial(), s); i >= 0 {
				with = slices.Delete(with[:len(with)-1], i, i+1) // or the state is no longer initial
			}
			for _, start := range [][]omega.State{{s}, with} {
				if !yield(change{start: start, how: fmt.Sprintf("with start %v", start)}) {
					return
				}
			}
		}
	}
}

func (r *repairer) toggled(m omega.Marks, mark int) omega.Marks {
	if r.a.Marks().Has(m, mark) {
		return r.a.Marks().Changed(m, []int{mark}, nil)
	}
	return r.a.Marks().Changed(m, nil, []int{mark})
}

func (r *repairer) marks(e omega.Edge) string {
	return plural.Marks(r.a.Marks().AppendTo(nil, e.Marks))
}

// changed returns the automaton after a change.
func (r *repairer) changed(c change) *omega.Automaton {
	b := r.a.NewBuilder()
	b.AddStates(r.a.NumStates())
	start := c.start
	if len(c.edits) > 0 { // only a change of the start has no edits
		start = r.a.Initial()
	}
	for _, s := range start {
		b.AddStart(s)
	}
	for s := range omega.State(r.a.NumStates()) {
		for i, e := range r.a.Edges(s) {
			for _, x := range c.edits {
				if x.state == s && x.place == i {
					e = x.edge
				}
			}
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	for _, x := range c.edits {
		if x.place < 0 {
			b.AddEdge(x.state, x.edge.Label, x.edge.Marks, x.edge.Dst)
		}
	}
	return b.Automaton()
}

// wrong returns a word on which the automaton is still wrong after a change, or nil if it is right. Past a
// limit, the result has no meaning.
func (r *repairer) wrong(c change) *sample {
	a := r.changed(c)
	// Most changes are wrong on a sample. Otherwise the languages are compared, and the word that tells them
	// apart becomes a sample.
	for i, s := range r.samples {
		if r.budget.Spend((a.NumEdges() + a.NumStates() + 1) * s.word.Size()) {
			return nil
		}
		accepts, err := a.Accepts(r.ctx, s.word)
		if err != nil {
			r.budget.Fail(err)
			return nil
		}
		if accepts != s.truth {
			copy(r.samples[1:], r.samples[:i])
			r.samples[0] = s
			return &s
		}
	}
	if r.decided++; r.decided > maxDecided {
		return nil
	}
	d := &productcheck.Decider{Limits: omega.Limits{Macrostates: maxRepaired, ProductStates: maxRepaired, Time: -1}}
	l := productcheck.NewLanguage(a)
	for _, truth := range []bool{false, true} {
		found, err := d.Decide(r.ctx, productcheck.Side{Language: l, In: !truth}, productcheck.Side{Language: r.right, In: truth})
		if err == nil {
			err = found.Undecided
		}
		if err != nil {
			r.budget.Fail(err)
			return nil
		}
		if !found.Empty() {
			r.samples = slices.Insert(r.samples, 0, sample{found.Word.Concrete(), truth})
			return &r.samples[0]
		}
	}
	return nil
}

// relabels looks for a label with which the edge of the only edit makes the automaton right, and puts it there.
// If there is one, there is a union of classes.
func (r *repairer) relabels(c *change) bool {
	e, alphabet := &c.edits[0].edge, r.a.Alphabet()
	old := e.Label
	// More letters on the label only add words. So with no letter, an extra word means that no label helps.
	e.Label, c.how = omega.False, withoutEdge
	if s := r.wrong(*c); s == nil || !s.truth {
		return s == nil
	}
	tried := make(map[int]bool)
	var try func(classes int) bool
	try = func(classes int) bool {
		if tried[classes] || r.budget.Stop() || r.decided > maxDecided {
			return false
		}
		tried[classes] = true
		e.Label = omega.False
		for i, l := range r.classes {
			if classes>>i&1 != 0 {
				e.Label = alphabet.Or(e.Label, l)
			}
		}
		// If a word is missing, fewer letters are no better. If there is an extra word, the label must lack a
		// letter of it: try to remove each.
		s := r.wrong(*c)
		if s == nil || s.truth {
			return s == nil
		}
		extra := *s
		for i, l := range r.classes {
			reads := slices.ContainsFunc(slices.Concat(extra.word.Prefix, extra.word.Cycle), func(letter omega.Label) bool { return alphabet.Meet(l, letter) })
			if classes>>i&1 != 0 && reads && try(classes&^(1<<i)) {
				return true
			}
		}
		return false
	}
	if !try(1<<len(r.classes) - 1) {
		return false
	}
	// Remove letters that the old label lacks, as long as the automaton stays right: a user expects
	// a small change.
	for _, l := range r.classes {
		if found := e.Label; !alphabet.Meet(old, l) && alphabet.Meet(found, l) {
			if e.Label = alphabet.And(found, alphabet.Not(l)); r.wrong(*c) != nil {
				e.Label = found
			}
		}
	}
	c.how = "with label " + alphabet.Text(e.Label)
	if c.edits[0].place < 0 {
		c.how = "with one more edge"
	}
	return true
}

const withoutEdge = "with label 0"

// tell describes changes in one place. The first is the example.
func (r *repairer) tell(found []change) *outcome.Repair {
	c := found[0]
	p := &outcome.Repair{Kind: "state"}
	for _, s := range c.states() {
		p.States = append(p.States, int(s))
	}
	edge := func(x edit) string {
		e := x.edge
		if x.place >= 0 {
			e = r.a.Edges(x.state)[x.place]
		}
		text := fmt.Sprintf("%d -> %d [%s]", x.state, e.Dst, r.a.Alphabet().Text(e.Label))
		if e.Marks != 0 {
			text += " " + r.marks(e)
		}
		return text
	}
	// If all changes are of the same edges, these are the place.
	same := !slices.ContainsFunc(found, func(d change) bool {
		return !slices.EqualFunc(c.edits, d.edits, func(x, y edit) bool { return x.state == y.state && x.place == y.place && x.place >= 0 })
	})
	var edges []string
	for _, x := range c.edits {
		edges = append(edges, edge(x))
		if same {
			p.Edges = append(p.Edges, x.place)
		}
	}
	what := strings.Join(edges, " and ")
	if same {
		p.Kind = "edge"
	}
	where, how := "", c.how
	switch {
	case len(c.edits) == 0:
		p.Kind, where = "start", "the initial state"
	case same && len(edges) == 1:
		where = "the edge " + what
		if how == withoutEdge {
			how = "without it"
		}
	case same:
		where = "the edges " + what
	default:
		where = strings.NewReplacer("[", "state ", "]", "", " ", " and state ").Replace(fmt.Sprint(p.States))
		how += map[bool]string{true: " ", false: " on "}[c.edits[0].place < 0] + what
	}
	p.Text = fmt.Sprintf("look at %s: the automaton is right %s", where, how)
	return p
}
