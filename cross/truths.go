package cross

import (
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A TruthTable has the truth of a formula's subformulas along a word.
type TruthTable struct {
	// Letters are the letters at each position. After the last one comes position Cycle again.
	// Rounds of the cycle that a past operator distinguishes are unrolled.
	Letters []string   `json:"letters"`
	Cycle   int        `json:"cycle"`
	Rows    []TruthRow `json:"rows"` // the smallest subformula first
	// LeftOut is the number of small subformulas that have no row, because there are too many.
	LeftOut int `json:"left_out"`
}

// A TruthRow is the truth of a formula at each position, 0 or 1.
type TruthRow struct {
	Formula string `json:"formula"`
	Truth   string `json:"truth"`
}

// Bounds of truth tables.
const (
	mostRows      = 100
	mostPositions = 200
)

// Tabulate evaluates all subformulas of a formula on a word. It returns nil if there are too
// many positions for a table. The letters must give each proposition of the formula a value;
// otherwise the error is an omega.OpenError.
func Tabulate(f *ltl.Formula, w *omega.Word) (*TruthTable, error) {
	if _, err := w.Holds(f); err != nil {
		return nil, err
	}
	truths := f.Truths(len(w.Prefix), len(w.Cycle), valuation(w))
	positions := truths.Prefix + truths.Cycle
	if positions > mostPositions {
		return nil, nil
	}
	t := &TruthTable{Letters: []string{}, Cycle: truths.Prefix, Rows: []TruthRow{}}
	for pos := range positions {
		t.Letters = append(t.Letters, w.Alphabet.Text(w.At(fold(w, pos))))
	}
	t.LeftOut = max(0, len(truths.Subformulas)-mostRows)
	for i := t.LeftOut; i < len(truths.Subformulas); i++ {
		var b strings.Builder
		for pos := range positions {
			b.WriteByte(map[bool]byte{false: '0', true: '1'}[truths.Holds(i, pos)])
		}
		t.Rows = append(t.Rows, TruthRow{truths.Subformulas[i].String(), b.String()})
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

// names puts into each step of a run whether the name of its state is true of the rest of
// the word, if the automaton's states are named by formulas over the formula's
// propositions.
func (r *Path) names(a *omega.Automaton, f *ltl.Formula, w *omega.Word) {
	props := make(map[string]bool)
	for _, p := range f.Props() {
		props[p] = true
	}
	store := ltl.NewStore()
	named := make([]*ltl.Formula, len(a.StateNames))
	temporal := false // or they may be numbers
	for i, name := range a.StateNames {
		g, err := store.Parse(name, ltl.Spot)
		if err != nil || g.Ops().HasPast() {
			return
		}
		for _, p := range g.Props() {
			if !props[p] {
				return
			}
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
			t = named[step.State].Truths(len(w.Prefix), len(w.Cycle), valuation(w))
			truths[step.State] = t
		}
		holds := t.Holds(len(t.Subformulas)-1, step.letter)
		step.NameHolds = &holds
	}
}
