package certify_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/imports"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

// The trusted core shares no code with the packages whose results it certifies.
func TestImports(t *testing.T) {
	if got := imports.Own(t); got != "certify internal/must internal/promela internal/recent internal/spelling ltl" {
		t.Errorf("certify depends on %q: expected only certify, ltl and what ltl needs", got)
	}
}

func read(t testing.TB, text string) *omega.Automaton {
	t.Helper()
	a := must.First(hoa.ReadOne(context.Background(), []byte(text)))
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
		{`cycle{"a`, "word: expected a proposition, found \"\\\"a\""},
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
			w := must.Get(omega.ParseWord(context.Background(), pair[0].(string)))
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
			want := must.Get(a.Accepts(context.Background(), w))
			for _, plain := range []*certify.Automaton{a.Plain(), unread.Plain()} {
				if got, err := certify.Accepts(ctx, plain, word(t, w.String())); err != nil || got != want {
					t.Errorf("%d: %s: %v, %v; expected %v", x.ID, w, got, err, want)
				}
			}
		}
	}
}

func TestCorpusWords(t *testing.T) {
	type record struct {
		Formula, Word string
		Holds         bool
	}
	for x := range corpus.Records[record](t, "words.jsonl.gz") {
		f := must.Get(ltl.NewStore().Parse(x.Formula, ltl.Spot))
		w := must.Get(omega.ParseWord(context.Background(), x.Word))
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
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 1, MaxSize: 12, Past: true}))
	for range n {
		f := must.Get(g.Next())
		f = store.Import(f)
		w := random.Word(r, omega.NewAlphabet(props...), 3, 4).Concrete()
		want := must.Get(w.Holds(f))
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
			want := must.Get(a.Accepts(context.Background(), w))
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

// Completions is how much work the tests allow for one word.
const completions = 1 << 20

// openWord returns the text of a random word whose letters leave propositions open.
func openWord(r *rand.Rand, props []string) string {
	letters := make([]string, 1+r.IntN(4))
	for i := range letters {
		var literals []string
		for _, p := range props {
			if k := r.IntN(5); k < 4 {
				literals = append(literals, strings.Repeat("!", k%2)+p)
			}
		}
		letters[i] = strings.Join(literals, "&")
		if literals == nil {
			letters[i] = "1"
		}
	}
	before := r.IntN(len(letters))
	return strings.Join(append(letters[:before:before], "cycle{"+strings.Join(letters[before:], "; ")+"}"), "; ")
}

// rounds calls each for the lassos that write the cycle of the word out twice and complete each
// letter in every way.
func rounds(w *certify.Word, props []string, each func(*certify.Word)) {
	v := &certify.Word{Prefix: append([]certify.Letter(nil), w.Prefix...), Cycle: append(append([]certify.Letter(nil), w.Cycle...), w.Cycle...)}
	var complete func(i int)
	complete = func(i int) {
		at := &v.Prefix
		k := i / len(props)
		if k >= len(v.Prefix) {
			at, k = &v.Cycle, k-len(v.Prefix)
		}
		if k == len(v.Cycle) && at == &v.Cycle {
			each(v)
			return
		}
		old := (*at)[k]
		for _, truth := range []bool{false, true} {
			if fixed, ok := old[props[i%len(props)]]; ok && fixed != truth {
				continue
			}
			letter := certify.Letter{props[i%len(props)]: truth}
			for name, value := range old {
				letter[name] = value
			}
			(*at)[k] = letter
			complete(i + 1)
		}
		(*at)[k] = old
	}
	complete(0)
}

func newLanguage(t *testing.T, text string, alphabet *omega.Alphabet) *productcheck.Language {
	t.Helper()
	w := must.Get(omega.ParseWord(t.Context(), text))
	return productcheck.NewLanguage(must.Get(w.Automaton().Over(t.Context(), alphabet)))
}

// disjoint is what the search says about two languages.
func disjoint(t *testing.T, x *productcheck.Language, inX bool, y *productcheck.Language, inY bool) bool {
	t.Helper()
	d := productcheck.Decider{}
	r, err := d.Decide(t.Context(), productcheck.Side{Language: x, In: inX}, productcheck.Side{Language: y, In: inY})
	if err != nil || r.Undecided != nil {
		t.Fatal(err, r.Undecided)
	}
	return r.Empty()
}

// TestCompletionsOfAutomata compares what automata accept of words with open propositions with the
// search for a word in a product or a complement, and with all short completions.
func TestCompletionsOfAutomata(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b"}
	seen := map[string]int{}
	for i := range n {
		alphabet := omega.NewAlphabet(props...)
		a := sample.Automaton(r, alphabet)
		if i%3 == 0 {
			sets := 1 + r.IntN(3)
			states := 1 + r.IntN(4)
			a = random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
				random.Options{States: states, Density: 2.5 / float64(states), Marks: 0.4})
		}
		text := openWord(r, props)
		w, plain := word(t, text), a.Plain()
		what := fmt.Sprintf("seed %d, automaton %d on %s", seed, i, text)
		_, err := prove.Inclusion(t.Context(), w.Automaton(), plain, completions)
		all := err == nil
		none, failed := certify.Disjoint(t.Context(), plain, w.Automaton(), completions)
		if failed != nil || !all && !errors.Is(err, prove.ErrLost) && !errors.Is(err, certify.ErrLarge) {
			t.Fatalf("%s: %v, %v", what, err, failed)
		}
		x, y := newLanguage(t, text, alphabet), productcheck.NewLanguage(a)
		if want := disjoint(t, x, true, y, false); all && !want {
			t.Fatalf("%s: accepts all: %v, expected %v", what, all, want)
		} else if all != want {
			seen["lost"]++
		}
		if want := disjoint(t, x, true, y, true); none != want {
			t.Fatalf("%s: accepts none: %v, expected %v", what, none, want)
		}
		if all || none {
			rounds(w, props, func(v *certify.Word) {
				if got, err := certify.Accepts(t.Context(), plain, v); err != nil || got != all {
					t.Fatalf("%s: %v, but %v, %v on the completion %v", what, all, got, err, v)
				}
			})
		}
		seen[fmt.Sprint(all, none)]++
	}
	t.Logf("all, none: %v", seen)
	if seen["true false"] < n/50 || seen["false true"] < n/50 || seen["false false"] < n/50 || seen["lost"] > seen["true false"]/20 {
		t.Errorf("all, none: %v: too few to say anything", seen)
	}
}

// TestCompletionsOfFormulas is the same for formulas.
func TestCompletionsOfFormulas(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b"}
	store := ltl.NewStore()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 1, MaxSize: 9, Past: true}))
	seen := map[bool]int{}
	for range n {
		f := store.Import(must.Get(g.Next()))
		text := openWord(r, props)
		w, alphabet := word(t, text), omega.NewAlphabet(props...)
		x := newLanguage(t, text, alphabet)
		for _, truth := range []bool{true, false} {
			what := fmt.Sprintf("seed %d, %s on %s", seed, f, text)
			got, err := certify.HoldsOnAll(t.Context(), f, truth, w, completions)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			opposite := f
			if truth {
				opposite = store.Not(f)
			}
			wrong := productcheck.NewLanguage(must.Get(must.Get(translate.Of(t.Context(), store, opposite)).Over(t.Context(), alphabet)))
			if want := disjoint(t, x, true, wrong, true); got != want {
				t.Fatalf("%s: always %v: %v, expected %v", what, truth, got, want)
			}
			if seen[got]++; !got {
				continue
			}
			rounds(w, props, func(v *certify.Word) {
				if value, err := certify.Holds(t.Context(), f, v); err != nil || value != truth {
					t.Fatalf("%s: always %v, but %v, %v on %v", what, truth, value, err, v)
				}
			})
		}
	}
	if seen[true] < n/4 || seen[false] < n/4 {
		t.Errorf("%v: too few to say anything", seen)
	}
}

// TestLabels compares membership in automata of one edge with the truth of its label, of labels
// with up to 200 parts that share their own parts.
func TestLabels(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b", "c"}
	for range 500 {
		letter := certify.Letter{}
		var labels []*certify.Label
		var truth []bool
		for i, name := range props {
			letter[name] = r.IntN(2) == 0
			labels = append(labels, &certify.Label{Op: certify.Prop, Prop: i})
			truth = append(truth, letter[name])
		}
		for range r.IntN(200) {
			l, value := randomLabel(r, labels, truth)
			labels, truth = append(labels, l), append(truth, value)
		}
		a := &certify.Automaton{Props: props, States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Always}}
		last := len(labels) - 1
		a.AddEdge(0, labels[last], nil, 0)
		got, err := certify.Accepts(t.Context(), a, &certify.Word{Cycle: []certify.Letter{letter}})
		if err != nil || got != truth[last] {
			t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, truth[last])
		}
	}
	a := &certify.Automaton{Props: props, States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Always}}
	p := []*certify.Label{{Op: certify.Prop}, {Op: certify.Prop, Prop: 1}, {Op: certify.Prop, Prop: 2}}
	a.AddEdge(0, &certify.Label{Op: certify.Or, Args: []*certify.Label{p[2], {Op: certify.And, Args: p[:2]}}}, nil, 0) // without a, b does not matter
	if _, err := certify.Accepts(t.Context(), a, word(t, "cycle{!a}")); err == nil || err.Error() != "a letter does not determine the truth of c" {
		t.Error(err)
	}
}

// randomLabel returns a label of some of the last labels, and its truth.
func randomLabel(r *rand.Rand, labels []*certify.Label, truth []bool) (*certify.Label, bool) {
	pick := func() int { return max(0, len(labels)-1-r.IntN(4)) }
	if r.IntN(3) == 0 {
		i := pick()
		return &certify.Label{Op: certify.Not, Args: labels[i : i+1 : i+1]}, !truth[i]
	}
	l := &certify.Label{Op: certify.And}
	if r.IntN(2) == 0 {
		l.Op = certify.Or
	}
	value := l.Op == certify.And
	for range r.IntN(4) {
		i := pick()
		l.Args = append(l.Args, labels[i])
		if truth[i] == (l.Op == certify.Or) {
			value = truth[i]
		}
	}
	return l, value
}

// TestRings compares membership with arithmetic: a ring of n states sees its mark if its first
// state, at each n-th position of the word, reads a.
func TestRings(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		n, size := 1+r.IntN(300), 1+r.IntN(12)
		a := &certify.Automaton{Props: []string{"a"}, States: n, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
		prop := &certify.Label{Op: certify.Prop}
		a.AddEdge(0, prop, []int{0}, 1%n)
		a.AddEdge(0, &certify.Label{Op: certify.Not, Args: []*certify.Label{prop}}, nil, 1%n)
		for s := 1; s < n; s++ {
			a.AddEdge(s, &certify.Label{Op: certify.True}, nil, (s+1)%n)
		}
		w, want := &certify.Word{}, false
		for range size {
			w.Cycle = append(w.Cycle, certify.Letter{"a": r.IntN(4) == 0})
		}
		for k := range size {
			want = want || w.Cycle[k*n%size]["a"]
		}
		got, err := certify.Accepts(t.Context(), a, w)
		if err != nil || got != want {
			t.Fatalf("seed %d: %d states, word %v: %v, %v, want %v", seed, n, w.Cycle, got, err, want)
		}
	}
}

// TestWorkedExamples runs the examples in the comments on automata, and of HoldsOnAll.
func TestWorkedExamples(t *testing.T) {
	ctx := context.Background()
	always := read(t, `HOA: v1 Start: 0 AP: 1 "b" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--`).Plain()
	for text, want := range map[string]bool{"cycle{a; !b}": true, "cycle{a}": false} {
		if none, err := certify.Disjoint(ctx, always, word(t, text).Automaton(), 100); err != nil || none != want {
			t.Errorf("%s: %v, %v", text, none, err)
		}
	}
	branching := read(t, `HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 Fin(0) --BODY--
		State: 0 [t] 0&1 State: 1 [!0] 1 {0} [0] 2 State: 2 [t] 2 --END--`).Plain()
	for text, want := range map[string]bool{"cycle{!a}": false, "cycle{a}": true} {
		if in, err := certify.Accepts(ctx, branching, word(t, text)); err != nil || in != want {
			t.Errorf("%s: %v, %v", text, in, err)
		}
	}
	store := ltl.NewStore()
	for _, x := range []struct {
		formula    string
		truth, all bool
	}{{"a | Gb", true, true}, {"Fb", true, false}, {"Fb", false, false}} {
		f := must.Get(store.Parse(x.formula, ltl.Spot))
		if all, err := certify.HoldsOnAll(ctx, f, x.truth, word(t, "cycle{a}"), 1000); err != nil || all != x.all {
			t.Errorf("%s is %v on all completions: %v, %v", x.formula, x.truth, all, err)
		}
	}
}

// FuzzParseWord: what is read is read in the same way by package omega, and as no more than
// the conjunctions that are written.
func FuzzParseWord(f *testing.F) {
	for _, text := range []string{"cycle{1}", "a&!b; cycle{!a; 1}", `"b c"&!"q\"\\"; cycle{X1}`, "cycle{a", "a; a", "cycle{!&}", "cycle{a&!a}", "cycle{\fHaa}", "cycle{0+A}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := certify.ParseWord(text)
		if err != nil {
			return
		}
		if len(w.Cycle) == 0 {
			t.Fatalf("%q: a word without a cycle", text)
		}
		v, err := omega.ParseWord(context.Background(), text)
		if err != nil {
			return // a name that needs quotes: it is never printed so
		}
		if len(v.Prefix) != len(w.Prefix) || len(v.Cycle) != len(w.Cycle) {
			t.Fatalf("%q: %d letters and a cycle of %d, read as %d and %d", text, len(v.Prefix), len(v.Cycle), len(w.Prefix), len(w.Cycle))
		}
		for i := range v.Size() {
			letter := append(w.Prefix, w.Cycle...)[i]
			all := v.Alphabet.True()
			for k, name := range v.Alphabet.Props() {
				if value, ok := letter[name]; ok && value {
					all = v.Alphabet.And(all, v.Alphabet.Prop(k))
				} else if ok {
					all = v.Alphabet.And(all, v.Alphabet.Not(v.Alphabet.Prop(k)))
				}
			}
			if all != v.At(i) {
				t.Fatalf("%q: letter %d is read in two ways", text, i+1)
			}
		}
	})
}
