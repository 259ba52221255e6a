package cross

import (
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Oblige returns the obligations along a word, or nil if the formula has past operators. The
// letters must give each proposition of the formula a value.
func Oblige(s *ltl.Store, f *ltl.Formula, w *omega.Word) *outcome.Obligations {
	value := valuation(w)
	due, cycle := obligations(s, f, len(w.Prefix), len(w.Cycle), func(prop string, pos int) bool { return value(prop, fold(w, pos)) })
	if due == nil {
		return nil
	}
	o := &outcome.Obligations{Letters: []string{}, Formulas: []string{}, Cycle: cycle}
	for i, f := range due {
		o.Letters = append(o.Letters, w.Alphabet.Text(w.At(fold(w, i))))
		o.Formulas = append(o.Formulas, f.String())
	}
	return o
}

// largestObligation is the size of the largest formula that is shown as an obligation.
const largestObligation = 60

// obligations returns what is left of f at each position of a lasso (or, if cycle is 0,
// of a finite word, also behind its end), until everything is as it was a round ago, and
// the position from which that is so; or at most three rounds of it, and -1. Value may be
// asked for any position. If some formula is too large, those from there on are missing;
// if f has operators of the past, all are.
func obligations(s *ltl.Store, f *ltl.Formula, prefix, cycle int, value func(prop string, pos int) bool) (due []*ltl.Formula, from int) {
	last := prefix + 3*cycle
	for i := 0; f.Size() <= largestObligation; i++ {
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
