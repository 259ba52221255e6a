package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/must"
	esc "github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// payload has every character that a terminal may obey, or that hides text: controls, marks of direction, of
// no width, of other planes; and bytes that are no character. It is text in a line of JSON.
var payload = func() string {
	var b strings.Builder
	b.WriteString("x\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b[31m\xff\xc0\x80")
	for r := rune(0); r < 0xE0100; r++ {
		if r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)) {
			b.WriteRune(r)
		}
	}
	return b.String() + "y"
}()

// texts calls each with every text of a value, however deep: each may change it.
func texts(v reflect.Value, each func(reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		each(v)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			texts(v.Elem(), each)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts(v.Field(i), each)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			texts(v.Index(i), each)
		}
	}
}

// No character of a tool, a formula or a name acts on a terminal, whatever field it is in and whoever writes it.
func TestHostileFields(t *testing.T) {
	var lines []byte
	for line := range bytes.Lines(must.Get(os.ReadFile("testdata/documents.txt"))) {
		if text, ok := bytes.CutPrefix(line, []byte("case ")); ok {
			lines = text
		}
	}
	colors := regexp.MustCompile(`\x1b\[(|1|1;31|0;1|1;35|31|32|33)m`)
	fields, pairs := 0, 0
	for at, last := 0, 1; at < last; at++ {
		c := new(outcome.Case)
		must.Do(json.Unmarshal(lines, c))
		last = 0
		texts(reflect.ValueOf(c), func(v reflect.Value) {
			if last == at {
				v.SetString(payload)
			}
			last++
		})
		fields = last
		sinks := map[string]func(*bytes.Buffer) report.Sink{
			"text":         func(b *bytes.Buffer) report.Sink { return &report.Text{W: b, Color: true, Verbose: true} },
			"text, at end": func(b *bytes.Buffer) report.Sink { return &report.Text{W: b} },
			"ltlcross":     func(b *bytes.Buffer) report.Sink { return &report.LTLCrossLog{W: b, Color: true, Verbose: true} },
			"autcross":     func(b *bytes.Buffer) report.Sink { return &report.LTLCrossLog{W: b, Automata: true} },
		}
		for _, f := range report.Formats() {
			sinks[f.Name] = func(b *bytes.Buffer) report.Sink { return f.New(b, report.Options{Verbose: true, Width: 80}) }
		}
		for name, sink := range sinks {
			var b bytes.Buffer
			s, summary := sink(&b), report.NewSummary(nil)
			must.Do(s.Case(c, summary.Add(c)))
			summary.Causes = []*outcome.Cause{{Record: outcome.Record{Formula: payload, Class: outcome.Class{Said: payload}, Translators: []string{payload}}}}
			must.Do(s.End(summary))
			pairs++
			text := colors.ReplaceAllString(b.String(), "")
			data := name == "csv" || strings.HasSuffix(name, "json") // these are as their format wants it
			if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }); i >= 0 && !data || !utf8.ValidString(text) {
				t.Errorf("text %d of a case, %s: not escaped, see screen.Escape: %q", at, name, text[max(0, i):min(len(text), max(0, i)+20)])
			}
			if strings.Contains(b.String(), "\x1b[31m") && strings.Contains(b.String(), `\u001b[31m`) != strings.Contains(b.String(), `\u001b[2J`) {
				t.Errorf("text %d of a case, %s: a color of the tool is one of ours", at, name)
			}
		}
	}
	t.Logf("%d texts of a case, %d pairs of a text and a writer", fields, pairs)
	// Progress, answers and messages are escaped as they are written.
	if text := esc.Escape(payload); strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(text) {
		t.Errorf("%q", text)
	}
	if got, want := esc.Escape(esc.Paint("31", "a\x1b[32m\u202e")+"\n\tb"), "\x1b[31ma\\u001b[32m\\u202e\x1b[m\n\tb"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
