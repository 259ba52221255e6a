package runs_test

import (
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/runs"
)

// read returns the Büchi automaton over a with the states and edges of body.
func read(t *testing.T, states int, body string) *omega.Automaton {
	t.Helper()
	a, _, err := hoa.ReadOne(t.Context(), fmt.Appendf(nil, `HOA: v1 States: %d Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- %s --END--`, states, body))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func word(t *testing.T, text string) *omega.Word {
	t.Helper()
	w, err := omega.ParseWord(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestCommentExplanations: the examples in the comment on Explanation.
func TestCommentExplanations(t *testing.T) {
	for _, x := range []struct {
		states     int
		body, want string
	}{
		{1, "State: 0 [0] 0 {0}", "true [] []"},
		{2, "State: 0 [0] 1 State: 1 [!0] 0", "false [1] []"},
		{2, "State: 0 [0] 1 State: 1 [0] 1", "false [] [[1] [Inf(0)]]"},
	} {
		e, err := runs.Explain(t.Context(), read(t, x.states, x.body), word(t, "cycle{a}"))
		if err != nil {
			t.Fatal(err)
		}
		var stays []any
		for _, stay := range e.Stays {
			stays = append(stays, stay.States, stay.Failed)
		}
		if got := fmt.Sprint(e.Accepted, " ", e.Stuck, " ", stays); got != x.want {
			t.Errorf("%s: %s, want %s", x.body, got, x.want)
		}
	}
}

// TestCommentTight: the example in the comment on Tight.
func TestCommentTight(t *testing.T) {
	a := read(t, 2, "State: 0 [0] 1 {0} State: 1 [t] 1 {0}")
	for text, want := range map[string]bool{"cycle{a}": false, "a; cycle{a}": true} {
		if got, err := runs.Tight(t.Context(), a, word(t, text)); err != nil || got != want {
			t.Errorf("%s: %t, %v", text, got, err)
		}
	}
}

// TestCommentAccepting: the example in the comment on accepting. The run takes the second edge alone.
func TestCommentAccepting(t *testing.T) {
	a := worked.Automaton(t, "2 Fin(0)&Inf(1)", "State: 0 [t] 0 {0} [t] 0 {1} [t] 0 {0 1}")
	e, err := runs.Explain(t.Context(), a, word(t, "cycle{a}"))
	if err != nil || !e.Accepted || len(e.Run.Prefix) != 0 || len(e.Run.Cycle) != 1 || e.Run.Cycle[0].Edge != 1 {
		t.Errorf("%+v, %v", e, err)
	}
}
