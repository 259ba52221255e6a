package properties

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

func (q *question) unambiguous() error {
	x, err := witness.Ambiguous(q.ctx, q.a)
	if err != nil || x == nil {
		return err
	}
	w := x.Word.Concrete()
	if err := q.a.Certify(q.ctx, w, true); err != nil { // that it is accepted
		return err
	}
	return &no{"the word " + w.String() + " has two accepting runs", []*omega.Word{w}}
}

func (q *question) stutterInvariant() error {
	l := q.Language
	if l == nil {
		l = productcheck.NewLanguage(q.a)
	}
	s, err := q.Decider.Stuttering(q.ctx, l)
	switch {
	case err != nil:
		return err
	case s.Undecided != nil:
		return s.Undecided
	case s.Invariant():
		return nil
	}
	return &no{"it accepts " + s.Accepted.String() + " and not " + s.Rejected.String(), []*omega.Word{s.Accepted, s.Rejected}}
}

func (q *question) tight() error {
	if q.a.Alternating() {
		return omega.ErrAlternating
	}
	// The format asks for the same states in each round of a word's cycle, and not for the same
	// edges. For the united automaton, that is the definition of Schuppan and Biere.
	a, err := united(q.ctx, q.a)
	if err != nil {
		return err
	}
	r, err := witness.NotTight(q.ctx, a, omega.Limits{WordSteps: q.Decider.Limits.WordSteps, Memory: q.Decider.Limits.Memory / 2})
	switch {
	case err != nil:
		return err
	case r.Word != nil:
		if err := q.a.Certify(q.ctx, r.Word, true); err != nil {
			return err
		}
		return &no{"a run on " + r.Word.String() + " has to be longer than that", []*omega.Word{r.Word}}
	}
	return r.Why
}

// united returns an automaton in which edges between the same states also occur with the
// marks of several of them, on the letters that they share. It accepts the same words, as a
// run may take these edges in turn. It fails past maxUnited edges, and when ctx is done.
//
//	0 -a {0}-> 0, 0 -b {1}-> 0    adds 0 -a&b {0,1}-> 0
func united(ctx context.Context, a *omega.Automaton) (_ *omega.Automaton, err error) {
	w := budget.New(ctx)
	defer a.Alphabet().Bind(w).Release(&err)
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	// The tables of marks differ.
	marks := func(m omega.Marks) omega.Marks { return b.Marks().Of(a.Marks().AppendTo(nil, m)...) }
	more := 0
	for s := range omega.State(a.NumStates()) {
		edges := slices.Clone(a.Edges(s))
		for i := 0; i < len(edges); i++ {
			b.AddEdge(s, edges[i].Label, marks(edges[i].Marks), edges[i].Dst)
			for _, f := range edges[:i] {
				if w.Stop() {
					return nil, w.Err()
				}
				e := edges[i]
				both := a.Marks().Union(e.Marks, f.Marks)
				if f.Dst != e.Dst || both == e.Marks || both == f.Marks { // no new set
					continue
				}
				if w.Spend(len(edges)) {
					return nil, w.Err()
				}
				e.Marks, e.Label = both, a.Alphabet().And(e.Label, f.Label)
				// Letters that an edge has with just these marks are left out, so that this ends.
				for _, g := range edges {
					if g.Dst == e.Dst && g.Marks == e.Marks {
						e.Label = a.Alphabet().And(e.Label, a.Alphabet().Not(g.Label))
					}
				}
				if e.Label != omega.False {
					edges = append(edges, e)
					if more++; more > maxUnited {
						return nil, &omega.LimitError{What: "sets of marks on edges between the same states", Limit: maxUnited}
					}
				}
			}
		}
	}
	if more == 0 {
		return a, nil
	}
	return b.Automaton(), nil
}

// maxUnited is how many edges more there may be in what united returns.
const maxUnited = 1 << 16
