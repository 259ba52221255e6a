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

// obligations returns what must hold from each position of a lasso on, if f holds on all of it. If cycle
// is 0, it is a finite word, and the position after its end is included. Value may be asked for any
// position. The list ends when the formulas repeat those of the round before, and from is the first position
// that repeats. It also ends after three rounds, and before a formula that is too large; then from is -1.
// The list is nil if f has past operators.
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
