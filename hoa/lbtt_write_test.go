package hoa_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestWriteLBTT: what is written is read as the same automaton.
func TestWriteLBTT(t *testing.T) {
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 200 {
		props := []string{"p0", "a", "with space", "b2", "G", "x_1", "p7", "t"}[:i%9]
		n := 1 + r.IntN(5)
		a := random.Automaton(r, omega.NewAlphabet(props...), omega.GeneralizedBuchi(i%4), random.Options{States: n, Density: 0.5, Marks: 0.4, StateMarks: i%2 == 0})
		var text strings.Builder
		if err := hoa.WriteLBTT(context.Background(), &text, a); err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		b, warnings, err := hoa.ReadOne(context.Background(), []byte(text.String()))
		if err != nil || len(warnings) > 0 {
			t.Fatalf("seed %d, automaton %d: %v %v:\n%s", seed, i, warnings, err, text.String())
		}
		both := omega.Union(a.Alphabet(), b.Alphabet())
		if !must.Get(isomorphic.Equal(context.Background(), must.Get(a.Over(context.Background(), both)), must.Get(b.Over(context.Background(), both)))) || a.StateMarks && i%4 > 0 && !b.StateMarks {
			t.Errorf("seed %d, automaton %d: not the same:\n%s", seed, i, text.String())
		}
	}
}

func TestWriteLBTTErrors(t *testing.T) {
	for text, want := range map[string]string{
		"HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 --END--":                   "generalized Büchi",
		"HOA: v1 States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--":                                          "one initial state, not 0",
		"HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0&1 State: 1 [t] 1 --END--": "alternating",
	} {
		a, _, err := hoa.ReadOne(context.Background(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := hoa.WriteLBTT(context.Background(), &strings.Builder{}, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
