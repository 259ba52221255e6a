package cross_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
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

// mutant returns what the test translator of that name gives for a formula or its
// negation.
func mutant(t *testing.T, s outcome.Subject, formula string) *omega.Automaton {
	t.Helper()
	store := ltl.NewStore()
	f := parsed(t, store, formula)
	if s.Polarity == outcome.Negation {
		f = store.Not(f)
	}
	a, err := mutated(s.Translator, f.String())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func parsed(t *testing.T, store *ltl.Store, formula string) *ltl.Formula {
	t.Helper()
	return must.Get(store.Parse(formula, ltl.Spot))
}

func holds(t *testing.T, f *ltl.Formula, word string) bool {
	t.Helper()
	w := must.Get(omega.ParseWord(context.Background(), word))
	truth, err := w.Holds(f)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// rest returns the word that a run reads from a place on, behind other letters.
func rest(r *outcome.Path, at int, before []string) string {
	letters := slices.Clone(before)
	for i := at; i < len(r.Prefix); i++ {
		letters = append(letters, r.Prefix[i].Letter)
	}
	var cycle []string
	for i := range r.Cycle {
		if k := at - len(r.Prefix); k > 0 {
			i = (i + k) % len(r.Cycle)
		}
		cycle = append(cycle, r.Cycle[i].Letter)
	}
	return strings.Join(append(letters, "cycle{"+strings.Join(cycle, "; ")+"}"), "; ")
}

// checkExplanations recomputes what is said of the automata that a disagreement blames.
func checkExplanations(t *testing.T, c *outcome.Case, d *outcome.Disagreement, automaton func(outcome.Subject) *omega.Automaton) {
	t.Helper()
	var explained []outcome.Subject
	for i := range d.Explanations {
		e := &d.Explanations[i]
		explained = append(explained, e.Automata...)
		if e.Accepts != (d.Kind == "extra") || e.Why == "" {
			t.Errorf("%s on %s (%s): %+v", c.Formula, d.Word, d.Kind, e)
		}
		text, _, err := hoa.ReadOne(context.Background(), []byte(e.HOA))
		if err != nil {
			t.Fatalf("%s on %s: the text of the automaton: %v\n%s", c.Formula, d.Word, err, e.HOA)
		}
		for _, s := range e.Automata {
			checkPath(t, c, d, s, e, automaton(s))
			checkPath(t, c, d, s, e, text)
		}
	}
	for _, s := range d.Blamed {
		if !slices.Contains(explained, s) {
			t.Errorf("%s on %s: %s is not explained", c.Formula, d.Word, s)
		}
	}
	checkOpposite(t, c, d, automaton)
	checkTable(t, c, d)
}

// checkOpposite: of an extra word, and of no other, there is a run of the other side if that has the word.
func checkOpposite(t *testing.T, c *outcome.Case, d *outcome.Disagreement, automaton func(outcome.Subject) *omega.Automaton) {
	t.Helper()
	var want []outcome.Subject
	for _, a := range d.Accepts {
		if d.Kind == outcome.Extra && a.Accepts && a.Polarity != d.Blamed[0].Polarity {
			want = append(want, a.Subject)
		}
	}
	e := d.Opposite
	if e == nil || len(want) == 0 {
		if e != nil || len(want) > 0 {
			t.Errorf("%s on %s (%s): %v accept it on the other side, but %+v", c.Formula, d.Word, d.Kind, want, e)
		}
		return
	}
	text, _, err := hoa.ReadOne(context.Background(), []byte(e.HOA))
	if err != nil {
		t.Fatalf("%s on %s: the text of the automaton: %v\n%s", c.Formula, d.Word, err, e.HOA)
	}
	if !e.Accepts || e.Repair != nil {
		t.Errorf("%s on %s: opposite %+v", c.Formula, d.Word, e)
	}
	for _, s := range e.Automata {
		if !slices.Contains(want, s) {
			t.Errorf("%s on %s: %s does not accept it", c.Formula, d.Word, s)
		}
		checkPath(t, c, d, s, e, text)
		if s.Translator != c.Reference {
			checkPath(t, c, d, s, e, automaton(s))
		}
	}
}

// checkPath follows the run of an explanation in the automaton, and compares what must
// hold along it, and where it leaves the semantics, with the semantics.
func checkPath(t *testing.T, c *outcome.Case, d *outcome.Disagreement, s outcome.Subject, e *outcome.Explanation, a *omega.Automaton) {
	t.Helper()
	what := fmt.Sprintf("%s, %s on %s", c.Formula, s, d.Word)
	r := e.Run
	if r == nil {
		if len(a.Initial()) > 0 {
			t.Errorf("%s: no run", what)
		}
		return
	}
	var seen []int
	for i := range len(r.Prefix) + len(r.Cycle) {
		step := r.At(i)
		if !slices.ContainsFunc(a.Edges(omega.State(step.State)), func(edge omega.Edge) bool {
			return int(edge.Dst) == step.To && slices.Equal(a.Marks().AppendTo([]int{}, edge.Marks), step.Marks) && a.Alphabet().Text(edge.Label) == step.Label
		}) {
			t.Errorf("%s: no edge as in step %d, %+v", what, i, step)
		}
		if i >= len(r.Prefix) {
			seen = append(seen, step.Marks...)
		}
	}
	if r.End != nil {
		if len(r.Cycle) > 0 || e.Accepts || len(e.Stuck) == 0 {
			t.Errorf("%s: a run that ends: %+v", what, e)
		}
		return
	}
	if accepting := a.Acceptance().Condition.Eval(a.Marks(), a.Marks().Of(seen...)); accepting != e.Accepts {
		t.Errorf("%s: the run sees %v, but acceptance is said to be %v", what, seen, e.Accepts)
	}
	store := ltl.NewStore()
	f := parsed(t, store, c.Formula)
	for i := range len(r.Prefix) + len(r.Cycle) {
		if due := r.At(i).Obligation; due != "" && holds(t, parsed(t, store, due), rest(r, i, nil)) != (d.Truth != bool(s.Polarity)) {
			t.Errorf("%s: at step %d, %s is said to be due", what, i, due)
		}
	}
	if first := rest(r, 0, nil); holds(t, f, first) != d.Truth {
		t.Errorf("%s: the run is on %s", what, first)
	}
}

// checkTable evaluates each subformula of the truth table at each position.
func checkTable(t *testing.T, c *outcome.Case, d *outcome.Disagreement) {
	t.Helper()
	store := ltl.NewStore()
	table := d.Table
	if table == nil || table.LeftOut > 0 || table.Rows[len(table.Rows)-1].Formula != c.Formula {
		t.Fatalf("%s on %s: table %+v", c.Formula, d.Word, table)
	}
	for _, row := range table.Rows {
		f := parsed(t, store, row.Formula)
		if f.Ops().HasPast() {
			continue // the rest of a word is not enough; see ltl's tests
		}
		for pos := range table.Letters {
			word := strings.Join(append(slices.Clone(table.Letters[min(pos, table.Cycle):table.Cycle]), "cycle{"), "; ")
			for k := range len(table.Letters) - table.Cycle {
				if k > 0 {
					word += "; "
				}
				word += table.Letters[table.Cycle+(max(pos-table.Cycle, 0)+k)%(len(table.Letters)-table.Cycle)]
			}
			if got := row.Truth[pos] == '1'; got != holds(t, f, word+"}") {
				t.Errorf("%s on %s: %s at %d is said to be %v", c.Formula, d.Word, row.Formula, pos, got)
			}
		}
	}
}

// TestRepairs: each kind of change is found, and none is named if several places will do.
func TestRepairs(t *testing.T) {
	for _, test := range []struct{ formula, automaton, text string }{
		{"a U b", "States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&!1] 0 [1|!0] 1 State: 1 {0} [t] 1",
			"look at the edge 0 -> 1 [!a | b]: the automaton is right with label b"},
		{"a U b", "States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&!1] 0 [1] 1 [!0&!1] 1 State: 1 {0} [t] 1",
			"look at the edge 0 -> 1 [!a&!b]: the automaton is right without it"},
		{"GFa", "States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 {0}",
			"look at the edge 0 -> 0 [!a] {0}: the automaton is right with no marks"},
		// A label that wins words could stand on an edge more, of the same state.
		{"FGa", "States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1",
			"look at state 1: the automaton is right with {0} on 1 -> 1 [a]"},
		{"a U b", "States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [1&0] 1 [0&!1] 0 State: 1 {0} [t] 1",
			"look at state 0: the automaton is right with label b on 0 -> 1 [a&b]"},
		{"XXa", "States: 4 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 State: 1 [t] 1 State: 2 [0] 3 State: 3 {0} [t] 3",
			"look at the edge 1 -> 1 [1]: the automaton is right with destination 2"},
		{"XXa", "States: 4 Start: 1 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 State: 1 [t] 2 State: 2 [0] 3 State: 3 {0} [t] 3",
			"look at the initial state: the automaton is right with start [0]"},
		{"a & Xb", "States: 3 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 2 State: 1 [1] 1 State: 2 {0} [t] 2",
			"look at the edges 0 -> 2 [a] and 1 -> 1 [b]: the automaton is right with exchanged destinations"},
		// A mark will do on either edge. And no change of one edge will do.
		{"Ga", "States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 1 State: 1 [0] 0", ""},
		{"F(a & XFb)", "States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0", ""},
	} {
		file := filepath.Join(t.TempDir(), "wrong.hoa")
		if err := os.WriteFile(file, []byte("HOA: v1 "+test.automaton+" --END--\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		tools := []*translators.Tool{shell(t, "wrong", "cat "+translators.Quote(file)+"; : %f")}
		found := false
		for _, c := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, these(t, test.formula)) {
			for _, d := range c.Disagreements {
				for _, e := range d.Explanations {
					if !slices.Contains(e.Automata, outcome.Subject{Translator: "wrong"}) {
						continue
					}
					found = true
					if e.Repair == nil && test.text != "" || e.Repair != nil && e.Repair.Text != test.text {
						t.Errorf("%s on %s: %+v, want %q", test.formula, d.Word, e.Repair, test.text)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: nothing is explained", test.formula)
		}
	}
}

// TestExplainedText: the text of an automaton goes with its explanation if it is not too
// large to be looked at.
func TestExplainedText(t *testing.T) {
	for _, c := range []struct {
		states int
		name   string // of each state
		want   bool
	}{{200, "s", true}, {201, "s", false}, {100, strings.Repeat("s", 1000), false}} {
		var text strings.Builder
		fmt.Fprintf(&text, "HOA: v1\nStates: %d\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\n", c.states)
		for s := range c.states {
			fmt.Fprintf(&text, "State: %d \"%s\"\n[t] %d\n", s, c.name, (s+1)%c.states)
		}
		text.WriteString("--END--\n")
		file := filepath.Join(t.TempDir(), "wrong.hoa")
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		tools := []*translators.Tool{shell(t, "wrong", "cat "+translators.Quote(file)+"; : %f")}
		for _, x := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, these(t, "Ga")) {
			e := x.Disagreements[0].Explanations[0]
			if (e.HOA != "") != c.want {
				t.Errorf("%d states named %.10s: a text of %d bytes", c.states, c.name, len(e.HOA))
			}
		}
	}
}

// completed returns a random completion of a word in which the cycle comes some times, with other
// choices each time.
func completed(r *rand.Rand, w *omega.Word) *omega.Word {
	a := w.Alphabet
	letter := func(l omega.Label) omega.Label {
		for i := range a.Len() {
			p := a.Prop(i)
			if r.IntN(2) == 0 {
				p = a.Not(p)
			}
			if a.Meet(l, p) {
				l = a.And(l, p)
			}
		}
		return l
	}
	v := omega.NewWord(a, nil, nil)
	for _, l := range w.Prefix {
		v.Prefix = append(v.Prefix, letter(l))
	}
	for range 1 + r.IntN(3) {
		for _, l := range w.Cycle {
			v.Cycle = append(v.Cycle, letter(l))
		}
	}
	return v
}

// literals counts the literals of a word.
func literals(text string) int {
	n := 1 + strings.Count(text, "&") + strings.Count(text, ";")
	for _, letter := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";{} ", r) }) {
		if letter == "1" {
			n--
		}
	}
	return n
}

// checkGeneral tries completions of the word that leaves open what plays no part.
func checkGeneral(t *testing.T, c *outcome.Case, d *outcome.Disagreement, automaton func(outcome.Subject) *omega.Automaton) {
	t.Helper()
	if d.General == "" {
		return
	}
	if literals(d.General) >= literals(d.Word) {
		t.Errorf("%s: %s in general is %s", c.Formula, d.Word, d.General)
	}
	f := parsed(t, ltl.NewStore(), c.Formula)
	w := must.Get(omega.ParseWord(t.Context(), d.General))
	r := rand.New(rand.NewPCG(1, 1))
	w = w.Over(omega.Union(omega.NewAlphabet(f.Props()...), w.Alphabet))
	for range 20 {
		v := completed(r, w)
		if truth, err := v.Holds(f); err != nil || truth != d.Truth {
			t.Errorf("%s: truth on %s, a completion of %s: %v, %v", c.Formula, v, d.General, truth, err)
		}
		for _, s := range d.Blamed {
			a := must.Get(automaton(s).Over(t.Context(), omega.Union(w.Alphabet, automaton(s).Alphabet())))
			if accepts, err := a.Accepts(t.Context(), v.Over(a.Alphabet())); err != nil || accepts != (d.Kind == outcome.Extra) {
				t.Errorf("%s: %s on %s, a completion of %s: %v, %v", c.Formula, s, v, d.General, accepts, err)
			}
		}
	}
}

// completions calls visit for each completion of a word in which the cycle comes once or twice, and
// returns how many there are. It leaves out those with twice the cycle if they are too many, and
// returns 0 if all are.
func completions(w *omega.Word, visit func(*omega.Word)) (count int) {
	const most = 10 // values to choose
	a := w.Alphabet
	for rounds := 1; rounds <= 2; rounds++ {
		letters := slices.Concat(w.Prefix, slices.Repeat(w.Cycle, rounds))
		var open [][2]int // letter and proposition
		for i, l := range letters {
			for p := range a.Len() {
				if a.Meet(l, a.Prop(p)) && a.Meet(l, a.Not(a.Prop(p))) {
					open = append(open, [2]int{i, p})
				}
			}
		}
		if len(open) > most {
			break
		}
		for choice := range 1 << len(open) {
			v := omega.NewWord(a, slices.Clone(letters[:len(w.Prefix)]), slices.Clone(letters[len(w.Prefix):]))
			for k, x := range open {
				literal := a.Prop(x[1])
				if choice>>k&1 == 0 {
					literal = a.Not(literal)
				}
				list, i := v.Prefix, x[0]
				if i >= len(list) {
					list, i = v.Cycle, i-len(list)
				}
				list[i] = a.And(list[i], literal)
			}
			count++
			visit(v)
		}
	}
	return count
}

// A generalized has a word without what plays no part. On each of its completions, the formula has
// that truth, and the automaton is wrong.
type generalized struct {
	f     *ltl.Formula
	a     *omega.Automaton
	word  *omega.Word
	truth bool
}

// generalize makes a word more general. It returns nil if all of its literals play a part.
func generalize(t *testing.T, store *ltl.Store, f *ltl.Formula, a *omega.Automaton, word *omega.Word, truth bool) *generalized {
	t.Helper()
	text, err := cross.General(t.Context(), store, f, a, word, truth)
	if err != nil {
		t.Fatalf("%s: %s: %v", f, word, err)
	}
	if text == "" {
		return nil
	}
	return &generalized{f, a, must.Get(omega.ParseWord(t.Context(), text)).Over(a.Alphabet()), truth}
}

func (g *generalized) check(t *testing.T, v *omega.Word) {
	t.Helper()
	truth, err := v.Holds(g.f)
	accepts, failed := g.a.Accepts(t.Context(), v)
	if err != nil || failed != nil || truth != g.truth || accepts == truth {
		t.Errorf("%s on %s, a completion of %s: truth %v, accepts %v; %v, %v", g.f, v, g.word, truth, accepts, err, failed)
	}
}

// TestGeneralEvery compares random formulas with automata of other ones. Every completion of 1,000
// words shows the same disagreement, by evaluating all of them in which the cycle comes at most
// twice.
func TestGeneralEvery(t *testing.T) {
	n, seed := campaign.Seeded(t, 1000, 8)
	formulas := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 3, MaxSize: 10}))
	alphabet := omega.NewAlphabet("a", "b", "c")
	words, left, tried := 0, 0, 0
	for i := 0; words < n; i++ {
		store := ltl.NewStore()
		f := store.Import(must.Get(formulas.Next()))
		other := store.Import(must.Get(formulas.Next()))
		a := must.Get(must.Get(translate.Of(t.Context(), store, other)).Over(t.Context(), alphabet))
		truth := i%2 == 0
		word := shortestWrong(t, store, f, a, truth)
		if word == nil {
			continue
		}
		g := generalize(t, store, f, a, word, truth)
		if g == nil {
			continue
		}
		count := completions(g.word, func(v *omega.Word) { g.check(t, v) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if count == 0 {
			left++
			continue
		}
		words++
		tried += count
	}
	t.Logf("%d words with %d completions; %d have too many", words, tried, left)
	if left > n/20 {
		t.Errorf("%d words have too many completions", left)
	}
}

// TestGeneralCorpus leaves out what plays no part in the words that show how recorded automata in
// which something was changed differ from their formulas. Random completions show the same.
func TestGeneralCorpus(t *testing.T) {
	n, seed := campaign.Seeded(t, 1000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	type record struct{ Formula, HOA string }
	var all []*generalized
	words, letters, before, after := 0, 0, 0, 0
	for x := range campaign.Sample(corpus.Records[record](t, "mutants.jsonl.gz"), 12) {
		store := ltl.NewStore()
		f := parsed(t, store, x.Formula)
		a, _, err := hoa.ReadOne(t.Context(), []byte(x.HOA))
		if err != nil {
			t.Fatal(err)
		}
		a = must.Get(a.Over(t.Context(), omega.Union(omega.NewAlphabet(f.Props()...), a.Alphabet())))
		for _, truth := range []bool{true, false} {
			word := shortestWrong(t, store, f, a, truth)
			if word == nil {
				continue
			}
			words++
			letters += word.Size()
			before += literals(word.String())
			g := generalize(t, store, f, a, word, truth)
			if g == nil {
				after += literals(word.String())
				continue
			}
			after += literals(g.word.String())
			all = append(all, g)
		}
	}
	t.Logf("%d words, %d more general; literals a letter: %.2f before, %.2f after", words, len(all),
		float64(before)/float64(letters), float64(after)/float64(letters))
	for range n {
		g := all[r.IntN(len(all))]
		g.check(t, completed(r, g.word))
	}
	if t.Failed() || 2*len(all) < words {
		t.Errorf("seed %d: %d of %d words are more general", seed, len(all), words)
	}
}

// shortestWrong returns a shortest word on which the formula has that truth and the automaton is
// wrong, or nil.
func shortestWrong(t *testing.T, store *ltl.Store, f *ltl.Formula, a *omega.Automaton, truth bool) *omega.Word {
	t.Helper()
	if !truth {
		f = store.Not(f)
	}
	right := must.Get(must.Get(translate.With(t.Context(), "gastin-oddoux", store, f)).Over(t.Context(), a.Alphabet()))
	x, y := productcheck.NewLanguage(right), productcheck.NewLanguage(a)
	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
	r, err := d.Decide(t.Context(), x, true, y, !truth)
	if err != nil || r.Undecided != nil {
		t.Fatal(err, r.Undecided)
	}
	if r.Empty() {
		return nil
	}
	in, out := []*productcheck.Language{x}, []*productcheck.Language{y}
	if !truth {
		in, out = slices.Concat(in, out), nil
	}
	return must.Get(d.Shortest(t.Context(), r.Word.Concrete(), in, out)).Word
}

// TestGeneral: the literals that remain in words of small formulas and automata.
func TestGeneral(t *testing.T) {
	const one = "HOA: v1 States: 1 Start: 0 AP: 3 \"a\" \"b\" \"c\" Acceptance: 1 Inf(0) --BODY-- State: 0 %s --END--"
	for _, x := range []struct {
		formula, body, word string
		truth               bool
		want                string
	}{
		{"Ga", "[t] 0 {0}", "cycle{!a&!b&!c}", false, "cycle{!a}"},
		{"Ga", "[0&!1] 0 {0}", "cycle{a&b&!c}", true, "cycle{a&b}"},
		{"GFa", "[!2] 0 {0}", "cycle{a&!b&c}", true, "cycle{a&c}"},
		{"a | !a", "[f] 0", "cycle{!a&!b&!c}", true, "cycle{1}"},
		{"a U b", "[0] 0 {0} [!0] 0 {0}", "cycle{!a&!b&!c}", false, "cycle{!b}"},
		{"GFa & GFb", "[0] 0 {0} [!0] 0", "cycle{a&!b&!c; !a&b&!c}", true, ""},
		{"{a;b}!", "[f] 0", "a&!b&!c; !a&b&!c; cycle{!a&!b&!c}", true, "a&!b; !a&b; cycle{!a&!b}"},
	} {
		store := ltl.NewStore()
		a, _, err := hoa.ReadOne(t.Context(), []byte(fmt.Sprintf(one, x.body)))
		if err != nil {
			t.Fatal(err)
		}
		w := must.Get(omega.ParseWord(t.Context(), x.word)).Over(a.Alphabet())
		got, err := cross.General(t.Context(), store, parsed(t, store, x.formula), a, w, x.truth)
		if err != nil || got != x.want {
			t.Errorf("%s: %s in general: %q, %v; expected %q", x.formula, x.word, got, err, x.want)
		}
	}
}

// A grammar says how tightly binary operators bind, which of them group to the left, and how tightly
// what stands behind a unary operator binds.
type grammar struct {
	level map[string]int
	left  string
	unary int
	words map[string]string // what it reads for words
}

// With this variable, the test binary is a translator with a grammar, which is kept alive.
const asGrammar = "XCHECK_TEST_GRAMMAR"

var grammars = map[string]*grammar{
	// LTLParser.g4 of Owl: all but & and | bind equally, to the right.
	"owl": {map[string]int{"|": 1, "&": 2, "xor": 3, "<->": 3, "->": 3, "U": 3, "R": 3, "W": 3, "M": 3}, "| &", 3,
		map[string]string{"tt": "1", "ff": "0", "NOT": "!", "AND": "&"}},
	// Spot's, but U and its like group to the left.
	"left": {map[string]int{"->": 1, "<->": 1, "|": 2, "xor": 3, "&": 4, "U": 5, "R": 5, "W": 5, "M": 5}, "| & xor U R W M", 6, nil},
}

var tokens = regexp.MustCompile(`<->|->|xor|[a-zA-Z_][a-z0-9_]+|[a-zA-Z01&|!()]|[^ ]`)

// read reads operators that bind at least as tightly as least, and puts parentheses around each.
func (g *grammar) read(in *[]string, least int) (f string) {
	next := func() (word string) {
		if len(*in) > 0 {
			word, *in = (*in)[0], (*in)[1:]
		}
		if read := g.words[word]; read != "" {
			word = read
		}
		return word
	}
	switch f = next(); f {
	case "(":
		f = g.read(in, 1)
		next()
	case "!", "X", "F", "G":
		f = "(" + f + " " + g.read(in, g.unary) + ")"
	}
	for len(*in) > 0 && g.level[(*in)[0]] >= least {
		op := next()
		level := g.level[op]
		if slices.Contains(strings.Fields(g.left), op) {
			level++
		}
		f = "(" + f + " " + op + " " + g.read(in, level) + ")"
	}
	return f
}

// serve answers formulas, one a line.
func (g *grammar) serve() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		list := tokens.FindAllString(lines.Text(), -1)
		s := ltl.NewStore()
		f, err := s.Parse(g.read(&list, 1), ltl.Spot)
		if err != nil {
			return err
		}
		a, err := translate.With(context.Background(), "couvreur", s, f)
		if err != nil {
			return err
		}
		if err := hoa.Write(context.Background(), os.Stdout, a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func reader(t *testing.T, name string) *translators.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := translators.ParseCommand(translators.Quote(self), translators.Stream)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: name, Mode: translators.Stream, Command: c, Processes: 1, Env: []string{asGrammar + "=" + name, "GORACE=atexit_sleep_ms=0"}}
}

// TestReadings: tools with another grammar than Spot's are not wrong, but how they read a formula
// is a finding. In all it takes a dozen more calls at most.
func TestReadings(t *testing.T) {
	for name, want := range map[string][]string{
		"owl":  {`"a & b -> c" as "a & (b -> c)"`, `"!a U b" as "!(a U b)"`, `"Fa | b" as nothing`},
		"left": {`"a U b U c" as "(a U b) U c"`, `"a & b -> c" as nothing`},
	} {
		o := cross.Options{Tools: []*translators.Tool{reader(t, name)}, Reference: translate.Of, Readings: true}
		var found []string
		for _, c := range run(t, o, randomFormulas(t, 40, campaign.Inputs(t, 200), 12)) {
			if len(c.Failures()) > 0 {
				t.Errorf("%s: %s: %v", name, c.Formula, c.Failures())
			}
			for _, f := range c.Findings {
				found = append(found, fmt.Sprintf("%s: %s", f.Class, f.Text))
			}
		}
		for _, text := range want {
			text, none := strings.CutSuffix("reading: reads "+text, "nothing")
			if none == slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, text) }) {
				t.Errorf("%s: %q; want %s", name, found, text)
			}
		}
	}
}

// TestUnreadableNames: that a tool can't read names of propositions is a finding, whether it fails or takes them
// for something else. What is wrong with other names is a failure still.
func TestUnreadableNames(t *testing.T) {
	tool := reader(t, "owl")
	for formula, want := range map[string]string{
		"F(tt & X b)":  "names: fails with propositions called tt, but not if they are called p0, p1, …",
		`G("NOT" | a)`: "names: fails with propositions called NOT, but not if they are called p0, p1, …",
		"x.y U AND":    "names: fails with propositions called x.y, AND, but not if they are called p0, p1, …",
		"req U ack":    "",
	} {
		c := run(t, cross.Options{Tools: []*translators.Tool{tool}, Reference: translate.Of}, these(t, formula))[0]
		var found []string
		for _, f := range c.Findings {
			if text := fmt.Sprintf("%s: %s", f.Class, f.Text); !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
		if len(c.Failures()) > 0 || strings.Join(found, "; ") != want {
			t.Errorf("%s: %v, %q; want %q", formula, c.Failures(), found, want)
		}
	}
}
