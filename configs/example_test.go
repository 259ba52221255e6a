package configs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

func ExampleParse() {
	c, err := configs.Parse("nightly.toml", []byte(`
[formulas.random]
number = 1000
size   = "5..20"

[[translators]]
tool    = "spin"
timeout = "10s"
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Formulas.Random.Number, "formulas over", c.Formulas.Random.Props)
	for _, t := range c.Translators {
		fmt.Printf("%s: %s, at most %v, without %v\n", t.Name, t.Command, t.Timeout, t.Without)
	}
	// Output:
	// 1000 formulas over [p0 p1 p2]
	// spin: spin -f %s, at most 10s, without xor X W M
}

func ExampleParse_errors() {
	_, err := configs.Parse("nightly.toml", []byte(`
[formulas]
inline = ["G(a -> Fb)", "a U (b &"]
[[translators]]
command = "ltl2tgba -H %x"
timeuot = "10s"
`))
	fmt.Println(err)
	// Output:
	// nightly.toml:3:34: formulas.inline: expected a formula, found the end
	// nightly.toml:5:24: translators.command: unknown placeholder %x: expected one of %f %s %l %w %F %S %L %W %O %%
	// nightly.toml:6:1: translators.timeuot: unknown key; did you mean timeout?
}

// readExample returns a page and the configuration that is the example in it.
func readExample(t *testing.T, page string) (text string, c *configs.Config) {
	t.Helper()
	all, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(all), "```toml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatalf("%s has no example", page)
	}
	if c, err = configs.Parse("example.toml", []byte(example)); err != nil {
		t.Fatalf("%s: %v", page, err)
	}
	return string(all), c
}

// TestManual reads the examples of the README and of the manual, which has all tools
// and algorithms.
func TestManual(t *testing.T) {
	if _, c := readExample(t, "../README.md"); len(c.Translators) == 0 {
		t.Error("the example of the README has no translators")
	}
	text, c := readExample(t, "../docs/configuration.md")
	if len(c.Translators) != 4 || len(c.Formulas.Files) != 2 || c.Formulas.Random.Number != 500 {
		t.Errorf("the manual's example is not what it says: %+v", c)
	}
	for _, s := range configs.Shorthands() {
		if !strings.Contains(text, "`"+s.Name+"`") {
			t.Errorf("the manual misses the tool %s", s.Name)
		}
	}
	for _, a := range builtin.Algorithms() {
		if !strings.Contains(text, "`"+a.Name+"`") {
			t.Errorf("the manual misses the algorithm %s", a.Name)
		}
	}
}
