package ltl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestNotationRoundTrip: a formula with letters or symbols, and with few or all
// parentheses, is read as what it was.
func TestNotationRoundTrip(t *testing.T) {
	const seed = 5
	g := pastGenerator(t, seed, odd, 1, 25)
	for range campaign.Inputs(t, 1000) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		if got := f.Text(ltl.Letters, false); got != f.String() {
			t.Fatalf("seed %d: %s is %s with letters", seed, f, got)
		}
		for _, n := range []ltl.Notation{ltl.Letters, ltl.UTF8} {
			for _, parentheses := range []bool{false, true} {
				text := f.Text(n, parentheses)
				if back := parse(t, s, text, ltl.Spot); back != f {
					t.Fatalf("seed %d: %s is written %s, and read as %s", seed, f, text, back)
				}
			}
		}
		// As many pairs of braces as LaTeX needs, whatever the names are.
		latex := strings.NewReplacer(`\{`, "", `\}`, "").Replace(f.Text(ltl.LaTeX, false))
		if depth := strings.Count(latex, "{") - strings.Count(latex, "}"); depth != 0 {
			t.Fatalf("seed %d: %s is written %s", seed, f, latex)
		}
	}
}

// ExampleFormula_Text writes a formula in each notation.
func ExampleFormula_Text() {
	f, err := ltl.NewStore().Parse(`G(req & !p12 -> X(ack U "x_1"))`, ltl.Spot)
	if err != nil {
		panic(err)
	}
	for _, n := range []ltl.Notation{ltl.Letters, ltl.UTF8, ltl.LaTeX} {
		fmt.Println(f.Text(n, false))
	}
	fmt.Println(f.Text(ltl.UTF8, true))
	// Output:
	// G(req & !p12 -> X(ack U x_1))
	// □(req ∧ ¬p12 → ○(ack U x_1))
	// \mathsf{G}\,(\mathit{req} \land \lnot p_{12} \rightarrow \mathsf{X}\,(\mathit{ack} \mathsf{U} \texttt{x\_1}))
	// □((req ∧ (¬p12)) → (○(ack U x_1)))
}

// TestMeasures: sizes and depths of formulas that show each rule.
func TestMeasures(t *testing.T) {
	temporal := ltl.Ops(ltl.OpFinally, ltl.OpGlobally)
	for _, c := range []struct {
		formula                            string
		size, boolean, temporal, conjuncts int
	}{
		{"a", 1, 1, 0, 0},
		{"!a & (b | 1)", 6, 1, 0, 1},
		{"Fa", 2, 2, 1, 0},
		{"F(a & !b)", 5, 2, 1, 1},
		{"G((a & !b) -> Fc)", 8, 5, 2, 1},
		{"a & Fb & c", 6, 4, 1, 1},   // a & c is one part
		{"Fa & Fb & Fc", 8, 8, 1, 1}, // one conjunction
		{"a U (b & (c | d & e))", 9, 3, 0, 2},
		{"a -> b -> Fc", 6, 6, 1, 0},
		{"!Fa | GFGa", 8, 8, 3, 0},
	} {
		f := parse(t, ltl.NewStore(), c.formula, ltl.Spot)
		if got := [4]int{f.Size(), f.BooleanSize(), f.Nesting(temporal), f.Nesting(ltl.Ops(ltl.OpAnd))}; got != [4]int{c.size, c.boolean, c.temporal, c.conjuncts} {
			t.Errorf("%s: size, Boolean size and depths are %v, want %v", c.formula, got, c)
		}
	}
}

// TestMeasuresAgainstDefinition compares both with what their definitions say, on
// random formulas.
func TestMeasuresAgainstDefinition(t *testing.T) {
	const seed = 6
	g := pastGenerator(t, seed, []string{"a", "b"}, 1, 40)
	ops := ltl.Ops(ltl.OpOr, ltl.OpUntil, ltl.OpNext, ltl.OpSince)
	for range campaign.Inputs(t, 2000) {
		f, _ := g.Next()
		if got, want := f.BooleanSize(), booleanSize(f); got != want {
			t.Fatalf("seed %d: %s has the Boolean size %d, want %d", seed, f, got, want)
		}
		if got, want := f.Nesting(ops), nesting(f, ops); got != want {
			t.Fatalf("seed %d: %s nests %v %d times, want %d", seed, f, ops, got, want)
		}
	}
}

// joined returns the operands of the operator at the top; of a conjunction or a
// disjunction, all that it joins.
func joined(f *ltl.Formula) []*ltl.Formula {
	switch op := f.Op(); {
	case op == ltl.OpAnd || op == ltl.OpOr:
		list := []*ltl.Formula{f.Right()}
		for f = f.Left(); f.Op() == op; f = f.Left() {
			list = append(list, f.Right())
		}
		return append(list, f)
	case op.Arity() == 2:
		return []*ltl.Formula{f.Left(), f.Right()}
	case op.Arity() == 1:
		return []*ltl.Formula{f.Left()}
	}
	return nil
}

func booleanSize(f *ltl.Formula) int {
	if isBoolean(f) {
		return 1
	}
	size, parts, boolean := 0, 0, false
	for _, g := range joined(f) {
		switch {
		case !isBoolean(g) || f.Op() != ltl.OpAnd && f.Op() != ltl.OpOr:
			parts++
			size += booleanSize(g)
		case !boolean:
			boolean = true
			parts++
			size++
		}
	}
	return size + max(1, parts-1)
}

func isBoolean(f *ltl.Formula) bool {
	for _, g := range joined(f) {
		if !isBoolean(g) {
			return false
		}
	}
	return f.Op() <= ltl.OpXor
}

func nesting(f *ltl.Formula, ops ltl.OpSet) int {
	depth := 0
	for _, g := range joined(f) {
		depth = max(depth, nesting(g, ops))
	}
	if ops.Has(f.Op()) {
		depth++
	}
	return depth
}
