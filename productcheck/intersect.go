package productcheck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An AcceptingRun is a run from an initial state, and a cycle that it repeats.
type AcceptingRun = emptiness.Run

// A Result says whether two automata share a word. If not, Word is nil. Otherwise Word is one,
// and Left and Right are accepting runs on it. If its letters leave propositions open, both
// sides accept every valuation.
type Result struct {
	Word        *omega.Word
	Left, Right *AcceptingRun
	Pairs       int // pairs of states visited
	Edges       int // edges of pairs looked at
	// RunTime is how long the search for the runs took, after the check.
	RunTime time.Duration
}

// Empty reports whether the automata share no word.
func (r *Result) Empty() bool { return r.Word == nil }

// Intersect returns a Result also with an error; then it says how far the search came. Intersect
// decides whether left and right, over the same alphabet, accept a common word. It fails with an
// omega.LimitError past the limits of the product and its memory. It also fails with ErrAlphabet, if
// one of the sides does, and when ctx is done. It costs as much as an emptiness check on the reachable
// pairs.
func Intersect(ctx context.Context, left, right omega.Source, limits omega.Limits) (*Result, error) {
	return intersect(ctx, left, right, nil, limits.WithDefaults())
}

// intersect is Intersect with what is known of the states of both sides.
func intersect(ctx context.Context, left, right omega.Source, known *implied, limits omega.Limits) (result *Result, err error) {
	if err := overOne(left, right); err != nil {
		return &Result{}, err
	}
	defer left.Alphabet().Bind(budget.New(ctx)).Release(&err)
	if err := startable(left, right, limits); err != nil {
		return &Result{}, err
	}
	p := NewProduct(left, right)
	p.blind = !p.left.alphabet.Exact()
	checked, err := emptiness.Check(ctx, p.prune(known), limits)
	result = &Result{Pairs: checked.States, Edges: checked.Edges}
	if err != nil {
		var over *omega.LimitError
		// Users know this limit as one on products.
		if errors.As(err, &over) && over.What == "states" && over.Limit == limits.ProductStates {
			err = &omega.LimitError{What: "product states", Limit: limits.ProductStates}
		}
		return result, err
	}
	if checked.Empty() {
		return result, nil
	}
	start := time.Now()
	defer func() { result.RunTime = checked.RunTime + time.Since(start) }()
	result.Left, result.Right = &emptiness.Run{}, &emptiness.Run{}
	result.Word = &omega.Word{Alphabet: p.Alphabet()}
	err = p.split(checked.Run.Prefix, &result.Left.Prefix, &result.Right.Prefix, &result.Word.Prefix)
	if err == nil {
		err = p.split(checked.Run.Cycle, &result.Left.Cycle, &result.Right.Cycle, &result.Word.Cycle)
	}
	return result, err
}

// split appends the steps of both sides that steps of the product are made of, and the letters.
func (p *Product) split(steps []emptiness.Step, left, right *[]emptiness.Step, letters *[]omega.Label) error {
	for _, step := range steps {
		l, r := p.Pair(step.From)
		e, f, err := p.sides(step.From, step.Edge)
		if err != nil {
			return err
		}
		*left = append(*left, emptiness.Step{From: l, Edge: e})
		*right = append(*right, emptiness.Step{From: r, Edge: f})
		// Blind products have no labels, so the letter comes from both edges.
		letter := p.Alphabet().And(e.Label, f.Label)
		if letter == omega.False {
			return fmt.Errorf("%w: productcheck: no letter is on both edges of pair %d", omega.ErrInternal, step.From)
		}
		*letters = append(*letters, letter)
	}
	return nil
}

// startable fails if the pairs of initial states alone are beyond the limits.
func startable(left, right omega.Source, limits omega.Limits) error {
	switch n := len(left.Initial()) * len(right.Initial()); {
	case limits.ProductStates > 0 && n > limits.ProductStates:
		return &omega.LimitError{What: "product states", Limit: limits.ProductStates}
	case limits.Memory > 0 && int64(n) > limits.Memory/startBytes:
		return &omega.LimitError{What: "memory", Limit: int(limits.Memory)}
	}
	return nil
}

// startBytes is what a pair of initial states takes: in the list of these, in the table and in
// its index.
const startBytes = 4 + 8 + 8
