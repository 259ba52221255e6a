package outcome

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestParseClass: every text is the text of its class, also one that no xcheck has written.
func TestParseClass(t *testing.T) {
	for text, want := range map[string]Class{
		"":                                      {},
		"words":                                 {Words: true},
		"extra words":                           {Words: true, Extra: true},
		"missing words, of the negation only":   {Words: true, Missing: true, NegationOnly: true},
		"extra and missing words":               {Words: true, Extra: true, Missing: true},
		"property: weak":                        {Finding: FalseProperty, Said: "weak"},
		"property: ":                            {Finding: FalseProperty},
		"crash 11":                              {Status: Crash, Code: 11},
		"exit 1: no such words":                 {Status: Exit, Code: 1, Said: "no such words"},
		"exit 1: a: b, of the negation only":    {Status: Exit, Code: 1, Said: "a: b", NegationOnly: true},
		"timeout: killed after …":               {Status: Timeout, Said: "killed after …"},
		"missing-state":                         {Status: MissingState},
		"timeout":                               {Status: Timeout},
		"a status that is to come":              {Said: "a status that is to come"},
		"exit 01: no":                           {Said: "exit 01: no"},
		"exit 0":                                {Said: "exit 0"},
		"exit 1: ":                              {Said: "exit 1: "},
		"exit 1:no":                             {Said: "exit 1:no"},
		"missing and extra words":               {Said: "missing and extra words"},
		", of the negation only":                {NegationOnly: true},
		" 5: x":                                 {Said: " 5: x"},
		"exit 9223372036854775808: too large":   {Said: "exit 9223372036854775808: too large"},
		"extra words, of the negation only: no": {Status: "", Said: "extra words, of the negation only: no"},
	} {
		if got := ParseClass(text); got != want || got.String() != text {
			t.Errorf("%q: got %+v, %q; want %+v", text, got, got, want)
		}
	}
}

// FuzzParseClass: whatever a document has is what is written again.
func FuzzParseClass(f *testing.F) {
	f.Add("extra and missing words, of the negation only")
	f.Add("exit 1: no: room")
	f.Fuzz(func(t *testing.T, text string) {
		if got := ParseClass(text).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// TestFailureJSON: the class of a failure of one case is as short as the kind of its words, and who
// encodes decides how.
func TestFailureJSON(t *testing.T) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must.Do(e.Encode([]*Failure{{[]string{"a&b"}, Missing.Class()}, {[]string{"c"}, ParseClass("exit 1: <no>")}}))
	if want := `[{"translators":["a&b"],"class":"missing"},{"translators":["c"],"class":"exit 1: <no>"}]` + "\n"; b.String() != want {
		t.Errorf("got %s want %s", &b, want)
	}
}

// TestWorkedExamples runs the examples in the comments on signatures and changes.
func TestWorkedExamples(t *testing.T) {
	for n, want := range map[int]int{16: 16, 17: 16, 18: 18, 19: 18, 95: 88, 96: 96, 103: 96, 104: 104} {
		if got := rough(n); got != want {
			t.Errorf("%d is roughly %d", n, got)
		}
	}
	slower := &Change{Measure: "time", Ratio: 1.12}
	slow := &Change{Measure: "time", Ratio: 2.34}
	fewer := &Change{Measure: "states", Ratio: 0.95}
	for _, test := range []struct{ got, want string }{
		{slower.what(), "became 12 % slower"},
		{slow.what(), "became 2.3 times as slow"},
		{fewer.what(), "makes automata with 5 % fewer states"},
		{factor(23.4), "23"},
		{likely(0.0123), "p = 0.012"},
		{likely(0.0004), "p = 0.0004"},
		{likely(0.00004), "p < 0.0001"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// TestWorkedCategory runs the examples in the comment of Category.
func TestWorkedCategory(t *testing.T) {
	for text, want := range map[string]string{
		"missing words, of the negation only": "words",
		"crash 11: assertion failed":          "crash 11: assertion failed",
	} {
		if got := ParseClass(text).Category().String(); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
