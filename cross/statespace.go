package cross

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// Products says how automata are compared by their products with random state spaces, as LBTT does
// (Tauriainen and Heljanko 2002). The paths from a state of a space are words. The automata of a formula must
// accept some word from the same states. From each state, the automaton of the formula or the automaton of
// its negation must accept one. No complement is needed. Products can miss a disagreement.
type Products struct {
	Number  int     // of state spaces for each formula; 0: none
	States  int     // of a state space
	Density float64 // probability of an edge from one state to another
	Seed    uint64
}

// DefaultProducts returns what is used if the user requests products without details.
func DefaultProducts() Products { return Products{Number: 1, States: 200, Density: 0.1} }

// A space is a random state space. State 0 leads to all others, and each state has a
// successor. As in ltlcross, letters are on the edges, so that some edges from the first
// state fit nearly any automaton: with a letter for each state, the product of a state space
// and one of a or !a would be nothing but its first state.
type space struct {
	alphabet   *omega.Alphabet
	letters    []omega.Label // those that occur
	valuations []omega.Letter
	steps      [][]step // of each state
}

// A step is the edges of a state that have the same letter.
type step struct {
	letter int // an index
	next   []omega.State
}

// newSpace makes space k of a formula: it depends on nothing but these, the options and the alphabet.
func (o *Products) newSpace(formula string, k int, alphabet *omega.Alphabet) *space {
	r := rand.New(rand.NewPCG(o.Seed+uint64(k), hash(formula)))
	s := &space{alphabet: alphabet, steps: make([][]step, o.States)}
	linked := make([][]bool, o.States)
	choice := make([]int, o.States) // of letters; one that was drawn twice is there twice
	index := map[omega.Label]int{}
	// The letters are some of as many as there are states: labels of letters are dear if there are many propositions.
	for i := range linked {
		linked[i] = make([]bool, o.States)
		letter := make(omega.Letter, alphabet.Len())
		for j := range letter {
			letter[j] = r.IntN(2) == 1
		}
		label := alphabet.LetterLabel(letter)
		at, ok := index[label]
		if !ok {
			at = len(s.letters)
			index[label] = at
			s.letters = append(s.letters, label)
			s.valuations = append(s.valuations, letter)
		}
		choice[i] = at
		if i > 0 {
			linked[r.IntN(i)][i] = true // or it could not be reached
		}
	}
	place := make([]int, len(s.letters)) // of the step with a letter, plus one
	for i, row := range linked {
		clear(place)
		edge := func(j int) {
			letter := choice[r.IntN(len(choice))]
			if place[letter] == 0 {
				s.steps[i] = append(s.steps[i], step{letter: letter})
				place[letter] = len(s.steps[i])
			}
			same := &s.steps[i][place[letter]-1]
			same.next = append(same.next, omega.State(j))
		}
		for j := range row {
			if row[j] || r.Float64() < o.Density {
				edge(j)
			}
		}
		if len(s.steps[i]) == 0 {
			edge(r.IntN(o.States))
		}
	}
	return s
}

// has reports whether a letter, given by its index, is in a label.
func (s *space) has(l omega.Label, letter int) bool {
	if s.alphabet.Exact() {
		return s.alphabet.Meet(l, s.letters[letter])
	}
	return s.alphabet.Eval(l, s.valuations[letter])
}

// path returns the word of some path from a state.
func (s *space) path(from omega.State) *omega.Word {
	var states []omega.State
	var letters []omega.Label
	for !slices.Contains(states, from) {
		states = append(states, from)
		first := s.steps[from][0]
		letters = append(letters, s.letters[first.letter])
		from = first.next[0]
	}
	at := slices.Index(states, from)
	return omega.NewWord(s.alphabet, letters[:at], letters[at:]).Concrete()
}

// A productOf is the product of a state space and an automaton: the states of the space from which the
// automaton accepts a word, and the size of what is reached from the first state of both.
type productOf struct {
	live []bool
	size emptiness.Reached
}

// product multiplies the space with an automaton. The error is a limit, or that ctx is done.
func (s *space) product(ctx context.Context, l *productcheck.Language, limits omega.Limits) (*productOf, error) {
	ctx, cancel := within(ctx, limits.Time)
	defer cancel()
	a, err := unbranched(ctx, l, limits)
	if err != nil {
		return nil, timeLimit(ctx, err)
	}
	// The table of the product is made at once, for all pairs of states.
	if limits.Memory > 0 && int64(len(s.steps))*int64(a.NumStates()) > limits.Memory/4 {
		return nil, &omega.LimitError{What: "memory", Limit: int(limits.Memory)}
	}
	// Every state is a start, so that one search answers for all of them.
	var starts []omega.State
	for i := range s.steps {
		starts = append(starts, omega.State(i))
	}
	both := newSpaceProduct(s, a, starts...)
	survey, err := emptiness.TakeSurvey(ctx, both, limits)
	var over *omega.LimitError
	if errors.As(err, &over) && over.What == "states" {
		err = &omega.LimitError{What: "product states", Limit: over.Limit}
	}
	if err != nil {
		return nil, timeLimit(ctx, err)
	}
	p := &productOf{live: make([]bool, len(s.steps))}
	n := len(a.Initial())
	if n == 0 {
		return p, nil
	}
	p.size = survey.Reached[n-1] // from the first state of the space
	for i, start := range both.Initial() {
		p.live[i/n] = p.live[i/n] || survey.NonEmpty[start]
	}
	return p, nil
}

// unbranched returns the automaton, or an equivalent one if it is alternating.
func unbranched(ctx context.Context, l *productcheck.Language, limits omega.Limits) (*omega.Automaton, error) {
	if a := l.Automaton(); !a.Alternating() {
		return a, nil
	}
	return l.Reduced(ctx, limits)
}

// accepted returns a word of a path from a state that the language accepts. There is one.
func (s *space) accepted(ctx context.Context, from omega.State, l *productcheck.Language, limits omega.Limits) (*omega.Word, error) {
	a, err := unbranched(ctx, l, limits)
	if err != nil {
		return nil, err
	}
	r, err := emptiness.Check(ctx, newSpaceProduct(s, a, from), omega.NoLimits())
	if err != nil {
		return nil, err
	}
	if r.Empty() {
		return nil, errors.New("a second search from the same state does not find the word")
	}
	return r.Run.Word(s.alphabet).Concrete(), nil
}

// byProducts multiplies all automata with the state spaces, notes the sizes in their results, and (if compare
// is set) compares them. The error is that the whole run was canceled.
func (c *checker) byProducts(x *outcome.Case, o *Products, alphabet *omega.Alphabet, compare bool) error {
	all := c.members.all()
	for k := range o.Number {
		s := o.newSpace(x.Formula, k, alphabet)
		var done []*productOf // of each member; nil if it was given up
		name := fmt.Sprintf("products with state space %d", k)
		check := outcome.Check{Check: name, Verdict: outcome.Passed, Constructions: []string{}}
		for _, m := range all {
			p, err := s.product(c.ctx, m.language, c.decider.Limits)
			if c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			if err != nil {
				c.undone = append(c.undone, newUndecided(err.Error(), "%s in "+name, m.subjects[0]))
				check.Verdict = outcome.NotDecided
			} else {
				check.ProductStates += p.size.States
			}
			done = append(done, p)
		}
		addSizes(x, all, done, k)
		if !compare {
			continue
		}
		found, err := c.compareProducts(s, all, k, name, done)
		if err != nil {
			return err
		}
		if found {
			check.Verdict = outcome.Failed
		}
		c.done = append(c.done, check)
	}
	return nil
}

// addSizes notes the sizes of the products with space k. A result that misses one of a
// space before has no more.
func addSizes(x *outcome.Case, members []*member, done []*productOf, k int) {
	for i, m := range members {
		for j := range x.Results {
			r := &x.Results[j]
			if p := done[i]; p != nil && len(r.ProductStates) == k && slices.Contains(m.subjects, r.Subject) {
				r.ProductStates = append(r.ProductStates, p.size.States)
				r.ProductTransitions = append(r.ProductTransitions, float64(p.size.Edges))
				r.ProductSCC = append(r.ProductSCC, p.size.Components)
			}
		}
	}
}

// compareProducts looks for states of a space on which automata disagree, and reports whether there are any. It notes
// a word for each that differs from the first of its polarity, and for two of these of different polarities.
func (c *checker) compareProducts(s *space, all []*member, k int, name string, done []*productOf) (found bool, err error) {
	// Of each polarity, the first that was multiplied, and those unlike it.
	var unlike [2][]int
	for i, m := range all {
		side := &unlike[m.polarity.Index()]
		if done[i] == nil {
			continue
		}
		if len(*side) == 0 {
			*side = append(*side, i)
			continue
		}
		first := (*side)[0]
		at := 0
		for at < len(s.steps) && done[i].live[at] == done[first].live[at] {
			at++
		}
		if at == len(s.steps) {
			continue
		}
		*side = append(*side, i)
		in, out := all[first], m
		if done[i].live[at] {
			in, out = out, in
		}
		w, err := s.accepted(c.ctx, omega.State(at), in.language, c.decider.Limits)
		if err != nil {
			return found, err
		}
		found = true
		c.found = append(c.found, foundWord{w, intersection{in, out, true, false}, name, name, k + 1})
	}
	// From each state there is a path, and each path satisfies the formula or its negation.
	for _, i := range unlike[0] {
		for _, j := range unlike[1] {
			for state := range s.steps {
				if !done[i].live[state] && !done[j].live[state] {
					found = true
					c.found = append(c.found, foundWord{s.path(omega.State(state)), intersection{all[i], all[j], false, false}, name, name, k + 1})
					break
				}
			}
		}
	}
	return found, nil
}

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
	edges     int     // room for edges of the state at hand
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

// Memory returns the memory of the numbers of pairs and of the edges at hand, in bytes.
func (p *spaceProduct) Memory() int64 { return int64(4*cap(p.numbers) + 8*cap(p.pairs) + 24*p.edges) }

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
		before := len(buf)
		for _, step := range p.space.steps[at.space] {
			if !p.space.has(e.Label, step.letter) {
				continue
			}
			for _, next := range step.next {
				buf = append(grow.By(buf, 1), omega.Edge{Label: p.space.letters[step.letter], Marks: e.Marks, Dst: p.number(next, e.Dst)})
			}
		}
		p.edges = cap(buf)
		p.space.alphabet.Spend(1 + len(buf) - before) // a state may have more than there is time or room for
	}
	p.edges = 0
	return buf, nil
}
