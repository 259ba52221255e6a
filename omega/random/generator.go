package random

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
)

// GeneratorOptions describe a sequence of random automata, as in Spot's randaut.
type GeneratorOptions struct {
	Seed                 uint64
	Props                []string
	MinStates, MaxStates int // both are possible, and all between
	Acceptance           *Pattern
	// Density sets the number of edges: with n states, each state has 1 + (n-1)·Density
	// successors on average.
	Density float64
	// Marks is the probability of each mark on each edge, or on each state with StateMarks.
	Marks      float64
	Colored    bool // instead, each edge has exactly one mark
	StateMarks bool // all edges of a state have the same marks
	// Deterministic automata are also complete: the labels of a state's edges partition the
	// letters. So a state has at most as many edges as there are letters.
	Deterministic bool
	// Functions makes each label a Boolean function instead of a letter. Deterministic
	// automata always have this.
	Functions bool
	// Unique leaves out automata that are isomorphic to an earlier one, if that is not too long ago;
	// see [isomorphic.Set].
	Unique bool
}

// Check returns an error if no automaton satisfies the options.
func (o *GeneratorOptions) Check() error {
	probability := func(name string, p float64) error {
		if p >= 0 && p <= 1 {
			return nil
		}
		return fmt.Errorf("%s %v: expected a number from 0 to 1", name, p)
	}
	switch {
	case o.MinStates < 1 || o.MaxStates < o.MinStates || o.MaxStates > 1_000_000:
		return fmt.Errorf("states %d..%d: expected a range of numbers from 1 to 1000000", o.MinStates, o.MaxStates)
	case o.Acceptance == nil:
		return errors.New("expected an acceptance condition")
	case o.Colored && o.Acceptance.least == 0:
		return fmt.Errorf("colored automata need one mark on each edge, but the acceptance condition %s has none", o.Acceptance)
	}
	return errors.Join(probability("density", o.Density), probability("probability of marks", o.Marks))
}

// A Generator makes random automata. Automaton k depends only on the options and k.
type Generator struct {
	o    GeneratorOptions
	k    uint64
	seen *isomorphic.Set // nil unless they are to be unique
}

// NewGenerator returns a Generator. It fails as Check does.
func NewGenerator(o GeneratorOptions) (*Generator, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	g := &Generator{o: o}
	if o.Unique {
		g.seen = isomorphic.NewSet(o.Props)
	}
	return g, nil
}

// ErrExhausted says that hardly any automata are left that are not isomorphic to an earlier one.
var ErrExhausted = errors.New("no new automaton")

// tries is how many automata in a row may be isomorphic to one before, until there are
// said to be no others.
const tries = 10_000

// Next returns the next automaton, over an alphabet of its own. It fails when ctx is done, and
// with [ErrExhausted] if it finds no automaton that is not isomorphic to an earlier one.
func (g *Generator) Next(ctx context.Context) (*omega.Automaton, error) {
	for range tries {
		a, err := g.o.random(ctx, rand.New(rand.NewPCG(g.o.Seed, g.k)))
		if err != nil {
			return nil, err
		}
		g.k++
		if g.seen == nil {
			return a, nil
		}
		if fresh, err := g.seen.Add(ctx, a); fresh || err != nil {
			return a, err
		}
	}
	return nil, fmt.Errorf("%w in %d tries: these options allow only few (up to isomorphism)", ErrExhausted, tries)
}

// random returns an automaton in which all states can be reached from state 0, which is
// initial. Each has at least one successor: 1 + a binomial number of them, with the mean
// and variance of randaut. It fails when ctx is done. It takes time quadratic in the
// number of states.
func (o *GeneratorOptions) random(ctx context.Context, r *rand.Rand) (*omega.Automaton, error) {
	alphabet := omega.NewAlphabet(o.Props...)
	n := o.MinStates + r.IntN(o.MaxStates-o.MinStates+1)
	x := &randomGraph{o: o, r: r, b: omega.NewBuilder(alphabet, o.Acceptance.Random(r)), letter: make(omega.Letter, alphabet.Len())}
	x.b.AddStates(n)
	x.b.AddStart(0)
	x.order = make([]omega.State, n)
	for i := range x.order {
		x.order[i] = omega.State(i)
	}
	// order[:reached] are the states that are reached. The states order[:done] have edges.
	reached := 1
	place := make([]int, n) // of each state in order
	for i := range place {
		place[i] = i
	}
	for done := 0; done < n; done++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		targets := x.targets(n, reached, done+1 == reached)
		for _, t := range targets {
			if i := place[t]; i >= reached {
				other := x.order[reached]
				x.order[i], x.order[reached] = other, t
				place[t], place[other] = reached, i
				reached++
			}
		}
		x.edges(x.order[done], targets)
	}
	a := x.b.Automaton()
	a.StateMarks = o.StateMarks
	return a, nil
}

type randomGraph struct {
	o      *GeneratorOptions
	r      *rand.Rand
	b      *omega.Builder
	order  []omega.State
	letter omega.Letter
}

// targets returns different states. If last is set, one of them is new, because no later state
// could reach the rest.
func (x *randomGraph) targets(n, reached int, last bool) []omega.State {
	degree := 1
	for range n - 1 { // one edge at least
		if x.r.Float64() < x.o.Density {
			degree++
		}
	}
	if props := len(x.o.Props); x.o.Deterministic && props < 20 { // each edge needs a letter of its own
		degree = min(degree, 1<<props)
	}
	// The places in order are a random sample (Floyd 1987).
	chosen := make(map[int]bool, degree)
	places := make([]int, 0, degree)
	fresh := false
	for i := n - degree; i < n; i++ {
		p := x.r.IntN(i + 1)
		if chosen[p] { // i is new: all places so far are below
			p = i
		}
		chosen[p] = true
		places = append(places, p)
		fresh = fresh || p >= reached
	}
	if last && !fresh && reached < n {
		places[x.r.IntN(degree)] = reached + x.r.IntN(n-reached)
	}
	targets := make([]omega.State, degree)
	for i, p := range places {
		targets[i] = x.order[p]
	}
	return targets
}

func (x *randomGraph) edges(s omega.State, targets []omega.State) {
	var parts []omega.Label
	if x.o.Deterministic {
		parts = x.divided(len(targets))
	}
	marks := x.marks()
	for i, t := range targets {
		if i > 0 && !x.o.StateMarks { // marks of the state are drawn once
			marks = x.marks()
		}
		label := omega.False
		if parts != nil {
			label = parts[i]
		} else {
			label = x.label()
		}
		x.b.AddEdge(s, label, marks, t)
	}
}

func (x *randomGraph) marks() omega.Marks {
	if x.o.Colored {
		return x.b.Marks().Of(x.r.IntN(x.b.Marks().Sets()))
	}
	return marks(x.r, x.b.Marks(), x.o.Marks)
}

// label returns a random letter, or a function that is not false.
func (x *randomGraph) label() omega.Label {
	alphabet := x.b.Alphabet()
	if !x.o.Functions {
		return valuation(x.r, alphabet, x.letter)
	}
	// A disjunction of up to three cubes.
	label := omega.False
	for range 1 + x.r.IntN(3) {
		cube := alphabet.True()
		for i := alphabet.Len() - 1; i >= 0; i-- {
			switch p := alphabet.Prop(i); x.r.IntN(4) {
			case 0:
				cube = alphabet.And(p, cube)
			case 1:
				cube = alphabet.And(alphabet.Not(p), cube)
			}
		}
		label = alphabet.Or(label, cube)
	}
	return label
}

// divided divides all letters into n labels, by splitting one of them at a time.
func (x *randomGraph) divided(n int) []omega.Label {
	alphabet := x.b.Alphabet()
	parts := []omega.Label{alphabet.True()}
	for len(parts) < n {
		i := x.r.IntN(len(parts))
		p := alphabet.Prop(x.r.IntN(alphabet.Len()))
		with, without := alphabet.And(parts[i], p), alphabet.And(parts[i], alphabet.Not(p))
		if with != omega.False && without != omega.False {
			parts[i] = with
			parts = append(parts, without)
		}
	}
	return parts
}
