package xcheck

import (
	"errors"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

func formula(t *testing.T, text string) *ltl.Formula {
	t.Helper()
	f, err := ParseLTL(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestWorkedWords runs the examples in the comments of Words and others. Words with equally many
// letters may come in any order.
func TestWorkedWords(t *testing.T) {
	a, err := Translate(t.Context(), formula(t, "Fa"))
	if err != nil {
		t.Fatal(err)
	}
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

	w, err := ParseWord("a; cycle{!a}")
	if err != nil {
		t.Fatal(err)
	}
	rest, err := others(t.Context(), w.Alphabet, []*omega.Word{w})
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := Accepts(t.Context(), rest, w)
	if err != nil || accepted || rest.NumStates() != 3 {
		t.Errorf("%d states, accepted: %v, %v", rest.NumStates(), accepted, err)
	}
}

// TestWorkedEval runs the examples in the comment of Eval.
func TestWorkedEval(t *testing.T) {
	for word, open := range map[string]bool{"cycle{1}": true, "a; cycle{1}": false} {
		w, err := ParseWord(word)
		if err != nil {
			t.Fatal(err)
		}
		holds, err := Eval(t.Context(), formula(t, "Fa"), w)
		var unknown *omega.OpenError
		if !holds || errors.As(err, &unknown) != open || !open && err != nil {
			t.Errorf("%s: %v, %v", word, holds, err)
		}
	}
}
