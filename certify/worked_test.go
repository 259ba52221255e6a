package certify

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestWorkedDerivatives runs the examples in the comment of derivatives.of.
func TestWorkedDerivatives(t *testing.T) {
	store := ltl.NewStore()
	d := &derivatives{Store: store, ctx: t.Context()}
	of := func(text string) *ltl.SERE {
		t.Helper()
		f := must.Get(store.Parse(text, ltl.Spot))
		return f.SERE()
	}
	aNotB := &reading{letter: Letter{"a": true, "b": false}, known: map[*ltl.SERE]*ltl.SERE{}}
	for from, to := range map[string]string{"{{a;b}}": "{{b}}", "{{a;b}[*]}": "{{b;{a;b}[*]}}"} {
		if d.of(of(from), aNotB) != of(to) {
			t.Errorf("the derivative of %s is not %s", from, to)
		}
	}
	both := &reading{letter: Letter{"a": true, "b": true}, known: map[*ltl.SERE]*ltl.SERE{}}
	if !d.of(of("{{a:b}}"), both).Nullable() || d.err != nil {
		t.Errorf("a:b does not match one letter (%v)", d.err)
	}
}
