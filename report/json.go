package report

import (
	"bufio"
	"bytes"
	"encoding/json"
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

// JSON writes one document with the fields cases, translators, groups, causes and summary,
// documented in docs/json.md. Cases are written as they come, one a line, so that
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
	j.w.WriteString("\n],\n\"translators\": ")
	for _, part := range []struct {
		value any
		after string
	}{{t.Translators, ",\n\"groups\": "}, {t.Groups(), ",\n\"causes\": "}, {t.Causes, ",\n\"summary\": "}, {t.Summary, "}\n"}} {
		text, err := Line(part.value)
		if err != nil {
			return err
		}
		j.w.Write(bytes.TrimSuffix(text, newline))
		j.w.WriteString(part.after)
	}
	return j.w.Flush()
}
