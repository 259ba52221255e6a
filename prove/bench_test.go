package prove_test

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

// BenchmarkProve proves the automata of a translation of 100 random formulas of size 8 to 15.
func BenchmarkProve(b *testing.B) {
	for _, name := range []string{"gpvw", "gastin-oddoux", "couvreur"} {
		g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: 1, Props: []string{"a", "b", "c"}, MinSize: 8, MaxSize: 15}))
		type input struct {
			s *ltl.Store
			f *ltl.Formula
			a *certify.Automaton
		}
		var list []input
		for range 100 {
			f := must.Get(g.Next())
			s := ltl.NewStore()
			f = s.Import(f)
			a := must.Get(translate.With(context.Background(), name, s, f))
			list = append(list, input{s, f, a.Plain()})
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, x := range list {
					prove.New(x.s, x.f).Prove(context.Background(), true, x.a)
				}
			}
		})
	}
}
