package explain

import (
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Bounds of truth tables.
const (
	maxRows      = 100
	maxPositions = 200
)

// Truths evaluates all subformulas of a formula on a word. It returns nil if there are too
// many positions for a table. The letters must give each proposition of the formula a value;
// otherwise the error is an omega.OpenError.
func Truths(f *ltl.Formula, w *omega.Word) (*outcome.TruthTable, error) {
	if _, err := w.Holds(f); err != nil {
		return nil, err
	}
	truths, err := f.Truths(len(w.Prefix), len(w.Cycle), valuation(w))
	if err != nil {
		return nil, err
	}
	positions := truths.Prefix + truths.Cycle
	if positions > maxPositions {
		return nil, nil
	}
	t := &outcome.TruthTable{Letters: []string{}, Cycle: truths.Prefix, Rows: []outcome.TruthRow{}}
	for pos := range positions {
		t.Letters = append(t.Letters, w.Alphabet.Text(w.At(fold(w, pos))))
	}
	t.LeftOut = max(0, len(truths.Subformulas)-maxRows)
	for i := t.LeftOut; i < len(truths.Subformulas); i++ {
		var b strings.Builder
		for pos := range positions {
			b.WriteByte(map[bool]byte{false: '0', true: '1'}[truths.Holds(i, pos)])
		}
		t.Rows = append(t.Rows, outcome.TruthRow{Formula: truths.Subformulas[i].String(), Truth: b.String()})
	}
	return t, nil
}

// fold returns the place in the word of any position.
func fold(w *omega.Word, pos int) int {
	if n := len(w.Prefix); pos >= n {
		return n + (pos-n)%len(w.Cycle)
	}
	return pos
}

// valuation returns the truth of propositions along a word. Those that it does not have
// are false.
func valuation(w *omega.Word) func(prop string, pos int) bool {
	return func(prop string, pos int) bool {
		i, ok := w.Alphabet.Index(prop)
		return ok && w.Alphabet.Meet(w.At(pos), w.Alphabet.Prop(i))
	}
}
