package xcheck

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorkedWords runs the examples in the comments of Words and others. Words with equally many
// letters may come in any order.
func TestWorkedWords(t *testing.T) {
	f := must.Get(ParseLTL("Fa"))
	a := must.Get(Translate(t.Context(), f))
	want := []string{"cycle{a}", "cycle{!a; a}", "cycle{a; !a}", "!a; cycle{a}", "a; cycle{!a}"}
	var got []string
	for answer, err := range new(Checker).Words(t.Context(), a) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, answer.Word.String()); len(got) == len(want) {
			break
		}
	}
	if got[0] != want[0] || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("words %q", got)
	}
	worked.Shows(t, "words.go", want...)

	w := must.Get(ParseWord("a; cycle{!a}"))
	rest := must.Get(others(t.Context(), w.Alphabet, []*omega.Word{w}))
	accepted, err := Accepts(t.Context(), rest, w)
	if err != nil || accepted || rest.NumStates() != 3 {
		t.Errorf("%d states, accepted: %v, %v", rest.NumStates(), accepted, err)
	}
}
