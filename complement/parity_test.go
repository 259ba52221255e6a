package complement_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestParity brings random automata, alternating ones among them, to parity and to
// Büchi acceptance, and compares what they accept: on random words, and with the
// complement.
func TestParity(t *testing.T) {
	const seed, limit = 5, 300
	alphabet := omega.NewAlphabet("a", "b")
	large, cases := 0, 0
	for i := range campaign.Inputs(t, 500) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		var a *omega.Automaton
		switch i % 3 {
		case 0:
			a = randomAutomaton(r, alphabet, i%2 == 0)
		case 1:
			a = structured(r, alphabet)
		default:
			a = alternating(r, alphabet, i%2 == 0)
		}
		co, err := complement.With(ctx, "", a, limit)
		if err != nil {
			t.Fatal(err)
		}
		for name, make := range map[string]func(onStates bool) (*omega.Automaton, error){
			"Parity": func(onStates bool) (*omega.Automaton, error) {
				return complement.Form{Deterministic: true, StateBased: onStates}.Apply(ctx, a, limit, 0)
			},
			"ToBuchi": func(onStates bool) (*omega.Automaton, error) { return complement.ToBuchi(ctx, a, onStates, limit) },
		} {
			for _, onStates := range []bool{false, true} {
				what := fmt.Sprintf("seed %d, automaton %d: %s, on states: %v", seed, i, name, onStates)
				cases++
				b, err := make(onStates)
				var over *omega.LimitError
				if errors.As(err, &over) {
					large++
					continue
				}
				if err != nil {
					t.Fatal(what, err)
				}
				acc := b.Acceptance().Name()
				switch {
				case name == "ToBuchi" && acc != "Buchi":
					t.Fatalf("%s: acceptance %s", what, b.Acceptance())
				case name == "Parity" && acc != "all" && acc != "none" && acc != "Buchi" && acc != "co-Buchi" && !strings.HasPrefix(acc, "parity "):
					t.Fatalf("%s: acceptance %s", what, b.Acceptance())
				case name == "Parity" && !b.IsDeterministic():
					t.Fatalf("%s: it is not deterministic", what)
				case onStates && !b.HasStateMarks():
					t.Fatalf("%s: marks are not on states", what)
				}
				disjoint(t, i, what, b, co)
				if name == "Parity" && !a.Alternating() {
					disjoint(t, i, what, a, must.Get(complement.With(t.Context(), "deterministic", b, 0)))
				}
				for range 10 {
					w := random.Word(r, alphabet, 3, 4).Concrete()
					x, err := a.Accepts(context.Background(), w)
					if err != nil {
						t.Fatal(err)
					}
					if y, _ := b.Accepts(context.Background(), w); x != y {
						t.Fatalf("%s: %s is accepted: %v, before: %v", what, w, y, x)
					}
				}
			}
		}
	}
	if large > cases/20 {
		t.Errorf("%d of %d automata were too large", large, cases)
	}
}

// TestParityLimits: a determinization that would take much ends at its limits.
func TestParityLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 30, Density: 0.1, Marks: 0.2})
	var over *omega.LimitError
	if _, err := (complement.Form{Deterministic: true}.Apply(ctx, a, 1000, 0)); !errors.As(err, &over) || over.What != "macrostates" {
		t.Errorf("limit of macrostates: %v", err)
	}
	if _, err := (complement.Form{Deterministic: true}.Apply(ctx, a, 0, 1<<20)); !errors.As(err, &over) || over.What != "memory" {
		t.Errorf("limit of memory: %v", err)
	}
	soon := canceled.At(ctx, 201)
	if _, err := (complement.Form{Deterministic: true}.Apply(soon, a, 0, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
