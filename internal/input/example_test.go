package input_test

import (
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/input"
)

func ExampleLines() {
	lines := input.NewLines("formulas.ltl", strings.NewReader("# response\nG(a -> F b)\n\nF G a\n"))
	for {
		where, text, err := lines.Next()
		if err != nil {
			break // io.EOF after the last line
		}
		fmt.Println(where, text)
	}
	// Output:
	// formulas.ltl:2 G(a -> F b)
	// formulas.ltl:4 F G a
}
