package cross

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// BenchmarkCase is what a case takes beside its translator: the formulas and checks
// are those of xcheck run by default, of one tool, whose automata are there.
func BenchmarkCase(b *testing.B) {
	const seed, n = 1, 1000
	ctx := context.Background()
	for _, algorithm := range []string{"gpvw", "gastin-oddoux", "couvreur"} {
		b.Run(algorithm, func(b *testing.B) {
			g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 12})
			if err != nil {
				b.Fatal(err)
			}
			var runs []caseRun
			r := fake(&Options{Tools: tools("a"), Words: 20, Properties: true, Reference: translate.Of}, nil, nil)
			for i := range n {
				f, err := g.Next()
				if err != nil {
					b.Fatal(err)
				}
				x := caseRun{run: r, index: i, store: ltl.NewStore()}
				x.formula = x.store.Import(f)
				if x.calls, err = x.newCalls(); err != nil {
					b.Fatal(err)
				}
				for i := range x.calls {
					s := ltl.NewStore()
					a, err := translate.With(ctx, algorithm, s, s.Import(x.asked(x.calls[i].Polarity)))
					if err != nil {
						b.Fatal(err)
					}
					x.calls[i].out = &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
				}
				runs = append(runs, x)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				x := runs[i%n]
				x.store = ltl.NewStore()
				x.formula = x.store.Import(x.formula)
				c, err := x.check(ctx)
				if err != nil || len(c.Disagreements)+len(c.Undecided)+len(c.Findings)+len(c.Errors) > 0 {
					b.Fatalf("%+v, %v", c, err)
				}
			}
		})
	}
}
