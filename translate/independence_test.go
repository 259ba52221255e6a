package translate_test

import (
	"go/build"
	"path"
	"strings"
	"testing"
)

// TestIndependence fails if the package needs one that checks automata: see the package comment.
func TestIndependence(t *testing.T) {
	const module = "github.com/xcheck-ltl/xcheck"
	seen := map[string]bool{}
	var visit func(dir, by string)
	visit = func(dir, by string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		switch dir {
		case "complement", "cross", "emptiness", "productcheck", "properties", "witness":
			t.Errorf("%s imports %s", by, dir)
			return
		}
		p, err := build.ImportDir(path.Join("..", dir), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Imports {
			if inner, ok := strings.CutPrefix(name, module+"/"); ok {
				visit(inner, dir)
			}
		}
	}
	visit("translate", "")
	if !seen["omega"] || !seen["ltl"] {
		t.Errorf("visited only %d packages", len(seen))
	}
}
