package certify

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestWorkedLetters runs the example in the comment of letterSet.
func TestWorkedLetters(t *testing.T) {
	props := []string{"a", "b"}
	a, b := &Label{Op: Prop, Prop: 0}, &Label{Op: Prop, Prop: 1}
	sets := newLabelSets(props, props)
	if x := sets.of(a)[0]; x != 0b1010 {
		t.Errorf("a: %b", x)
	}
	if x := sets.of(&Label{Op: And, Args: []*Label{a, {Op: Not, Args: []*Label{b}}}})[0]; x != 0b0010 {
		t.Errorf("a&!b: %b", x)
	}
}

// TestWorkedDerivatives runs the examples in the comment of derivative.
func TestWorkedDerivatives(t *testing.T) {
	store := ltl.NewStore()
	x := newExpressions(t.Context())
	of := func(text string) *expression {
		t.Helper()
		f, err := store.Parse(text, ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		return x.of(f.SERE())
	}
	aNotB := newReading(func(l *ltl.Formula) bool { return l.String() == "a" })
	for from, to := range map[string]string{"{{a;b}}": "{{b}}", "{{a;b}[*]}": "{{b;{a;b}[*]}}"} {
		if x.derivative(of(from), aNotB) != of(to) {
			t.Errorf("the derivative of %s is not %s", from, to)
		}
	}
	both := newReading(func(*ltl.Formula) bool { return true })
	if !x.derivative(of("{{a:b}}"), both).null || x.err != nil {
		t.Errorf("a:b does not match one letter (%v)", x.err)
	}
}
