package hoa_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestCommentExamples: the examples in the comments on formats.
func TestCommentExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		t.Helper()
		a, _, err := hoa.ReadOne(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	written := func(write func(context.Context, io.Writer, *omega.Automaton) error, a *omega.Automaton) string {
		t.Helper()
		var b strings.Builder
		if err := write(t.Context(), &b, a); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	gfa := read(`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [!0] 0 [0] 0 {0} --END--`)
	const options = "\tif\n\t:: ((!a)) -> goto T0_init\n\t:: ((a)) -> goto accept_S0\n\tfi;\n"
	if got, want := written(hoa.WriteNever, gfa), "T0_init:\n"+options+"accept_S0:\n"+options; !strings.Contains(got, want) {
		t.Errorf("WriteNever: %s", got)
	}
	if got, want := written(hoa.WriteLBTT, gfa), "1 1t\n0 1\n0 -1 ! \"a\"\n0 0 -1 \"a\"\n-1\n"; got != want {
		t.Errorf("WriteLBTT: %s", got)
	}
	negated := read("HOA: v1 States: 1 Start: 0 Acceptance: 2 Inf(!0) & Fin(1) | Fin(!0) --BODY-- State: 0 [t] 0 --END--")
	if got, want := negated.Acceptance().String(), "3 Inf(2) & Fin(1) | Fin(2)"; got != want {
		t.Errorf("negated marks: %s, want %s", got, want)
	}
	dra := "DRA v2 explicit\nStates: 2\nAcceptance-Pairs: 1\nStart: 0\nAP: 2 \"a\" \"b\"\n---\n"
	for _, state := range []string{"0", "1"} {
		dra += "State: " + state + "\nAcc-Sig:\n0\n1\n0\n1\n"
	}
	a := read(dra)
	if edges := a.Edges(0); len(edges) != 2 || a.Alphabet().Text(edges[0].Label) != "!a" || a.Alphabet().Text(edges[1].Label) != "a" {
		t.Errorf("edges of a DRA: %v", edges)
	}
}
