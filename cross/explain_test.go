package cross_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/exhaustive"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// mutant returns what the test translator of that name gives for a formula or its negation.
func mutant(t *testing.T, s outcome.Subject, formula string) *omega.Automaton {
	t.Helper()
	store := ltl.NewStore()
	f := parsed(t, store, formula)
	if s.Polarity == outcome.Negation {
		f = store.Not(f)
	}
	return must.Get(mutated(s.Translator, f.String()))
}

func parsed(t *testing.T, store *ltl.Store, formula string) *ltl.Formula {
	t.Helper()
	return must.Get(store.Parse(formula, ltl.Spot))
}

func holds(t *testing.T, f *ltl.Formula, word string) bool {
	t.Helper()
	w := must.Get(omega.ParseWord(context.Background(), word))
	return must.Get(w.Holds(f))
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
		must.Do(os.WriteFile(file, []byte("HOA: v1 "+test.automaton+" --END--\n"), 0o666))
		tools := []*translators.Tool{shell(t, "wrong", "cat "+translators.Quote(file)+"; : %f")}
		found := false
		for _, c := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, these(test.formula)) {
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
		must.Do(os.WriteFile(file, []byte(text.String()), 0o666))
		tools := []*translators.Tool{shell(t, "wrong", "cat "+translators.Quote(file)+"; : %f")}
		for _, x := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, these("Ga")) {
			e := x.Disagreements[0].Explanations[0]
			if (e.HOA != "") != c.want {
				t.Errorf("%d states named %.10s: a text of %d bytes", c.states, c.name, len(e.HOA))
			}
		}
	}
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
	self := must.Get(os.Executable())
	c := must.Get(translators.ParseCommand(translators.Quote(self), translators.Stream))
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
		c := run(t, cross.Options{Properties: true, Tools: []*translators.Tool{tool}, Reference: translate.Of}, these(formula))[0]
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
		cases := run(t, cross.Options{Tools: []*translators.Tool{streamed(t, mutation), streamed(t, "gpvw")}}, these(formulas...))
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
	if must.Get(emptiness.Check(t.Context(), a, omega.Limits{})).Empty() {
		t.Errorf("%s: %s settles the truth with a letter less", formula, d.Prefix)
	}
	return answer.Words
}

func unsatisfiable(t *testing.T, formula string) bool {
	t.Helper()
	store := ltl.NewStore()
	a := must.Get(translate.Of(t.Context(), store, parsed(t, store, formula)))
	return must.Get(emptiness.Check(t.Context(), a, omega.Limits{})).Empty()
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

// TestShortest: each word is proved to be shortest, and indeed all that are shorter show something else, as
// the formula and the automata say of every one of them.
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
					a := must.Get(mutated(mutation, g.String()))
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

// shorter returns a word of up to size letters on which the formula has the truth that d says, and all
// automata that are wrong in the same way; nil if there is none.
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
	for _, c := range run(t, cross.Options{Tools: tools}, these("a -> a")) {
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

// products are random state spaces that show most errors in formulas of ten nodes.
var products = cross.Products{Number: 2, States: 60, Density: 0.05, Seed: 1}

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
