package input

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLines: lines with their places, whatever is in them; one that is too long
// does not end the file, but a failed read does.
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
		var got strings.Builder
		r := NewLines("f", c.in)
		for range 10 {
			where, text, err := r.Next()
			if err == io.EOF {
				break
			}
			if len(text) > 10 {
				text = fmt.Sprint(len(text))
			}
			fmt.Fprintf(&got, "%s %s", where, text)
			if err != nil {
				fmt.Fprintf(&got, " %v", err)
			}
			got.WriteString("; ")
		}
		if got.String() != c.want {
			t.Errorf("got %s, want %s", got.String(), c.want)
		}
	}
}
