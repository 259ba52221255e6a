package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/outcome"
)

var newline = []byte{'\n'}

// Line returns value as a line of JSON. Unlike encoding/json, it writes & and not \u0026.
func Line(value any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return text.Bytes(), err
}

// A JSON writes one document with the fields cases, translators, groups, problems, causes and
// summary. With a history it also has regression and trend. docs/json.md describes them. Each
// case is written when it comes, one per line, so a truncated document can still be read.
type JSON struct {
	w     *bufio.Writer
	cases int
}

// NewJSON returns a JSON that writes to w.
func NewJSON(w io.Writer) *JSON {
	return &JSON{w: bufio.NewWriter(w)}
}

// Case writes a case, and flushes it.
func (j *JSON) Case(c *outcome.Case, _ News) error {
	text, err := Line(c)
	if err != nil {
		return err
	}
	if j.cases == 0 {
		j.w.WriteString("{\"cases\": [\n")
	} else {
		j.w.WriteString(",\n")
	}
	j.cases++
	j.w.Write(bytes.TrimSuffix(text, newline))
	return j.w.Flush()
}

// End writes the totals and completes the document.
func (j *JSON) End(t *Summary) error {
	if j.cases == 0 {
		j.w.WriteString("{\"cases\": [")
	}
	type part struct {
		name  string
		value any
	}
	parts := []part{{"translators", t.Translators}, {"groups", t.Groups()}, {"problems", t.Problems()}, {"causes", t.Causes}}
	if t.Regression != nil {
		parts = append(parts, part{"regression", t.Regression})
	}
	if len(t.Trend) > 0 {
		parts = append(parts, part{"trend", t.Trend})
	}
	j.w.WriteString("\n]")
	for _, p := range append(parts, part{"summary", t.Counts}) {
		text, err := Line(p.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(j.w, ",\n%q: %s", p.name, bytes.TrimSuffix(text, newline))
	}
	j.w.WriteString("}\n")
	return j.w.Flush()
}
