//go:build unix

package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const source = `package p

func least(list []int, limit int) int {
	best := 0
	for i, x := range list {
		if x < list[best] && x != limit {
			best = i
		}
		if skip(x) {
			continue
		}
		note(x, best)
	}
	return best
}
`

// Each mutation changes one thing, and leaves a file that parses.
func TestMutations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := mutations(path, "p.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.String())
		changed := m.text()
		if _, err := parser.ParseFile(token.NewFileSet(), path, changed, 0); err != nil {
			t.Errorf("%s: %v", m, err)
		}
		if strings.Replace(source, m.Old, m.New, -1) == source && m.Kind != Statement {
			t.Errorf("%s: it changes nothing", m)
		}
	}
	want := []string{
		`p.go:6: statement: "if x < list[best] && x != limit {\n\t\t\tbest = i\n\t\t}" → ""`,
		`p.go:9: statement: "if skip(x) {\n\t\t\tcontinue\n\t\t}" → ""`,
		`p.go:12: statement: "note(x, best)" → ""`,
		`p.go:4: constant: "0" → "1"`,
		`p.go:6: operator: "&&" → "||"`,
		`p.go:6: operator: "<" → "<="`,
		`p.go:6: operator: "<" → ">="`,
		`p.go:6: operator: "!=" → "=="`,
		`p.go:7: statement: "best = i" → ""`,
		`p.go:9: condition: "skip(x)" → "!(skip(x))"`,
		`p.go:10: statement: "continue" → ""`,
		`p.go:12: arguments: "x, best" → "best, x"`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The mutants of the module's own translators have sources that exist.
func TestCandidates(t *testing.T) {
	list, err := candidates(filepath.Join("..", ".."), 1)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]int{}
	for _, m := range list {
		files[m.File]++
	}
	for name := range sources {
		if files[name] == 0 {
			t.Errorf("%s has no mutation", name)
		}
	}
}

func TestParseGenerator(t *testing.T) {
	for text, want := range map[string]generator{
		"default:":                    {name: "default"},
		"old: --ap 3 --size 1..12":    {name: "old", flags: "--ap 3 --size 1..12"},
		"pipe: | randltl --seed SEED": {name: "pipe", flags: " randltl --seed SEED", command: true},
	} {
		if got, err := parseGenerator(text); err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
	if _, err := parseGenerator("no colon"); err == nil {
		t.Error("a generator without a name is no error")
	}
}
