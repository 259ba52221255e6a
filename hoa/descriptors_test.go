package hoa

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
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
	if in.whole != nil {
		f.testWhole(t)
		return
	}
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
	a, _, err := ReadOne(t.Context(), example)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := f.Write(t.Context(), &text, a); err != nil {
		t.Fatal(err)
	}
	f.testExample(t, text.Bytes())
}

// testWhole: a stream is recognized as one automaton, but not sooner than its end is there.
func (f *Format) testWhole(t *testing.T) {
	if f.input.title == "" || f.input.read == nil || f.input.starts != "" || f.Splits() {
		t.Fatal("expected a title, whole and read, and no starts")
	}
	example, err := os.ReadFile("testdata/formats/" + f.Name)
	if err != nil {
		t.Fatalf("it has no example: %v", err)
	}
	for range 2 {
		for _, in := range []io.Reader{bytes.NewReader(example), iotest.OneByteReader(bytes.NewReader(example))} {
			r := NewReader(t.Context(), in)
			a, err := r.Next()
			if err != nil || a.NumStates() < 2 || r.Piece().Format != f || !r.Piece().Complete || !bytes.Equal(r.Piece().Text, example) {
				t.Fatalf("%+v, %v", r.Piece(), err)
			}
			if _, err := r.Next(); err != io.EOF {
				t.Fatalf("behind it: %v", err)
			}
		}
		a, _, err := ReadOne(t.Context(), example)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := f.Write(t.Context(), &text, a); err != nil {
			t.Fatal(err)
		}
		example = text.Bytes()
	}
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
