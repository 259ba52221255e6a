package cross_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/exhaustive"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestBadPrefixes runs wrong translators on safety formulas. Every word on which the formula is false
// has a bad prefix. No continuation up to some size satisfies the formula, by evaluating all of
// them, and with a letter less some word does, by an automaton of the formula.
func TestBadPrefixes(t *testing.T) {
	n, seed := campaign.Seeded(t, 500, 6)
	var safety []*ltl.Formula
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 3, MaxSize: 12}))
	for len(safety) < n {
		if f := must.Get(g.Next()); f.SyntacticClass() == ltl.Safety {
			safety = append(safety, f)
		}
	}
	mutations := []string{"drop", "toggle", "negate"}
	share := (n + len(mutations) - 1) / len(mutations)
	words, tried, lengths := 0, 0, 0
	for i, mutation := range mutations {
		var formulas []string
		for _, f := range safety[i*share : min(n, (i+1)*share)] {
			formulas = append(formulas, f.String())
		}
		cases := run(t, cross.Options{Tools: []*translators.Tool{streamed(t, mutation), streamed(t, "gpvw")}}, these(t, formulas...))
		for _, c := range cases {
			for _, d := range c.Disagreements {
				if d.Prefix == "" && (d.Truth || unsatisfiable(t, c.Formula)) {
					continue // it need not have one, or the empty one is
				}
				words++
				if d.Prefix == "" {
					t.Errorf("seed %d: %s on %s: no bad prefix", seed, c.Formula, d.Word)
					continue
				}
				lengths += 1 + strings.Count(d.Prefix, ";")
				tried += checkPrefix(t, c.Formula, &d)
			}
		}
	}
	t.Logf("%d formulas, %d prefixes of %.2f letters, %d words evaluated", n, words, float64(lengths)/float64(words), tried)
	if words < n/10 {
		t.Errorf("only %d prefixes", words)
	}
}

// checkPrefix evaluates the formula on all words up to a size that begin with the prefix, and
// returns how many words of these sizes there are.
func checkPrefix(t *testing.T, formula string, d *outcome.Disagreement) int {
	t.Helper()
	store := ltl.NewStore()
	f := parsed(t, store, formula)
	right := f
	if !d.Truth {
		right = store.Not(f)
	}
	letters := strings.Split(d.Prefix, "; ")
	size := min(len(letters)+2, 6)
	implied := store.Implies(begins(t, store, letters), right)
	answer, err := exhaustive.Check(t.Context(), &exhaustive.Question{Props: []string{"a", "b"}, Formula: implied, Size: size,
		Automata: []exhaustive.Automaton{{Automaton: everything()}}})
	if err != nil || len(answer.Wrong) > 0 || answer.Size != size {
		t.Errorf("%s after %s: %+v, %v", formula, d.Prefix, answer, err)
		return 0
	}
	w := must.Get(omega.ParseWord(t.Context(), d.Word))
	var shorter []string
	for i := range len(letters) - 1 {
		for i >= w.Size() {
			i -= len(w.Cycle)
		}
		shorter = append(shorter, w.Alphabet.Text(w.At(i)))
	}
	other := store.And(begins(t, store, shorter), store.Not(right))
	a := must.Get(translate.Of(t.Context(), store, other))
	if must.Get(emptiness.Check(t.Context(), a, emptiness.Limits{})).Empty() {
		t.Errorf("%s: %s settles the truth with a letter less", formula, d.Prefix)
	}
	return answer.Words
}

func unsatisfiable(t *testing.T, formula string) bool {
	t.Helper()
	store := ltl.NewStore()
	a := must.Get(translate.Of(t.Context(), store, parsed(t, store, formula)))
	return must.Get(emptiness.Check(t.Context(), a, emptiness.Limits{})).Empty()
}

// begins returns the formula of the words that begin with the letters.
func begins(t *testing.T, store *ltl.Store, letters []string) *ltl.Formula {
	t.Helper()
	f := store.True()
	for i := len(letters) - 1; i >= 0; i-- {
		f = store.And(parsed(t, store, letters[i]), store.Next(f))
	}
	return f
}

// everything accepts all words.
func everything() *certify.Automaton {
	a := &certify.Automaton{States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Always}}
	a.AddEdge(0, &certify.Label{Op: certify.True}, nil, 0)
	return a
}

// TestShortest: each word is proved to be shortest, and indeed all that are
// shorter show something else, as the formula and the automata say of every one of
// them.
func TestShortest(t *testing.T) {
	t.Parallel()
	const seed, bound = 5, 4 // words up to this size are tried
	sizes := map[int]int{}
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		tools := []*translators.Tool{streamed(t, mutation), streamed(t, "gastin-oddoux")}
		for _, c := range run(t, cross.Options{Tools: tools}, randomFormulas(t, seed, campaign.Inputs(t, 100), 10)) {
			store := ltl.NewStore()
			f := must.Get(store.Parse(c.Formula, ltl.Spot))
			for _, d := range c.Disagreements {
				sizes[d.Size]++
				if !d.Shortest {
					t.Errorf("seed %d, %s: %s is not proved to be shortest", seed, c.Formula, d.Word)
				}
				var wrong []*omega.Automaton
				for _, s := range d.Blamed {
					g := f
					if s.Polarity == outcome.Negation {
						g = store.Not(f)
					}
					a, err := mutated(mutation, g.String())
					if err != nil {
						t.Fatal(err)
					}
					wrong = append(wrong, a)
				}
				if w := shorter(t, f, &d, wrong, min(bound, d.Size-1)); w != nil {
					t.Errorf("seed %d, %s: %s is said to be shortest, but %s shows the same", seed, c.Formula, d.Word, w)
				}
			}
		}
	}
	t.Logf("words by size: %v", sizes)
	if sizes[1] == 0 || sizes[2] == 0 || sizes[3] == 0 {
		t.Errorf("words by size: %v", sizes)
	}
}

// shorter returns a word of up to size letters on which the formula has the truth
// that d says, and all automata that are wrong in the same way; nil if there is
// none.
func shorter(t *testing.T, f *ltl.Formula, d *outcome.Disagreement, wrong []*omega.Automaton, size int) *omega.Word {
	alphabet := omega.NewAlphabet(f.Props()...)
	all := uint64(1)<<alphabet.Len() - 1
	for n := 1; n <= size; n++ {
		letters := make([]uint64, n)
		for more := true; more; more = next(letters, all) {
			for u := range n {
				w := &omega.Word{Alphabet: alphabet}
				for i, v := range letters {
					if l := alphabet.Cube(v, all&^v); i < u {
						w.Prefix = append(w.Prefix, l)
					} else {
						w.Cycle = append(w.Cycle, l)
					}
				}
				if truth, err := w.Holds(f); err != nil || truth != d.Truth {
					continue
				}
				if !slices.ContainsFunc(wrong, func(a *omega.Automaton) bool {
					in, err := a.Accepts(context.Background(), w)
					return err != nil || in != (d.Kind == "extra")
				}) {
					return w
				}
			}
		}
	}
	return nil
}

// next counts in base top+1, and reports whether that did not end.
func next(digits []uint64, top uint64) bool {
	for i := range digits {
		if digits[i]++; digits[i] <= top {
			return true
		}
		digits[i] = 0
	}
	return false
}

// TestShortestOfOthers: what the shortest word for some automata shows of others is
// not reported once more, with a word that is longer than theirs.
func TestShortestOfOthers(t *testing.T) {
	const (
		none = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 f\n--BODY--\nState: 0\n--END--\n"
		all  = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 0\n--END--\n"
		// the one word cycle{a; !a; !a}
		third = "HOA: v1\nStates: 3\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0 [0] 1\nState: 1 [!0] 2\nState: 2 [!0] 0\n--END--\n"
	)
	// constant is a translator that answers formulas with the one automaton, and
	// those that begin with a negation with the other.
	constant := func(name, pos, neg string) *translators.Tool {
		return shell(t, name, "case %f in !*) printf %%s "+translators.Quote(neg)+";; *) printf %%s "+translators.Quote(pos)+";; esac")
	}
	tools := []*translators.Tool{tool(t, "gpvw"), constant("A", none, none), constant("B", third, none), constant("C", all, third)}
	got := map[string]string{}
	for _, c := range run(t, cross.Options{Tools: tools}, these(t, "a -> a")) {
		for _, d := range c.Disagreements {
			if !d.Shortest {
				t.Errorf("%s is not proved to be shortest: %v", d.Word, d.Blamed)
			}
			got[fmt.Sprint(d.Kind, d.Blamed)] = d.Word
		}
	}
	want := map[string]string{"missing[A B]": "cycle{!a}", "extra[C (negation)]": "cycle{a; !a; !a}"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// printing is a translator that answers every formula with the same automaton.
func printing(t *testing.T, name, text string) *translators.Tool {
	return shell(t, name, ": %f; cat <<'EOF'\n"+text+"\nEOF\n")
}

// TestStatistics: what is asked for is found out, of automata of each sort.
func TestStatistics(t *testing.T) {
	const head = "HOA: v1 name: \"two\nlines\" States: 3 Start: 0 AP: 1 \"a\" "
	tools := []*translators.Tool{
		// State 2 can't be reached.
		printing(t, "weak", head+"Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 State: 2 [t] 2 --END--"),
		printing(t, "branches", head+"Acceptance: 0 t --BODY-- State: 0 [!0] 1 [0] 2 State: 1 [t] 1 State: 2 [t] 2 --END--"),
		printing(t, "alternating", head+"Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0&1 State: 1 {0} [0] 1 [!0] 2 State: 2 [t] 2 --END--"),
		printing(t, "none", "nothing"),
	}
	o := cross.Options{Tools: tools, Statistics: cross.Statistics{Strength: true, Ambiguous: true, Automata: true}}
	results := run(t, o, these(t, "GFa"))[0].Results
	for i := range results[:6] {
		a, err := hoa.NewReader(context.Background(), strings.NewReader(results[i].Automaton)).Next()
		if err != nil || strings.Contains(results[i].Automaton, "\n") {
			t.Fatalf("%v: %v in %q", results[i].Subject, err, results[i].Automaton)
		}
		if a.Name != "two lines" || a.NumStates() != 3 {
			t.Errorf("%v: got %s", results[i].Subject, results[i].Automaton)
		}
	}
	weak, branches, alternating, none := results[0], results[2], results[4], results[6]
	if weak.States != 2 || weak.Unreachable != 1 || weak.Edges != 3 || weak.Transitions != 4 || weak.Nondet != 1 || weak.NondetEdges != 2 || !weak.Nondeterministic() ||
		weak.Strength == nil || *weak.Strength != (outcome.Strength{Class: "weak", Nonaccepting: 1, Weak: 1}) || weak.Ambiguous == nil || !*weak.Ambiguous {
		t.Errorf("weak: %#v, %+v", weak, weak.Strength)
	}
	if branches.Class != "terminal" || branches.Terminal != 2 || branches.Nonaccepting != 1 || branches.Transient != 1 || branches.Ambiguous == nil || *branches.Ambiguous {
		t.Errorf("branches: %#v, %+v", branches, branches.Strength)
	}
	if !alternating.Alternating || alternating.Universal != 1 || alternating.Nondeterministic() || alternating.Strength != nil || alternating.Ambiguous != nil {
		t.Errorf("alternating: %#v, %+v", alternating, alternating.Strength)
	}
	if none.Status != "syntax" || none.States != 0 || none.Automaton != "" || none.Strength != nil {
		t.Errorf("none: %#v", none)
	}
	o.Statistics = cross.Statistics{}
	for _, r := range run(t, o, these(t, "GFa"))[0].Results {
		if r.Strength != nil || r.Ambiguous != nil || r.Automaton != "" {
			t.Errorf("not asked for: %#v", r)
		}
	}
}

// TestStatisticsLate: what takes too long is undecided, and the run goes on.
func TestStatisticsLate(t *testing.T) {
	limits := productcheck.DefaultLimits
	limits.Time = time.Nanosecond
	a := printing(t, "a", "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 0 {0} --END--")
	c := run(t, cross.Options{Tools: []*translators.Tool{a}, Limits: limits, Statistics: cross.Statistics{Strength: true, Ambiguous: true}}, these(t, "GFa"))[0]
	late := map[string]string{}
	for _, u := range c.Undecided {
		late[u.Check] = u.Why
	}
	for _, check := range []string{"strength of P a", "strength of N a", "ambiguity of P a", "ambiguity of N a"} {
		if late[check] != "time limit of 1ns" {
			t.Errorf("%s: %q", check, late[check])
		}
	}
	if c.Results[0].Strength != nil || c.Results[0].Ambiguous != nil || c.Results[0].States != 1 {
		t.Errorf("got %#v", c.Results[0])
	}
}

// TestDeclaredStrength: automata that Spot's ltl2tgba has printed are of the strength that
// their headers declare.
func TestDeclaredStrength(t *testing.T) {
	type record struct{ Formula, Tool, Output, Status string }
	met := map[string]int{}
	for r := range corpus.Records[record](t, "recorded.jsonl.gz") {
		if !strings.HasPrefix(r.Tool, "ltl2tgba") || r.Status != "ok" {
			continue
		}
		a, _, err := hoa.ReadOne(context.Background(), []byte(r.Output))
		if err != nil {
			t.Fatalf("%s: %s: %v", r.Tool, r.Formula, err)
		}
		s, err := a.Strength(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		z, declared := must.Get(a.Statistics(t.Context())), a.Declared.Properties
		for property, ok := range map[string]bool{
			"terminal":        s.Class() == "terminal",
			"weak":            s.Class() != "strong",
			"very-weak":       z.VeryWeak,
			"inherently-weak": s.Mixed == 0,
			"state-acc":       z.StateMarks,
			"complete":        z.Complete,
			"deterministic":   !z.Nondeterministic,
		} {
			if !slices.Contains(declared, property) {
				continue
			}
			if met[property]++; !ok {
				t.Errorf("%s: %s: declared %s, but found %+v, %+v", r.Tool, r.Formula, property, s, z)
			}
		}
		// ltl2tgba looks for no weaker property than those it declares.
		weak := slices.ContainsFunc(declared, func(p string) bool { return strings.HasSuffix(p, "weak") || p == "terminal" })
		if !weak && s.Class() != "strong" {
			t.Errorf("%s: %s: declared %q, but found %+v", r.Tool, r.Formula, declared, s)
		}
	}
	for _, property := range []string{"terminal", "weak", "very-weak"} {
		if met[property] < 100 {
			t.Errorf("%s is declared by %d automata", property, met[property])
		}
	}
}

// products are random state spaces that show most errors in formulas of ten nodes.
var products = cross.Products{Number: 2, States: 60, Density: 0.05, Seed: 1}

// TestProducts: with neither complements nor words nor a reference, the products with
// random state spaces find what a mutant lacks. Only the mutant is blamed, and only where
// its language has changed.
func TestProducts(t *testing.T) {
	t.Parallel()
	const seed = 11
	for _, alone := range []bool{false, true} {
		for _, mutation := range []string{"drop", "negate"} {
			tools := []*translators.Tool{streamed(t, mutation)}
			if !alone {
				tools = append(tools, streamed(t, "gpvw"))
			}
			missing, byProducts := 0, 0
			for _, c := range run(t, cross.Options{Tools: tools, NoComplement: true, Products: products}, randomFormulas(t, seed, campaign.Inputs(t, 100), 8)) {
				if len(c.Errors) > 0 || len(c.Undecided) > 0 {
					t.Errorf("%s: %v %v", c.Formula, c.Errors, c.Undecided)
				}
				failed := false
				for _, check := range c.Checks {
					if strings.Contains(check.Check, "!") {
						t.Errorf("%s: check %s needs a complement", c.Formula, check.Check)
					}
					if strings.HasPrefix(check.Check, "products") && check.Verdict == "failed" {
						failed = true
						byProducts++
					}
				}
				if failed && len(c.Disagreements) == 0 {
					t.Errorf("%s: products differ, but there is no disagreement", c.Formula)
				}
				for _, d := range c.Disagreements {
					checkDisagreement(t, c, &d)
					for _, b := range d.Blamed {
						if b.Translator != mutation || !changed(t, mutation, c.Formula, bool(b.Polarity)) {
							t.Errorf("seed %d, %s: %s is blamed", seed, c.Formula, b)
						}
					}
					if d.Kind == "missing" {
						missing++
					}
				}
			}
			if missing < 3 || byProducts < 3 {
				t.Errorf("%s, alone %v: %d missing words, products have shown %d disagreements: too few to say anything", mutation, alone, missing, byProducts)
			}
		}
	}
}

// TestProductSizes: the sizes are there for each automaton and space, also without checks;
// then the negations are not asked for.
func TestProductSizes(t *testing.T) {
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}, Products: products}, randomFormulas(t, 12, 10, 8)) {
		for _, r := range c.Results {
			if len(r.ProductStates) != 2 || len(r.ProductTransitions) != 2 || len(r.ProductSCC) != 2 {
				t.Errorf("%s: %+v", c.Formula, r)
			}
		}
	}
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "drop")}, Products: products, NoChecks: true, Words: 20, Properties: true},
		these(t, "a U b", "GFa"))
	for _, c := range cases {
		if c.Checked || len(c.Checks)+len(c.Disagreements)+len(c.Findings)+len(c.Undecided)+len(c.Errors) > 0 {
			t.Errorf("%s: something was checked: %+v", c.Formula, c)
		}
		for _, r := range c.Results {
			want := []string{"ok", "unasked"}[r.Polarity.Index()]
			negated := r.Polarity == outcome.Negation
			if string(r.Status) != want || r.Failed() || r.Asked() == negated || (len(r.ProductStates) == 2) == negated || (r.States > 0) == negated {
				t.Errorf("%s: %+v", c.Formula, r)
			}
		}
	}
}

// TestProductLimits: a product that is given up is an undecided check, and the others
// are compared.
func TestProductLimits(t *testing.T) {
	limits := productcheck.DefaultLimits
	limits.ProductStates = 80
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Products: products, NoComplement: true, Limits: limits}, these(t, "a", "a U (b & X(a U c))"))
	large := cases[1]
	if len(large.Undecided) == 0 || !strings.Contains(large.Undecided[0].Check, "in products with state space 0") || large.Undecided[0].Why != "limit of 80 product states" {
		t.Errorf("undecided: %+v", large.Undecided)
	}
	if len(large.Results[0].ProductStates) != 0 {
		t.Errorf("sizes of a product that was given up: %+v", large.Results[0])
	}
}

// TestSave: only the automata of cases in which something is wrong are handed over,
// including the automata of the reference.
func TestSave(t *testing.T) {
	saved := make(chan string, 100)
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "toggle")}, Words: 20, Reference: translate.Of,
		Save: func(c *outcome.Case, automata map[outcome.Subject]*omega.Automaton) error {
			if len(automata) != 6 {
				return fmt.Errorf("%s: automata %v", c.Formula, automata)
			}
			saved <- c.Formula
			return nil
		}}, randomFormulas(t, 13, 20, 8))
	close(saved)
	got := map[string]int{}
	for f := range saved {
		got[f]++
	}
	wrong := 0
	for _, c := range cases {
		want := 0
		if c.Wrong() {
			want = 1
			wrong++
		}
		if got[c.Formula] != want {
			t.Errorf("%s: saved %d times, want %d", c.Formula, got[c.Formula], want)
		}
	}
	if wrong < 3 || wrong > 17 {
		t.Errorf("%d of 20 cases are wrong: the test shows nothing", wrong)
	}
}
