package emptiness_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// TestCorpus compares the verdicts of all algorithms on automata of all acceptance
// conditions with those of other tools.
func TestCorpus(t *testing.T) {
	n := 0
	checker := properties.Checker{Decider: &productcheck.Decider{Limits: productcheck.DefaultLimits}}
	decided := map[emptiness.Algorithm][2]int{}
	for c := range corpus.Records[struct {
		ID    any
		HOA   string
		Empty bool
	}](t, "automata.jsonl.gz") {
		a, err := hoa.NewReader(context.Background(), strings.NewReader(c.HOA)).Next()
		if err != nil {
			t.Fatalf("%v: %v", c.ID, err)
		}
		n++
		agree(t, fmt.Sprint(c.ID), a, a.IsWeak(), must.Get(checker.Decide(context.Background(), a, "terminal")).Holds, c.Empty, decided)
	}
	t.Logf("%d automata", n)
	report(t, decided, 1)
}

// the initial states branch.
func TestAlternating(t *testing.T) {
	const text = "HOA: v1\nStates: 2\nStart: 0&1\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0 {0}\nState: 1\n[t] 1 {0}\n--END--\n"
	a, err := hoa.NewReader(context.Background(), strings.NewReader(text)).Next()
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range append(emptiness.Algorithms(), "") {
		if _, err := by.Check(context.Background(), a, emptiness.Limits{}); !errors.Is(err, omega.ErrAlternating) {
			t.Errorf("%s: %v", by, err)
		}
	}
	if _, err := emptiness.Check(context.Background(), a, emptiness.Limits{}); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("Check: %v", err)
	}
}
