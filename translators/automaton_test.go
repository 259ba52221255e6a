package translators_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestParseAutomatonCommand(t *testing.T) {
	for _, test := range []struct {
		text string
		mode translators.Mode
		want string // the error, or "" if there is none
	}{
		{"autfilt --small %H > %O", translators.Spawn, ""},
		{"{x} tool --name=%M %S", translators.Spawn, ""},
		{"tool %[none]M %[none]M %L", translators.Spawn, ""},
		{"tool -n 50%% -", translators.Spawn, ""},
		{"tool -", translators.Stream, ""},
		{"tool %H", translators.Batch, ""},
		{"tool", translators.Batch, ""},
		{"tool %B", translators.Spawn, "at 6: unknown placeholder %B: expected one of %H %S %L %M %O %%"},
		{"tool %f", translators.Spawn, "at 6: unknown placeholder %f: expected one of %H %S %L %M %O %%"},
		{"tool %", translators.Spawn, "at 6: '%' at the end: write %% for a percent sign"},
		{"tool %[x", translators.Spawn, "at 7: the '[' of a placeholder is not closed"},
		{"tool %[x]", translators.Spawn, "at 10: expected M after the brackets"},
		{"tool %[x]H", translators.Spawn, "at 10: expected M after the brackets"},
		{"tool %[x]M %[y]M", translators.Spawn, "at 12: the command uses both x and y for an automaton without a name: use one"},
		{"tool %H", translators.Stream, "at 6: stream mode writes automata to standard input: remove %H, or use spawn mode"},
		{"tool %O", translators.Stream, "at 6: stream mode reads automata from standard output: remove the output file, or use spawn mode"},
		{"{x", translators.Spawn, "at 1: the name's '{' is not closed"},
		{"", translators.Spawn, "at 1: expected a command"},
	} {
		_, err := translators.ParseAutomatonCommand(test.text, test.mode)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), `command "`+test.text+`": `)
		}
		if got != test.want {
			t.Errorf("%s, mode %s: %s, want %s", test.text, test.mode, got, test.want)
		}
	}
}

func readAutomaton(t testing.TB, text string) *omega.Automaton {
	t.Helper()
	a := must.First(hoa.ReadOne(context.Background(), []byte(text)))
	return a
}

// TestTransform: however a tool gets the automaton, it is one of the same language.
func TestTransform(t *testing.T) {
	t.Parallel()
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	inputs := []*omega.Automaton{
		readAutomaton(t, `HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 "a" Acceptance: 2 Fin(0) | Inf(1) --BODY-- State: 0 [0] 0 {0} [!0] 1 State: 1 [t] 0 {1} --END--`),
		readAutomaton(t, `HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0&1 State: 1 {0} [!0] 1 --END--`),
		readAutomaton(t, `HOA: v1 States: 0 AP: 0 Acceptance: 0 f --BODY-- --END--`),
		readAutomaton(t, `HOA: v1 States: 1 Start: 0 AP: 2 "p1" "x = 1" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&!1] 0 {0} [1] 0 --END--`), // no claim has x = 1
		random.Automaton(r, alphabet, omega.GeneralizedBuchi(3), random.Options{States: 4, Density: 0.5, Marks: 0.5}),
		random.Automaton(r, alphabet, omega.GeneralizedBuchi(2), random.Options{States: 4, Density: 0.5, Marks: 0.5, StateMarks: true}),
		random.Automaton(r, alphabet, omega.Parity("parity min odd", 4), random.Options{States: 4, Density: 0.5, Marks: 0.5}),
	}
	for k, test := range []struct {
		command string
		mode    translators.Mode
	}{
		{"cat", translators.Spawn}, {"cat %H > %O", translators.Spawn}, {"cat %S", translators.Spawn}, {"cp %L %O", translators.Spawn},
		{"cat", translators.Stream}, {"cat", translators.Batch},
	} {
		c := must.Get(translators.ParseAutomatonCommand(test.command, test.mode))
		tool := &translators.Tool{Name: "x", Command: c, Mode: test.mode}
		for i, a := range inputs {
			words := omega.Union(a.Alphabet(), alphabet)
			given := translators.NewAutomaton(a)
			for _, ask := range campaign.Alternate(i+k, tool.Transform, tool.TransformAlone) {
				out, err := ask(context.Background(), runner, given)
				if err != nil || out.Status != outcome.OK || len(out.Oddities) > 0 {
					t.Fatalf("%s, mode %s, automaton %d: %+v, %v", test.command, test.mode, i, out, err)
				}
				for range 60 {
					w := random.Word(r, words, 3, 3)
					x, errX := a.Accepts(context.Background(), w)
					y, errY := out.Automaton.Accepts(context.Background(), w)
					if errX != nil || errY != nil || x != y {
						t.Fatalf("seed %d, %s, automaton %d, word %s: %v (%v) given, %v (%v) got", seed, test.command, i, w, x, errX, y, errY)
					}
				}
			}
		}
	}
}

// TestTransformName: %M is the name, whatever is in it, and something else for none.
func TestTransformName(t *testing.T) {
	runner := must.Get(translators.NewRunner(1, t.TempDir()))
	defer runner.Close()
	c := must.Get(translators.ParseAutomatonCommand(`echo got %[no name]M >&2; cat; exit 3`, translators.Spawn))
	tool := &translators.Tool{Name: "x", Command: c}
	for name, want := range map[string]string{"": "got no name\n", `it's "x" $y`: "got it's \"x\" $y\n"} {
		a := readAutomaton(t, "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--")
		a.Name = name
		out, err := tool.Transform(context.Background(), runner, translators.NewAutomaton(a))
		if err != nil || out.Status != outcome.Exit || out.Stderr != want {
			t.Errorf("%q: %+v, %v", name, out, err)
		}
		if !strings.HasPrefix(out.Command, "printf '%s\\n' 'HOA: v1\n") || !strings.Contains(out.Command, "cat; exit 3") {
			t.Errorf("%q: the command to do the same is %s", name, out.Command)
		}
	}
}

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
			out := must.Get(tool.Translate(t.Context(), r, store.Globally(store.Prop(prop)), 0))
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
	f := must.Get(store.Parse(`G(a -> F"p1") & F"a'"`, ltl.Spot))
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
	out := must.Get(tool.Translate(t.Context(), translators.NewTestRunner(t, 1), f, 0))
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
	f := must.Get(ltl.NewStore().Parse(`F("x == 1" & "x>y" & "a.b == 1" & "P[1]@lab == 1" & "x + 1 > y" & "len(q) > 0" & "x[i+1]" & "q?[m]" & "x % 2 == 0" & "f(x)" & "no & name, 7")`, ltl.Spot))
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
		for _, mode := range campaign.Alternate(i, translators.Stream, translators.Batch) { // in Batch, it is always fresh
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
		out := must.Get(tool.Translate(t.Context(), r, store.Until(store.Prop(props[0]), store.Globally(store.Prop(props[1]))), 0))
		if summary(out) != "ok" || !slices.Equal(out.Automaton.Alphabet().Props(), []string{props[1], props[0]}) {
			t.Errorf("propositions %q: %s %s %v", props, summary(out), out.Detail, out.Automaton)
		}
	}
}
