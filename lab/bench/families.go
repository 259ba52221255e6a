// Package bench measures xcheck's algorithms on generated inputs: models, the families of automata
// that papers use, and the output of the built-in translators.
//
// Each experiment is a function that takes options and passes rows of a table to a callback:
//
//   - [Complement] runs the complement constructions on families of automata ([Families]).
//   - [Emptiness] runs the emptiness checks on graphs ([GraphFamilies]), as in Table 1 of Schwoon
//     and Esparza, TACAS 2005.
//   - [Product] compares ways to decide whether two automata share a word, as in Gillard 2019,
//     section 4.7.
//   - [Inclusion] compares complements made on request with complements made first.
//   - [Minimal] compares searches for shortest runs, as in Gastin, Moro and Zeitoun, SPIN 2004.
//   - [Tight] measures counterexamples, as in Schuppan and Biere, TACAS 2005.
//   - [Translations] measures the built-in translators.
//
// The inputs depend only on the seed, so counts of states and edges are reproducible. Times depend
// on the machine. The command lab bench prints the tables; bench/results has the results.
package bench

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Family is a list of automata that depends only on a seed.
type Family struct {
	Name  string
	About string
	// Make returns the automata. each is their number for each combination of parameters, or
	// each size.
	Make func(ctx context.Context, seed uint64, each int) ([]*omega.Automaton, error)
}

// Families returns the families.
func Families() []Family {
	return []Family{
		{"random", "random Büchi automata of 15 states and 2 letters, transition density 1.0 to 3.0, acceptance density 0.1 to 1.0 (Tsai, Fogarty, Vardi, Tsay 2011)", randomBuchi},
		{"michel", "Michel's automata of 2 to 5 letters beside #, one of each (Michel 1988)", michel},
		{"limit-deterministic", "10 nondeterministic states before 10 deterministic ones, 2 letters", limitDeterministic},
		{"weak", "random weak automata of 15 states and 2 letters, in components of up to 5", weak},
		{"gpvw", "what gpvw makes of random formulas of size 20 to 30 over 4 propositions", translated("gpvw")},
		{"gastin-oddoux", "what gastin-oddoux makes of the same", translated("gastin-oddoux")},
	}
}

// densities makes a number of automata for each pair of a transition and an
// acceptance density, as Tsai, Fogarty, Vardi and Tsay 2011, "State of Büchi
// complementation", choose them.
func densities(each int, one func(transitions, acceptance float64) *omega.Automaton) []*omega.Automaton {
	var list []*omega.Automaton
	for t := range 11 {
		for a := range 10 {
			for range each {
				list = append(list, one(1+0.2*float64(t), 0.1*float64(a+1)))
			}
		}
	}
	return list
}

// randomBuchi makes automata in the model of Tabakov and Vardi 2005: for each
// letter, r·n edges, and f·n accepting states, each set chosen uniformly; there
// is one proposition, for two letters.
func randomBuchi(_ context.Context, seed uint64, each int) ([]*omega.Automaton, error) {
	const n = 15
	r := rand.New(rand.NewPCG(seed, 1))
	return densities(each, func(transitions, acceptance float64) *omega.Automaton {
		b := newStateBuchi(r, n, int(acceptance*n+0.5))
		for _, letter := range b.letters {
			for _, i := range r.Perm(n * n)[:min(n*n, int(transitions*n+0.5))] {
				b.edge(i/n, letter, i%n)
			}
		}
		return b.Automaton()
	}), nil
}

// stateBuchi builds a Büchi automaton over one proposition, with the marks on
// states.
type stateBuchi struct {
	*omega.Builder
	accepting []bool
	letters   []omega.Label
}

// newStateBuchi starts an automaton of n states. The first one is initial, and a random set is
// accepting.
func newStateBuchi(r *rand.Rand, n, accepting int) *stateBuchi {
	alphabet := omega.NewAlphabet("a")
	b := &stateBuchi{
		Builder:   omega.NewBuilder(alphabet, omega.Buchi()),
		accepting: make([]bool, n),
		letters:   []omega.Label{alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))},
	}
	b.AddStates(n)
	b.AddStart(0)
	for _, s := range r.Perm(n)[:accepting] {
		b.accepting[s] = true
	}
	return b
}

func (b *stateBuchi) edge(s int, letter omega.Label, t int) {
	var marks omega.Marks
	if b.accepting[s] {
		marks = b.Marks().Of(0)
	}
	b.AddEdge(omega.State(s), letter, marks, omega.State(t))
}

// michel makes, for n = 2, 3, 4, 5, the automaton of n+1 states whose complement
// has n! states at least (Michel 1988, "Complementation is more difficult with
// automata on infinite words"). Over the letters 1, …, n and #, state i stays on
// every letter, goes to state 0, which is accepting, on letter i, and from there
// to state j on letter j. All but 0 are initial. For n = 2:
//
//	1 -t-> 1   1 -1-> 0   0 -1 {0}-> 1
//	2 -t-> 2   2 -2-> 0   0 -2 {0}-> 2
func michel(context.Context, uint64, int) ([]*omega.Automaton, error) {
	var list []*omega.Automaton
	for n := 2; n <= 5; n++ {
		width := bits.Len(uint(n)) // n letters and # need n+1 codes
		var props []string
		for i := range width {
			props = append(props, fmt.Sprintf("b%d", i))
		}
		alphabet := omega.NewAlphabet(props...)
		// Letter i in binary; whatever is greater than n is #, as 0 is.
		letter := func(i int) omega.Label { return alphabet.Cube(uint64(i), ^uint64(i)&(1<<width-1)) }
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(n + 1) // state 0 is the accepting one
		for i := 1; i <= n; i++ {
			q := omega.State(i)
			b.AddStart(q)
			b.AddEdge(q, alphabet.True(), 0, q)
			b.AddEdge(q, letter(i), 0, 0)
			b.AddEdge(0, letter(i), b.Marks().Of(0), q)
		}
		list = append(list, b.Automaton())
	}
	return list, nil
}

// limitDeterministic makes automata of two halves with n states each. The first half is
// nondeterministic and has no marks. The second half is deterministic and complete, and
// acceptance·n of its states are accepting. For each letter, transitions·n edges stay in the first
// half, and n lead from it to the second. Some of them may coincide.
func limitDeterministic(_ context.Context, seed uint64, each int) ([]*omega.Automaton, error) {
	const n = 10
	r := rand.New(rand.NewPCG(seed, 2))
	return densities(each, func(transitions, acceptance float64) *omega.Automaton {
		b := newStateBuchi(r, 2*n, 0)
		for _, s := range r.Perm(n)[:int(acceptance*n+0.5)] {
			b.accepting[n+s] = true
		}
		for _, letter := range b.letters {
			for range int(transitions*n + 0.5) {
				b.edge(r.IntN(n), letter, r.IntN(n))
			}
			for s := range n {
				b.edge(r.IntN(n), letter, n+r.IntN(n))
				b.edge(n+s, letter, n+r.IntN(n)) // the only one of state n+s on the letter
			}
		}
		return b.Automaton()
	}), nil
}

// weak makes automata of components of up to five states, one after the other;
// all states of one or none are accepting.
func weak(_ context.Context, seed uint64, each int) ([]*omega.Automaton, error) {
	const n = 15
	r := rand.New(rand.NewPCG(seed, 3))
	return densities(each, func(transitions, acceptance float64) *omega.Automaton {
		b := newStateBuchi(r, n, 0)
		// Edges lead within a component or to later ones, so components stay what they are.
		last := make([]int, n) // one past the last state of the component
		for lo := 0; lo < n; {
			hi := min(n, lo+1+r.IntN(5))
			accepting := r.Float64() < acceptance
			for s := lo; s < hi; s++ {
				last[s], b.accepting[s] = hi, accepting
			}
			lo = hi
		}
		first := func(s int) int { // the first state of the component
			for s > 0 && last[s-1] == last[s] {
				s--
			}
			return s
		}
		for _, letter := range b.letters {
			for range int(transitions*n + 0.5) {
				s := r.IntN(n)
				b.edge(s, letter, first(s)+r.IntN(n-first(s)))
			}
		}
		return b.Automaton()
	}), nil
}

// translated makes the automata of 30·each random formulas. The other families make 110·each
// automata: see densities.
func translated(algorithm string) func(context.Context, uint64, int) ([]*omega.Automaton, error) {
	return func(ctx context.Context, seed uint64, each int) ([]*omega.Automaton, error) {
		formulas, err := Formulas(seed, 30*each)
		if err != nil {
			return nil, err
		}
		return translateAll(ctx, algorithm, formulas)
	}
}

// translateAll returns the automata of formulas, in order.
func translateAll(ctx context.Context, algorithm string, formulas []*ltl.Formula) ([]*omega.Automaton, error) {
	var list []*omega.Automaton
	for _, f := range formulas {
		store := ltl.NewStore()
		a, err := translate.With(ctx, algorithm, store, store.Import(f))
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// plain are translations without reductions. Their automata of a formula have little in common.
var plain = []string{"gpvw", "gastin-oddoux"}

// letters are the propositions of Formulas.
var letters = []string{"a", "b", "c", "d"}

// Formulas returns n random formulas of size 20 to 30 over 4 propositions.
func Formulas(seed uint64, n int) ([]*ltl.Formula, error) {
	var list []*ltl.Formula
	for f, err := range Drawn(ltl.RandomOptions{Seed: seed, Props: letters, MinSize: 20, MaxSize: 30}, n)(context.Background()) {
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}
