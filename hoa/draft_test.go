package hoa_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
)

// draft returns a text in version 1.1, or in another one, with some header items.
func draft(version, items, body string) string {
	return fmt.Sprintf("HOA: %s\nStates: 1\nStart: 0\n%s\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n%s\n--END--\n", version, items, body)
}

// TestDraft: what version 1.1 has in addition is read behind its version line only, except dots in
// names. Otherwise the error or the warning names the version.
func TestDraft(t *testing.T) {
	const since = " needs version v1.1 of the format: change the first line to HOA: v1.1"
	for _, c := range []struct{ items, body, want string }{
		{`AP: 1 "a"` + "\nAlias: @a.b-c.0 0", "[@a.b-c.0] 0 {0}", "5:9: the name \"a.b-c.0\"" + since},
		{`AP: 1 "a"` + "\nspot.highlight.states: 0 1", "[0] 0 {0}", "5:1: the name \"spot.highlight.states\"" + since},
		{`AP: 1 "a"` + "\nproperties: x.y", "[0] 0 {0}", "5:13: the name \"x.y\"" + since},
		{`AP: 1 "a"` + "\nother: x.y", "[0] 0 {0}", "5:8: the name \"x.y\"" + since},
		{`Start: 0&0` + "\n" + `AP: 0`, "[t] 0 {0}", ""},
	} {
		a, warnings, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", c.items, c.body)))
		if err != nil || len(warnings) > 0 || !a.Declared.Draft {
			t.Errorf("%s: %v, %v", c.items, warnings, err)
		}
		_, warnings, err = hoa.ReadOne(t.Context(), []byte(draft("v1", c.items, c.body)))
		got := strings.Trim(fmt.Sprint(warnings), "[]") // names with dots are read
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.items, got, c.want)
		}
	}
	for _, name := range []string{"a.b--END--", "a.9--END--"} { // an identifier with dots
		text := draft("v1.1", "other: "+name+"\nAP: 0", "[t] 0 {0}")
		if _, _, err := hoa.ReadOne(t.Context(), []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAlphabet: letters that are no valuations are an error with its place.
func TestAlphabet(t *testing.T) {
	_, _, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", `Alphabet: 3 "a" "b" "c"`, "[0] 0")))
	if err == nil || err.Error() != "4:1: Alphabet: is not supported: expected the propositions of AP:" {
		t.Errorf("got %v", err)
	}
}

// FuzzDraft: header items of version 1.1 are read, or fail with a place; what is read is written
// such that it reads as the same.
func FuzzDraft(f *testing.F) {
	for _, items := range []string{`Alphabet: 3 "a" "b" "c"`, "AP: 1 \"a\"\nAlias: @a.b 0", "AP: 0\nx.y: z.9--END-- 3", "AP: 0\nproperties: !weak x.y"} {
		f.Add(items, "[t] 0 {0}")
		f.Add(items, "[0 | !@a.b] 0")
		f.Add(items, "0 0 0")
	}
	f.Fuzz(func(t *testing.T, items, body string) {
		a, _, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", items, body)))
		if err != nil || a.Alternating() {
			return
		}
		var out bytes.Buffer
		if err := hoa.Write(t.Context(), &out, a); err != nil {
			t.Fatalf("%v\n%s", err, items)
		}
		b, _, err := hoa.ReadOne(t.Context(), out.Bytes())
		if err != nil || a.NumEdges() != b.NumEdges() {
			t.Fatalf("%v\n%s\nis written as\n%s", err, items, &out)
		}
		b = must.Get(b.Over(t.Context(), a.Alphabet()))
		for s := range omega.State(a.NumStates()) {
			for i, e := range a.Edges(s) {
				if e.Label != b.Edges(s)[i].Label {
					t.Fatalf("another label\n%s\nis written as\n%s", items, &out)
				}
			}
		}
	})
}

// TestCommentExamples: the examples in the comments on formats.
func TestCommentExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		t.Helper()
		a := parsed(t, text)
		return a
	}
	written := func(write func(context.Context, io.Writer, *omega.Automaton) error, a *omega.Automaton) string {
		t.Helper()
		var b strings.Builder
		must.Do(write(t.Context(), &b, a))
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
