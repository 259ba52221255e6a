package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	// What xcheck is made of: the go command runs a test again if its packages have changed.
	_ "github.com/xcheck-ltl/xcheck/configs"
	_ "github.com/xcheck-ltl/xcheck/cross"
	_ "github.com/xcheck-ltl/xcheck/history"
	_ "github.com/xcheck-ltl/xcheck/report"
)

// TestPictures runs the command of the README's picture again.
func TestPictures(t *testing.T) {
	// The go command also looks at the files that a test has read.
	read(t, "../../cmd/xcheck/*.go")
	read(t, "*")
	pictures, err := draw(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pictures {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go run ./docs/pictures in the root of the repository, and look at it", name)
		}
	}
}

// read reads the files that match a pattern.
func read(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	for _, name := range names {
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPictureSize: the picture fits a terminal, and the README.
func TestPictureSize(t *testing.T) {
	svg, err := os.ReadFile("disagreement-light.svg")
	if err != nil {
		t.Fatal(err)
	}
	var wide, high float64
	if _, err := fmt.Sscanf(string(svg), `<svg xmlns="http://www.w3.org/2000/svg" width="%f" height="%f"`, &wide, &high); err != nil {
		t.Fatal(err)
	}
	if columns := (wide - 2*margin) / charWidth; columns > 100.5 {
		t.Errorf("%.0f columns: expected at most 100", columns)
	}
	if lines := (high - 2*margin) / lineHeight; lines > 32 {
		t.Errorf("%.0f lines: expected at most 32", lines)
	}
}

func TestWriteSVG(t *testing.T) {
	var b bytes.Buffer
	if err := writeSVG(&b, "$ xcheck\n  a \x1b[31m<b>\x1b[0m c", themes[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<text x="16.0" y="30" textLength="67.2" xml:space="preserve" fill="#59636e">$ xcheck</text>`,
		`<text x="32.8" y="50" textLength="8.4" xml:space="preserve">a</text>`,
		`<text x="49.6" y="50" textLength="25.2" xml:space="preserve" fill="#cf222e">&lt;b&gt;</text>`,
		`<text x="83.2" y="50" textLength="8.4" xml:space="preserve">c</text>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nlacks %s", b.String(), want)
		}
	}
	if err := writeSVG(&b, "\x1b[35mmagenta", themes[0]); err == nil {
		t.Error("an unknown color is drawn")
	}
}
