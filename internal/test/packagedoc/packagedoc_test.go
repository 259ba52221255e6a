package packagedoc

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestPackageComments walks the module. Every package has one package comment, which begins with
// its name and has no sentence of more than 30 words. Every package that others can import, and the
// command, has an example that runs.
func TestPackageComments(t *testing.T) {
	const root = "../../.."
	packages := 0
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || dir != root && strings.HasPrefix(name, ".") {
			return fs.SkipDir
		}
		path, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		comments, examples, name := readPackage(t, dir)
		if name == "" {
			return nil
		}
		packages++
		switch len(comments) {
		case 0:
			t.Errorf("%s: no package comment", path)
		case 1:
			checkPackageComment(t, path, name, comments[0])
		default:
			t.Errorf("%s: %d package comments", path, len(comments))
		}
		if !examples && name != "main" && !strings.Contains("/"+path, "/internal/") && !ownModule(root, dir) {
			t.Errorf("%s: no example with output", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages < 30 {
		t.Errorf("only %d packages found", packages)
	}
}

// readPackage returns the name of the package in a folder, "" if there is none, its package
// comments, and whether it has an example that runs.
func readPackage(t *testing.T, dir string) (comments []string, examples bool, name string) {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(dir, "*.go")))
	set := token.NewFileSet()
	for _, path := range files {
		test := strings.HasSuffix(path, "_test.go")
		mode := parser.ParseComments
		if !test {
			mode |= parser.PackageClauseOnly
		}
		file := must.Get(parser.ParseFile(set, path, nil, mode))
		if test {
			examples = examples || runs(file)
			continue
		}
		name = file.Name.Name
		if file.Doc != nil {
			comments = append(comments, file.Doc.Text())
		}
	}
	return comments, examples, name
}

// runs reports whether a file has an example with output.
func runs(file *ast.File) bool {
	for _, e := range doc.Examples(file) {
		if e.Output != "" || e.EmptyOutput {
			return true
		}
	}
	return false
}

// ownModule reports whether a folder is in a module below the root.
func ownModule(root, dir string) bool {
	for ; dir != root; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

var sentenceEnd = regexp.MustCompile(`[.:;?!]\s`)

func checkPackageComment(t *testing.T, path, name, text string) {
	t.Helper()
	begin := "Package " + name + " "
	if name == "main" {
		begin = "Command " + filepath.Base(path) + " "
	}
	if !strings.HasPrefix(text, begin) {
		t.Errorf("%s: the package comment does not begin with %q", path, begin)
	}
	parsed := new(comment.Parser).Parse(text)
	for _, block := range parsed.Content {
		var parts []comment.Block
		switch b := block.(type) {
		case *comment.Paragraph:
			parts = append(parts, b)
		case *comment.List:
			for _, item := range b.Items {
				parts = append(parts, item.Content...)
			}
		}
		for _, part := range parts {
			printed := string(new(comment.Printer).Text(&comment.Doc{Content: []comment.Block{part}}))
			for _, s := range sentenceEnd.Split(printed, -1) {
				if words := len(strings.Fields(s)); words > 30 {
					t.Errorf("%s: a sentence of %d words: %s", path, words, strings.TrimSpace(s))
				}
			}
		}
	}
}

// TestLayers: each folder of the root, and each of internal, imports only folders that are below it.
// Tests do not count.
func TestLayers(t *testing.T) {
	const module = "github.com/xcheck-ltl/xcheck"
	// layer returns the top folder of a package: "." for the root package, "internal/scc" for that.
	layer := func(path string) string {
		first, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/")
		if first == "internal" {
			rest, _, _ = strings.Cut(rest, "/")
			first += "/" + rest
		}
		return filepath.Clean(first)
	}
	imports := map[string]map[string]string{} // by folder: the folders that it imports, and a file that does
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		switch {
		case d.IsDir() && (path == "internal/test" || d.Name() == "testdata" || ownModule(root, file)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := layer(strings.TrimSuffix(path, d.Name()))
		if imports[from] == nil {
			imports[from] = map[string]string{}
		}
		for _, i := range parsed.Imports {
			to, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if strings.HasPrefix(to, module) && layer(to) != from {
				imports[from][layer(to)] = path
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 20 {
		t.Errorf("only %d folders found", len(imports))
	}
	// A folder that imports no other one, or that no other one imports, is on no circle.
	for some := true; some; {
		some = false
		for _, folder := range slices.Collect(maps.Keys(imports)) {
			imported := false
			for _, others := range imports {
				imported = imported || others[folder] != ""
			}
			if imported && len(imports[folder]) > 0 {
				continue
			}
			some = true
			delete(imports, folder)
			for _, others := range imports {
				delete(others, folder)
			}
		}
	}
	for from, others := range imports {
		for to, file := range others {
			t.Errorf("%s imports %s, in %s, and is imported by it in some way", from, to, file)
		}
	}
}
