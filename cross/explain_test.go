package cross_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
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
	f, err := store.Parse(formula, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func holds(t *testing.T, f *ltl.Formula, word string) bool {
	t.Helper()
	w, err := omega.ParseWord(context.Background(), word)
	if err != nil {
		t.Fatal(err)
	}
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
