package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestFormulasGoOn: what is no formula in a file is an input with its place, and the
// rest comes, of this file and of others.
func TestFormulasGoOn(t *testing.T) {
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
	p := &Plan{Config: &configs.Config{Formulas: configs.Formulas{Files: files}}, Open: func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(strings.NewReader("[]e")), nil
		}
		return os.Open(name)
	}}
	next, total, err := p.Formulas()
	if err != nil || total != 0 {
		t.Fatal(total, err)
	}
	var got bytes.Buffer
	for {
		in, err := next(context.Background())
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
