package cross

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestTryWordsErrors: a word that can't be judged is an internal error of its case,
// and does not end the run; only the end of the whole run does.
func TestTryWordsErrors(t *testing.T) {
	try := func(ctx context.Context, prop, text string) ([]string, error) {
		t.Helper()
		formula, err := ltl.NewStore().Parse("Ga", ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := hoa.ReadOne(context.Background(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.NewAlphabet(prop)
		a = must.Get(a.Over(context.Background(), alphabet))
		j := &certifier{words: map[string]*omega.Word{}, specification: &truths{formula: formula}, members: []*member{{subjects: []outcome.Subject{{Translator: "bad"}}, language: productcheck.NewLanguage(a)}}, decider: &productcheck.Decider{}}
		err = j.tryWords(ctx, alphabet, 10, rand.New(rand.NewPCG(1, 2)))
		return j.errors, err
	}
	const all = `HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--`
	const alternating = `HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0&1 {0} [t] 0 State: 1 [t] 1 --END--`
	for _, c := range []struct{ prop, text, want string }{
		{"b", all, "does not determine the truth of a"},
		{"a", alternating, ": bad: unsupported: alternating automaton with components that are not weak"},
	} {
		got, err := try(context.Background(), c.prop, c.text)
		if err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "internal error: word ") || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, %v; want one that contains %q", c.text, got, err, c.want)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := try(canceled, "a", all); !errors.Is(err, context.Canceled) || len(got) > 0 {
		t.Errorf("canceled: %q, %v", got, err)
	}
}
