package letters_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/letters"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Two labels that overlap make four classes.
func ExampleClasses() {
	alphabet := omega.NewAlphabet("a", "b", "c")
	a, b := alphabet.Prop(0), alphabet.Prop(1)
	x := omega.NewBuilder(alphabet, omega.Buchi())
	x.AddStart(x.AddState())
	x.AddEdge(0, a, 0, 0)
	x.AddEdge(0, b, 0, 0)
	for _, class := range letters.Classes(x.Automaton(), budget.Free(), func(int) bool { return false }) {
		fmt.Println(alphabet.Text(class))
	}
	// Output:
	// a&b
	// !a&b
	// a&!b
	// !a&!b
}
