package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
)

// readExample returns a page and the configuration that is the example in it.
func readExample(t *testing.T, page string) (text string, c *configs.Config) {
	t.Helper()
	all := must.Get(os.ReadFile(page))
	_, rest, _ := strings.Cut(string(all), "```toml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatalf("%s has no example", page)
	}
	return string(all), must.Get(configs.Parse("example.toml", []byte(example)))
}

// TestManual reads the examples of the README and of the manual, which has all algorithms.
func TestManual(t *testing.T) {
	if _, c := readExample(t, "../../README.md"); len(c.Translators) == 0 {
		t.Error("the example of the README has no translators")
	}
	text, c := readExample(t, "../../docs/configuration.md")
	if len(c.Translators) != 2 || len(c.Formulas.Patterns) != 1 || c.Formulas.Random.Number != 50 {
		t.Errorf("the manual's example is not what it says: %+v", c)
	}
	for _, name := range translationNames() {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/configuration.md misses the algorithm %s", name)
		}
	}
	reports := must.Get(os.ReadFile("../../docs/reports.md"))
	for _, f := range report.Written() {
		if !strings.Contains(text, "`"+f.Name+"`") || !strings.Contains(string(reports), "`run --"+f.Name+"=FILE`") {
			t.Errorf("docs/configuration.md misses `%s`, or docs/reports.md misses `run --%s=FILE`", f.Name, f.Name)
		}
	}
}

// TestManualTables: the tables of the pages have a row for each format of automata and each
// translation.
func TestManualTables(t *testing.T) {
	misses := func(page, row string) {
		t.Helper()
		text := must.Get(os.ReadFile("../../docs/" + page))
		if !regexp.MustCompile("(?m)" + row).Match(text) {
			t.Errorf("docs/%s has no line that matches %s", page, row)
		}
	}
	for _, f := range hoa.Formats() {
		if f.Write != nil {
			misses("formats.md", "^    .* "+f.Name+"$")
		} else {
			misses("formats.md", "(?i)^    "+f.Name+" ")
		}
	}
	for _, a := range translate.Algorithms() {
		misses("translators.md", "^\\| `"+a.Name+"` \\|")
	}
}
