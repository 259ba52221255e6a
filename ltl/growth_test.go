package ltl_test

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// families are formulas of about n operators, in Spot's syntax.
var families = []struct {
	name string
	text func(n int) string
}{
	{"-> to the right", func(n int) string { return chained(n, " -> ", letter) }},
	{"-> to the right, many propositions", func(n int) string { return chained(n, " -> ", prop) }},
	{"-> to the left", func(n int) string { return leftNested(n, "->", letter) }},
	{"conjunction", func(n int) string { return chained(n, " & ", prop) }},
	{"disjunction", func(n int) string { return chained(n, " | ", prop) }},
	{"conjunction of F", func(n int) string {
		return chained(n/4, " & ", func(i int) string { return fmt.Sprintf("F(p%d & Xp%d)", i, i+1) })
	}},
	{"disjunction of U", func(n int) string {
		return chained(n/2, " | ", func(i int) string { return fmt.Sprintf("(p%d U p%d)", i, i+1) })
	}},
	{"! nested", func(n int) string { return strings.Repeat("!", n) + "a" }},
	{"X nested", func(n int) string { return strings.Repeat("X", n) + "a" }},
	{"GF nested", func(n int) string { return strings.Repeat("GF", n/2) + "a" }},
	{"F and | nested", func(n int) string { return strings.Repeat("F(a | ", n/2) + "b" + strings.Repeat(")", n/2) }},
	{"& and !! nested", func(n int) string { return strings.Repeat("a & !!(b & ", n/4) + "c" + strings.Repeat(")", n/4) }},
	{"& and | nested", func(n int) string { return strings.Repeat("a & (b | (", n/2) + "c" + strings.Repeat("))", n/2) }},
	{"<->", func(n int) string { return chained(n, " <-> ", letter) }},
	{"<->, many propositions", func(n int) string { return chained(n, " <-> ", prop) }},
	{"xor", func(n int) string { return chained(n, " xor ", prop) }},
	{"parentheses", func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) }},
	{"U to the right", func(n int) string { return chained(n, " U ", prop) }},
	{"U to the left", func(n int) string { return leftNested(n, "U", prop) }},
	{"R to the right", func(n int) string { return chained(n, " R ", prop) }},
	{"R to the left", func(n int) string { return leftNested(n, "R", letter) }},
	{"W to the right", func(n int) string { return chained(n, " W ", letter) }},
	{"M to the left", func(n int) string { return leftNested(n, "M", prop) }},
}

func letter(i int) string { return string("ab"[i%2]) }

func prop(i int) string { return fmt.Sprintf("p%d", i) }

func chained(n int, separator string, part func(i int) string) string {
	var list []string
	for i := range n {
		list = append(list, part(i))
	}
	return strings.Join(list, separator)
}

func leftNested(n int, op string, part func(i int) string) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("(", n) + "c")
	for i := range n {
		fmt.Fprintf(&b, " %s %s)", op, part(i))
	}
	return b.String()
}

// operations are what takes time that should be linear in the formula.
var operations = []struct {
	name string
	do   func(t testing.TB, s *ltl.Store, f *ltl.Formula)
}{
	{"String", func(_ testing.TB, _ *ltl.Store, f *ltl.Formula) { _ = f.String() }},
	{"LBT", func(t testing.TB, s *ltl.Store, f *ltl.Formula) { readBack(t, s, f, ltl.LBT) }},
	{"Spot", func(t testing.TB, s *ltl.Store, f *ltl.Formula) { readBack(t, s, f, ltl.Spot) }},
	{"Text", func(_ testing.TB, _ *ltl.Store, f *ltl.Formula) { _ = f.Text(ltl.LaTeX, true) }},
	{"Simplify", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.Simplify(f) }},
	{"NNF", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.NNF(f) }},
	{"NNF of the negation", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.NNF(s.Not(f)) }},
	{"Reduce", func(t testing.TB, s *ltl.Store, f *ltl.Formula) { reduce(t, s, f, ltl.LevelImplications) }},
	{"Reduce the negation", func(t testing.TB, s *ltl.Store, f *ltl.Formula) { reduce(t, s, s.Not(f), ltl.LevelImplications) }},
	{"Import", func(_ testing.TB, _ *ltl.Store, f *ltl.Formula) { ltl.NewStore().Import(f) }},
	{"Relabel", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.Relabel(f) }},
	{"Dual", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.Dual(f) }},
	{"Holds", func(_ testing.TB, _ *ltl.Store, f *ltl.Formula) {
		f.Holds(1, 2, func(string, int) bool { return true })
	}},
	{"Unabbreviate", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) {
		s.Unabbreviate(f, ltl.Ops(ltl.OpImplies, ltl.OpAnd, ltl.OpRelease))
	}},
	{"Rewritten", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.Rewritten(f, ltl.OpImplies) }},
	{"Progress", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) {
		s.Progress(f, func(string) bool { return true })
	}},
	{"Embeds", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) {
		ltl.Embeds(s.Until(s.Prop("p"), s.Next(s.Prop("p"))), f)
	}},
	{"Canonical", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) { s.Canonical(f) }},
	{"Shrink", func(_ testing.TB, s *ltl.Store, f *ltl.Formula) {
		for range s.Shrink(f, ltl.AllSteps) {
			break
		}
	}},
}

// readBack prints f and reads it again.
func readBack(t testing.TB, s *ltl.Store, f *ltl.Formula, syn ltl.Syntax) {
	text := must.Get(f.Format(syn))
	g := must.Get(s.Parse(text, syn))
	if g != f {
		t.Fatalf("a formula of size %d becomes another one, of size %d", f.Size(), g.Size())
	}
}

// TestGrowth counts the bytes that operations on formulas of n and of 8n operators
// allocate. If that grew as the square of n, they would be 64 times as many. Tables that double
// account for a factor of 2 beyond the 8. By default, it tries each operation on a sixth of the families.
func TestGrowth(t *testing.T) {
	const n, maxRatio = 60, 24
	for i, family := range families {
		for operation := range campaign.Sample(slices.Values(append(operations[i%6:], operations[:i%6]...)), 6) {
			var bytes [2]float64
			for k, size := range []int{n, 8 * n} {
				s := ltl.NewStore()
				f := parse(t, s, family.text(size), ltl.Spot)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				operation.do(t, s, f)
				runtime.ReadMemStats(&after)
				bytes[k] = float64(after.TotalAlloc - before.TotalAlloc)
			}
			const enough = 1 << 16 // below that it is chance
			if bytes[1] > enough && bytes[1] > maxRatio*bytes[0] {
				t.Errorf("%s: %s: %.0f bytes for %d operators, %.0f for %d", family.name, operation.name, bytes[0], n, bytes[1], 8*n)
			}
		}
	}
}

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
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Reason, c.expected) {
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
	// The implications between two deep formulas take more.
	debug.SetMaxStack(2 << 20)
	for _, op := range []string{"X ", "U p0 "} {
		f := parse(t, s, strings.Repeat(op, depth/2)+"p1", ltl.LBT)
		g := s.And(f, s.Rename(f, func(name string) string { return "q" + name }))
		if h := reduce(t, s, g, ltl.LevelImplications); h.Size() > s.NNF(g).Size() {
			t.Errorf("%s: size %d becomes %d", op, g.Size(), h.Size())
		}
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
