package xcheck_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestGuide: the program of docs/go.md and of the package comment is Example, which is run, and
// takes at most ten lines.
func TestGuide(t *testing.T) {
	page, tests, comment := read(t, "docs/go.md"), read(t, "example_test.go"), read(t, "doc.go")
	program := between(t, page, "```go\n", "```\n")
	if _, err := parser.ParseFile(token.NewFileSet(), "main.go", program, 0); err != nil {
		t.Error(err)
	}
	main := strings.ReplaceAll(between(t, program, "func main() {\n", "}\n"), "context.Background()", "ctx")
	example := between(t, tests, "func Example() {\n", "\t// Output:\n")
	if got := strings.ReplaceAll(example, "testdata/", ""); got != main {
		t.Errorf("Example is\n%sbut docs/go.md has\n%s", got, main)
	}
	if n := strings.Count(main, "\n"); n > 10 {
		t.Errorf("the program has %d lines: expected at most 10", n)
	}
	if commented := "//" + strings.ReplaceAll(strings.TrimSuffix(main, "\n"), "\n", "\n//") + "\n"; !strings.Contains(comment, commented) {
		t.Errorf("the package comment lacks the program")
	}
	output := strings.ReplaceAll(between(t, tests, "\t// Output:\n", "}\n"), "\t// ", "")
	if got := between(t, page, "```text\n", "```\n"); got != output {
		t.Errorf("Example prints\n%sbut docs/go.md has\n%s", output, got)
	}
	if got := strings.ReplaceAll(between(t, comment, "It prints, for automata of F G a and G F a:\n//\n", "//\n"), "//\t", ""); got != output {
		t.Errorf("Example prints\n%sbut the package comment has\n%s", output, got)
	}
}

// TestGuideExamples: other programs of pages are examples, which are compiled.
func TestGuideExamples(t *testing.T) {
	for _, x := range []struct{ page, heading, file, begin, end string }{
		{"docs/go.md", "## Run a whole cross-check\n", "session/example_test.go", "func Example_guide() {\n\tctx := context.Background()\n", "}\n"},
		{"docs/json.md", "## In Go\n", "report/example_test.go", "func ExampleRead() {\n", "\t// Output:\n"},
	} {
		_, page, _ := strings.Cut(read(t, x.page), x.heading)
		example := strings.ReplaceAll("\n"+between(t, read(t, x.file), x.begin, x.end), "\n\t", "\n")[1:]
		want := strings.Replace(example, "testdata/everything.json", "run.json", 1)
		if got := between(t, page, "```go\n", "```\n"); got != want {
			t.Errorf("%s has\n%s\nbut the example is\n%s", x.page, got, want)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))
	return string(text)
}

// between returns the text between two others.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, text, ok := strings.Cut(text, before)
	text, _, found := strings.Cut(text, "\n"+after)
	if !ok || !found {
		t.Fatalf("no %q followed by %q", before, after)
	}
	return text + "\n"
}

// TestPackages: the package comment names every package that others can import, and no others.
func TestPackages(t *testing.T) {
	var want []string
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || dir == "." {
			return err
		}
		if name := d.Name(); name == "internal" || name == "cmd" || name == "examples" || name == "testdata" || name[0] == '.' {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return fs.SkipDir // a module of its own
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if slices.ContainsFunc(files, func(file string) bool {
			return !strings.HasSuffix(file, "_test.go") && !strings.Contains("\n"+read(t, file), "\npackage main\n")
		}) {
			want = append(want, filepath.ToSlash(dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^//   - ([a-z][a-z/, ]*): `).FindAllStringSubmatch(read(t, "doc.go"), -1) {
		got = append(got, strings.Split(m[1], ", ")...)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the package comment names\n%q, but there are\n%q", got, want)
	}
}

// TestImports: a program that compares two files links neither reports nor translators, and nothing
// of other modules.
func TestImports(t *testing.T) {
	const module = "github.com/xcheck-ltl/xcheck"
	out := must.Get(exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output())
	for path := range strings.FieldsSeq(string(out)) {
		own, ok := strings.CutPrefix(path, module)
		if !ok || slices.Contains([]string{"/configs", "/cross", "/report", "/session", "/translators", "/internal/process"}, own) {
			t.Errorf("it links %s", path)
		}
	}
}
