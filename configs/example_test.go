package configs_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/configs"
)

func ExampleSchema_Parse() {
	schema := configs.Schema{Formats: []string{"hoa", "never", "lbtt"}}
	c, err := schema.Parse("nightly.toml", []byte(`
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

func ExampleSchema_Parse_errors() {
	schema := configs.Schema{}
	_, err := schema.Parse("nightly.toml", []byte(`
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
