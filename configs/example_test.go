package configs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
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
	// nightly.toml:5:24: translators.command: unknown placeholder %x: there are %f %s %l %w %F %S %L %W %O and %%
	// nightly.toml:6:1: translators.timeuot: unknown key; did you mean timeout?
}

// TestManual reads the example of the manual.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```toml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the manual has no example")
	}
	c, err := configs.Parse("example.toml", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Translators) != 4 || len(c.Formulas.Files) != 2 || c.Formulas.Random.Number != 500 {
		t.Errorf("the manual's example is not what it says: %+v", c)
	}
	for _, name := range []string{"ltl2tgba", "ltl2ba", "ltl3ba", "spin"} {
		if !strings.Contains(string(text), "| `"+name+"` |") {
			t.Errorf("the manual misses the tool %s", name)
		}
	}
}
