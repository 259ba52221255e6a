package hoa

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestMaxText: automata that are short enough are read, and one that is too long ends the stream
// where it stands, however the text is cut.
func TestMaxText(t *testing.T) {
	const small = "HOA: v1\nStates: 0\nAcceptance: 0 f\n--BODY--\n--END--\n"
	long := "HOA: v1\nname: \"" + strings.Repeat("x", 1<<20)
	for _, r := range []io.Reader{strings.NewReader(strings.Repeat(small, 3) + long), &slowReader{strings.Repeat(small, 3) + long}} {
		reader := NewReader(r)
		reader.MaxText = 1 << 18
		for i := range 3 {
			if _, err := reader.Next(); err != nil {
				t.Fatalf("automaton %d: %v", i, err)
			}
		}
		var syntax *SyntaxError
		if _, err := reader.Next(); !errors.As(err, &syntax) || syntax.Line != 16 || syntax.Column != 1 {
			t.Errorf("error %v, want a syntax error at 16:1", err)
		}
		if _, err := reader.Next(); err != io.EOF {
			t.Errorf("error %v after it, want EOF", err)
		}
	}
}

// slowReader returns few bytes at a time.
type slowReader struct{ text string }

func (r *slowReader) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1000)], r.text)
	r.text = r.text[n:]
	return n, nil
}
