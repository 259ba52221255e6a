package ltl_test

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

func TestParsePSL(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{a;b}|->c", "{a;b}[]-> c"},
		{"{a;b}[]->c", "{a;b}[]-> c"},
		{"{a;b}(c)", "{a;b}[]-> c"},
		{"{a;b}|=>c", "{a;b}[]=> c"},
		{"{a;b;1}[]->c", "{a;b}[]=> c"},
		{"{a}<>->{b;c}[]->d", "{a}<>-> {b;c}[]-> d"},
		{"{a;b}[]->c | d", "{a;b}[]-> (c | d)"},
		{"a -> {r;s}<>=>b", "a -> ({r;s}<>=> b)"},
		{"({r;s}[]->b) -> a", "({r;s}[]-> b) -> a"},
		{"X{a}[]->b & c", "X({a}[]-> (b & c))"},
		{"!{a;b}", "!{a;b}"},
		{"{a;b}!U c", "{a;b}! U c"},
		{"{a;b}Uc", "{a;b} U c"},
		{"{a;b}<>->true", "{a;b}!"},
		{"F{a;b}!", "F{a;b}!"},

		{"{a & {b;c} | d}", "{a & {b;c} | d}"},
		{"{a && {b;c} & d}", "{{a && {b;c}} & d}"},
		{"{(a|b)&&c;d:e}", "{(a | b) & c;d:e}"},
		{"{{a;b};{c;d}}", "{a;b;{c;d}}"},
		{"{a /\\ {b;c} || {d:e}}", "{a && {b;c} | {d:e}}"},
		{"{!a[*]}", "{{!a}[*]}"},
		{"{!(a|b)[+]}", "{{!(a | b)}[+]}"},
		{"{a -> {b;c}}", "{!a | {b;c}}"},
		{"{a -> b <-> c xor d=0}", "{a -> b <-> c xor !d}"},
		{"{first_match(a;b*):c}", "{first_match(a;b[*]):c}"},
		{"{a*;b[*];[*];[+];*}", "{a[*];b[*];[*];[+];[*]}"},
		{"{a[*2];b[*2..3];c[*2:3];d[*2,3];e[*2 to 3]}", "{a[*2];b[*2..3];c[*2..3];d[*2..3];e[*2..3]}"},
		{"{a[*2..];b[*2:inf];c[*2,$];d[*..3];e[*..];f[*1..]}", "{a[*2..];b[*2..];c[*2..];d[*0..3];e[*];f[+]}"},
		{"{a[:*];b[:+];{c;d}[:*2..3]}", "{a[:*];b[:+];{c;d}[:*2..3]}"},
		{"{[*0]|[*2];1[*0]|a}", "{[*0] | [*2];1[*0] | a}"},
		{"{a ##0 b}", "{a:b}"},
		{"{a ##1 b ##3 c}", "{a;b;[*2];c}"},
		{"{a ##[2:3] b}", "{a;[*1..2];b}"},
		{"{a ##[0:2] b*}", "{a:{[*0..2];b[*]}}"},
		{"{a* ##[*] b}", "{{a[*];[*]}:b}"},
		{"{a* ##[0..2] b*}", "{{a[*]:b[*]} | {a[*];[*0..1];b[*]}}"},
		{"{##0 a;##2 b;##[+] c}", "{a;{[*2];b};{[+];c}}"},

		{"{a[->];b[->2];{c|d}[->2..];d[->..3]}", "{a[->];b[->2];{c | d}[->2..];d[->1..3]}"},
		{"{a[=1];b[=2];{!c}[=2..];d[=..3]}", "{a[=1];b[=2];{!c}[=2..];d[=0..3]}"},
		{"{a[=0];b[=];c[=0..];d[=0..2]}", "{{!a}[*];[*];[*];d[=0..2]}"},
		{"{a;{!b}[*];b}", "{a;{!b}[*];b}"},
		{"{!a[*];b}", "{{!a}[*];b}"},

		{"X[3]a", "XXXa"},
		{"X [!] a", "Xa"},
		{"X[2!]a", "XXa"},
		{"F[2:3]a", "XX(a | Xa)"},
		{"G[1..3]a U b", "X(a & X(a & Xa)) U b"},
		{"G[0:2!](a & b)", "a & b & X(a & b & X(a & b))"},
		{"F[2:]a & G[1..inf]b & F[0,$]c", "XXFa & XGb & Fc"},
	} {
		s := ltl.NewStore()
		f := parse(t, s, c.in, ltl.Spot)
		if got := f.String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
		for _, text := range []string{f.String(), f.Text(ltl.UTF8, false), f.Text(ltl.Letters, true)} {
			if g := parse(t, s, text, ltl.Spot); g != f {
				t.Errorf("%s: %s is read as %s", c.in, text, g)
			}
		}
		if g := ltl.NewStore().Import(f); g.String() != c.want || s.Import(g) != f {
			t.Errorf("%s: imported it is %s", c.in, g)
		}
	}
}

func TestPSLErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{a;b", `1:5: expected an operator or '}', found the end`},
		{"{}", `1:2: expected an expression, found "}"`},
		{"{a;Fb}", `1:4: expected an expression, found "F"`},
		{"{a U b}", `1:4: expected an operator or '}', found "U"`},
		{"{a}[]->", `1:8: expected a formula, found the end`},
		{"{a;b} xor", `1:10: expected a formula, found the end`},
		{"{{a;b} xor c}", `1:2: expected a Boolean formula, found "{a;b}"`},
		{"{c <-> {a;b}}", `1:8: expected a Boolean formula, found "{a;b}"`},
		{"{!{a;b}}", `1:3: expected a Boolean formula, found "{a;b}"`},
		{"{{a;b}[=2]}", `1:2: expected a Boolean formula, found "{a;b}"`},
		{"{a[*3..2]}", `1:3: expected bounds in ascending order: 2..3, found "[*3..2]"`},
		{"{a[*3..}", `1:8: expected ']', found "}"`},
		{"{a[*2!]}", `1:6: expected ']', found "!]"`},
		{"{a[?]}", `1:4: expected one of *, +, :*, :+, = and ->, found "?"`},
		{"{a ## b}", `1:7: expected a number or '[' behind ##, found "b"`},
		{"{first_match a}", `1:14: expected '(' behind first_match, found "a"`},
		{"first_match", `1:1: expected a formula, found "first_match"`},
		{"F[3]a", `1:2: expected two bounds as in F[2:3] or F[2:], found "[3]"`},
		{"X[2:3!]a", `1:2: expected a number as in X[3], X[!], or a range as in F[2:3] or G[2:3], found "[2:3!]"`},
		{"X[]", `1:4: expected a formula, found the end`},
		{"{a[*1000000]}", `1:5: expected a number of at most 254, found "1000000"`},
		{"{a[*99999999999999999999]}", `1:5: expected a number of at most 254, found "99999999999999999999"`},
		{"{{{a[*254]}[*254]}[*254]}",
			`1:19: expected an expression of at most 65536 letters, iterations written out, found "[*254]"`},
		{"F[0:1000000]a", `1:5: expected a number of at most 10000, found "1000000"`},
		{"F[0:9000]F[0:9000]a", `1:11: expected bounds of X, F and G that add up to at most 10000, found "[0:9000]"`},
	} {
		_, err := ltl.NewStore().Parse(c.in, ltl.Spot)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.in, err, c.want)
		}
	}
}

// TestPSLLimits: texts that are too large get an error, and soon.
func TestPSLLimits(t *testing.T) {
	for name, text := range map[string]string{
		"letters":   "{" + strings.Repeat("a;", 1<<16) + "a}",
		"braces":    strings.Repeat("{", 1<<18) + "a" + strings.Repeat("}", 1<<18),
		"negations": "{" + strings.Repeat("!", 1<<18) + "a}",
		"loops":     "{a" + strings.Repeat("[*]", 1<<18) + "}",
		"&&":        "{" + strings.Repeat("{a;b} && {", 1<<17) + "a" + strings.Repeat("}", 1<<17) + "}",
		"delays":    "{a*" + strings.Repeat(" ##[0:1] a*", 1<<10) + "}",
		"F[n:m]":    strings.Repeat("F[0:100]", 10) + "a",
	} {
		if _, err := ltl.NewStore().Parse(text, ltl.Spot); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestPSLSyntaxes: only Spot's syntax has expressions.
func TestPSLSyntaxes(t *testing.T) {
	f := parse(t, ltl.NewStore(), "G({a;b}[]->c)", ltl.Spot)
	for _, syn := range []ltl.Syntax{ltl.Spin, ltl.LBT, ltl.Wring} {
		if text, err := f.Format(syn); err == nil || !strings.Contains(err.Error(), "PSL operator []->") {
			t.Errorf("%v: got %q, %v", syn, text, err)
		}
		if _, err := ltl.NewStore().Parse("{a}", syn); err == nil {
			t.Errorf("%v: {a} is read", syn)
		}
	}
	if _, err := ltl.NewStore().Unabbreviate(f, ltl.PSLOps); err == nil {
		t.Error("Unabbreviate: no error")
	}
}

func TestRewritePSL(t *testing.T) {
	s := ltl.NewStore()
	for _, c := range []struct {
		name, in, want string
		rewrite        func(*ltl.Formula) *ltl.Formula
	}{
		{"nnf", "!({a -> b;c}[]-> !({d}<>-> !{e}))", "{a -> b;c}<>-> {d}<>-> !{e}", s.NNF},
		{"dual", "{a;b}[]-> (c & {d})", "{!a;!b}<>-> (c | !{!d})", s.Dual},
		{"rename", "{a;b}[]-> b", "{x_a;x_b}[]-> x_b", func(f *ltl.Formula) *ltl.Formula {
			return s.Rename(f, func(p string) string { return "x_" + p })
		}},
		{"relabel", "b U {c;a}<>-> b", "p0 U ({p1;p2}<>-> p0)", func(f *ltl.Formula) *ltl.Formula {
			g, _ := s.Relabel(f)
			return g
		}},
		{"simplify", "({a;b}[]-> 1) & ({a[*];b}<>-> !!c) | ({b}<>-> 0)", "{a[*];b}<>-> c", s.Simplify},
	} {
		if got := c.rewrite(parse(t, s, c.in, ltl.Spot)).String(); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.name, c.in, got, c.want)
		}
	}
}
