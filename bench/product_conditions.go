package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// conditions are the acceptance conditions for which Gillard 2019, chapter 6, proposes to compare
// the generic check with a conversion.
var conditions = []string{"Rabin 3", "Streett 3", "parity max odd 6"}

// The number of states of automata that are checked alone, and of automata in products.
const (
	aloneStates = 5000
	pairStates  = 100
)

// conversionWays decide whether an automaton of any condition accepts a word, or two share one. The
// generic check comes last.
var conversionWays = []productWay{
	{"conversion, couvreur", func(ctx context.Context, left, right omega.Source, limits emptiness.Limits) (r wayResult, err error) {
		start, size := time.Now(), 0
		for _, side := range []*omega.Source{&left, &right} {
			if *side == nil {
				continue
			}
			a, err := complement.GeneralizedBuchi(ctx, (*side).(*omega.Automaton), 0)
			if err != nil {
				return r, err
			}
			size += a.NumStates()
			*side = a
		}
		took := time.Since(start)
		r, err = common(ctx, left, right, limits)
		r.conversion, r.converted = took, size
		return r, err
	}},
	{"generic", common},
}

// common decides whether two automata share a word, or whether left accepts one if right is nil.
func common(ctx context.Context, left, right omega.Source, limits emptiness.Limits) (wayResult, error) {
	if right == nil {
		result, err := emptiness.Check(ctx, left, limits)
		return wayResult{found: !result.Empty(), states: result.States, edges: result.Edges, search: result.RunTime}, err
	}
	result, err := productcheck.Intersect(ctx, left, right, limits)
	return wayResult{found: !result.Empty(), states: result.Pairs, edges: result.Edges, search: result.RunTime}, err
}

// conditions returns the families of random automata of each condition: alone, and in pairs, with
// the given number of states.
func (o *ProductOptions) conditions(alone, pair int) (list []productFamily) {
	for _, condition := range conditions {
		list = append(list, productFamily{condition, conversionWays, func(ctx context.Context, t *productTable) error {
			r := rand.New(rand.NewPCG(o.Seed, 6))
			for range o.Conditions {
				a := markedAutomaton(r, omega.NewAlphabet(), condition, alone)
				if err := t.check(ctx, operand{a, a}, operand{nil, nil}); err != nil {
					return err
				}
			}
			return nil
		}}, productFamily{condition + ", pairs", conversionWays, func(ctx context.Context, t *productTable) error {
			r := rand.New(rand.NewPCG(o.Seed, 7))
			alphabet := omega.NewAlphabet(propositions(2)...)
			for range o.Conditions {
				a := markedAutomaton(r, alphabet, condition, pair)
				b := markedAutomaton(r, alphabet, condition, pair)
				if err := t.check(ctx, operand{a, a}, operand{b, b}); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	return list
}

// markedAutomaton returns a random automaton in which some marks are rare and others frequent.
// Each state has an edge to the next one and three others.
func markedAutomaton(r *rand.Rand, alphabet *omega.Alphabet, condition string, n int) *omega.Automaton {
	acceptance, err := omega.NamedAcceptance(condition)
	if err != nil {
		panic(err)
	}
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	often := make([]float64, acceptance.Sets)
	for i := range often {
		often[i] = []float64{0, 0.1, 0.5, 0.9}[r.IntN(4)]
	}
	letter := make(omega.Letter, alphabet.Len())
	for s := range n {
		for k := range 4 {
			dst := (s + 1) % n
			if k > 0 {
				dst = r.IntN(n)
			}
			var marks []int
			for i, p := range often {
				if r.Float64() < p {
					marks = append(marks, i)
				}
			}
			for i := range letter {
				letter[i] = r.IntN(2) == 1
			}
			b.AddEdge(omega.State(s), alphabet.LetterLabel(letter), b.Marks().Of(marks...), omega.State(dst))
		}
	}
	return b.Automaton()
}
