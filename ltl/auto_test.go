package ltl_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestParseAuto: formulas in all syntaxes, told apart by themselves; those that can't be
// are no formulas.
func TestParseAuto(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"G(a -> Fb)", "G(a -> Fb)"},
		{"GFa && Xb", "GFa & Xb"},
		{"a || b && c", "a | b & c"},
		{"a U b U c", "a U b U c"},
		{"[](a -> <>b)", "G(a -> Fb)"},
		{"& p0 U p1 ! p2", "p0 & p1 U !p2"},
		{"G p0", "Gp0"},
		{"i a G F b", "a -> GFb"},
		{"G((a=1) -> F(b=0))", "G(a -> F!b)"},
		{"1", "1"},
		{"G t", `1:1: expected a formula that means the same in all syntaxes (or give its syntax), found Gt in spot's and G(1) in lbt's`},
		{"<>a U b U c", `1:1: expected a formula that means the same in all syntaxes (or give its syntax), found Fa U b U c in spot's and (Fa U b) U c in spin's`},
		{"& p0 | p1", "1:10: expected a formula, found the end"},
		{"a U", "1:4: expected a formula, found the end"},
		{"", "1:1: expected a formula, found the end"},
	} {
		f, err := ltl.NewStore().Parse(c.text, ltl.Auto)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = f.String()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	if f, err := ltl.NewStore().ParseLenient("& (a b) c", ltl.Auto); err == nil {
		t.Errorf("lenient LBT: %v", f)
	}
	if f, err := ltl.NewStore().ParseLenient("[](a b)", ltl.Auto); err != nil || f.String() != `G"a b"` {
		t.Errorf("lenient: %v, %v", f, err)
	}
}

// TestAutoReads: what is printed in a syntax is read as the formula that it is, unless
// the syntaxes differ on it.
func TestAutoReads(t *testing.T) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: 2, Props: []string{"a", "p1", "req"}, MinSize: 1, MaxSize: 15})
	if err != nil {
		t.Fatal(err)
	}
	read := map[ltl.Syntax]int{}
	for range 300 {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring} {
			s := ltl.NewStore()
			text, err := f.Format(syn)
			if err != nil {
				continue // it has an operator that the syntax does not have
			}
			want, err := s.Parse(text, syn)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Parse(text, ltl.Auto)
			if err != nil {
				continue
			}
			if got != want {
				t.Errorf("%s (%v) is read as %v", text, syn, got)
			}
			read[syn]++
		}
	}
	for syn := ltl.Spot; syn < ltl.Auto; syn++ {
		if read[syn] < 100 {
			t.Errorf("%v: %d formulas were read", syn, read[syn])
		}
	}
	if _, err := ltl.NewStore().True().Format(ltl.Auto); err == nil {
		t.Error("a formula was written in the syntax auto")
	}
}
