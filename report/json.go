package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/outcome"
)

var newline = []byte{'\n'}

// jsonLine returns value as a line of JSON. Unlike encoding/json, it writes & and not \u0026.
func jsonLine(value any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return text.Bytes(), err
}

// schemaVersion is the version of docs/schema.json. Each document has it. It changes if a document
// that was valid no longer is.
const schemaVersion = 1

// Document returns a line with a whole document of JSON: the fields of value, behind the version of
// the schema.
func Document(value any) ([]byte, error) {
	line, err := jsonLine(value)
	if err != nil || len(line) < 2 || line[0] != '{' {
		return line, err
	}
	head := fmt.Sprintf(`{"schema_version":%d`, schemaVersion)
	if line[1] != '}' {
		head += ","
	}
	return append([]byte(head), line[1:]...), nil
}

// A jsonDocument writes one document with the fields schema_version, cases, translators, groups, problems,
// causes, power, provenance and summary. With a history it also has regression.
// docs/json.md describes them. Each case is written when it comes,
// one per line, so a truncated document can still be read.
type jsonDocument struct {
	w     *bufio.Writer
	cases int
}

// newJSON returns a jsonDocument that writes to w.
func newJSON(w io.Writer) *jsonDocument {
	return &jsonDocument{w: bufio.NewWriter(guard.Writer(w))}
}

// Case writes a case, and flushes it.
func (j *jsonDocument) Case(c *outcome.Case, _ News) error {
	text, err := jsonLine(c)
	if err != nil {
		return err
	}
	if j.cases == 0 {
		j.begin()
		j.w.WriteString("\n")
	} else {
		j.w.WriteString(",\n")
	}
	j.cases++
	j.w.Write(bytes.TrimSuffix(text, newline))
	return j.w.Flush()
}

// begin writes what is before the cases.
func (j *jsonDocument) begin() { fmt.Fprintf(j.w, `{"schema_version": %d, "cases": [`, schemaVersion) }

// End writes the totals and completes the document.
func (j *jsonDocument) End(t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	// Without a case, nothing has been written yet.
	if j.cases == 0 {
		j.begin()
	}
	type part struct {
		name  string
		value any
	}
	parts := []part{{"translators", t.Translators}, {"groups", t.Groups()}, {"problems", t.Problems()}, {"causes", t.Causes}, {"power", t.Power()}}
	if t.Regression != nil {
		parts = append(parts, part{"regression", t.Regression})
	}
	if len(t.Provenance) > 0 {
		parts = append(parts, part{"provenance", t.Provenance})
	}
	j.w.WriteString("\n]")
	for _, p := range append(parts, part{"summary", t.Counts}) {
		text, err := jsonLine(p.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(j.w, ",\n%q: %s", p.name, bytes.TrimSuffix(text, newline))
	}
	j.w.WriteString("}\n")
	return j.w.Flush()
}

// A Trailer is the part of a document of results besides its cases. A history stores it with the
// run.
type Trailer struct {
	Translators []*ToolStats        `json:"Translators"`
	Causes      []*outcome.Cause    `json:"Causes"`
	Regression  *outcome.Regression `json:"Regression"` // nil if there was no history
	Power       *Power              `json:"Power"`
	Provenance  []Process           `json:"Provenance,omitempty"`
	Counts      *Counts             `json:"Summary"` // nil if the document was cut off before it
	// Cut: the document ends before its end, as it does when the run is killed or the disk is full.
	Cut bool `json:"Cut"`
}

// Trailer returns the part of a document besides its cases.
func (t *Summary) Trailer() *Trailer {
	return &Trailer{Translators: t.Translators, Causes: t.Causes, Regression: t.Regression, Power: t.Power(), Provenance: t.Provenance, Counts: &t.Counts}
}

// A FormatError reports what is wrong with a document, and where.
type FormatError struct {
	Line, Column int // from 1; the column counts bytes
	Text         string
}

func (e *FormatError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Read reads a document of JSON, and calls each for one case at a time. It reads a truncated
// document as far as possible. The error is a *FormatError, or an error of the reader or of each.
func Read(r io.Reader, each func(*outcome.Case) error) (*Trailer, error) {
	lines := &lineReader{r: guard.Reader(r), lines: 1}
	d := &documentReader{dec: json.NewDecoder(lines), lines: lines}
	rest := &Trailer{}
	err := d.document(rest, each)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		if d.dec.InputOffset() == 0 {
			return nil, &FormatError{1, 1, "expected a document of xcheck run --json, found nothing"}
		}
		rest.Cut = true
		err = nil
	}
	return rest, err
}

type documentReader struct {
	dec   *json.Decoder
	lines *lineReader
}

// document reads the whole of it. It fails with io.EOF or io.ErrUnexpectedEOF where it is cut off.
func (d *documentReader) document(rest *Trailer, each func(*outcome.Case) error) error {
	if err := d.delim('{', "a document of xcheck run --json"); err != nil {
		return err
	}
	known := false
	values := map[json.Token]any{"translators": &rest.Translators, "causes": &rest.Causes, "regression": &rest.Regression,
		"power": &rest.Power, "provenance": &rest.Provenance, "summary": &rest.Counts}
	for d.dec.More() {
		key, err := d.dec.Token()
		if err != nil {
			return d.syntax(err, false)
		}
		// Fields of later versions are skipped.
		if value, ok := values[key]; ok {
			err = d.value(value)
		} else if key == "cases" {
			known = true
			err = d.list(each)
		} else if key == "compacted" {
			err = d.fail(d.dec.InputOffset()-1, errors.New("an earlier xcheck has written this document without most of its cases: report it with that one"))
		} else {
			err = d.value(new(json.RawMessage))
		}
		if err != nil {
			return err
		}
	}
	if err := d.delim('}', "a field or the end of the document"); err != nil {
		return err
	}
	if !known {
		// The place is the closing brace.
		return d.fail(d.dec.InputOffset()-1, errors.New("expected a document of xcheck run --json, but it has no cases"))
	}
	// The cases of another document behind this one would be lost.
	switch _, err := d.dec.Token(); {
	case err == nil:
		return d.fail(d.dec.InputOffset()-1, errors.New("expected the end after the document"))
	case err != io.EOF:
		return d.syntax(err, false)
	}
	return nil
}

func (d *documentReader) list(each func(*outcome.Case) error) error {
	if err := d.delim('[', "a list of cases"); err != nil {
		return err
	}
	for d.dec.More() {
		c := new(outcome.Case)
		if err := d.value(c); err != nil {
			return err
		}
		if each == nil { // the caller wants the rest, but errors are errors
			continue
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return d.delim(']', "a case or the end of the list")
}

func (d *documentReader) delim(want json.Delim, what string) error {
	token, err := d.dec.Token()
	if err != nil {
		return d.syntax(err, false)
	}
	if token != want {
		return d.fail(d.dec.InputOffset()-1, fmt.Errorf("expected %s, found %v", what, token))
	}
	return nil
}

// value reads a value.
func (d *documentReader) value(v any) error {
	d.lines.value = d.dec.InputOffset()
	d.lines.forget(d.lines.value)
	// First as JSON, then as what it should be: offsets of wrong types count from the start of raw.
	var raw json.RawMessage
	if err := d.dec.Decode(&raw); err != nil {
		return d.syntax(err, true)
	}
	err := json.Unmarshal(raw, v)
	start := d.dec.InputOffset() - int64(len(raw))
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		start += max(0, wrong.Offset-1) // the offset is behind the byte
		err = fmt.Errorf("expected %s, found %s", kind(wrong), wrong.Value)
		if field := embedded.ReplaceAllString(wrong.Field, ""); field != "" {
			err = fmt.Errorf("%s: %w", field, err)
		}
	}
	if err != nil {
		return d.fail(start, err)
	}
	return nil
}

// embedded matches the names of embedded structs, which JSON does not have.
var embedded = regexp.MustCompile(`\b[A-Z]\w*\.?`)

// syntax returns an error of the decoder with its place, which the decoder does not know:
// it is the next character or, in a value, found by reading that once more.
func (d *documentReader) syntax(err error, value bool) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || d.lines.err != nil {
		return err
	}
	at := d.dec.InputOffset()
	if text, e := io.ReadAll(d.dec.Buffered()); e == nil {
		at += int64(len(text) - len(bytes.TrimLeft(text, " \t\r\n")))
		var wrong *json.SyntaxError
		if value && errors.As(json.Unmarshal(text, new(json.RawMessage)), &wrong) {
			at = d.dec.InputOffset() + max(0, wrong.Offset-1)
		}
	}
	return d.fail(at, err)
}

// kind names what JSON should have had.
func kind(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	}
	return "a number"
}

func (d *documentReader) fail(at int64, err error) error {
	line, column := d.lines.place(at)
	return &FormatError{line, column, err.Error()}
}

// maxValue is the length of the longest case, or other value of a document, that is read, in
// bytes. Reading takes several times as much memory.
const maxValue = 32 << 20

// A lineReader knows where the lines are of what it has read of late. It fails where a value
// is too long.
type lineReader struct {
	r      io.Reader
	offset int64
	begin  int64   // of a line, and lines is its number
	lines  int     // from 1
	ends   []int64 // offsets of the newlines from there on
	value  int64   // offset of the value that is read
	err    error   // of r, but for its end
}

func (l *lineReader) Read(p []byte) (int, error) {
	// The decoder reads on only within a value.
	room := l.value + maxValue - l.offset
	if room <= 0 {
		line, column := l.place(l.value)
		l.err = &FormatError{line, column, fmt.Sprintf("expected the end of a value within %d bytes", maxValue)}
		return 0, l.err
	}
	n, err := l.r.Read(p[:min(int64(len(p)), room)])
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.offset+int64(i))
		}
	}
	l.offset += int64(n)
	if err != io.EOF { // whether the document may end here, the decoder knows
		l.err = err
	}
	return n, err
}

// forget drops the lines before an offset: there will be no question about these.
func (l *lineReader) forget(offset int64) {
	n := 0
	for n < len(l.ends) && l.ends[n] < offset {
		l.begin = l.ends[n] + 1
		n++
	}
	l.lines += n
	l.ends = append(l.ends[:0], l.ends[n:]...)
}

func (l *lineReader) place(offset int64) (line, column int) {
	l.forget(offset)
	return l.lines, int(offset-l.begin) + 1
}
