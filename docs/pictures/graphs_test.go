package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGraphs: the stored pictures have the nodes and edges of the graphs today, in each theme.
// Where they stand depends on the version of dot, and is not compared.
func TestGraphs(t *testing.T) {
	list, err := graphs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, graph := range list {
		for _, theme := range themes {
			svg, err := os.ReadFile(name + "-" + theme.name + ".svg")
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(svg), theme.ink) {
				t.Errorf("%s has no %s", name, theme.ink)
			}
			for _, m := range edge.FindAllStringSubmatch(graph, -1) {
				title := strings.NewReplacer("-", "&#45;", ">", "&gt;").Replace(unquote(m[1]) + "->" + unquote(m[2]))
				if !strings.Contains(string(svg), "<title>"+title+"</title>") {
					t.Errorf("%s-%s.svg lacks %s: run go run ./docs/pictures in the root of the repository", name, theme.name, title)
				}
			}
			if drawn, want := strings.Count(string(svg), `class="edge"`), len(edge.FindAllString(graph, -1)); drawn != want {
				t.Errorf("%s-%s.svg has %d edges, want %d", name, theme.name, drawn, want)
			}
		}
	}
}

// edge matches an edge of a graph on a line of its own. (Chains are invisible ones, for layout.)
var edge = regexp.MustCompile(`(?m)^\s*("[^"]+"|\w+) -> ("[^"]+"|\w+)(?:$| \[)`)

func unquote(name string) string { return strings.Trim(name, `"`) }

// TestArrows: an arrow that others imply is not drawn.
func TestArrows(t *testing.T) {
	g := make(imports)
	for _, x := range [][2]string{{"/a", "/b/part"}, {"/b", "/c"}, {"/a", "/c"}, {"/a", "/internal/x"}, {"/a/x", "/a"}} {
		g.add(module+x[0], module+x[1])
	}
	if got := fmt.Sprint(g.arrows()); got != "[[a b] [b c]]" {
		t.Errorf("got %s", got)
	}
	if _, err := g.dot(); err == nil {
		t.Error("package a has no purpose, and is drawn")
	}
}
