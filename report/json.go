package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/cross"
)

var newline = []byte{'\n'}

// Line returns value as a line of JSON. Operators are as in the text: a & b, not
// a \u0026 b, which is for JSON within HTML.
func Line(value any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return text.Bytes(), err
}

// JSON writes one document with the fields cases, translators, groups, problems, causes and summary,
// and where there is a history regression and trend. They are documented in docs/json.md. Cases are written as they come, one a line, so that
// those of a document that is cut off can be read.
type JSON struct {
	w     *bufio.Writer
	cases int
}

// NewJSON starts the document.
func NewJSON(w io.Writer) *JSON {
	return &JSON{w: bufio.NewWriter(w)}
}

// Case writes a case, and sees to it that it is really written.
func (j *JSON) Case(c *cross.Case) error {
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
func (j *JSON) End(t *Tally) error {
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
	for _, p := range append(parts, part{"summary", t.Summary}) {
		text, err := Line(p.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(j.w, ",\n%q: %s", p.name, bytes.TrimSuffix(text, newline))
	}
	j.w.WriteString("}\n")
	return j.w.Flush()
}
