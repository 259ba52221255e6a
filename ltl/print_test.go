package ltl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// odd are names of propositions that need quotes somewhere.
var odd = []string{"a", "p1", "X", "U", "F0", "G12a", "0", "1", "12", "a b", `quo"te`, `back\slash`, "new\nline", "ü", "xor",
	"true", "True", "fALSE", "ALSE", "alsely", "t", "i", "Xp", "p0", "x.y", "_", "do", "Y", "S", "Oa", "a=1", "(", "-", "\xff"}

// TestRoundTrip prints and reads random formulas in every syntax and notation, with few or all
// parentheses. Where a syntax can't write a formula, it can after unabbreviating and relabelling.
// Unless the syntaxes differ on a text with plain names, it is read without a syntax, too.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	generators := []*ltl.Generator{
		generator(t, seed, odd, 1, 25), pastGenerator(t, seed, odd, 1, 25), generator(t, seed, []string{"a", "p1", "req"}, 1, 15),
	}
	alike := map[ltl.Syntax]int{} // formulas that are read without a syntax
	for i := range campaign.Inputs(t, 1500) {
		f, _ := generators[i%3].Next()
		s := ltl.NewStore()
		f = s.Import(f)
		for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring} {
			h, err := s.Unabbreviate(f, syn.Missing())
			if f.Ops()&syn.Missing()&ltl.PastOps != 0 {
				if err == nil || !strings.Contains(err.Error(), "is not supported") {
					t.Fatalf("seed %d: %v has %s: %v", seed, syn, f, err)
				}
				if _, err := f.Format(syn); err == nil {
					t.Fatalf("seed %d: %s was written in %v", seed, f, syn)
				}
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			text, err := h.Format(syn)
			if err != nil && (syn == ltl.Spot || syn == ltl.LBT) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var original map[string]string
			if err != nil {
				h, original = s.Relabel(h)
				if text, err = h.Format(syn); err != nil {
					t.Fatalf("seed %d: after relabelling: %v", seed, err)
				}
			}
			back := parse(t, s, text, syn)
			if back != h {
				t.Fatalf("seed %d: %v: %s is read as %s", seed, syn, text, back)
			}
			for _, around := range []ltl.Parentheses{ltl.Fewest, ltl.Every} {
				if text, err := h.Parenthesized(syn, around); err != nil || parse(t, s, text, syn) != h {
					t.Fatalf("seed %d: %v: %s does not mean %s; %v", seed, syn, text, h, err)
				}
			}
			if auto, err := s.Parse(text, ltl.Auto); err == nil && i%3 == 2 {
				if alike[syn]++; auto != h {
					t.Fatalf("seed %d: %v: %s is read as %s in any syntax", seed, syn, text, auto)
				}
			}
			if original != nil {
				mapped := s.Rename(back, func(name string) string { return original[name] })
				if want, _ := s.Unabbreviate(f, syn.Missing()); mapped != want {
					t.Fatalf("seed %d: %v: mapped back, %s is %s", seed, syn, want, mapped)
				}
			}
		}
		for _, text := range []string{f.Text(ltl.Letters, false), f.Text(ltl.Letters, true), f.Text(ltl.UTF8, false), f.Text(ltl.UTF8, true)} {
			if back := parse(t, s, text, ltl.Spot); back != f {
				t.Fatalf("seed %d: %s is written %s, and read as %s", seed, f, text, back)
			}
		}
		// As many pairs of braces as LaTeX needs, whatever the names are.
		latex := strings.NewReplacer(`\{`, "", `\}`, "").Replace(f.Text(ltl.LaTeX, false))
		if depth := strings.Count(latex, "{") - strings.Count(latex, "}"); depth != 0 {
			t.Fatalf("seed %d: %s is written %s", seed, f, latex)
		}
	}
	for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring} {
		if alike[syn] < campaign.Inputs(t, 100) {
			t.Errorf("%v: %d formulas were read without it", syn, alike[syn])
		}
	}
	if _, err := ltl.NewStore().True().Format(ltl.Auto); err == nil {
		t.Error("a formula was written in the syntax auto")
	}
}

// TestFewestParentheses takes any pair of parentheses out: the formula must
// become another one, or unreadable.
func TestFewestParentheses(t *testing.T) {
	const seed = 2
	g := pastGenerator(t, seed, []string{"a", "b"}, 1, 20)
	for range campaign.Inputs(t, 5000) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		text := f.String()
		var open []int
		for i, c := range text {
			switch c {
			case '(':
				open = append(open, i)
			case ')':
				j := open[len(open)-1]
				open = open[:len(open)-1]
				without := text[:j] + text[j+1:i] + text[i+1:]
				if h, err := s.Parse(without, ltl.Spot); err == nil && h == f {
					t.Fatalf("seed %d: %s could be %s", seed, text, without)
				}
			}
		}
	}
}

// ExampleFormula_Text writes a formula in each notation.
func ExampleFormula_Text() {
	f, err := ltl.NewStore().Parse(`G(req & !p12 -> X(ack U "x_1"))`, ltl.Spot)
	if err != nil {
		panic(err)
	}
	for _, n := range []ltl.Notation{ltl.Letters, ltl.UTF8, ltl.LaTeX} {
		fmt.Println(f.Text(n, false))
	}
	fmt.Println(f.Text(ltl.UTF8, true))
	// Output:
	// G(req & !p12 -> X(ack U x_1))
	// □(req ∧ ¬p12 → ○(ack U x_1))
	// \mathsf{G}\,(\mathit{req} \land \lnot p_{12} \rightarrow \mathsf{X}\,(\mathit{ack} \mathsf{U} \texttt{x\_1}))
	// □((req ∧ (¬p12)) → (○(ack U x_1)))
}

// ExampleFormula_Parenthesized writes a formula as ltlcross gives it to tools.
func ExampleFormula_Parenthesized() {
	f, err := ltl.NewStore().Parse("a & b & !Fc -> X(0) | GFd", ltl.Spot)
	if err != nil {
		panic(err)
	}
	for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin} {
		fmt.Println(f.Parenthesized(syn, ltl.Every))
	}
	// Output:
	// ((a) & (b) & (!(F(c)))) -> ((X((0))) | (G(F(d)))) <nil>
	// ((a) && (b) && (!(<>(c)))) -> ((X(false)) || ([](<>(d)))) <nil>
}
