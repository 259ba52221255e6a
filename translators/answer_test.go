package translators

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

const everything = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n"

// TestFlood: of an output with very many pieces few are kept, and each class of what is
// odd is there once.
func TestFlood(t *testing.T) {
	junk := strings.Repeat("x\n", 10000)
	for _, c := range []struct {
		output, want     string
		pieces, automata int
	}{
		{junk + everything + junk, "text-before text-after", 3, 1},
		{junk + everything + everything + junk, "text-before second-automaton text-after", 4, 2},
		{everything + strings.Repeat("HOA:\n"+junk+everything, 100), "second-automaton", 2, 201},
		{strings.Repeat("HOA:\n", 10000), "second-automaton", 2, 10000},
		{junk, "", 1, 0},
	} {
		a := split([]byte(c.output), 2)
		if len(a.pieces) > c.pieces || a.automata != c.automata {
			t.Errorf("%.40q: %d pieces, %d automata; want %d and %d", c.output, len(a.pieces), a.automata, c.pieces, c.automata)
		}
		store := ltl.NewStore()
		out := &Output{}
		out.read(context.Background(), a, &question{store: store, formula: store.True()}, &Tool{})
		var classes []string
		for _, o := range out.Oddities {
			classes = append(classes, string(o.Class))
		}
		if got := strings.Join(classes, " "); got != c.want {
			t.Errorf("%.40q: %s; want %s", c.output, got, c.want)
		}
		if size := int64(len(strings.Join(strings.Fields(c.output), ""))); out.Size < size || out.Size > int64(len(c.output)) {
			t.Errorf("%.40q: size %d of %d", c.output, out.Size, len(c.output))
		}
	}
}

// TestReadingTime: reading an answer has a limit of its own, and the tool is not blamed.
func TestReadingTime(t *testing.T) {
	store := ltl.NewStore()
	for _, limits := range []question{{reading: 1}, {reading: time.Hour, timeout: 1}} {
		limits.store, limits.formula = store, store.True()
		out := &Output{Outcome: Outcome{Status: outcome.OK}}
		out.read(context.Background(), split([]byte(everything), 2), &limits, &Tool{})
		if out.Status != outcome.Unsupported || !strings.Contains(out.Detail, "longer than the time limit of 1ns") {
			t.Errorf("%v: %s", out.Status, out.Detail)
		}
	}
	f := store.True()
	tool := &Tool{Name: "t", Command: mustParse(t, "cat %f", Spawn), Limits: Limits{Timeout: time.Minute}}
	if q, err := tool.question(t.Context(), f, 0); err != nil || q.reading != time.Minute || q.formula != f {
		t.Errorf("%v, %v", q, err)
	}
}
