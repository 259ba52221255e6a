package ltl_test

import (
	"context"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestShrinkPSL: candidates are smaller than the formula, none comes twice, and all are formulas
// that can be written and read.
func TestShrinkPSL(t *testing.T) {
	const seed = 3
	g := pslGenerator(t, seed, 2, 14)
	for i := range campaign.Inputs(t, 200) {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		s := ltl.NewStore()
		f = s.Import(f)
		seen := map[*ltl.Formula]bool{}
		for h := range s.Shrink(f, ltl.AllSteps) {
			old, less := s.BulkForTest(f), s.BulkForTest(h)
			if less > old || less == old && len(h.Props()) >= len(f.Props()) || seen[h] {
				t.Errorf("seed %d, formula %d: %s (%d) from %s (%d)", seed, i, h, less, f, old)
			}
			seen[h] = true
			if back := parse(t, s, h.String(), ltl.Spot); back != h {
				t.Fatalf("seed %d, formula %d: %s is read as %s", seed, i, h, back)
			}
		}
	}
}

// TestShrinkExpressions lists candidates that a formula has.
func TestShrinkExpressions(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"{a;b}[]-> c", []string{"c", "{a;b}", "{a}[]-> c", "{b}[]-> c", "{1;b}[]-> c", "{a;0}[]-> c", "{[*0]}[]-> c", "{a;b}[]-> 1", "{a;a}[]-> c"}},
		{"{a}[]-> b", []string{"a -> b", "{a}", "{1}[]-> b"}},
		{"{a}<>-> b", []string{"a & b", "{a}[]-> b"}},
		{"{a}", []string{"a"}},
		{"!({a;b}<>-> c)", []string{"{a;b}[]-> c", "{a;b}<>-> c"}},
		{"{a[*3..8]}", []string{"{a[*]}", "{a[+]}", "{a[*3]}", "{a[*3..7]}", "{a[*1..8]}", "{a[*2..8]}", "{a}"}},
		{"{a[:*2]}", []string{"{a[*2]}", "{a[:*1]}"}},
		{"{{a;b} & {c;d}}", []string{"{{a;b} && {c;d}}", "{a;b}", "{{a;b} & c}", "{a;b;{c;d}}"}},
		{"{{a;b} && {c:d}}", []string{"{{a;b} | {c:d}}", "{{a;b} && {c;d}}"}},
		{"{a & !b;c}", []string{"{a;c}", "{!b;c}", "{a & b;c}", "{0;c}"}},
		{"{first_match(a;b)}", []string{"{a;b}", "{first_match(a)}"}},
	} {
		s := ltl.NewStore()
		var got []string
		for f := range s.Shrink(parse(t, s, c.in, ltl.Spot), ltl.AllSteps) {
			got = append(got, f.String())
		}
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %s is missing in %q", c.in, w, got)
			}
		}
	}
}

// TestSmallestPSL: what is left of a formula are the parts that matter.
func TestSmallestPSL(t *testing.T) {
	s := ltl.NewStore()
	f := parse(t, s, "G((a -> {{b;c[*2..7]} && {d:[*];e}}[]=> F(a & b)) U ({a[->3]}<>-> c))", ltl.Spot)
	for _, c := range []struct {
		want  string
		fails func(*ltl.Formula) bool
	}{
		{"{0}[]-> 0", func(f *ltl.Formula) bool { return f.Ops().Has(ltl.OpSuffixImplication) }},
		{"{0[*2]}", func(f *ltl.Formula) bool { return hasSERE(f, ltl.SEREStar, 2) }},
		{"{0 && [*0]}", func(f *ltl.Formula) bool { return hasSERE(f, ltl.SEREIntersection, 0) }},
	} {
		g, err := s.Smallest(context.Background(), f, ltl.AllSteps, func(f *ltl.Formula) (bool, error) { return c.fails(f), nil })
		if err != nil || g.String() != c.want {
			t.Errorf("got %s, %v, want %s", g, err, c.want)
		}
	}
}

// hasSERE reports whether an expression of f has an operator with the given lower bound.
func hasSERE(f *ltl.Formula, op ltl.SEREOp, low int) bool {
	var within func(r *ltl.SERE) bool
	within = func(r *ltl.SERE) bool {
		n, _ := func() (int, int) {
			if r == nil {
				return 0, 0
			}
			return r.Bounds()
		}()
		return r != nil && (r.Op() == op && n == low || within(r.Left()) || within(r.Right()))
	}
	return slices.ContainsFunc(f.Subformulas(), func(g *ltl.Formula) bool { return within(g.SERE()) })
}
