package certify_test

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestWorkedExamples runs the examples in the comments on automata, and of HoldsOnAll.
func TestWorkedExamples(t *testing.T) {
	ctx := context.Background()
	loops := func(acceptance string) *certify.Automaton {
		return read(t, `HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 `+acceptance+` --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`).Plain()
	}
	if disjoint, err := certify.Disjoint(ctx, loops("Inf(0)"), loops("Fin(0)"), 2); err != nil || !disjoint {
		t.Errorf("Inf(0) and Fin(0): %v, %v", disjoint, err)
	}
	always := read(t, `HOA: v1 Start: 0 AP: 1 "b" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--`).Plain()
	for text, want := range map[string]bool{"cycle{a; !b}": true, "cycle{a}": false} {
		if none, err := certify.AcceptsNone(ctx, always, word(t, text), 100); err != nil || none != want {
			t.Errorf("%s: %v, %v", text, none, err)
		}
	}
	branching := read(t, `HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 Fin(0) --BODY--
		State: 0 [t] 0&1 State: 1 [!0] 1 {0} [0] 2 State: 2 [t] 2 --END--`).Plain()
	for text, want := range map[string]bool{"cycle{!a}": false, "cycle{a}": true} {
		if in, err := certify.Accepts(ctx, branching, word(t, text)); err != nil || in != want {
			t.Errorf("%s: %v, %v", text, in, err)
		}
	}
	store := ltl.NewStore()
	for _, x := range []struct {
		formula    string
		truth, all bool
	}{{"a | Gb", true, true}, {"Fb", true, false}, {"Fb", false, false}} {
		f, err := store.Parse(x.formula, ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		if all, err := certify.HoldsOnAll(ctx, f, x.truth, word(t, "cycle{a}"), 1000); err != nil || all != x.all {
			t.Errorf("%s is %v on all completions: %v, %v", x.formula, x.truth, all, err)
		}
	}
}
