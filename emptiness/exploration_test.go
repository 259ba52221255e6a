package emptiness_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
)

// counting counts how often the edges of each state are asked for.
type counting struct {
	*omega.Automaton
	requests []int
}

func (c counting) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	c.requests[s]++
	return c.Automaton.AppendEdges(buf, s)
}

// TestRequests: on empty automata with generalized Büchi acceptance, no algorithm asks for the
// edges of a state more often than Schwoon and Esparza 2005 say in section 5.2, and each
// does so somewhere (nested searches with two sets at most).
func TestRequests(t *testing.T) {
	number, seed := campaign.Seeded(t, 6000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	nested := func(n int) int { return 2 * n }
	once := func(int) int { return 1 }
	twice := func(int) int { return 2 }
	bounds := map[emptiness.Algorithm]func(sets int) int{
		emptiness.ByCVWY:         nested,
		emptiness.ByHPY:          nested,
		emptiness.ByGMZ:          nested,
		emptiness.BySE:           nested,
		emptiness.ByTauriainen:   func(n int) int { return n + 1 },
		emptiness.ByGV:           func(n int) int { return n },
		emptiness.ByTarjan:       once,
		emptiness.ByCouvreur:     once,
		emptiness.ByGeneric:      once,
		emptiness.ByWeak:         once,
		emptiness.ByTerminal:     func(n int) int { return n },
		emptiness.BySECouvreur:   twice,
		emptiness.BySEComponents: twice,
	}
	type key struct {
		by   emptiness.Algorithm
		sets int
	}
	greatest := map[key]int{}
	for i := range number {
		sets := 1 + i%4
		a := randomAutomaton(r, 15, omega.GeneralizedBuchi(sets), anyShape)
		for by, bound := range bounds {
			c := counting{a, make([]int, a.NumStates())}
			got, err := by.Check(context.Background(), c, emptiness.Limits{})
			if errors.Is(err, emptiness.ErrUnfit) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !got.Empty() {
				continue
			}
			k := key{by, sets}
			greatest[k] = max(greatest[k], slices.Max(c.requests))
			if greatest[k] > bound(sets) {
				t.Fatalf("seed %d, automaton %d: %s asks %d times, with %d sets at most %d", seed, i, by, greatest[k], sets, bound(sets))
			}
		}
	}
	for by, bound := range bounds {
		for sets := 1; sets <= 4; sets++ {
			if got := greatest[key{by, sets}]; got != bound(sets) && (sets < 3 || bound(4) < 8) {
				t.Errorf("%s, %d sets: at most %d requests, want that %d occur", by, sets, got, bound(sets))
			}
		}
	}
}

// TestMinimalExploration: se-couvreur and gv visit the same states, and no search in the same
// order visits fewer (Schwoon and Esparza 2005, section 4.3). On weak automata, weak-dfs and
// se-ndfs visit the same ones (section 5.1).
func TestMinimalExploration(t *testing.T) {
	n, seed := campaign.Seeded(t, 6000, 6)
	r := rand.New(rand.NewPCG(seed, 0))
	fewer := 0
	for i := range n {
		a := randomAutomaton(r, 20, omega.Buchi(), []shape{anyShape, weakShape}[i%2])
		states := map[emptiness.Algorithm]int{}
		for _, by := range emptiness.Algorithms() {
			got, err := by.Check(context.Background(), a, emptiness.Limits{})
			if err == nil {
				states[by] = got.States
			}
		}
		least := states[emptiness.BySECouvreur]
		for _, by := range []emptiness.Algorithm{emptiness.ByCVWY, emptiness.ByHPY, emptiness.ByGMZ, emptiness.BySE,
			emptiness.ByTauriainen, emptiness.ByTarjan, emptiness.ByGV, emptiness.BySEComponents, emptiness.ByWeak} {
			got, ok := states[by]
			same := by == emptiness.ByGV || by == emptiness.ByWeak || by == emptiness.BySE && a.IsWeak()
			if ok && (got < least || same && got != least) {
				t.Fatalf("seed %d, automaton %d: %s visits %d states, se-couvreur %d", seed, i, by, got, least)
			}
			if got > least {
				fewer++
			}
		}
	}
	if fewer == 0 {
		t.Error("all searches visit the same states")
	}
}

// TestColours: of the eight cases that three bits of a state could tell apart, four never occur
// (Schwoon and Esparza 2005, section 3.2). Accepting edges add one.
func TestColours(t *testing.T) {
	n, seed := campaign.Seeded(t, 6000, 8)
	r := rand.New(rand.NewPCG(seed, 0))
	seen := map[emptiness.Colour]int{}
	for range n {
		colours, err := emptiness.SEColours(context.Background(), randomAutomaton(r, 20, omega.Buchi(), anyShape))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range colours {
			seen[c]++
		}
	}
	for _, c := range []emptiness.Colour{
		{},                          // white
		{Outer: true, OnPath: true}, // cyan
		{Outer: true, OnPath: true, Accepted: true}, // cyan, and left by an accepting edge
		{Outer: true},              // blue
		{Outer: true, Inner: true}, // red
	} {
		if seen[c] == 0 {
			t.Errorf("no state is %+v", c)
		}
		delete(seen, c)
	}
	if len(seen) > 0 {
		t.Errorf("seed %d: other colours: %+v", seed, seen)
	}
}

// removals records the states that a search says are dead.
type removals struct {
	*omega.Automaton
	states *[]omega.State
}

func (r removals) Dead(states []omega.State) { *r.states = append(*r.states, states...) }
func (r removals) Hopeless(omega.State) bool { return false }

// TestComponents: searches for components complete the components of an automaton, one after
// the other, those first to which others lead (Schwoon and Esparza 2005, section 4.4).
func TestComponents(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 7)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		a := randomAutomaton(r, 30, omega.Acceptance{Sets: 1, Condition: omega.AnyOf()}, anyShape)
		c := a.Components()
		for _, by := range []emptiness.Algorithm{emptiness.BySEComponents, emptiness.BySECouvreur, emptiness.ByCouvreur, emptiness.ByTarjan} {
			var states []omega.State
			got, err := by.Check(context.Background(), removals{a, &states}, emptiness.Limits{})
			if err != nil || !got.Empty() || got.States != len(states) {
				t.Fatalf("seed %d, automaton %d: %s: %+v, %v, %d states removed", seed, i, by, got, err, len(states))
			}
			complete := map[int]bool{}
			for k, s := range states {
				if of := int(c.Of[s]); k == 0 || of != int(c.Of[states[k-1]]) {
					if complete[of] {
						t.Fatalf("seed %d, automaton %d: %s: component %d in two parts", seed, i, by, of)
					}
					complete[of] = true
				}
				for _, e := range a.Edges(s) {
					if !complete[int(c.Of[e.Dst])] {
						t.Fatalf("seed %d, automaton %d: %s: state %d is removed before %d", seed, i, by, s, e.Dst)
					}
				}
			}
		}
	}
}

// TestMemory: the tables take the bytes for each state that the documentation of the algorithms
// says, and up to half as much again.
func TestMemory(t *testing.T) {
	const n = 20_000
	for by, bytes := range map[emptiness.Algorithm]int64{
		emptiness.ByCVWY: 1, emptiness.ByHPY: 1, emptiness.ByGMZ: 1, emptiness.BySE: 1, emptiness.ByWeak: 1, emptiness.ByTerminal: 1,
		emptiness.ByTauriainen: 9, emptiness.ByTarjan: 8, emptiness.ByGV: 8,
		emptiness.ByCouvreur: 4, emptiness.BySECouvreur: 4, emptiness.BySEComponents: 4, emptiness.ByGeneric: 4,
	} {
		got, err := by.Check(context.Background(), longChain{chain: chain{n, omega.NewAlphabet()}}, emptiness.Limits{})
		if err != nil || got.Tables < bytes*n || got.Tables > bytes*n*8/5 || got.Memory < got.Tables+48*n {
			t.Errorf("%s: %+v, %v; want tables of %d bytes a state", by, got, err, bytes)
		}
	}
}
