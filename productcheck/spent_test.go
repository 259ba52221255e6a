package productcheck_test

import (
	"errors"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestSpent: a second check with the same complement that is too large costs a share of the first
// one, gives the same reason, and is decided if it is easy.
func TestSpent(t *testing.T) {
	all, y := universal(), productcheck.NewLanguage(hard(1))
	d := productcheck.Decider{Limits: productcheck.Limits{Macrostates: 160}, Algorithm: "modular"}
	first, err := d.Decide(t.Context(), all, true, y, false)
	if err != nil || first.Undecided == nil || first.Undecided.Error() != "limit of 160 macrostates" {
		t.Fatalf("%+v (%v)", first, err)
	}
	second, err := d.Decide(t.Context(), all, true, y, false)
	var over *omega.LimitError
	if err != nil || !errors.As(second.Undecided, &over) || second.Undecided.Error() != "limit of 160 macrostates spent before on the same complement" {
		t.Fatalf("%+v (%v)", second, err)
	}
	if 8*second.Macrostates > first.Macrostates {
		t.Errorf("%d macrostates, and %d again", first.Macrostates, second.Macrostates)
	}
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	if easy, err := d.Decide(t.Context(), productcheck.NewLanguage(b.Automaton()), true, y, false); err != nil || !easy.Empty() {
		t.Errorf("an easy check: %+v (%v)", easy, err)
	}
	d.Limits.Macrostates = 0
	if free, err := d.Decide(t.Context(), all, true, y, false); err != nil || free.Undecided != nil {
		t.Errorf("without the limit: %+v (%v)", free, err)
	}
}

// TestSpentReduction: an automaton that can't be reduced in time is not reduced again, but its
// complement is used if there is one.
func TestSpentReduction(t *testing.T) {
	all, y := universal(), productcheck.NewLanguage(hard(1))
	d := productcheck.Decider{Limits: productcheck.Limits{Time: time.Nanosecond}}
	if _, err := d.Cost(t.Context(), y); err == nil || err.Error() != "time limit of 1ns" {
		t.Fatal(err)
	}
	for _, in := range []bool{true, false} {
		got, err := d.Decide(t.Context(), all, true, y, in)
		if err != nil || got.Undecided == nil || got.Undecided.Error() != "time limit of 1ns spent before on the same automaton" {
			t.Errorf("%v: %+v (%v)", in, got, err)
		}
	}
	y.SetDual(universal())
	if got, err := d.Decide(t.Context(), all, true, y, false); err != nil || got.Undecided.Error() != "time limit of 1ns" {
		t.Errorf("with the complement: %+v (%v)", got, err)
	}
}
