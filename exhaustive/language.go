package exhaustive

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A language is the language of a formula or an automaton.
type language interface {
	// on returns the words of a block that the language has. It fails when there are no steps left.
	on(b block, steps *budget.Budget) (column, error)
}

func newFormulaLanguage(ctx context.Context, f *ltl.Formula, props []string) (language, error) {
	x, err := newFormula(f, props)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return x, nil
	}
	return &wordByWord{props, f.Size(), func(w *certify.Word) (bool, error) { return certify.Holds(ctx, f, w) }}, nil
}

func newAutomatonLanguage(ctx context.Context, a *certify.Automaton, props []string, steps *budget.Budget) (language, error) {
	if a == nil {
		return nil, errors.New("no automaton given")
	}
	x, err := newAutomaton(a, props, steps)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return x, nil
	}
	size := a.States
	for s := range a.States {
		size += len(a.Edges(s))
	}
	return &wordByWord{props, size, func(w *certify.Word) (bool, error) { return certify.Accepts(ctx, a, w) }}, nil
}

// A wordByWord is decided by package certify.
type wordByWord struct {
	props []string
	size  int // of the formula, or of the automaton
	has   func(*certify.Word) (bool, error)
}

// wordSteps is what a word takes, for each letter and each operator, state or edge.
const wordSteps = 100

func (x *wordByWord) on(b block, steps *budget.Budget) (column, error) {
	c := column(0)
	count := min(rows, 1<<b.bits()) // later rows repeat these
	for row := range count {
		if steps.Spend(wordSteps * x.size * b.size()) {
			return 0, steps.Err()
		}
		has, err := x.has(b.word(row).named(x.props))
		if err != nil {
			return 0, err
		}
		for r := row; has && r < rows; r += count {
			c |= 1 << r
		}
	}
	return c, nil
}

// named returns the word with the names of the propositions.
func (w *Word) named(props []string) *certify.Word {
	x := &certify.Word{}
	for i, values := range w.Letters {
		letter := certify.Letter{}
		for k, name := range props {
			letter[name] = values[k]
		}
		if i < w.Prefix {
			x.Prefix = append(x.Prefix, letter)
		} else {
			x.Cycle = append(x.Cycle, letter)
		}
	}
	return x
}
