// Package worked checks the worked examples in comments.
//
// An example shows an automaton before and after a construction, a line for each state:
//
//	State: 0  [a] 1 {0}  [!a] 0
//
// The states are numbered, and the first one is initial. Labels are in brackets, where t is true.
package worked

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Construction makes one automaton of another.
type Construction func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error)

// Check fails the test if the construction does not make after of before, or if the comments of the
// file do not show the example. The acceptance belongs to before, such as 1 Inf(0).
func Check(t *testing.T, file, acceptance, before, after string, of Construction) {
	t.Helper()
	a, err := of(t.Context(), Automaton(t, acceptance, before))
	if err != nil {
		t.Fatal(err)
	}
	if got := Text(a); words(got) != words(after) {
		t.Errorf("%s: got\n%s\nfrom\n%s\nwant\n%s", file, got, before, after)
	}
	Shows(t, file, before, after)
}

// Shows fails the test if the file, without the slashes of its comments, does not show each text.
// Spaces and ends of lines do not matter.
func Shows(t *testing.T, file string, texts ...string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shown := words(slashes.ReplaceAllString(string(source), "\n"))
	for _, text := range texts {
		if !strings.Contains(shown, words(text)) {
			t.Errorf("%s: no comment shows\n%s", file, text)
		}
	}
}

// slashes matches the beginning of a line of a comment.
var slashes = regexp.MustCompile(`\n\s*//`)

// words returns the text with single spaces.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// label matches a label, and proposition a proposition in it.
var (
	label       = regexp.MustCompile(`\[[^]]*\]`)
	proposition = regexp.MustCompile(`[a-c]`)
)

// Automaton reads an automaton over the propositions a, b and c, or over a alone.
func Automaton(t *testing.T, acceptance, states string) *omega.Automaton {
	t.Helper()
	// An example about a alone has no other letters, which would add edges.
	names := `1 "a"`
	body := label.ReplaceAllStringFunc(states, func(l string) string {
		return proposition.ReplaceAllStringFunc(l, func(p string) string {
			if p > "a" {
				names = `3 "a" "b" "c"`
			}
			return fmt.Sprint(p[0] - 'a')
		})
	})
	text := "HOA: v1 Start: 0 AP: " + names + " Acceptance: " + acceptance + " --BODY-- " + body + " --END--"
	a, _, err := hoa.ReadOne(t.Context(), []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return a
}

// Text returns a line for each state of an automaton.
func Text(a *omega.Automaton) string {
	var b strings.Builder
	for s := range omega.State(a.NumStates()) {
		fmt.Fprintf(&b, "State: %d", s)
		// The notation of the examples: marks behind the destination, and t for all letters.
		for _, e := range a.Edges(s) {
			l := a.Alphabet().Text(e.Label)
			if e.Label == a.Alphabet().True() {
				l = "t"
			}
			fmt.Fprintf(&b, "  [%s] %d", l, e.Dst)
			if marks := a.Marks().AppendTo(nil, e.Marks); len(marks) > 0 {
				fmt.Fprintf(&b, " {%s}", strings.Trim(fmt.Sprint(marks), "[]"))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
