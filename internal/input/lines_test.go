package input

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestLines: lines with their places. One that is too long does not end the file, but a failed read does.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", MaxLine+1)
	broken := errors.New("disk broken")
	for _, c := range []struct {
		in   io.Reader
		want string
	}{
		{strings.NewReader(""), ""},
		{strings.NewReader("\uFEFFa\r\n\n# comment\n  b  \n#\nc"), "f:1 a; f:4   b; f:6 c; "},
		{strings.NewReader(long[:MaxLine-1] + "\nb\n"), fmt.Sprintf("f:1 %d; f:2 b; ", MaxLine-1)},
		{strings.NewReader("a\n" + long + "\nb"), fmt.Sprintf("f:1 a; f:2 %d f:2: line longer than 4194304 bytes; f:3 b; ", MaxLine)},
		{strings.NewReader(long), fmt.Sprintf("f:1 %d f:1: line longer than 4194304 bytes; ", MaxLine)},
		{io.MultiReader(strings.NewReader("a\nb U"), iotest.ErrReader(broken), strings.NewReader("c\n")), "f:1 a; f:2 b U f:2: disk broken; "},
		{iotest.OneByteReader(strings.NewReader("a\nb")), "f:1 a; f:2 b; "},
	} {
		if got := listed(NewLines("f", c.in).Next); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

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
		if got := listed(NewColumn("f", c.in, c.column).Next); got != c.want {
			t.Errorf("column %d: got %q, want %q", c.column, got, c.want)
		}
	}
}

// listed returns up to ten answers of next. Of long texts, it has the length.
func listed(next func() (where, text string, err error)) string {
	var got strings.Builder
	for range 10 {
		where, text, err := next()
		if err == io.EOF {
			break
		}
		if len(text) > 20 {
			text = fmt.Sprint(len(text))
		}
		fmt.Fprintf(&got, "%s %s", where, text)
		if err != nil {
			fmt.Fprintf(&got, " %v", err)
		}
		got.WriteString("; ")
	}
	return got.String()
}

// endless is a text without an end.
type endless struct{}

func (*endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestWorkedExamples runs the examples in comments on lines and columns.
func TestWorkedExamples(t *testing.T) {
	const record = `mine,"G(a -> F ""b"")",3` + "\n"
	for number, where := range map[int]string{2: "f.csv:1 (column 2)", -2: "f.csv:3 (column 2)"} {
		text := record
		if number < 0 {
			text = "tool,formula,size\nyours,,1\n" + record
		}
		got, field, err := NewColumn("f.csv", strings.NewReader(text), number).Next()
		if got != where || field != `G(a -> F "b")` || err != nil {
			t.Errorf("%s: %s, %v", got, field, err)
		}
	}

	where, text, err := NewLines("f.ltl", strings.NewReader("\n# comment\nGa &\n")).Next()
	if where != "f.ltl:3" || err != nil {
		t.Errorf("%s: %v", where, err)
	}
	_, err = ltl.NewStore().Parse(text, ltl.Spot)
	if err = Located(where, err); err.Error() != "f.ltl:3:5: expected a formula, found the end" {
		t.Error(err)
	}
}
