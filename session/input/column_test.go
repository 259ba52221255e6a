package input

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestColumn: fields with their places, whatever is in the file; a record that can't be
// read does not end it, but a failed read does.
func TestColumn(t *testing.T) {
	for _, c := range []struct {
		in     io.Reader
		column int
		want   string
	}{
		{strings.NewReader(""), 1, ""},
		{strings.NewReader("a,b\r\nc,d\n"), 2, "f:1 (column 2) b; f:2 (column 2) d; "},
		{strings.NewReader("a,b\nc,d"), -2, "f:2 (column 2) d; "},
		{strings.NewReader("\uFEFFa\n\n b \n"), 1, "f:1 (column 1) a; f:3 (column 1)  b ; "},
		{strings.NewReader("\"a \"\"x\"\" U b\",\"1\n2\"\n,3\nc,4\n"), 1, `f:1 (column 1) a "x" U b; f:4 (column 1) c; `},
		{strings.NewReader("\"a\nb\",\"c\nd\"\n"), 2, "f:2 (column 2) c\nd; "},
		{strings.NewReader("a\nb,c\n"), 2, "f:1 a f:1: expected a column 2, found only 1; f:2 (column 2) c; "},
		{strings.NewReader("a\nb\"c\nd\n"), 1, `f:1 (column 1) a; f:2  f:2:2: bare " in non-quoted-field; f:3 (column 1) d; `},
		{strings.NewReader("a\n\"b"), 1, `f:1 (column 1) a; f:2  f:2:3: extraneous or missing " in quoted-field; `},
		{io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(errors.New("disk broken"))), 1, "f:1 (column 1) a; f  f: disk broken; "},
		{io.MultiReader(strings.NewReader("a\n\""), &endless{}), 1, "f:1 (column 1) a; f  f: record longer than 4194304 bytes; "},
		{iotest.OneByteReader(strings.NewReader("a,b\nc,d\n")), -1, "f:2 (column 1) c; "},
	} {
		var got strings.Builder
		r := NewColumn("f", c.in, c.column)
		for range 10 {
			where, text, err := r.Next()
			if err == io.EOF {
				break
			}
			fmt.Fprintf(&got, "%s %s", where, text)
			if err != nil {
				fmt.Fprintf(&got, " %v", err)
			}
			got.WriteString("; ")
		}
		if got.String() != c.want {
			t.Errorf("column %d: got %q, want %q", c.column, got.String(), c.want)
		}
	}
}

// endless is a text without an end.
type endless struct{}

func (*endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
