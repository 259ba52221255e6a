package explain

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Annotate adds to the steps of a run of automaton a on word w what must hold from there on, if the
// formula f of store s (or its negation) holds on w. It also adds whether the name of the state holds
// there, if the states are named by formulas over the propositions of f.
func Annotate(r *outcome.Path, a *omega.Automaton, s *ltl.Store, f *ltl.Formula, negated bool, w *omega.Word) {
	f = s.Import(f)
	if r == nil || f == nil || w.Check() != nil {
		return
	}
	a = a.OrEmpty()
	g := f
	if negated {
		g = s.Not(f)
	}
	progress(r, s, g, w)
	nameStates(r, a, f, w)
}

// progress puts the obligations into the steps of a run, which is unrolled so that in its
// cycle they are the same each time round, if they become so soon.
func progress(r *outcome.Path, s *ltl.Store, f *ltl.Formula, w *omega.Word) {
	n := len(r.Prefix) + len(r.Cycle)
	at := func(i int) *outcome.Step {
		if i >= n {
			i = len(r.Prefix) + (i-len(r.Prefix))%len(r.Cycle)
		}
		return r.At(i)
	}
	value := valuation(w)
	due, from := obligations(s, f, len(r.Prefix), len(r.Cycle), func(prop string, i int) bool { return value(prop, fold(w, i)) })
	if from > len(r.Prefix) {
		var steps []outcome.Step
		for i := range due {
			steps = append(steps, *at(i))
		}
		r.Prefix, r.Cycle = steps[:from:from], steps[from:]
		n = len(due)
	}
	for i, f := range due {
		switch {
		case i < n:
			r.At(i).Obligation = f.String()
		case i == n && r.End != nil:
			r.Obligation = f.String()
		}
	}
}

// nameStates puts into each step of a run whether the name of its state is true of the rest of
// the word, if the automaton's states are named by formulas over the formula's
// propositions.
func nameStates(r *outcome.Path, a *omega.Automaton, f *ltl.Formula, w *omega.Word) {
	props := f.Props()
	foreign := func(prop string) bool { return !slices.Contains(props, prop) }
	store := ltl.NewStore()
	named := make([]*ltl.Formula, len(a.StateNames))
	temporal := false // or they may be numbers
	for i, name := range a.StateNames {
		g, err := store.Parse(name, ltl.Spot)
		if err != nil || g.Ops().HasPast() || slices.ContainsFunc(g.Props(), foreign) {
			return
		}
		temporal = temporal || g.Ops()&^ltl.Ops(ltl.OpFalse, ltl.OpTrue, ltl.OpProp) != 0
		named[i] = g
	}
	if !temporal {
		return
	}
	truths := make(map[int]*ltl.Truths)
	for i := range len(r.Prefix) + len(r.Cycle) {
		step := r.At(i)
		t, ok := truths[step.State]
		if !ok {
			var err error
			if t, err = named[step.State].Truths(len(w.Prefix), len(w.Cycle), valuation(w)); err != nil {
				continue
			}
			truths[step.State] = t
		}
		holds := t.Holds(len(t.Subformulas)-1, fold(w, i))
		step.NameHolds = &holds
	}
}

// Progression returns the obligations along a word, or nil if the formula has past operators. The
// letters must give each proposition of the formula a value.
func Progression(s *ltl.Store, f *ltl.Formula, w *omega.Word) *outcome.Progression {
	if f = s.Import(f); f == nil || w.Check() != nil {
		return nil
	}
	value := valuation(w)
	due, cycle := obligations(s, f, len(w.Prefix), len(w.Cycle), func(prop string, pos int) bool { return value(prop, fold(w, pos)) })
	if due == nil {
		return nil
	}
	o := &outcome.Progression{Letters: []string{}, Formulas: []string{}, Cycle: cycle}
	for i, f := range due {
		o.Letters = append(o.Letters, w.Alphabet.Text(w.At(fold(w, i))))
		o.Formulas = append(o.Formulas, f.String())
	}
	return o
}

// maxObligation is the size of the largest formula that is shown as an obligation.
const maxObligation = 60

// obligations returns what must hold from each position of a lasso on, if f holds on all of it. If
// cycle is 0, it is a finite word, and the position after its end is included. Value may be asked
// for any position. The list ends when the formulas repeat the formulas of the round before, and
// from is the first position that repeats. It also ends after three rounds, and before a formula
// that is too large; then from is -1. The list is nil if f has past operators.
func obligations(s *ltl.Store, f *ltl.Formula, prefix, cycle int, value func(prop string, pos int) bool) (due []*ltl.Formula, from int) {
	last := prefix + 3*cycle
	for i := 0; f.Size() <= maxObligation; i++ {
		if from := i - cycle; cycle > 0 && from >= prefix && due[from] == f {
			return due, from
		}
		if due = append(due, f); i == last {
			break
		}
		var ok bool
		if f, ok = s.Progress(f, func(prop string) bool { return value(prop, i) }); !ok {
			return nil, -1
		}
	}
	return due, -1
}
