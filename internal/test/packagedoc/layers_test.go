package packagedoc

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLayers: each folder of the root imports only folders that are below it. Tests do not count.
func TestLayers(t *testing.T) {
	const module = "github.com/xcheck-ltl/xcheck"
	// layer returns the folder of a package: "." for that of the root.
	layer := func(path string) string {
		first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/")
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
