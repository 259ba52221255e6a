package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// module is the path of the packages that are drawn.
const module = "github.com/xcheck-ltl/xcheck"

// purposes says in a few words what each package is for.
var purposes = map[string]string{
	"bench":        "measurements",
	"certify":      "trusted core",
	"cmd/xcheck":   "the program",
	"complement":   "complements",
	"configs":      "TOML, known tools",
	"cross":        "checks of a case",
	"emptiness":    "accepting runs",
	"exhaustive":   "all short words",
	"history":      "stored runs",
	"hoa":          "formats of automata",
	"ltl":          "formulas",
	"omega":        "ω-automata",
	"outcome":      "results",
	"productcheck": "pairs, inclusion",
	"properties":   "declared properties",
	"report":       "text, JSON, HTML, …",
	"session":      "a whole run",
	"transform":    "reductions",
	"translate":    "built-in translations",
	"translators":  "external programs",
	"witness":      "shortest words",
	"xcheck":       "the Go library",
}

// imports are the packages, and what each imports. A package below another one of the root
// counts as a part of it. Commands other than xcheck and what is in internal are left out.
type imports map[string]map[string]bool

// importGraph asks the go command about the packages of a folder.
func importGraph(folder string) (imports, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Imports", "./...")
	cmd.Dir = folder
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	g := make(imports)
	for decoder := json.NewDecoder(strings.NewReader(string(list))); ; {
		var p struct {
			ImportPath, Name string
			Imports          []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return g, nil
		} else if err != nil {
			return nil, err
		}
		if p.Name == "main" && p.ImportPath != module+"/cmd/xcheck" {
			continue
		}
		for _, to := range append(p.Imports, p.ImportPath) {
			g.add(p.ImportPath, to)
		}
	}
}

// add adds an import between two paths.
func (g imports) add(from, to string) {
	from, to = packageOf(from), packageOf(to)
	if from == "" || to == "" {
		return
	}
	if g[from] == nil {
		g[from] = make(map[string]bool)
	}
	if from != to {
		g[from][to] = true
	}
}

// packageOf returns the drawn package of an import path: transform for
// github.com/xcheck-ltl/xcheck/transform/reduce. It is "" for what is not drawn.
func packageOf(path string) string {
	rest, ok := strings.CutPrefix(path, module)
	if !ok || strings.HasPrefix(rest, "/internal/") {
		return ""
	}
	switch parts := strings.Split(rest, "/"); {
	case len(parts) == 1:
		return "xcheck"
	case parts[1] == "cmd":
		return "cmd/xcheck"
	default:
		return parts[1]
	}
}

// reaches reports whether a package imports another one, directly or not.
func (g imports) reaches(from, to string) bool {
	return g[from][to] || slices.ContainsFunc(slices.Collect(maps.Keys(g[from])), func(p string) bool { return g.reaches(p, to) })
}

// arrows returns the imports that no other path of imports implies, sorted: of a → b → c and
// a → c, only the first two.
func (g imports) arrows() (list [][2]string) {
	for from, all := range g {
		for to := range all {
			implied := slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(p string) bool { return g.reaches(p, to) })
			if !implied {
				list = append(list, [2]string{from, to})
			}
		}
	}
	slices.SortFunc(list, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return list
}

// dot writes the packages as a graph: an arrow leads from a package to one that it imports.
func (g imports) dot() (string, error) {
	var b strings.Builder
	b.WriteString("digraph {\n\trankdir=TB ranksep=0.35 nodesep=0.2\n\tnode [shape=box, style=\"rounded,filled\", margin=\"0.12,0.05\"]\n")
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if purposes[name] == "" {
			return "", fmt.Errorf("package %s has no purpose: add it to purposes", name)
		}
		fmt.Fprintf(&b, "\t%q [label=<<b>%s</b><br/><font point-size=\"10\" color=\"$dim\">%s</font>>]\n", name, name, purposes[name])
	}
	for _, a := range g.arrows() {
		fmt.Fprintf(&b, "\t%q -> %q\n", a[0], a[1])
	}
	b.WriteString("}\n")
	return b.String(), nil
}
