package explain

import (
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Progression returns the obligations along a word, or nil if the formula has past operators. The
// letters must give each proposition of the formula a value.
func Progression(s *ltl.Store, f *ltl.Formula, w *omega.Word) *outcome.Progression {
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

// obligations returns what is left of f at each position of a lasso (or, if cycle is 0,
// of a finite word, also behind its end), until everything is as it was a round ago, and
// the position from which that is so; or at most three rounds of it, and -1. Value may be
// asked for any position. If some formula is too large, those from there on are missing;
// if f has operators of the past, all are.
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
