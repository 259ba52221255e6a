package cross

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// misreads translates a formula as if one operator were another.
func misreads(op, as ltl.Op) asker {
	return func(_ *translators.Tool, f *ltl.Formula) *translators.Output {
		s := ltl.NewStore()
		var read func(f *ltl.Formula) *ltl.Formula
		read = func(f *ltl.Formula) *ltl.Formula {
			o := f.Op()
			if o == op {
				o = as
			}
			switch o.Arity() {
			case 1:
				return s.Unary(o, read(f.Left()))
			case 2:
				return s.Binary(o, read(f.Left()), read(f.Right()))
			}
			return s.Import(f)
		}
		return answer(read(f), false)
	}
}

// drops translates rightly, and loses an edge of some automata: which ones, and which edge, follows no rule.
func drops(_ *translators.Tool, f *ltl.Formula) *translators.Output {
	out := answer(f, false)
	a := out.Automaton
	h := fnv.New32a()
	io.WriteString(h, f.String())
	n := int(h.Sum32() >> 8)
	if a.NumEdges() == 0 || n%3 != 0 {
		return out
	}
	victim := n / 3 % a.NumEdges()
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, q := range a.Initial() {
		b.AddStart(q)
	}
	for q := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(q) {
			if victim--; victim != -1 {
				b.AddEdge(q, e.Label, e.Marks, e.Dst)
			}
		}
	}
	out.Automaton = b.Automaton()
	return out
}

// crashes where one U is in another.
func crashes(_ *translators.Tool, f *ltl.Formula) *translators.Output {
	var nested func(f *ltl.Formula, inside bool) bool
	nested = func(f *ltl.Formula, inside bool) bool {
		if f == nil {
			return false
		}
		until := f.Op() == ltl.OpUntil
		return until && inside || nested(f.Left(), inside || until) || nested(f.Right(), inside || until)
	}
	if nested(f, false) {
		return &translators.Output{Outcome: translators.Outcome{Status: outcome.Crash, ExitCode: 11, Stderr: "nested"}}
	}
	return answer(f, false)
}

// wrongs are translators that are wrong in different ways.
var wrongs = []struct {
	name string
	ask  asker
}{
	{"U as W", misreads(ltl.OpUntil, ltl.OpWeakUntil)},
	{"R as U", misreads(ltl.OpRelease, ltl.OpUntil)},
	{"M as R", misreads(ltl.OpStrongRelease, ltl.OpRelease)},
	{"F as X", misreads(ltl.OpFinally, ltl.OpNext)},
	{"xor as |", misreads(ltl.OpXor, ltl.OpOr)},
	{"<-> as ->", misreads(ltl.OpEquiv, ltl.OpImplies)},
	{"drops edges", drops},
	{"crashes", crashes},
}

// aloneToo returns an asker that gives what another one gives, by a process that gets no other formula.
func aloneToo(ask asker) asker {
	return func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
		out := ask(tool, f)
		out.Alone = true
		return out
	}
}

// failing gives random formulas on which a translator fails, with their cases.
func failing(t testing.TB, seed uint64, ask asker, n, size int) (list []*outcome.Case, formulas []*ltl.Formula) {
	t.Helper()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: size / 2, MaxSize: size}))
	for len(list) < n {
		f := must.Get(g.Next())
		c := caseOf(t, fake(&Options{Tools: tools("wrong"), Reference: translate.Of}, ask, aloneToo(ask)), f.String())
		if len(c.Failures()) > 0 {
			list, formulas = append(list, c), append(formulas, f)
		}
	}
	return list, formulas
}

// plain is the descent that remembers nothing: it returns the formula that it comes to,
// and the calls that it makes.
func plain(t testing.TB, o *Options, ask asker, f *ltl.Formula, steps ltl.Steps, fails func(*outcome.Case) bool) (*ltl.Formula, int) {
	t.Helper()
	s, calls := ltl.NewStore(), 0
	counted := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
		calls++
		return ask(tool, f)
	}
	r := fake(o, counted, aloneToo(counted))
	f = s.Import(f)
	for {
		next := f
		for g := range s.Shrink(f, steps) {
			index := must.Get(r.flow.start(context.Background()))
			x := &caseRun{run: r, index: index, store: ltl.NewStore(), formulaOnly: true}
			x.formula = x.store.Import(g)
			c, err := x.take(context.Background(), true)
			if err == nil {
				err = r.flow.finish(c)
			}
			if err != nil {
				t.Fatal(err)
			}
			if fails(c) {
				next = g
				break
			}
		}
		if next == f {
			return f, calls
		}
		f = next
	}
}

// TestGrind grinds formulas on which translators fail. The result is the same as from the plain descent: it
// fails in the same way, and no smaller candidate does. No formula needs more calls.
func TestGrind(t *testing.T) {
	const seed = 1
	for _, w := range wrongs {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			o := Options{Tools: tools("wrong"), Reference: translate.Of}
			cases, formulas := failing(t, seed, w.ask, campaign.Inputs(t, 4), 12)
			sum, plainSum := 0, 0
			results := map[string]int{}
			for i, f := range formulas {
				want := cases[i].Failures()[0]
				if !want.InPolarity(cases[i], outcome.Formula) && want.InPolarity(cases[i], outcome.Negation) {
					s := ltl.NewStore()
					f = s.Not(s.Import(f))
				}
				for _, steps := range []ltl.Steps{ltl.AllSteps, ltl.Structural} {
					g := newGrinder(fake(&o, w.ask, aloneToo(w.ask)))
					got := must.Get(g.Shrink(t.Context(), GrindRequest{Formula: f, Fails: want.In, GrindOptions: GrindOptions{Steps: steps}}))
					same, calls := plain(t, &o, w.ask, f, steps, want.In)
					if got.Formula.String() != same.String() || !got.Minimal {
						t.Errorf("%s has become %s, and %s in the plain descent", f, got.Formula, same)
					}
					if got.Formula.String() != f.String() && !want.In(got.Case) {
						t.Errorf("%s has become %s, which fails otherwise: %v", f, got.Formula, got.Case.Failures())
					}
					if g.Calls() > calls {
						t.Errorf("%s has become %s by %d calls instead of %d", f, got.Formula, g.Calls(), calls)
					}
					if steps == ltl.AllSteps {
						sum, plainSum = sum+g.Calls(), plainSum+calls
						results[fmt.Sprint(got.Formula)]++
					}
				}
			}
			t.Logf("%d formulas, %d calls instead of %d: %v", len(formulas), sum, plainSum, results)
		})
	}
}

// TestGrindOnce: no formula is tried twice, also not for other formulas to grind, and this changes
// nothing.
func TestGrindOnce(t *testing.T) {
	w := wrongs[0]
	cases, formulas := failing(t, 2, w.ask, 12, 12)
	o := Options{Tools: tools("wrong"), Reference: translate.Of}
	asked := map[string]int{}
	g := newGrinder(fake(&o, func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
		asked[f.String()]++
		return w.ask(tool, f)
	}, aloneToo(w.ask)))
	got := make([]*GrindResult, len(formulas))
	for i := range formulas {
		got[i] = must.Get(g.Grind(t.Context(), cases[i], cases[i].Failures()[0], GrindOptions{Steps: ltl.AllSteps}))
	}
	for f, n := range asked {
		if n > 1 {
			t.Errorf("%s was tried %d times", f, n)
		}
	}
	for i, f := range formulas {
		want := cases[i].Failures()[0]
		alone, err := newGrinder(fake(&o, w.ask, aloneToo(w.ask))).Grind(t.Context(), cases[i], want, GrindOptions{Steps: ltl.AllSteps})
		if err != nil || alone.Formula.String() != got[i].Formula.String() {
			t.Errorf("%s becomes %s with others, and %s alone, %v", f, got[i].Formula, alone.Formula, err)
		}
	}
}

// extraWords is the request to shrink a formula while the translator "wrong" has extra words.
func extraWords(t testing.TB, formula string) GrindRequest {
	failure := outcome.Failure{Translators: []string{"wrong"}, Class: outcome.Extra.Class()}
	return GrindRequest{Formula: parse(t, formula), Fails: failure.In, GrindOptions: GrindOptions{Steps: ltl.AllSteps}}
}

// TestGrindUnstable: what only a process says that had other formulas before is no failure to go after.
func TestGrindUnstable(t *testing.T) {
	// The process is always wrong, a fresh one only about xor.
	kept := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
		if f.Ops().Has(ltl.OpUntil) {
			return wrongs[0].ask(tool, f)
		}
		return wrongs[4].ask(tool, f)
	}
	for formula, want := range map[string]string{
		"F(a U b) & X(a U b)":         "F(a U b) & X(a U b)",
		"X(a U b) | Gc | X(a xor Xb)": "1 xor 1",
	} {
		o := Options{Tools: tools("wrong"), Reference: translate.Of}
		g := newGrinder(fake(&o, kept, aloneToo(wrongs[4].ask)))
		got, err := g.Shrink(t.Context(), extraWords(t, formula))
		if err != nil || got.Formula.String() != want || !got.Minimal || (got.Case == nil) != (want == formula) {
			t.Errorf("%s has become %+v, %v", formula, got, err)
		}
	}
}

// TestGrindStops: after so many calls, when the context is done, and at trouble, what was
// found so far is the result.
func TestGrindStops(t *testing.T) {
	const formula = "G(a -> X(b U (c & Xa))) & GFa"
	w := wrongs[0]
	o := Options{Tools: tools("wrong"), Reference: translate.Of}
	grind := extraWords(t, formula)
	g := newGrinder(fake(&o, w.ask, aloneToo(w.ask)))
	full := must.Get(g.Shrink(t.Context(), grind))
	for grind.MaxCalls = 1; grind.MaxCalls < g.Calls(); grind.MaxCalls++ {
		h := newGrinder(fake(&o, w.ask, aloneToo(w.ask)))
		got, err := h.Shrink(t.Context(), grind)
		if err != nil || got.Steps > 0 && !grind.Fails(got.Case) {
			t.Fatalf("limit of %d calls: %+v, %v", grind.MaxCalls, got, err)
		}
		if h.Calls() > grind.MaxCalls+1 || got.Minimal && got.Formula.String() != full.Formula.String() {
			t.Errorf("limit of %d calls: %d calls; %s", grind.MaxCalls, h.Calls(), got.Formula)
		}
	}
	grind.MaxCalls = 0
	trouble := errors.New("trouble")
	ctx, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		ctx  context.Context
		stop func() error
		want error
	}{
		{t.Context(), func() error { return trouble }, trouble},
		{ctx, func() error { cancel(); return ctx.Err() }, context.Canceled},
	} {
		r := fake(&o, w.ask, aloneToo(w.ask))
		ask := r.translate
		var mu sync.Mutex
		calls := 0
		r.translate = func(tool *translators.Tool, ctx context.Context, runner *translators.Runner, f *ltl.Formula, timeout time.Duration) (*translators.Output, error) {
			mu.Lock()
			defer mu.Unlock()
			if calls++; calls > full.Tried-3 {
				return nil, c.stop()
			}
			return ask(tool, ctx, runner, f, timeout)
		}
		got, err := newGrinder(r).Shrink(c.ctx, grind)
		if !errors.Is(err, c.want) || got.Minimal || got.Formula.Size() >= parse(t, formula).Size() {
			t.Errorf("%+v, %v; want a smaller formula and %v", got, err, c.want)
		}
	}
}
