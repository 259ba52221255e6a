package outcome

import (
	"bytes"
	"encoding/json"
	"testing"
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
	if err := e.Encode([]*Failure{{[]string{"a&b"}, WrongWords(Missing)}, {[]string{"c"}, ParseClass("exit 1: <no>")}}); err != nil {
		t.Fatal(err)
	}
	if want := `[{"translators":["a&b"],"class":"missing"},{"translators":["c"],"class":"exit 1: <no>"}]` + "\n"; b.String() != want {
		t.Errorf("got %s want %s", &b, want)
	}
}
