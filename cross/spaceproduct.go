package cross

import (
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A spaceProduct is the product of a state space and an automaton, made on demand. The
// edges of the space that have the same letter are together: an edge of the automaton that has
// the letter is one of the product for each of these. So labels are looked at once for all
// of them, which makes it faster than a product of any two automata.
type spaceProduct struct {
	space     *space
	automaton *omega.Automaton
	initial   []omega.State
	pairs     []pair  // by state
	numbers   []int32 // of a pair, by the space's state times the automaton's states plus the automaton's; plus one
}

// A pair is a state of the product.
type pair struct{ space, automaton omega.State }

// newSpaceProduct multiplies the paths from the given states with an automaton, which has
// the same alphabet and is not alternating. The initial states are, for each start in turn,
// one for each initial state of the automaton.
func newSpaceProduct(s *space, a *omega.Automaton, starts ...omega.State) *spaceProduct {
	p := &spaceProduct{space: s, automaton: a, numbers: make([]int32, len(s.steps)*a.NumStates())}
	for _, i := range starts {
		for _, q := range a.Initial() {
			p.initial = append(p.initial, p.number(i, q))
		}
	}
	return p
}

func (p *spaceProduct) Alphabet() *omega.Alphabet    { return p.space.alphabet }
func (p *spaceProduct) Acceptance() omega.Acceptance { return p.automaton.Acceptance() }
func (p *spaceProduct) Marks() *omega.MarkTable      { return p.automaton.Marks() }
func (p *spaceProduct) Initial() []omega.State       { return p.initial }

// Memory is that of the numbers of pairs.
func (p *spaceProduct) Memory() int64 { return int64(4*cap(p.numbers) + 8*cap(p.pairs)) }

// number returns the state that a pair is.
func (p *spaceProduct) number(i, q omega.State) omega.State {
	n := &p.numbers[int(i)*p.automaton.NumStates()+int(q)]
	if *n == 0 {
		p.pairs = append(grow.By(p.pairs, 1), pair{i, q})
		*n = int32(len(p.pairs))
	}
	return omega.State(*n - 1)
}

// AppendEdges makes the product an omega.Source.
func (p *spaceProduct) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	at := p.pairs[s]
	for _, e := range p.automaton.Edges(at.automaton) {
		for _, step := range p.space.steps[at.space] {
			if !p.space.has(e.Label, step.letter) {
				continue
			}
			for _, next := range step.next {
				buf = append(grow.By(buf, 1), omega.Edge{Label: p.space.letters[step.letter], Marks: e.Marks, Dst: p.number(next, e.Dst)})
			}
		}
	}
	return buf, nil
}
