package ltl_test

import (
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestParseTooLarge reads texts past the limits, which must be errors that name them, also
// where parentheses with anything between them are propositions.
func TestParseTooLarge(t *testing.T) {
	const deep = 200001
	for i, c := range []struct {
		name, text, expected string
		syntax               ltl.Syntax
	}{
		{"operators in prefix syntax", strings.Repeat("! ", 1<<21) + "p0", "at most 2097152 operators and operands", ltl.LBT},
		{"parentheses", strings.Repeat("(", deep) + "a" + strings.Repeat(")", deep), "nesting no deeper than 200000", ltl.Spot},
		{"operators to the left", strings.Repeat("U ", deep) + "p0" + strings.Repeat(" p1", deep), "nesting no deeper than 200000", ltl.LBT},
		{"operators to the right", strings.Repeat("a U ", deep) + "a", "nesting no deeper than 200000", ltl.Spot},
		{"operators of the past", strings.Repeat("Y ", 1e4) + "a", "operators of the past nested less deep", ltl.Spot},
		{"negations", strings.Repeat("!", deep) + "a", "nesting no deeper than 200000", ltl.Spot},
		{"operators", strings.Repeat("!", 1<<21) + "a", "at most 2097152 operators and operands", ltl.Spot},
		{"operands in parentheses", "(" + strings.Repeat("a&", 1<<20) + "a)", "at most 2097152 operators and operands", ltl.Spot},
	} {
		if i > 4 && !campaign.Whole() {
			break // these take longer
		}
		for _, read := range campaign.Alternate(i, (*ltl.Store).Parse, (*ltl.Store).ParseLenient) {
			_, err := read(ltl.NewStore(), c.text, c.syntax)
			var syntax *ltl.SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Expected, c.expected) {
				t.Errorf("%s: the error is %v", c.name, err)
			}
		}
	}
}

// TestDeep reads, rewrites and prints deep formulas with little stack.
func TestDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 17))
	const depth = 5000
	s := ltl.NewStore()
	for _, text := range []string{
		strings.Repeat("X ", depth) + "p0",
		strings.Repeat("U p0 ", depth) + "p1",
		strings.Repeat("U ", depth) + "p0" + strings.Repeat(" p1", depth),
		strings.Repeat("& ! ", depth) + "p0" + strings.Repeat(" p1", depth),
	} {
		f := parse(t, s, text, ltl.LBT)
		if got, err := f.Format(ltl.LBT); err != nil || got != text {
			t.Errorf("%.30s… is printed as %.30s…: %v", text, got, err)
		}
		for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.Wring} {
			if _, err := f.Format(syn); err != nil {
				t.Errorf("%.30s…: %v", text, err)
			}
		}
		s.NNF(s.Simplify(f))
		reduce(t, s, f, ltl.LevelImplications)
	}
}

// ladder returns an equivalence of n propositions in negation normal form. It is a tree of
// more than 2^n nodes.
func ladder(t testing.TB, s *ltl.Store, n int) *ltl.Formula {
	return s.NNF(parse(t, s, chained(n, " <-> ", prop), ltl.Spot))
}

// TestPrintTooLarge prints formulas that share so much that their texts are too large.
func TestPrintTooLarge(t *testing.T) {
	s := ltl.NewStore()
	f, g := ladder(t, s, 40), ladder(t, s, 41)
	for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring} {
		if _, err := f.Format(syn); err == nil || !strings.Contains(err.Error(), "too large to print") {
			t.Errorf("%s: the error is %v", syn, err)
		}
	}
	if f.String() == g.String() || len(f.String()) > 200 {
		t.Errorf("large formulas are %s and %s", f, g)
	}
	if f.String() != ladder(t, ltl.NewStore(), 40).String() {
		t.Error("the same formula of two stores is not the same text")
	}
	if f.Text(ltl.UTF8, false) != f.String() {
		t.Errorf("a large formula is %s", f.Text(ltl.UTF8, false))
	}
}

// TestReduceCanceled cancels the reduction of large formulas at different moments. Then
// the context is not asked often again.
func TestReduceCanceled(t *testing.T) {
	for family := range campaign.Sample(slices.Values(families), 3) {
		s := ltl.NewStore()
		f := parse(t, s, family.text(1000), ltl.Spot)
		for _, at := range []int{1, 4} {
			ctx := canceled.At(t.Context(), at)
			if _, err := s.Reduce(ctx, f, ltl.LevelImplications); ctx.Asked >= at && err == nil {
				t.Errorf("%s: canceled at look %d, Reduce did not fail", family.name, at)
			}
			if ctx.Late() > 20 {
				t.Errorf("%s: canceled at look %d, the context was asked %d times more", family.name, at, ctx.Late())
			}
		}
	}
}
