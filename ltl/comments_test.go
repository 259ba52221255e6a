package ltl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// formulas parses the formulas of examples in comments.
func formulas(t *testing.T) (*Store, func(string) *Formula) {
	t.Helper()
	s := NewStore()
	return s, func(text string) *Formula {
		t.Helper()
		return must.Get(s.Parse(text, Spot))
	}
}

// TestCommentRewriting: the examples of functions from formulas to formulas.
func TestCommentRewriting(t *testing.T) {
	s, parse := formulas(t)
	onA := func(prop string) bool { return prop == "a" }
	reduced := func(level Level) func(*Formula) *Formula {
		return func(f *Formula) *Formula {
			return must.Get(s.Reduce(t.Context(), f, level))
		}
	}
	without := func(op Op) func(*Formula) *Formula {
		return func(f *Formula) *Formula {
			return must.Get(s.Unabbreviate(f, Ops(op)))
		}
	}
	for _, x := range []struct {
		name     string
		function func(*Formula) *Formula
		pairs    []string // formulas and their results
	}{
		{"Progress", func(f *Formula) *Formula { g, _ := s.Progress(f, onA); return g },
			[]string{"a U b", "a U b", "a M b", "0", "G(a -> F b)", "F b & G(a -> F b)", "{a;b[*];c}[]->d", "{b[*];c}[]->d"}},
		{"Dual", s.Dual, []string{"a U b", "a R b", "G(a -> F b)", "F(!a & G b)"}},
		{"Canonical", s.Canonical, []string{"x U y", "p0 U p1", "q U r", "p0 U p1", "r & q | s", "p0 | (p1 & p2)", "s | q & r", "p0 | (p1 & p2)"}},
		{"Reduce 1", reduced(LevelIdentities), []string{"F F a & 1", "F a"}},
		{"Reduce 2", reduced(LevelRules), []string{"F(a U b) | X b", "F b | X b", "(a U b) & (c U b)", "(a & c) U b", "GF(a | X b)", "GF(a | b)"}},
		{"Reduce 3", reduced(LevelImplications), []string{"F(a U b) | X b", "F b", "a U (a U b)", "a U b"}},
		{"NNF", s.NNF, []string{"!(a U b)", "!a R !b", "a <-> b", "a & b | !a & !b"}},
		{"without W", without(OpWeakUntil), []string{"a W b", "b R (a | b)"}},
		{"without U", without(OpUntil), []string{"a U b", "!(!a R !b)"}},
	} {
		for pair := range slices.Chunk(x.pairs, 2) {
			if got := x.function(parse(pair[0])); got != parse(pair[1]) {
				t.Errorf("%s: %s becomes %v, want %s", x.name, pair[0], got, pair[1])
			}
		}
	}
	if got, want := fmt.Sprint(s.Rewritten(parse("a U b"), OpUntil)), "[!(!a R !b) b M (a | b) a W b & Fb]"; got != want {
		t.Errorf("Rewritten: %s, want %s", got, want)
	}
}

// TestCommentLists: the examples of functions that list formulas.
func TestCommentLists(t *testing.T) {
	s, parse := formulas(t)
	var list []string
	for f := range s.Shrink(parse("F(a & b)"), AllSteps) {
		list = append(list, f.String())
	}
	if got, want := strings.Join(list[:9], ", "), "0, 1, a, b, F(0), F(1), Fa, Fb, a & b"; got != want {
		t.Errorf("Shrink: %s, want %s", got, want)
	}
	list = nil
	for f := range s.Enumerate(3, 2, Ops(OpProp, OpNot, OpAnd, OpNext, OpUntil)) {
		list = append(list, f.String())
	}
	if got, want := strings.Join(list, ", "), "p0 & p0, p0 & p1, X!p0, XXp0, p0 U p0, p0 U p1"; got != want {
		t.Errorf("Enumerate: %s, want %s", got, want)
	}
}

// TestCommentQuestions: the examples of functions that answer a question.
func TestCommentQuestions(t *testing.T) {
	s, parse := formulas(t)
	for pair, want := range map[[2]string]bool{
		{"a U b", "(p & q) U G r"}: true, {"a U b", "X(p U (q & F r))"}: true, {"a U b", "p R q"}: false,
		{"a U a", "p U q"}: true, {"a U b", "p U p"}: false,
	} {
		if got := Embeds(parse(pair[0]), parse(pair[1])); got != want {
			t.Errorf("Embeds%q is %t", pair, got)
		}
	}
	for pair, want := range map[[2]string]bool{{"a U b", "F b"}: true, {"G a & F b", "a U b"}: false} {
		if got := s.Implications(t.Context(), 1000).Holds(parse(pair[0]), parse(pair[1])); got != want {
			t.Errorf("%s implies %s: %t", pair[0], pair[1], got)
		}
	}
	for text, want := range map[string]string{
		"F a": "guarantee", "a W b": "safety", "F a & G b": "obligation", "GF a": "recurrence", "FG a": "persistence", "GF a & FG b": "reactivity",
	} {
		if got := parse(text).SyntacticClass().String(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]purity{
		"F a": eventual, "a U F b": eventual, "X G a": universal, "a R G b": universal, "GF a & FG b": eventual | universal,
	} {
		if got := parse(text).purity; got != want {
			t.Errorf("purity of %s: %d, want %d", text, got, want)
		}
	}
}

// TestCommentFixpoint: the passes of F b on cycle{!b; b; !b}.
func TestCommentFixpoint(t *testing.T) {
	values := make([]bool, 3)
	var passes [][]bool
	fixpoint(values, 0, false, func(p int, next bool) bool {
		holds := p == 1 || next
		if p == 2 {
			passes = append(passes, make([]bool, 3))
		}
		passes[len(passes)-1][p] = holds
		return holds
	})
	if got, want := fmt.Sprint(passes), "[[true true false] [true true true]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCommentDerivatives: the terms of expressions, by a letter with a and without b, and by all
// letters.
func TestCommentDerivatives(t *testing.T) {
	s, parse := formulas(t)
	for text, want := range map[string][2]string{
		"a[*];b":            {"{a[*];b}", "10 {a[*];b}, 01 {[*0]}"},
		"{a;b}[*]":          {"{b;{a;b}[*]}", "10 {b;{a;b}[*]}"},
		"a[*2..3]":          {"{a[*1..2]}", "10 {a[*1..2]}"},
		"{a;b}:{b;a}":       {"{b:{b;a}}", "10 {b:{b;a}}"},
		"a[*] && {1;b}":     {"{a[*] && b}", "10 {a[*] && b}"},
		"first_match(a[+])": {"{[*0]}", "10 {[*0]}"},
	} {
		r := parse("{" + text + "}!").SERE()
		var byOne, byAll []string
		for _, x := range newDerivation(s, oneLetter{nil, func(prop string) bool { return prop == "a" }}).of(r) {
			byOne = append(byOne, s.Closure(x.Rest).String())
		}
		labels := newDiagrams(&allowance{1 << 10})
		for _, x := range newDerivation(s, labels).of(r) {
			on := ""
			for _, prop := range []string{"a", "b"} { // does the label have all letters with it?
				on += map[bool]string{true: "1", false: "0"}[labels.And(labels.Letter(parse(prop)), x.On) == x.On][:1]
			}
			byAll = append(byAll, on+" "+s.Closure(x.Rest).String())
		}
		if got := [2]string{strings.Join(byOne, ", "), strings.Join(byAll, ", ")}; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
