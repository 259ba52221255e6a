package hoa

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMaxText: automata that are short enough are read, and one that is too long ends the stream
// where it stands, however the text is cut.
func TestMaxText(t *testing.T) {
	const small = "HOA: v1\nStates: 0\nAcceptance: 0 f\n--BODY--\n--END--\n"
	long := "HOA: v1\nname: \"" + strings.Repeat("x", 1<<20)
	for _, r := range []io.Reader{strings.NewReader(strings.Repeat(small, 3) + long), &slowReader{strings.Repeat(small, 3) + long}} {
		reader := NewReader(context.Background(), r)
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

// TestPlace: places are those that a count from the start gives, in whatever order they are
// asked for.
func TestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString([]string{"a", "é", "\n", "字", " "}[r.IntN(5)])
		}
		text := b.String()
		p := &parser{text: []byte(text), start: position{r.IntN(3), r.IntN(3)}}
		for range 30 {
			at := r.IntN(len(text) + 1)
			for !utf8.RuneStart((text + "x")[at]) {
				at--
			}
			lines := strings.Split(text[:at], "\n")
			wantLine, wantColumn := p.start.line+len(lines), 1+utf8.RuneCountInString(lines[len(lines)-1])
			if len(lines) == 1 {
				wantColumn += p.start.column
			}
			if line, column := p.place(at); line != wantLine || column != wantColumn {
				t.Fatalf("%q at %d: %d:%d, want %d:%d", text, at, line, column, wantLine, wantColumn)
			}
		}
	}
}

// TestMaxString: a name may be long, but not without a limit.
func TestMaxString(t *testing.T) {
	automaton := func(n int, escaped string) string {
		return "HOA: v1\nStates: 1\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0 \"" + escaped + strings.Repeat("x", n) + "\"\n--END--\n"
	}
	for _, escaped := range []string{"", `\"`} {
		for n, want := range map[int]bool{1<<20 - 1: true, 1<<20 + 1: false} {
			reader := NewReader(context.Background(), strings.NewReader(automaton(n, escaped)))
			_, err := reader.Next()
			if (err == nil) != want || !want && !strings.Contains(err.Error(), "6:10: expected a string of at most 1048576 bytes") {
				t.Errorf("%d characters: %v", n, err)
			}
		}
	}
}
