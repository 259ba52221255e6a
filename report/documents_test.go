package report_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// documents are the types of what is stored and of what --json prints, by their names in
// testdata/documents.txt.
func documents() map[string]any {
	return map[string]any{"case": new(outcome.Case), "problem": new(outcome.Problem), "cause": new(report.Cause),
		"group": new(report.Group), "translator": new(report.ToolStats), "summary": new(report.Counts), "regression": new(outcome.Regression),
		"trend": new(outcome.Trend), "timeline": new(outcome.Timeline), "obligations": new(outcome.Progression), "rest": new(report.Trailer)}
}

// TestDocuments: whatever the types of documents become, what they read they write again, byte for
// byte. Each line of the file has a value with all the fields of a type. No line ever changes but for
// a new field.
func TestDocuments(t *testing.T) {
	file, err := os.ReadFile("testdata/documents.txt")
	if err != nil {
		t.Fatal(err)
	}
	missing := documents()
	for line := range strings.Lines(string(file)) {
		name, text, _ := strings.Cut(line, " ")
		value := documents()[name]
		if value == nil {
			t.Fatalf("no type of the name %q", name)
		}
		delete(missing, name)
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := report.Line(value); err != nil || !bytes.Equal(got, []byte(text)) {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, text)
		}
		if field := empty(reflect.ValueOf(value).Elem(), name); field != "" {
			t.Errorf("%s is not in the file", field)
		}
	}
	for name := range missing {
		t.Errorf("the file has no line for %s", name)
	}
}

// empty returns the name of a field without a value, or "".
func empty(v reflect.Value, name string) string {
	if _, text := v.Interface().(encoding.TextMarshaler); text || v.IsZero() {
		if v.IsZero() {
			return name
		}
		return ""
	}
	switch v.Kind() {
	case reflect.Pointer:
		return empty(v.Elem(), name)
	case reflect.Slice:
		if v.Len() == 0 {
			return name
		}
		for i := range v.Len() {
			if field := empty(v.Index(i), fmt.Sprintf("%s[%d]", name, i)); field != "" {
				return field
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if tag := f.Tag.Get("json"); !f.IsExported() || tag == "-" {
				continue
			}
			if field := empty(v.Field(i), name+"."+f.Name); field != "" {
				return field
			}
		}
	}
	return ""
}
