package ltl_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestSimplifyPSL: what formulas of PSL are rewritten to has their truth on random words.
func TestSimplifyPSL(t *testing.T) {
	const seed = 6
	g := pslGenerator(t, seed, 2, 14)
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range campaign.Inputs(t, 500) {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		s := ltl.NewStore()
		f = s.Import(f)
		reduced, err := s.Reduce(context.Background(), f, ltl.LevelImplications)
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string]*ltl.Formula{"Simplify": s.Simplify(f), "NNF": s.NNF(f), "Reduce": reduced}
		for range 10 {
			prefix, cycle := r.IntN(4), 1+r.IntN(3)
			bits := r.Uint32()
			value := func(prop string, pos int) bool { return bits>>(3*pos+int(prop[0]-'a'))&1 != 0 }
			inverted := func(prop string, pos int) bool { return !value(prop, pos) }
			want := holds(t, f, prefix, cycle, value)
			for name, h := range forms {
				if holds(t, h, prefix, cycle, value) != want {
					t.Errorf("seed %d, formula %d: %s of %s is %s", seed, i, name, f, h)
				}
			}
			if holds(t, s.Dual(f), prefix, cycle, inverted) == want {
				t.Errorf("seed %d, formula %d: Dual of %s is %s", seed, i, f, s.Dual(f))
			}
		}
	}
}

func TestSimplifySequences(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{a}", "a"},
		{"{a;b;c}", "a & X(b & Xc)"},
		{"{a;b[*2]}<>-> Fc", "a & X(b & X(b & Fc))"},
		{"{a;[*0];b}|=>c", "a -> X(b -> Xc)"},
		{"{[*0]}", "0"},
		{"{[*0]}[]-> a", "1"},
		{"{[*0]}<>-> a", "0"},
		{"{a;0}!", "0"},
		{"{a;b[*]}", "{a;b[*]}"},
		{"{a & !!b | 0;c[*]}[]-> !!d", "{a & b;c[*]}[]-> d"},
	} {
		s := ltl.NewStore()
		if got := s.Simplify(parse(t, s, c.in, ltl.Spot)).String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
}

// holds is Holds for formulas whose truth is found.
func holds(t *testing.T, f *ltl.Formula, prefix, cycle int, value func(string, int) bool) bool {
	t.Helper()
	defer func() {
		if x := recover(); x != nil {
			t.Fatalf("%s: prefix %d, cycle %d: %v", f, prefix, cycle, x)
		}
	}()
	truth, err := f.Holds(prefix, cycle, value)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}
