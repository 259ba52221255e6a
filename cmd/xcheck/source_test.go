package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestLineReader: lines with their places, whatever is in them; one that is too long
// does not end the file, but a failed read does.
func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	broken := errors.New("disk broken")
	for _, c := range []struct {
		in   io.Reader
		want string
	}{
		{strings.NewReader(""), ""},
		{strings.NewReader("\uFEFFa\r\n\n# comment\n  b  \n#\nc"), "f:1 a; f:4   b; f:6 c; "},
		{strings.NewReader(long[:maxLine-1] + "\nb\n"), fmt.Sprintf("f:1 %d; f:2 b; ", maxLine-1)},
		{strings.NewReader("a\n" + long + "\nb"), fmt.Sprintf("f:1 a; f:2 %d f:2: line longer than 4194304 bytes; f:3 b; ", maxLine)},
		{strings.NewReader(long), fmt.Sprintf("f:1 %d f:1: line longer than 4194304 bytes; ", maxLine)},
		{io.MultiReader(strings.NewReader("a\nb U"), iotest.ErrReader(broken), strings.NewReader("c\n")), "f:1 a; f:2 b U f:2: disk broken; "},
		{iotest.OneByteReader(strings.NewReader("a\nb")), "f:1 a; f:2 b; "},
	} {
		var got strings.Builder
		r := newLineReader("f", c.in)
		for range 10 {
			where, text, err := r.next()
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

// TestSourceGoesOn: what is no formula in a file is an input with its place, and the
// rest comes, of this file and of others.
func TestSourceGoesOn(t *testing.T) {
	dir := t.TempDir()
	var files []configs.File
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte("a\nb U\n\"c\xff\"\n"+strings.Repeat("(", 5000)+"\nd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{bad, dir} {
		files = append(files, configs.File{Path: path, Syntax: ltl.Spot})
	}
	files = append(files, configs.File{Path: "-", Syntax: ltl.Spin})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := &app{ctx: ctx, in: strings.NewReader("[]e")}
	next, total, err := a.source(&configs.Config{Formulas: configs.Formulas{Files: files}})
	if err != nil || total != 0 {
		t.Fatal(total, err)
	}
	var got bytes.Buffer
	for {
		in, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if in.Err == nil {
			fmt.Fprintln(&got, in.Formula)
			continue
		}
		if len(in.Text) > 4100 {
			t.Errorf("%d bytes are kept of a bad line", len(in.Text))
		}
		fmt.Fprintf(&got, "%.8q: %s\n", in.Text, strings.ReplaceAll(in.Err.Error(), dir, "DIR"))
	}
	want := `a
"b U": DIR/bad:2:4: expected a formula, found the end
"\"c\xff\"": DIR/bad:3: line is not UTF-8
"((((((((": DIR/bad:4:5001: expected a formula, found the end
d
"": DIR:1: read DIR: is a directory
Ge
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
