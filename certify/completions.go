package certify

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// A word may leave propositions open: cycle{a} says nothing of b. Its completions are the infinite
// words that choose the truth of b at each position. The choices may differ from round to round of
// the cycle, so most completions are no lassos.

// AcceptsNone reports whether the automaton rejects every completion of the word. The answer is
// exact: each path through the product of the two is a run on some completion. It fails with
// ErrLarge past limit edges of the product, for alternating automata, and when ctx is done.
//
// An automaton of G b accepts no completion of cycle{a; !b}. It accepts one of cycle{a}.
func AcceptsNone(ctx context.Context, a *Automaton, w *Word, limit int) (bool, error) {
	p, err := newOpenProduct(ctx, a, w, limit)
	if err != nil {
		return false, err
	}
	found, err := cycle(ctx, len(p.nodes.list), p.arcs, a.Acceptance)
	return !found, err
}

// AcceptsAll reports whether the automaton accepts every completion of the word. The answer is
// exact. It fails as AcceptsNone does.
//
// If the automaton has a single run on each completion, AcceptsAll looks for one that is rejecting.
// Otherwise it looks at what a whole number of rounds of the cycle can do: see rounds. If some
// completion is rejected, so is a lasso that repeats some rounds.
func AcceptsAll(ctx context.Context, a *Automaton, w *Word, limit int) (bool, error) {
	p, err := newOpenProduct(ctx, a, w, limit)
	if err != nil {
		return false, err
	}
	if p.single && len(a.Start) == 1 {
		found, err := cycle(ctx, len(p.nodes.list), p.arcs, negation(a.Acceptance))
		return !found, err
	}
	return p.acceptsAll()
}

// openProduct is the product of an automaton and the completions of a word.
type openProduct struct {
	product
	limit  int
	single bool // each node has exactly one arc for each completion of its letter

	leaves    []*Condition // of the condition, by bit: see step
	condition *Condition   // over these bits
}

func newOpenProduct(ctx context.Context, a *Automaton, w *Word, limit int) (*openProduct, error) {
	if err := cmp.Or(a.check(), w.check()); err != nil {
		return nil, err
	}
	if a.alternating() {
		return nil, ErrLarge
	}
	p := &openProduct{limit: limit, single: true,
		product: product{ctx: ctx, automaton: a, word: w, letters: evaluations(a.Props, w)}}
	p.nodes.dense(a.States, w.size())
	for _, start := range a.Start {
		p.nodes.of(node{start[0], 0})
	}
	for i := 0; i < len(p.nodes.list); i++ {
		n := p.nodes.list[i]
		next := p.word.next(n.pos)
		err := p.completions(p.letters[n.pos], a.Edges(n.state), func(enabled []*Edge) error {
			p.single = p.single && len(enabled) == 1
			for _, e := range enabled {
				p.arcs = append(p.arcs, arc{i, p.nodes.of(node{e.To[0], next}), e.Marks})
			}
			return p.spend(1 + len(enabled))
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// spend fails when the limit is used up, or ctx is done.
func (p *openProduct) spend(n int) error {
	if p.limit -= n; p.limit < 0 {
		return ErrLarge
	}
	return p.ctx.Err()
}

// completions calls each with the edges that are enabled under each completion of a letter.
// Completions that no label tells apart are one: it chooses a proposition only if the truth of a
// label needs it.
func (p *openProduct) completions(letter evaluation, edges []*Edge, each func(enabled []*Edge) error) error {
	var enabled []*Edge
	for _, e := range edges {
		reads, err := letter.label(e.Label)
		var undetermined *OpenError
		if errors.As(err, &undetermined) {
			if err := p.spend(len(edges)); err != nil {
				return err
			}
			for _, truth := range []value{no, yes} {
				more := evaluation{names: letter.names, props: slices.Clone(letter.props)}
				more.props[slices.Index(letter.names, undetermined.Prop)] = truth
				if err := p.completions(more, edges, each); err != nil {
					return err
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
		if reads {
			enabled = append(enabled, e)
		}
	}
	return each(enabled)
}
