package translate

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/expressions"
	"github.com/xcheck-ltl/xcheck/internal/test/inputs"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestLTLWords compares the truth of random formulas with expressions, and of what LTL makes of
// them, on all words of up to three letters and on random longer ones. Most have to be rewritten.
func TestLTLWords(t *testing.T) {
	const seed = 43
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	words := inputs.AllWords(alphabet, 3)
	n, found := campaign.Inputs(t, 150), 0
	for range n {
		s := ltl.NewStore()
		f := expressions.Formula(r, s)
		g, ok := LTL(t.Context(), s, f)
		if !ok {
			continue
		}
		found++
		if g.Ops().HasPSL() {
			t.Errorf("seed %d: %s becomes %s", seed, f, g)
		}
		more := words
		for range 20 {
			more = append(more[:len(more):len(more)], inputs.Word(r, alphabet))
		}
		for _, w := range more {
			if must.Get(w.Holds(f)) != must.Get(w.Holds(g)) {
				t.Fatalf("seed %d: %s becomes %s, which differs on %s", seed, f, g, w)
			}
		}
	}
	if found < n/2 {
		t.Errorf("seed %d: %d of %d formulas are rewritten", seed, found, n)
	}
}

func TestLTL(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"G(a -> Fb)", "G(a -> Fb)"},
		{"{a;b}|->c", "a -> X(b -> c)"},
		{"{a;b[*];c}!", "a & X(b U c)"},
		{"{a;b[*];c}", "a & X(b W c)"},
		{"{a[*];b}", "a W b"},
		{"!{a;b[*];c}", "!(a & X(b W c))"},
		{"{a[*]}[]-> Fb", "Fb W !a"},
		{"{a[*]}<>-> Fb", "Fb M a"},
		{"{a[*];b}[]-> c", "!a R (b -> c)"},
		{"{[*];a}<>-> b", "F(a & b)"},
		{"{[*];a;b}|=> {c[*]}!", "G(a -> X(b -> Xc))"},
		{"{a xor b;c}!", "(a xor b) & Xc"},
		{"{{a;b}[*]}", "a & Xb"},
		{"{[*];a & !a}", "0"},
		{"{[*];0}[]-> a", "1"},
		{"{[*0]}", "0"},
		{"{[*0]}[]-> a", "1"},
		{"{a & {b;c}}!", "a & b & Xc"},
		{"{first_match(a;b[*];c)}<>-> d", "a & X((b & !c) U (c & d))"},
		{"{{1;a}[*]}[]-> b", ""}, // b at each second letter, as long as a is: not expressible
		{"{{a;b}[*];c}!", ""},
		{"{a[*200];b}[]-> c & " + strings.Repeat("(d U ", 5000) + "e" + strings.Repeat(")", 5000), ""},
	} {
		s := ltl.NewStore()
		g, ok := LTL(t.Context(), s, parse(t, s, c.in))
		if ok != (c.want != "") || ok && g.String() != c.want {
			t.Errorf("%.50s: got %v, %v, want %q", c.in, g, ok, c.want)
		}
	}
}

// TestLTLHostile: large expressions end soon, and so does a canceled context.
func TestLTLHostile(t *testing.T) {
	for _, text := range []string{
		"{a[*254][*254]}<>-> b",
		"{{a[*0..254];b[*0..254]}[*2];c}! & {first_match({a | b;c}[*0..254])}",
		"{{a;b[*]}[*10] && {{b | a}[*];a[*50]} && {a[=20]}}!",
		"{" + strings.Repeat("{", 13) + "a" + strings.Repeat("[*0..2];b}", 13) + "}!",
	} {
		s := ltl.NewStore()
		f := parse(t, s, text)
		ctx := canceled.Never(t.Context())
		g, ok := LTL(ctx, s, f)
		if steps := ctx.Asked * budget.Interval; steps > 2*maxLTLSteps {
			t.Errorf("%.40s takes %d steps", text, steps)
		}
		if ok && g.Size() > maxLTL {
			t.Errorf("%.40s: a formula of size %d", text, g.Size())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := ltl.NewStore()
	if g, ok := LTL(ctx, s, parse(t, s, "{a;b}")); ok {
		t.Errorf("canceled: got %s", g)
	}
}

// TestPSLWords compares automata of random formulas with expressions, before and after the
// reductions, with the truth of the formulas on one in three words of up to three letters, in a
// campaign on all, and on random longer ones.
func TestPSLWords(t *testing.T) {
	const seed = 41
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	words := slices.Collect(campaign.Sample(slices.Values(inputs.AllWords(alphabet, 3)), 3))
	for range campaign.Inputs(t, 400) {
		s := ltl.NewStore()
		f := expressions.Formula(r, s)
		list := pslVariants(t, s, f, alphabet)
		more := words
		for range 20 {
			more = append(more[:len(more):len(more)], inputs.Word(r, alphabet))
		}
		for _, w := range more {
			want := must.Get(w.Holds(f))
			for i, a := range list {
				if accepts(t, a, w) != want {
					t.Fatalf("seed %d: %s on %s is %v, and automaton %d is wrong:\n%s", seed, f, w, want, i, dump(a))
				}
			}
		}
	}
}

// pslVariants returns the automaton of f as it is made, and reduced.
func pslVariants(t *testing.T, s *ltl.Store, f *ltl.Formula, alphabet *omega.Alphabet) []*omega.Automaton {
	t.Helper()
	src, err := must.Get(ParseAlgorithm(Default)).Source(t.Context(), s, f)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	a := must.Get(omega.Explore(t.Context(), src, omega.NoLimits()))
	return []*omega.Automaton{must.Get(a.Over(t.Context(), alphabet)), must.Get(must.Get(Of(t.Context(), s, f)).Over(t.Context(), alphabet))}
}

// TestPSLComplement: the automata of a formula and of its negation have no word in common, and all
// words.
func TestPSLComplement(t *testing.T) {
	const seed = 42
	r := rand.New(rand.NewPCG(seed, 0))
	d := productcheck.Decider{}
	for range campaign.Inputs(t, 150) {
		s := ltl.NewStore()
		f := expressions.Formula(r, s)
		alphabet := omega.NewAlphabet("a", "b")
		var both [2]*productcheck.Language
		for i, g := range []*ltl.Formula{f, s.Not(f)} {
			both[i] = productcheck.NewLanguage(must.Get(must.Get(Of(t.Context(), s, g)).Over(t.Context(), alphabet)))
		}
		for _, in := range []bool{true, false} {
			x, err := d.Decide(t.Context(), productcheck.Side{Language: both[0], In: in}, productcheck.Side{Language: both[1], In: in})
			if err != nil || x.Undecided == nil && !x.Empty() {
				t.Errorf("%s and its negation, in %t: %+v, %v", f, in, x, err)
			}
		}
	}
}

// TestPSLAlgorithms: the other constructions refuse expressions.
func TestPSLAlgorithms(t *testing.T) {
	s := ltl.NewStore()
	f := parse(t, s, "G({a;b[*]}<>->c)")
	for _, a := range Algorithms() {
		_, err := With(t.Context(), a.Name, s, f)
		if a.PSL != (err == nil) {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}

// TestPSLFirstMatch: of a set with the empty word, the empty word is the first match.
func TestPSLFirstMatch(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b")
	for _, text := range []string{"{first_match([*0] | a)}!", "{first_match(a[*]);b}!", "{first_match(first_match(a)[*0..1])[*2]}<>-> GFa"} {
		s := ltl.NewStore()
		f := parse(t, s, text)
		for _, a := range pslVariants(t, s, f, alphabet) {
			for _, w := range inputs.AllWords(alphabet, 3) {
				if want := must.Get(w.Holds(f)); accepts(t, a, w) != want {
					t.Errorf("%s on %s is %v", text, w, want)
				}
			}
		}
	}
}
