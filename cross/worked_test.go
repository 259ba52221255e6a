package cross

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestWorkedExamples runs the examples in the comments of excess, without, settled and open.
func TestWorkedExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		a, _, err := hoa.ReadOne(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	late := read("HOA: v1 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 State: 1 [t] 1 {0} --END--")
	if n, err := excess(t.Context(), late); err != nil || n == nil || *n != 1 {
		t.Errorf("excess: %v, %v", n, err)
	}
	ab := omega.NewAlphabet("a", "b")
	a, b := ab.Prop(0), ab.Prop(1)
	if got := without(ab, ab.And(a, ab.Not(b)), 0); got != ab.Not(b) {
		t.Errorf("a&!b without a is %s", ab.Text(got))
	}
	always := read(`HOA: v1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--`)
	alphabet := always.Alphabet()
	a, notA := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	for _, x := range []struct{ prefix, cycle, want []omega.Label }{
		{[]omega.Label{a}, []omega.Label{notA}, []omega.Label{a, notA}},
		{nil, []omega.Label{a}, nil},
	} {
		w := omega.NewWord(alphabet, x.prefix, x.cycle)
		if got, err := settled(t.Context(), always, w); err != nil || !slices.Equal(got, x.want) {
			t.Errorf("settled on %s: %v, %v", w, got, err)
		}
	}
	both := read(`HOA: v1 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&1] 2 [0&!1] 1 State: 1 [!1] 1 [1] 2 State: 2 [t] 2 {0} --END--`)
	ab = both.Alphabet()
	each := []omega.Label{ab.And(ab.Prop(0), ab.Prop(1))}
	o := &opener{word: omega.NewWord(ab, each, each), required: []requirement{{productcheck.NewLanguage(both), true}}}
	if changed, err := o.open(t.Context(), nil); !changed || err != nil || o.word.String() != "a; cycle{b}" {
		t.Errorf("opened: %s, %v", o.word, err)
	}
}
