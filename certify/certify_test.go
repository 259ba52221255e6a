package certify_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/imports"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// The trusted core shares nothing with what it certifies.
func TestImports(t *testing.T) {
	if got := imports.Own(t); got != "certify internal/promela internal/recent internal/spelling ltl" {
		t.Errorf("certify depends on %q: expected only certify, ltl and what ltl needs", got)
	}
}

func read(t testing.TB, text string) *omega.Automaton {
	t.Helper()
	a, _, err := hoa.ReadOne(context.Background(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func word(t testing.TB, text string) *certify.Word {
	t.Helper()
	w, err := certify.ParseWord(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return w
}

// Each automaton is small enough to see the answer.
func TestAccepts(t *testing.T) {
	const fairness = "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b c\" Acceptance: %A --BODY-- State: 0 [0] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--"
	const branching = "HOA: v1 States: 3 Start: 0&1 AP: 1 \"a\" Acceptance: 1 Fin(0) --BODY-- State: 0 {0} [0] 0 [0] 2 State: 1 [!0] 1 [0] 1&2 State: 2 [t] 2 --END--"
	for _, x := range []struct {
		text, acceptance, word string
		accepts                bool
	}{
		{fairness, "2 Inf(0)", `cycle{a&!"b c"; !a&!"b c"}`, true},
		{fairness, "2 Inf(0)", `a&!"b c"; cycle{!a&!"b c"}`, false},
		{fairness, "2 Inf(0) & Inf(1)", `cycle{a&!"b c"; !a&"b c"}`, true},
		{fairness, "2 Inf(0) & Fin(1)", `cycle{a&!"b c"; !a&"b c"}`, false},
		{fairness, "2 Inf(0) & Fin(1)", `!a&"b c"; cycle{a&!"b c"}`, true},
		{fairness, "2 Inf(!0)", `cycle{a&!"b c"}`, false},
		{fairness, "2 Inf(!0)", `cycle{a&!"b c"; !a&!"b c"}`, true},
		{fairness, "2 Fin(!0)", `!a&!"b c"; cycle{a&!"b c"}`, true},
		{fairness, "2 t", `cycle{!a&!"b c"}`, true},
		{fairness, "2 f", `cycle{!a&!"b c"}`, false},
		{branching, "", "a; cycle{!a}", true},  // 0 goes to 2, 1 stays
		{branching, "", "cycle{!a}", false},    // 0 is stuck
		{branching, "", "cycle{a}", true},      // 0 leaves at once
		{branching, "", "!a; cycle{a}", false}, // 0 is stuck
	} {
		text := strings.ReplaceAll(x.text, "%A", x.acceptance)
		got, err := certify.Accepts(context.Background(), read(t, text).Plain(), word(t, x.word))
		if err != nil || got != x.accepts {
			t.Errorf("%s on %s: %v, %v; expected %v", x.acceptance, x.word, got, err, x.accepts)
		}
	}
}

func TestParseWord(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"cycle{a", "word: expected ';' or '}', found \"\""},
		{"a; b", "word: expected ';', found \"\""},
		{"cycle{}", "word: expected a proposition, found \"}\""},
		{"cycle{a&!a}", "word: a is both true and false in a letter"},
		{"cycle{a} b", "word: expected the end, found \" b\""},
		{`cycle{"a`, "word: expected '\"' after the name of a proposition, found \"a\""},
		{"cycle{a|b}", "word: expected ';' or '}', found \"|b}\""},
	} {
		if _, err := certify.ParseWord(x.text); err == nil || err.Error() != x.want {
			t.Errorf("%s: %v; expected %s", x.text, err, x.want)
		}
	}
	w := word(t, `a&!"b \"c\\"; 1; cycle{true&!X1}`)
	if len(w.Prefix) != 2 || !w.Prefix[0]["a"] || len(w.Prefix[1]) != 0 || len(w.Cycle[0]) != 2 {
		t.Errorf("read as %v", w)
	}
	if value, ok := w.Prefix[0][`b "c\`]; value || !ok {
		t.Errorf("read as %v", w)
	}
}

// Words are read as package omega prints them, whatever their propositions are called.
func TestPrintedWords(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	names := []string{"a", "b c", `q"\`, "X", "true", "cycle{", "p.q", "_1", "ä;}", "1", "G a"}
	for range n {
		props := slices.Clone(names)
		r.Shuffle(len(props), func(i, j int) { props[i], props[j] = props[j], props[i] })
		alphabet := omega.NewAlphabet(props[:1+r.IntN(9)]...)
		w := random.Word(r, alphabet, 3, 3).Concrete()
		v := word(t, w.String())
		for i, letter := range append(slices.Clone(v.Prefix), v.Cycle...) {
			for k, name := range alphabet.Props() {
				value, ok := letter[name]
				if !ok || value != alphabet.Meet(w.At(i), alphabet.Prop(k)) {
					t.Fatalf("%s: letter %d says %v, %v of %q", w, i, value, ok, name)
				}
			}
		}
	}
}

// TestCorpusAutomata compares with what other tools say about words, and with our own membership test
// on random ones, for every second automaton or in a campaign for all.
func TestCorpusAutomata(t *testing.T) {
	type record struct {
		ID      int
		HOA     string
		Accepts [][2]any
	}
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	for x := range campaign.Sample(corpus.Records[record](t, "automata.jsonl.gz"), 2) {
		a := read(t, x.HOA)
		for _, pair := range x.Accepts {
			w, err := omega.ParseWord(context.Background(), pair[0].(string))
			if err != nil {
				t.Fatal(err)
			}
			w = w.Over(omega.Union(w.Alphabet, a.Alphabet()))
			if w.Determines(a.Alphabet().Props()) != nil {
				continue
			}
			got, err := certify.Accepts(ctx, a.Plain(), word(t, w.Concrete().String()))
			if err != nil || got != pair[1].(bool) {
				t.Errorf("%d: %s: %v, %v; expected %v", x.ID, w, got, err, pair[1])
			}
		}
		unread := *a
		unread.AsRead = nil
		for range 5 {
			w := random.Word(r, a.Alphabet(), 4, 4).Concrete()
			want, err := a.Accepts(context.Background(), w)
			if err != nil {
				t.Fatal(err)
			}
			for _, plain := range []*certify.Automaton{a.Plain(), unread.Plain()} {
				if got, err := certify.Accepts(ctx, plain, word(t, w.String())); err != nil || got != want {
					t.Errorf("%d: %s: %v, %v; expected %v", x.ID, w, got, err, want)
				}
			}
		}
	}
}

// The naive product agrees with what other tools say about pairs of automata.
func TestCorpusDisjoint(t *testing.T) {
	type record struct {
		A, B      string
		Intersect bool
	}
	decided := 0
	for x := range corpus.Records[record](t, "pairs.jsonl.gz") {
		got, err := certify.Disjoint(context.Background(), read(t, x.A).Plain(), read(t, x.B).Plain(), 1<<16)
		if err == certify.ErrLarge {
			continue
		}
		if err != nil || got == x.Intersect {
			t.Errorf("disjoint: %v, %v; expected %v", got, err, !x.Intersect)
		}
		decided++
	}
	if decided < 200 {
		t.Errorf("only %d pairs decided", decided)
	}
}

// The complement of a deterministic automaton accepts what that rejects: inclusions are
// decided as by other tools, and each word is in one of the two.
func TestCorpusComplement(t *testing.T) {
	type record struct {
		A, B string
		AInB *bool `json:"a_in_b"`
	}
	r := rand.New(rand.NewPCG(7, 8))
	decided := 0
	for x := range corpus.Records[record](t, "pairs.jsonl.gz") {
		b := read(t, x.B)
		co, err := certify.Complement(b.Plain())
		if (err == nil) != b.IsDeterministic() || err != nil && err != certify.ErrNondeterministic {
			t.Fatalf("complement: %v\n%s", err, x.B)
		}
		if err != nil {
			continue
		}
		for range 20 {
			w := word(t, random.Word(r, b.Alphabet(), 4, 4).Concrete().String())
			in, err := certify.Accepts(context.Background(), b.Plain(), w)
			out, failed := certify.Accepts(context.Background(), co, w)
			if err != nil || failed != nil || in == out {
				t.Errorf("automaton: %v, %v; complement: %v, %v\n%s", in, err, out, failed, x.B)
			}
		}
		if x.AInB == nil {
			continue
		}
		included, err := certify.Disjoint(context.Background(), read(t, x.A).Plain(), co, 1<<17)
		if err != nil || included != *x.AInB {
			t.Errorf("A in B: %v, %v; expected %v\n%s\n%s", included, err, *x.AInB, x.A, x.B)
		}
		decided++
	}
	if decided < 100 {
		t.Errorf("only %d inclusions decided", decided)
	}
}

func TestCorpusWords(t *testing.T) {
	type record struct {
		Formula, Word string
		Holds         bool
	}
	for x := range corpus.Records[record](t, "words.jsonl.gz") {
		f, err := ltl.NewStore().Parse(x.Formula, ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		w, err := omega.ParseWord(context.Background(), x.Word)
		if err != nil {
			t.Fatal(err)
		}
		if w.Determines(f.Props()) != nil {
			continue // true means that some valuation makes it so
		}
		got, err := certify.Holds(context.Background(), f, word(t, w.Concrete().String()))
		if err != nil || got != x.Holds {
			t.Errorf("%s on %s: %v, %v; expected %v", x.Formula, x.Word, got, err, x.Holds)
		}
	}
}

// Truth agrees with package ltl's, also for operators of the past.
func TestHoldsRandom(t *testing.T) {
	n, seed := campaign.Seeded(t, 2000, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	store := ltl.NewStore()
	props := []string{"a", "b", "c"}
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 1, MaxSize: 12, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		f = store.Import(f)
		w := random.Word(r, omega.NewAlphabet(props...), 3, 4).Concrete()
		want, err := w.Holds(f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := certify.Holds(context.Background(), f, word(t, w.String())); err != nil || got != want {
			t.Fatalf("seed %d: %s on %s: %v, %v; expected %v", seed, f, w, got, err, want)
		}
	}
}

// Alternating automata: very weak ones of formulas, against our own membership test.
func TestCorpusAlternating(t *testing.T) {
	type record struct{ Tool, Output, Status string }
	r := rand.New(rand.NewPCG(3, 4))
	seen := 0
	for x := range corpus.Records[record](t, "recorded.jsonl.gz") {
		if x.Tool != "ltl3ba-H1" || x.Status != "ok" {
			continue
		}
		a := read(t, x.Output)
		if len(a.Alphabet().Props()) > 8 {
			continue
		}
		seen++
		for range 5 {
			w := random.Word(r, a.Alphabet(), 3, 3).Concrete()
			want, err := a.Accepts(context.Background(), w)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := certify.Accepts(context.Background(), a.Plain(), word(t, w.String())); err != nil || got != want {
				t.Errorf("%s: %s: %v, %v; expected %v", x.Output, w, got, err, want)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d automata", seen)
	}
}

// Time is bounded by the context, also where deciding a cycle is as hard as satisfiability.
func TestCancel(t *testing.T) {
	a := &certify.Automaton{States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.AllOf}}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 120 {
		a.AddEdge(0, &certify.Label{Op: certify.True}, []int{i}, 0)
	}
	for range 640 {
		clause := &certify.Condition{Op: certify.AnyOf}
		for range 3 {
			op := []certify.CondOp{certify.Inf, certify.Fin}[r.IntN(2)]
			clause.Args = append(clause.Args, &certify.Condition{Op: op, Mark: r.IntN(120)})
		}
		a.Acceptance.Args = append(a.Acceptance.Args, clause)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := certify.Accepts(ctx, a, word(t, "cycle{1}")); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
