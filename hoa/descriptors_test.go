package hoa

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestFormats: each descriptor is complete, and what it says fits its example. That is
// testdata/formats/NAME: an automaton of at least two states, which the format can express.
func TestFormats(t *testing.T) {
	names := map[string]bool{}
	for _, f := range formats {
		if f.Name == "" || strings.ToLower(f.Name) != f.Name || names[f.Name] {
			t.Errorf("format %q: expected a name of its own, in lower case", f.Name)
		}
		names[f.Name] = true
		t.Run(f.Name, func(t *testing.T) {
			if f.input != nil {
				f.testInput(t)
			} else if f.Write == nil {
				t.Error("it can neither be read nor written: set Write or input")
			}
		})
	}
}

func (f *Format) testInput(t *testing.T) {
	in := f.input
	for piece, missing := range map[string]bool{"title": in.title == "", "starts": in.starts == "", "opens": in.opens == nil,
		"scan": in.scan == nil, "read": in.read == nil} {
		if missing {
			t.Fatalf("it has no %s", piece)
		}
	}
	for _, b := range []byte(in.starts) {
		if !isLetter(b) {
			t.Errorf("starts has %q: expected letters and digits", b)
		}
	}
	example, err := os.ReadFile("testdata/formats/" + f.Name)
	if err != nil {
		t.Fatalf("it has no example: %v", err)
	}
	f.testExample(t, example)
	if f.Write == nil {
		return
	}
	a := must.First(ReadOne(t.Context(), example))
	var text bytes.Buffer
	must.Do(f.Write(t.Context(), &text, a))
	f.testExample(t, text.Bytes())
}

// testExample: an automaton is found however its text is cut, no sooner than its last byte
// is there, and cut off if another of the same format starts in it.
func (f *Format) testExample(t *testing.T, text []byte) {
	t.Helper()
	text = bytes.TrimSpace(text)
	for cut := range len(text) {
		var s Splitter
		s.Feed(text[:cut])
		if p, ok := s.Next(); ok {
			t.Fatalf("%q is an automaton in format %v, or text", p.Text, p.Format)
		}
		s.Feed(text[cut:])
		s.Feed([]byte{'\n'})
		p, ok := s.Next()
		if !ok || p.Format != f || !p.Complete || !bytes.Equal(p.Text, text) {
			t.Fatalf("cut at %d, the Splitter finds %t %+v in\n%s", cut, ok, p, text)
		}
		if a, _, err := p.Automaton(t.Context()); err != nil || a.NumStates() < 2 {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	half := text[:len(text)/2]
	for p := range Split([]byte(string(half) + "\n" + string(text))) {
		if p.Format != f || p.Complete == (len(p.Text) <= len(half)+1) {
			t.Errorf("behind one that is cut off: %+v", p)
		}
	}
}

// TestMaxText: automata that are short enough are read, and one that is too long ends the stream
// where it stands, however the text is cut.
func TestMaxText(t *testing.T) {
	const small = "HOA: v1\nStates: 0\nAcceptance: 0 f\n--BODY--\n--END--\n"
	long := "HOA: v1\nname: \"" + strings.Repeat("x", 1<<20)
	for _, r := range []io.Reader{strings.NewReader(strings.Repeat(small, 3) + long), &slowReader{strings.Repeat(small, 3) + long}} {
		reader := NewReader(r)
		reader.MaxText = 1 << 18
		for i := range 3 {
			if _, err := reader.Next(t.Context()); err != nil {
				t.Fatalf("automaton %d: %v", i, err)
			}
		}
		var syntax *ltl.SyntaxError
		if _, err := reader.Next(t.Context()); !errors.As(err, &syntax) || syntax.Line != 16 || syntax.Column != 1 {
			t.Errorf("error %v, want a syntax error at 16:1", err)
		}
		if _, err := reader.Next(t.Context()); err != io.EOF {
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
			reader := NewReader(strings.NewReader(automaton(n, escaped)))
			_, err := reader.Next(t.Context())
			if (err == nil) != want || !want && !strings.Contains(err.Error(), "6:10: expected a string of at most 1048576 bytes") {
				t.Errorf("%d characters: %v", n, err)
			}
		}
	}
}

// Titles lists the formats that can be read, as errors do.
var Titles = titles
