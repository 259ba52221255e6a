package complement_test

import (
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translate"
)

// BenchmarkForm brings automata of formulas to the forms that take the longest.
func BenchmarkForm(b *testing.B) {
	for _, text := range []string{
		"G(a -> F(b & XFc))", "!(GFa & GFb & GFc & GFd)", "!G((a -> Fb) & (c -> Fd) & (e -> Ff))", "(a U b) R (c W XXd)",
	} {
		s := ltl.NewStore()
		f, err := s.Parse(text, ltl.Spot)
		if err != nil {
			b.Fatal(err)
		}
		a, err := translate.With(b.Context(), "gastin-oddoux", s, f)
		if err != nil {
			b.Fatal(err)
		}
		for _, o := range []complement.Form{{Buchi: true, StateBased: true}, {Deterministic: true}} {
			b.Run(fmt.Sprintf("%s/deterministic=%v", text, o.Deterministic), func(b *testing.B) {
				for b.Loop() {
					if _, err := o.Apply(b.Context(), a, 0, 0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
