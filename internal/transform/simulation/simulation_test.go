package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/internal/transform/internal/dominance"
	"github.com/xcheck-ltl/xcheck/internal/transform/simulation"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// randomPair returns an automaton, and another one that was made of it by adding edges and marks,
// and sometimes by taking some away.
func randomPair(r *rand.Rand, alphabet *omega.Alphabet, acceptance omega.Acceptance) (a, b *omega.Automaton) {
	a = sample.Overlapping(r, alphabet, acceptance, 1+r.IntN(5))
	if r.IntN(6) == 0 {
		return a, guessing(a)
	}
	more := omega.NewBuilder(alphabet, acceptance)
	copies := 1 + r.IntN(2)
	n := a.NumStates()
	more.AddStates(copies * n)
	if r.IntN(50) == 0 {
		return a, more.Automaton() // without states
	}
	lost := []float64{0, 0, 0.1}[r.IntN(3)]
	state := func(s omega.State) omega.State { return s + omega.State(n*r.IntN(copies)) }
	for _, s := range a.Initial() {
		more.AddStart(state(s))
	}
	for s := range omega.State(copies * n) {
		for _, e := range a.Edges(s % omega.State(n)) {
			for _, l := range sample.TwoProps(alphabet) {
				if l = alphabet.And(l, e.Label); l != omega.False && r.Float64() >= lost {
					more.AddEdge(s, l, e.Marks, state(e.Dst))
				}
			}
		}
		if r.IntN(4) == 0 {
			more.AddEdge(s, sample.TwoProps(alphabet)[r.IntN(4)], 0, omega.State(r.IntN(copies*n)))
		}
	}
	return a, more.Automaton()
}

// guessing returns an automaton that guesses every second letter before it comes: state 5s has no
// guess, and 5s+1+i has guessed letter i.
func guessing(a *omega.Automaton) *omega.Automaton {
	letters := sample.TwoProps(a.Alphabet())
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(5 * a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(5 * s)
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			for i, l := range letters {
				guess := omega.State(1 + i)
				b.AddEdge(5*s, e.Label, e.Marks, 5*e.Dst+guess)
				if l = a.Alphabet().And(l, e.Label); l != omega.False {
					b.AddEdge(5*s+guess, l, e.Marks, 5*e.Dst)
				}
			}
		}
	}
	return b.Automaton()
}

// fairByLetters solves the fair game letter by letter, as three fixpoints.
func fairByLetters(a, b *omega.Automaton) map[simulation.Claim]bool {
	letters := sample.TwoProps(a.Alphabet())
	meets := a.Alphabet().Meet
	type set = map[simulation.Claim]bool
	pairs := set{}
	for p := range omega.State(a.NumStates()) {
		for q := range omega.State(b.NumStates()) {
			pairs[simulation.Claim{P: p, Q: q}] = true
		}
	}
	step := func(z, y, x set) set {
		next := set{}
		for c := range pairs {
			next[c] = true
			for _, l := range letters {
				for _, e := range a.Edges(c.P) {
					answered := !meets(l, e.Label)
					for _, f := range b.Edges(c.Q) {
						to := simulation.Claim{P: e.Dst, Q: f.Dst}
						goal := x[to]
						if f.Marks != 0 {
							goal = z[to]
						} else if e.Marks != 0 {
							goal = y[to]
						}
						answered = answered || meets(l, f.Label) && goal
					}
					if !answered {
						delete(next, c)
					}
				}
			}
		}
		return next
	}
	fixpoint := func(s set, f func(set) set) set {
		for {
			t := f(s)
			if len(t) == len(s) {
				return t
			}
			s = t
		}
	}
	return fixpoint(pairs, func(z set) set {
		return fixpoint(set{}, func(y set) set {
			return fixpoint(pairs, func(x set) set { return step(z, y, x) })
		})
	})
}

// verify checks the claims by their meaning, letter by letter: from each claimed pair, whatever
// Spoiler shows, Duplicator can answer some of it so that another claimed pair is reached.
func verify(a, b *omega.Automaton, kind simulation.Kind, lookahead int, claims map[simulation.Claim]int32) error {
	better := dominance.Of(a)
	letters := sample.TwoProps(a.Alphabet())
	ca, cb := a.Components(), b.Components()
	// met reports whether Duplicator can go on from p and one of the states of at, where at says
	// what marks he has seen on the way.
	met := func(from simulation.Claim, m int32, p omega.State, at map[omega.State]bool, marked bool) bool {
		for q, good := range at {
			next, ok := claims[simulation.Claim{P: p, Q: q}]
			switch {
			case !ok:
			case kind == simulation.Direct, good, ca.Of[p] != ca.Of[from.P], cb.Of[q] != cb.Of[from.Q]:
				return true
			case marked && next < m, !marked && next <= m:
				return true
			}
		}
		return false
	}
	var shows func(from simulation.Claim, m int32, p omega.State, at map[omega.State]bool, marked bool, left int) error
	shows = func(from simulation.Claim, m int32, p omega.State, at map[omega.State]bool, marked bool, left int) error {
		for _, l := range letters {
			for _, e := range a.Edges(p) {
				if !a.Alphabet().Meet(l, e.Label) {
					continue
				}
				to := map[omega.State]bool{}
				for q, good := range at {
					for _, f := range b.Edges(q) {
						if a.Alphabet().Meet(l, f.Label) && (kind == simulation.Fair || better.Better(f.Marks, e.Marks)) {
							to[f.Dst] = to[f.Dst] || good || kind == simulation.Fair && f.Marks != 0
						}
					}
				}
				seen := marked || e.Marks != 0
				if met(from, m, e.Dst, to, seen) {
					continue
				}
				if left == 1 {
					return fmt.Errorf("from %v, Duplicator has no answer to moves to %d", from, e.Dst)
				}
				if err := shows(from, m, e.Dst, to, seen, left-1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for c, m := range claims {
		if err := shows(c, m, c.P, map[omega.State]bool{c.Q: false}, false, lookahead); err != nil {
			return err
		}
	}
	return nil
}

// included decides by a complement whether each word of a is in b.
func included(t *testing.T, a, b *omega.Automaton) bool {
	c := must.First(complement.Whole(t.Context(), "", b, omega.Limits{}))
	return must.Get(emptiness.Check(t.Context(), productcheck.NewProduct(a, c), omega.Limits{})).Empty()
}

// TestProves: with each lookahead, what the game claims holds letter by letter; without, it is what
// three fixpoints find; and what is proved included is, by the complement.
func TestProves(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 11)
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	var proved [4]int // by lookahead
	inclusions := 0
	for i := range n {
		alphabet := omega.NewAlphabet(sample.Props([]int{2, 7}[i%2])...)
		kind, acceptance := simulation.Fair, omega.Buchi()
		if i%3 == 0 {
			kind = simulation.Direct
			acceptance, _ = omega.NamedAcceptance([]string{"Buchi", "co-Buchi", "generalized-Buchi 2", "Rabin 1", "all"}[r.IntN(5)])
		}
		a, b := randomPair(r, alphabet, acceptance)
		name := fmt.Sprintf("seed %d, pair %d", seed, i)
		if !kind.Fits(a, b) {
			t.Fatalf("%s: unfit", name)
		}
		for k := 1; k <= 3; k++ {
			claims, won := simulation.Claims(a, b, kind, k)
			if err := verify(a, b, kind, k, claims); err != nil {
				t.Fatalf("%s, lookahead %d: %v", name, k, err)
			}
			if got := must.Get(simulation.Proves(t.Context(), a, b, kind, k, 1<<30)); (got > 0) != won {
				t.Fatalf("%s, lookahead %d: %d, but won is %v", name, k, got, won)
			}
		}
		if kind == simulation.Fair {
			want := fairByLetters(a, b)
			for c := range mustClaims(a, b) {
				if !want[c] {
					t.Fatalf("%s: %v is no fair simulation", name, c)
				}
			}
			won := true
			for _, p := range a.Initial() {
				some := false
				for _, q := range b.Initial() {
					some = some || want[simulation.Claim{P: p, Q: q}]
				}
				won = won && some
			}
			if _, got := simulation.Claims(a, b, kind, 1); got != won {
				t.Fatalf("%s: fair simulation %v, want %v", name, got, won)
			}
		}
		k := must.Get(simulation.Proves(t.Context(), a, b, kind, 3, 1<<30))
		proved[k]++
		if is := included(t, a, b); is {
			inclusions++
		} else if k > 0 {
			t.Fatalf("%s: proved with lookahead %d, but not included", name, k)
		}
	}
	t.Logf("%d pairs, %d included; not proved %d, with lookahead 1, 2, 3: %v", n, inclusions, proved[0], proved[1:])
	if proved[1] < n/8 || proved[2] < n/200 || proved[0] < n/8 {
		t.Error("the test is one-sided")
	}
}

func mustClaims(a, b *omega.Automaton) map[simulation.Claim]int32 {
	claims, _ := simulation.Claims(a, b, simulation.Fair, 1)
	return claims
}

// TestCanceled: the search ends with its context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := sample.Overlapping(rand.New(rand.NewPCG(1, 1)), omega.NewAlphabet("a", "b"), omega.Buchi(), 5)
	if _, err := simulation.Proves(ctx, a, a, simulation.Fair, 2, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestWorked checks the examples in the comment of won and in the package documentation.
func TestWorked(t *testing.T) {
	a := worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 0 {0}")
	b := must.Get(worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 0 {0}").Over(t.Context(), a.Alphabet()))
	claims, won := simulation.Claims(a, b, simulation.Fair, 1)
	if want := map[simulation.Claim]int32{{P: 0, Q: 0}: 1, {P: 0, Q: 1}: 0}; !won || !maps.Equal(claims, want) {
		t.Errorf("%t, %v", won, claims)
	}
	b = must.Get(worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 0").Over(t.Context(), a.Alphabet()))
	if claims, won := simulation.Claims(a, b, simulation.Fair, 1); won || len(claims) > 0 {
		t.Errorf("without the mark: %v", claims)
	}
	worked.Shows(t, "solve.go", "Spoiler: State: 0 [t] 0 {0} Duplicator: State: 0 [t] 1 State: 1 [t] 0 {0}")

	a = worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 0 {0}")
	b = must.Get(worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 [t] 2 State: 1 [a] 0 {0} State: 2 [!a] 0 {0}").Over(t.Context(), a.Alphabet()))
	if k, err := simulation.Proves(t.Context(), a, b, simulation.Fair, 3, 1<<16); k != 2 || err != nil {
		t.Errorf("lookahead %d, %v", k, err)
	}
}

// The automata of the package comment.
func ExampleProves() {
	alphabet := omega.NewAlphabet("a")
	yes, no := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	spoiler := omega.NewBuilder(alphabet, omega.Buchi())
	spoiler.AddStates(2)
	spoiler.AddStart(0)
	spoiler.AddEdge(0, alphabet.True(), 0, 1)
	spoiler.AddEdge(1, alphabet.True(), 1, 0)
	duplicator := omega.NewBuilder(alphabet, omega.Buchi())
	duplicator.AddStates(3)
	duplicator.AddStart(0)
	duplicator.AddEdge(0, alphabet.True(), 0, 1)
	duplicator.AddEdge(0, alphabet.True(), 0, 2)
	duplicator.AddEdge(1, yes, 1, 0)
	duplicator.AddEdge(2, no, 1, 0)
	a, b := spoiler.Automaton(), duplicator.Automaton()

	ctx := context.Background()
	fmt.Println(must.Get(simulation.Proves(ctx, a, b, simulation.Fair, 1, 1000)))
	fmt.Println(must.Get(simulation.Proves(ctx, a, b, simulation.Fair, 4, 1000)))
	fmt.Println(must.Get(simulation.Proves(ctx, a, b, simulation.Fair, 4, 10))) // too few steps
	// Output:
	// 0
	// 2
	// 0
}
