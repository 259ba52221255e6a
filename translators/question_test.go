package translators_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestLBTNames: a tool that takes LBT's syntax gets propositions p0, p1, … only, and
// its automata get the formula's own.
func TestLBTNames(t *testing.T) {
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		// A state from which "G p" reads p.
		tool := answerer(t, mode, `case $f in "G p"[0-9]) printf '1 0t\n0 1\n0 -1 %s\n-1\n' "${f#G }";; *) exit 1;; esac`)
		tool.Syntax, tool.Format = ltl.LBT, "lbtt"
		r := translators.NewTestRunner(t, 1)
		for _, prop := range []string{"a", "p3", "a b", "P0", `say "p"`} {
			store := ltl.NewStore()
			out, err := tool.Translate(t.Context(), r, store.Globally(store.Prop(prop)), 0)
			if err != nil {
				t.Fatal(err)
			}
			if summary(out) != "ok" || !slices.Equal(out.Automaton.Alphabet().Props(), []string{prop}) {
				t.Errorf("mode %v, proposition %q: %s %s %v", mode, prop, summary(out), out.Detail, out.Automaton)
			}
		}
	}
}

// TestRestored: an automaton may have any propositions, also ones that are called as the
// formula's where the tool got others.
func TestRestored(t *testing.T) {
	store := ltl.NewStore()
	f, err := store.Parse(`G(a -> F"p1") & F"a'"`, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	tool := answerer(t, translators.Stream, `cat <<'END'
HOA: v1
States: 1
Start: 0
AP: 6 "a" "p1" "p0" "p7" "a'" "p2"
Acceptance: 0 t
--BODY--
State: 0
[0 & !1 | 2 & 3 & 4 & 5] 0
--END--
END
`)
	tool.Syntax = ltl.LBT
	out, err := tool.Translate(t.Context(), translators.NewTestRunner(t, 1), f, 0)
	if err != nil {
		t.Fatal(err)
	}
	if out.Automaton == nil {
		t.Fatalf("%s %s", summary(out), out.Detail)
	}
	alphabet, props := out.Automaton.Alphabet(), f.Props()
	if want := []string{"a''", props[1], props[0], "p7", "a'''", props[2]}; !slices.Equal(alphabet.Props(), want) {
		t.Errorf("%q; want %q", alphabet.Props(), want)
	}
}

// TestSpelled: propositions that are expressions of Promela keep the formula's spelling, whatever
// blanks and needless parentheses a tool writes.
func TestSpelled(t *testing.T) {
	f, err := ltl.NewStore().Parse(`F("x == 1" & "x>y" & "a.b == 1" & "P[1]@lab == 1" & "x + 1 > y" & "len(q) > 0" & "x[i+1]" & "q?[m]" & "x % 2 == 0" & "f(x)" & "no & name, 7")`, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{
		"never { A: do :: x==1 && (x > y) && a.b==1 && (P[1] @lab==1) && ((x+1)>y) && len( q )>0 && x[ i + 1 ] && q?[ m ] && x%2==0 && f (x) && z -> goto A od }",
		`HOA: v1 Start: 0 AP: 11 "x==1" "x > y" "a.b==1" "P[1]@lab==1" "(x+1)>y" "len(q)>0" "x[i + 1]" "(q?[m])" "x%2==0" "f( x )" "z" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--`,
	} {
		tool := answerer(t, translators.Stream, "echo '"+answer+"'")
		out, err := tool.Translate(t.Context(), translators.NewTestRunner(t, 1), f, 0)
		if err != nil || out.Automaton == nil {
			t.Fatalf("%v: %s %s", err, summary(out), out.Detail)
		}
		if want := append(slices.Clone(f.Props()[:10]), "z"); !slices.Equal(out.Automaton.Alphabet().Props(), want) {
			t.Errorf("%q; want %q", out.Automaton.Alphabet().Props(), want)
		}
	}
}

// TestTwoReadings: a never claim that Spot reads otherwise is a finding.
func TestTwoReadings(t *testing.T) {
	tool := answerer(t, translators.Stream, "echo 'never { A: if :: a -> goto B fi; B: skip }'")
	f := ltl.NewStore().Prop("a")
	out, err := tool.Translate(t.Context(), translators.NewTestRunner(t, 1), f, 0)
	if err != nil || len(out.Oddities) != 1 || out.Oddities[0].Class != outcome.TwoReadings {
		t.Errorf("%v: %s, oddities %v", err, summary(out), out.Oddities)
	}
}

// TestNames: names that are no formulas, or formulas over other propositions than the
// formula's and the automaton's, are nothing to report, and do not make a tool that is
// kept alive slow for long.
func TestNames(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ name, ap, want string }{
		{"$f", "0", "ok"},
		{"[](!a && a) || $f", "0", "ok"},
		{"Safra[NBA=2]", "0", "ok"},
		{"$f, 3 states", "0", "ok"},
		{"result", "0", "ok"},
		{"1", "0", "ok"},
		{"G p0 -> p1", "0", "ok"},
		{"!$f" + strings.Repeat(" | z", 5000), "0", "ok"},
		{"result", `1 "result"`, "ok name"},
		{"!$f", "0", "ok name"},
		{"a & X a", "0", "ok name"}, // all formulas are a
	} {
		for _, mode := range campaign.Alternate(i, translators.Stream, translators.Batch) {
			script := `printf 'HOA: v1\nname: "%s"\nStates: 1\nStart: 0\nAP: ` + c.ap + `\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n' "` + c.name + `"`
			tool := answerer(t, mode, script)
			for i, got := range ask(t, translators.NewTestRunner(t, 1), tool, strings.Repeat("a ", 12), 0) {
				if got != c.want {
					t.Errorf("mode %v, name %q, propositions %s: answer %d: %s; want %s", mode, c.name, c.ap, i, got, c.want)
				}
			}
			if n := starts(t, tool); mode == translators.Stream && n > 8 {
				t.Errorf("name %q: %d processes", c.name, n)
			}
		}
	}
}

// TestRelabel: a tool that is to get p0, p1, … gets them for all names, also for those that
// it could have, and its automata have the formula's own.
func TestRelabel(t *testing.T) {
	tool := answerer(t, translators.Stream, `case $f in "(p0) U (G(p1))") printf 'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "p1" "p0"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0&!1] 0\n--END--\n';; *) exit 1;; esac`)
	tool.Relabel = true
	r := translators.NewTestRunner(t, 1)
	for _, props := range [][]string{{"a", "b"}, {"p1", "p0"}, {"p0", "p1"}, {"req", "x y"}} {
		store := ltl.NewStore()
		out, err := tool.Translate(t.Context(), r, store.Until(store.Prop(props[0]), store.Globally(store.Prop(props[1]))), 0)
		if err != nil {
			t.Fatal(err)
		}
		if summary(out) != "ok" || !slices.Equal(out.Automaton.Alphabet().Props(), []string{props[1], props[0]}) {
			t.Errorf("propositions %q: %s %s %v", props, summary(out), out.Detail, out.Automaton)
		}
	}
}
