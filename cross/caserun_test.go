package cross

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// An asker gives the output of a tool for a formula, without a process.
type asker func(tool *translators.Tool, f *ltl.Formula) *translators.Output

// kept and alone are what the tools of a run give.
func fake(o *Options, kept, alone asker) *run {
	ask := func(x asker) askFunc {
		return func(tool *translators.Tool, _ context.Context, _ *translators.Runner, f *ltl.Formula, _ time.Duration) (*translators.Output, error) {
			return x(tool, f), nil
		}
	}
	if o.Limits == (productcheck.Limits{}) {
		o.Limits = productcheck.DefaultLimits
	}
	if o.Runner == nil {
		o.Runner = new(translators.Runner)
	}
	r := &run{Options: o, cores: process.NewCores(2), translate: ask(kept), alone: ask(alone), told: newTold(0)}
	r.flow = newFlow(2, 4, func(*outcome.Case) error { return nil })
	return r
}

// answer is the built-in automaton of f.
func answer(f *ltl.Formula, alone bool) *translators.Output {
	s := ltl.NewStore()
	a, err := translate.With(context.Background(), "gastin-oddoux", s, s.Import(f))
	if err != nil {
		panic(err)
	}
	return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Size: 1000, Alone: alone}
}

// caseOf is the case of a formula.
func caseOf(t testing.TB, r *run, formula string) *outcome.Case {
	t.Helper()
	f, err := ltl.NewStore().Parse(formula, ltl.Spot)
	index := 0
	if err == nil {
		index, err = r.flow.start(context.Background())
	}
	var c *outcome.Case
	if err == nil {
		c, err = r.examine(context.Background(), index, Input{Formula: f})
	}
	if err == nil {
		err = r.flow.finish(c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func parse(t testing.TB, formula string) *ltl.Formula {
	t.Helper()
	return must.Get(ltl.NewStore().Parse(formula, ltl.Spot))
}

func tools(names ...string) (list []*translators.Tool) {
	for _, name := range names {
		list = append(list, &translators.Tool{Name: name})
	}
	return list
}

// TestEarly: a wrong answer is told, while another tool has not answered, all cores are busy, or the
// other checks of its case go on. Each of these ends when it is told. The next failure of the kind is not.
func TestEarly(t *testing.T) {
	for _, blocked := range []string{"tool", "cores", "checks"} {
		t.Run(blocked, func(t *testing.T) {
			told, reported := make(chan struct{}), 0
			wait := func() {
				select {
				case <-told:
				case <-t.Context().Done():
				}
			}
			ask := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
				switch {
				case tool.Name == "wrong":
					return wrongs[0].ask(tool, f)
				case blocked == "tool":
					wait()
				}
				return answer(f, true)
			}
			r := fake(&Options{Tools: tools("wrong", "right"), Reference: translate.Of, Exhaustive: Cheap, Early: func(c *outcome.Case) {
				if f := c.Faults(); len(f) == 0 || f[0].Translator != "wrong" || !f[0].Class.Words || c.Disagreements[0].Word == "" {
					t.Errorf("told %+v", c)
				}
				if reported++; reported == 1 {
					close(told)
				}
			}}, ask, aloneToo(ask))
			close(r.flow.last) // all calls at once
			switch blocked {
			case "cores":
				for range r.cores.Len() {
					must.Do(r.cores.Acquire(t.Context(), process.Call))
				}
				go func() {
					wait()
					for range r.cores.Len() {
						r.cores.Release(process.Call)
					}
				}()
			case "checks":
				r.told.after = time.Hour
				entered.Store(new(func(name string) {
					if name == "products with state spaces" {
						wait()
					}
				}))
				defer entered.Store(nil)
			}
			for _, formula := range []string{"a U b", "c U a"} {
				if c := caseOf(t, r, formula); len(c.Disagreements) == 0 || reported != 1 {
					t.Errorf("%s: told %d times, %+v", formula, reported, c.Disagreements)
				}
			}
		})
	}
}

// TestKeptAlive: what a process says that had other formulas before is not held
// against the tool, unless a fresh process says the same.
func TestKeptAlive(t *testing.T) {
	other := parse(t, "Fa")
	lying := answer(other, false).Automaton
	foreign := answer(parse(t, "GFa | z"), false).Automaton
	swapped := answer(parse(t, "GFA"), false).Automaton
	for _, test := range []struct {
		name       string
		kept       func(f *ltl.Formula) *translators.Output // of the tool b, for the formula
		fresh      func(f *ltl.Formula) *translators.Output
		status     string
		blamed     bool
		finding    string // classes of findings
		text       string // in the last of them
		askedAlone int
	}{
		{name: "right", status: "ok",
			kept: func(f *ltl.Formula) *translators.Output { return answer(f, false) }},
		{name: "wrong once", status: "ok", finding: "unstable", askedAlone: 1,
			text:  "the kept-alive process and a fresh one gave different automata (2 states and 3 edges, 1 states and 2 edges)",
			kept:  func(*ltl.Formula) *translators.Output { return answer(other, false) },
			fresh: func(f *ltl.Formula) *translators.Output { return answer(f, true) }},
		{name: "wrong always", status: "ok", blamed: true, askedAlone: 1,
			kept:  func(*ltl.Formula) *translators.Output { return answer(other, false) },
			fresh: func(*ltl.Formula) *translators.Output { return answer(other, true) }},
		{name: "wrong alone", status: "ok", blamed: true,
			kept: func(*ltl.Formula) *translators.Output { return answer(other, true) }},
		{name: "wrong, then a failure", status: "timeout", finding: "unstable", askedAlone: 1,
			text: "the kept-alive process gave an automaton, but a fresh one failed (timeout)",
			kept: func(*ltl.Formula) *translators.Output { return answer(other, false) },
			fresh: func(*ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.Timeout}}
			}},
		{name: "a failure, then right", status: "ok", finding: "unstable", askedAlone: 1,
			text: "the kept-alive process failed (crash), but a fresh one gave an automaton",
			kept: func(*ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.Crash}}
			},
			fresh: func(f *ltl.Formula) *translators.Output { return answer(f, true) }},
		{name: "a failure twice", status: "timeout", askedAlone: 1,
			kept: func(*ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.Crash}}
			},
			fresh: func(*ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.Timeout}}
			}},
		{name: "skipped", status: "skipped",
			kept: func(*ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.Skipped}}
			}},
		{name: "odd", status: "ok", finding: "text-before",
			kept: func(f *ltl.Formula) *translators.Output {
				out := answer(f, false)
				out.Oddities = []translators.Oddity{{Class: "text-before", Text: "hello"}}
				return out
			}},
		{name: "odd, and wrong once", status: "ok", finding: "text-before unstable header", askedAlone: 1,
			kept: func(f *ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: lying, Oddities: []translators.Oddity{{Class: "text-before", Text: "hello"}}}
			},
			fresh: func(f *ltl.Formula) *translators.Output {
				out := answer(f, true)
				out.Oddities = []translators.Oddity{{Class: "text-before", Text: "hello"}, {Class: "header", Text: "x"}}
				return out
			}},
		{name: "a false property once", status: "ok", finding: "unstable", askedAlone: 1,
			kept: func(f *ltl.Formula) *translators.Output {
				out := answer(f, false)
				out.Automaton.Declared.Properties = []string{"unambiguous", "deterministic", "stutter-invariant", "terminal", "very-weak"}
				return out
			},
			fresh: func(f *ltl.Formula) *translators.Output { return answer(f, true) }},
		{name: "another formula's propositions", status: "ok", finding: "unstable", askedAlone: 1,
			kept: func(f *ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: foreign}
			},
			fresh: func(f *ltl.Formula) *translators.Output { return answer(f, true) }},
		{name: "a proposition in other case", status: "ok", blamed: true, finding: "proposition-case", askedAlone: 1,
			text: `unknown proposition "A": the formula has "a"`,
			kept: func(f *ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: swapped}
			},
			fresh: func(f *ltl.Formula) *translators.Output {
				return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: swapped}
			}},
	} {
		asked := 0
		only := func(f *ltl.Formula) bool { return f.String() == "GFa" }
		kept := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
			if tool.Name == "b" && only(f) {
				return test.kept(f)
			}
			return answer(f, true)
		}
		alone := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
			asked++
			if tool.Name != "b" || !only(f) {
				t.Errorf("%s: %s is asked again for %s", test.name, tool.Name, f)
			}
			return test.fresh(f)
		}
		c := caseOf(t, fake(&Options{Tools: tools("a", "b"), Words: 5, Properties: true, Reference: translate.Of}, kept, alone), "GFa")
		var classes []string
		text := ""
		for _, f := range c.Findings {
			classes, text = append(classes, string(f.Class)), f.Text
			if f.Subject != (outcome.Subject{Translator: "b", Polarity: outcome.Formula}) {
				t.Errorf("%s: finding %+v", test.name, f)
			}
		}
		blamed := false
		for _, d := range c.Disagreements {
			if len(d.Blamed) != 1 || d.Blamed[0] != (outcome.Subject{Translator: "b", Polarity: outcome.Formula}) {
				t.Errorf("%s: blamed %v", test.name, d.Blamed)
			}
			blamed = true
		}
		if r := c.Results[2]; string(r.Status) != test.status || blamed != test.blamed || strings.Join(classes, " ") != test.finding ||
			test.text != "" && text != test.text || asked != test.askedAlone || len(c.Errors) > 0 || len(c.Results) != 4 || !c.Checked {
			t.Errorf("%s: %s, blamed %v, findings %v, asked again %d times, errors %v", test.name, r.Status, blamed, fmt.Sprintf("%q %q", classes, text), asked, c.Errors)
		}
	}
}

// TestAloneTrouble: an internal error when a tool is asked again is returned.
func TestAloneTrouble(t *testing.T) {
	trouble := errors.New("no process")
	wrong := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
		return answer(parse(t, "Fb"), false)
	}
	r := fake(&Options{Tools: tools("a"), Reference: translate.Of}, wrong, wrong)
	r.alone = func(*translators.Tool, context.Context, *translators.Runner, *ltl.Formula, time.Duration) (*translators.Output, error) {
		return nil, trouble
	}
	index := must.Get(r.flow.start(context.Background()))
	if _, err := r.examine(context.Background(), index, Input{Formula: parse(t, "Ga")}); err != trouble {
		t.Errorf("got %v", err)
	}
}

// TestPanic: a panic is an internal error of its case, which has all its results.
func TestPanic(t *testing.T) {
	good := func(_ *translators.Tool, f *ltl.Formula) *translators.Output { return answer(f, true) }
	bad := func(tool *translators.Tool, f *ltl.Formula) *translators.Output {
		if tool.Name == "b" {
			panic("in a parser")
		}
		return answer(f, true)
	}
	reference := func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error) {
		var none []int
		return nil, fmt.Errorf("%d", none[len(none)])
	}
	for _, test := range []struct {
		r        *run
		errors   []string
		statuses string
		checked  bool
	}{
		{fake(&Options{Tools: tools("a", "b")}, bad, nil),
			[]string{"internal error: b: panic: in a parser\n", "internal error: b (negation): panic: in a parser\n"}, "ok ok unsupported unsupported", true},
		{fake(&Options{Tools: tools("a", "b"), Reference: reference}, good, nil),
			[]string{"internal error: panic: runtime error: index out of range [0] with length 0\n"}, "ok ok ok ok", false},
	} {
		c := caseOf(t, test.r, "a U b")
		var statuses []string
		for _, r := range c.Results {
			statuses = append(statuses, string(r.Status))
		}
		if strings.Join(statuses, " ") != test.statuses || c.Checked != test.checked || len(c.Disagreements) > 0 || len(c.Errors) != len(test.errors) {
			t.Fatalf("%+v", c)
		}
		for i, e := range c.Errors {
			if !strings.HasPrefix(e, test.errors[i]) || !strings.Contains(e, "cross.TestPanic.func") || !strings.Contains(e, "caserun_test.go:") {
				t.Errorf("error %q, want one that starts with %q and says where", e, test.errors[i])
			}
		}
	}
}

// TestBadInput: one that is no formula is a case that says so, and the others are as they are without it.
func TestBadInput(t *testing.T) {
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	tool := tools("echo")[0]
	tool.Command = must.Get(translators.ParseCommand("echo 'never { a: skip }'; : %f", translators.Spawn))
	inputs := []Input{{Formula: parse(t, "1")}, {Text: "a U \xff", Err: errors.New("file:2: expected a \xfe formula")}, {Formula: parse(t, "a")}}
	next := func() (Input, error) {
		if len(inputs) == 0 {
			return Input{}, io.EOF
		}
		in := inputs[0]
		inputs = inputs[1:]
		return in, nil
	}
	var cases []*outcome.Case
	err := Run(context.Background(), Options{Tools: []*translators.Tool{tool}, Runner: runner, Limits: productcheck.DefaultLimits}, next,
		func(c *outcome.Case) error { cases = append(cases, c); return nil })
	if err != nil || len(cases) != 3 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for i, c := range cases {
		if c.Index != i || len(c.Errors) > 0 {
			t.Errorf("%+v", c)
		}
	}
	if c := cases[1]; c.Formula != "a U \uFFFD" || c.Error != "file:2: expected a \uFFFD formula" || c.Checked || c.Results == nil || len(c.Results) > 0 {
		t.Errorf("%+v", c)
	}
	if cases[0].Error != "" || len(cases[0].Results) != 2 || len(cases[2].Results) != 2 || len(cases[2].Disagreements) == 0 {
		t.Errorf("%+v", cases)
	}
}

// TestPropositions: names that differ in case only, also among those that are not UTF-8; very many.
func TestPropositions(t *testing.T) {
	var c outcome.Case
	propositions(&c, outcome.Subject{Translator: "b", Polarity: outcome.Formula}, omega.NewAlphabet("a", "B", "\xfe", "ä"), omega.NewAlphabet("a", "b", "\xff", "Ä"), "formula")
	var got []string
	for _, f := range c.Findings {
		got = append(got, string(f.Class)+" "+f.Text)
	}
	want := []string{`proposition-case unknown proposition "B": the formula has "b"`, `proposition unknown proposition "\xfe": the formula does not have it`,
		`proposition-case unknown proposition "ä": the formula has "Ä"`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprint("p", i))
	}
	c = outcome.Case{}
	propositions(&c, outcome.Subject{Translator: "b", Polarity: outcome.Formula}, omega.NewAlphabet(names...), omega.NewAlphabet("p0"), "formula")
	if n := len(c.Findings); n != 5 || c.Findings[4].Text != `unknown proposition "p5": the formula does not have it (and 994 more)` {
		t.Errorf("%+v", c.Findings)
	}
}

// recorded returns a case for each of some formulas, with the recorded output of a real translator
// that declares properties.
func recorded(t testing.TB, o Options) (list []*caseRun) {
	names := []string{"ltl2tgba", "ltl2tgba-B", "ltl2tgba-DG"}
	type key struct {
		formula, tool string
		negated       bool
	}
	texts := make(map[key]string)
	var formulas []string
	for c := range corpus.Records[map[string]any](t, "recorded.jsonl.gz") {
		k := key{c["formula"].(string), c["tool"].(string), c["negated"].(bool)}
		if texts[k] = c["output"].(string); k.tool == names[0] && !k.negated {
			formulas = append(formulas, k.formula)
		}
	}
	o.Tools = tools(names...)
	r := fake(&o, nil, nil)
	for i, f := range formulas {
		x := &caseRun{run: r, index: i, store: ltl.NewStore()}
		x.formula = x.store.Import(parse(t, f))
		x.calls = must.Get(x.newCalls())
		for k := range x.calls {
			c := &x.calls[k]
			a := must.First(hoa.ReadOne(context.Background(), []byte(texts[key{f, c.Translator, bool(c.Polarity)}])))
			c.out = &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
		}
		list = append(list, x)
	}
	return list
}

// TestRecordedProperties: what real translators declare is found true in a run, and what is made
// false is found, of that output only.
func TestRecordedProperties(t *testing.T) {
	lies := 0
	for i, x := range recorded(t, Options{Properties: true, Reference: translate.Of}) {
		if i%12 > 5 && !campaign.Whole() {
			continue
		}
		lie := ""
		if i%3 == 0 {
			out := x.calls[i%6].out
			name := []string{"stutter-invariant", "unambiguous", "terminal", "complete", "!very-weak"}[i%5]
			liar := *out.Automaton
			liar.Declared = omega.Declared{Properties: []string{name}}
			lie = name
			out.Automaton = &liar
		}
		c, err := x.check(t.Context())
		if err != nil || len(c.Disagreements)+len(c.Undecided)+len(c.Errors) > 0 {
			t.Fatalf("%s: %+v, %v", x.formula, c, err)
		}
		for _, f := range c.Findings {
			if f.Class != "property" || f.Property != outcome.Property(lie) || f.Subject != x.calls[i%6].Subject {
				t.Errorf("%s: %+v", x.formula, f)
			}
			lies++
		}
	}
	if lies < 10 {
		t.Errorf("%d lies", lies)
	}
}

// TestIdentity: alternating automata that differ only in the states that an edge
// leads to at once are not identical.
func TestIdentity(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	always := func(set ...omega.State) *omega.Automaton {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(3)
		b.AddStart(0)
		b.AddEdge(0, alphabet.True(), 0, b.Universal(set))
		b.AddEdge(1, alphabet.Prop(0), b.Marks().Of(0), 1)
		b.AddEdge(2, alphabet.Not(alphabet.Prop(0)), b.Marks().Of(0), 2)
		return b.Automaton()
	}
	x, y := always(1, 2), always(0, 1)
	if identity(x) != identity(always(2, 1)) {
		t.Error("automata with the same sets are not identical")
	}
	if identity(x) == identity(y) {
		t.Error("automata with different sets are identical")
	}
}

// TestRoom: of the cases in a room, the one that has read the most ends first. Of those that have read
// as much, it is the one that has been checked the longest, and then those that wait for tools. One
// that has left is not there any more.
func TestRoom(t *testing.T) {
	var r room
	small, large := int64(0), int64(1000)
	asks, _ := r.enter(t.Context(), asking, &small)
	gone, leave := r.enter(t.Context(), checking, &small)
	first, leaveFirst := r.enter(t.Context(), checking, &small)
	second, _ := r.enter(t.Context(), checking, &small)
	reads, _ := r.enter(t.Context(), asking, &large)
	leave()
	want := []context.Context{reads, first, second, asks}
	for i, ctx := range want {
		if !r.endLargest() {
			t.Fatalf("%d: nothing has ended", i)
		}
		for k, other := range want {
			if late(other) != (k <= i) {
				t.Errorf("after %d: context %d: %v", i, k, context.Cause(other))
			}
		}
		if late(ctx) && i == 1 {
			leaveFirst()
		}
	}
	if r.endLargest() || late(gone) {
		t.Error("a case has ended that had left")
	}
}

// seededCore names a file for the counts of a build whose core has a bug. Then internal errors
// are no failures of TestTrust.
const seededCore = "XCHECK_SEEDED_CORE"

// trustCounts says how the answers of xcheck on the corpus agree with the truth.
type trustCounts struct {
	Cases  answers // a wrong translator beside the reference, with all proofs
	Checks answers // of two automata, by xcheck compare and xcheck intersect
	// Unproved counts the cases whose disagreement no check has found, but that are not proved either.
	Unproved int
	// Short are the same cases with all short words, but without random words and without proofs.
	// ShortAlone counts those in which a short word refutes a check that has passed.
	Short      answers
	ShortAlone int
}

// answers counts answers. Each is counted once, as the first of these that it is.
type answers struct {
	FalseAlarms int // a difference is reported that does not exist
	Errors      int // internal errors
	Undecided   int
	Hidden      int // a difference is not reported
	Right       int
}

// TestTrust compares the answers of xcheck with the truth that another tool has computed:
// about recorded automata that were mutated, and about pairs of automata.
func TestTrust(t *testing.T) {
	var trust trustCounts
	var mu sync.Mutex
	inParallel(corpus.Records[mutant](t, "mutants.jsonl.gz"), func(m mutant) {
		verdict, unproved, why := m.examine(t, Options{Words: 20, Prove: ProveAll})
		short, refuted, shortWhy := m.examine(t, Options{Exhaustive: Cheap})
		mu.Lock()
		defer mu.Unlock()
		trust.Cases.count(verdict)
		if unproved {
			trust.Unproved++
		}
		trust.Short.count(short)
		if refuted {
			trust.ShortAlone++
		}
		complain(t, verdict, "%s, %s of %s: %s\n%s", m.Formula, m.Mutation, m.Tool, why, m.HOA)
		if short != hidden || os.Getenv(seededCore) == "" { // by longer words
			complain(t, short, "short words: %s, %s of %s: %s\n%s", m.Formula, m.Mutation, m.Tool, shortWhy, m.HOA)
		}
	})
	inParallel(corpus.Records[recordedPair](t, "pairs.jsonl.gz"), func(p recordedPair) {
		for _, q := range p.questions() {
			verdict, why := q.ask()
			mu.Lock()
			trust.Checks.count(verdict)
			if verdict != hidden || os.Getenv(seededCore) == "" { // which no proof is there to find
				complain(t, verdict, "%s, %s: %s\n%s\n%s", p.Kind, q.name, why, p.A, p.B)
			}
			mu.Unlock()
		}
	})
	t.Logf("%+v", trust)
	if trust.Cases.sum() < 700/trustShare || trust.Checks.sum() < 900/trustShare {
		t.Error("too few records")
	}
	if name := os.Getenv(seededCore); name != "" {
		text, err := json.Marshal(trust)
		if err == nil {
			err = os.WriteFile(name, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A trustVerdict is a field of answers.
type trustVerdict uint8

const (
	falseAlarm trustVerdict = iota
	internalError
	leftOpen
	hidden
	right
)

func (v trustVerdict) String() string {
	return [...]string{"false alarm", "internal error", "undecided", "hidden", "right"}[v]
}

func (a *answers) count(v trustVerdict) {
	*[...]*int{&a.FalseAlarms, &a.Errors, &a.Undecided, &a.Hidden, &a.Right}[v]++
}

func (a *answers) sum() int { return a.FalseAlarms + a.Errors + a.Undecided + a.Hidden + a.Right }

// complain reports an answer that is not right. A core with a bug may end in internal errors.
func complain(t *testing.T, v trustVerdict, format string, args ...any) {
	t.Helper()
	if v == right || os.Getenv(seededCore) != "" && v != falseAlarm && v != hidden {
		return
	}
	t.Errorf("%s: %s", v, fmt.Sprintf(format, args...))
}

// trustShare is how many records there are for one that is asked about without a campaign, and seededShare
// in a build with a bug: some bugs have an effect on one record in fifty.
const trustShare, seededShare = 48, 16

// inParallel calls do for each record, two at a time; without a campaign for some of them.
func inParallel[Record any](records iter.Seq[Record], do func(Record)) {
	queue := make(chan Record)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for r := range queue {
				do(r)
			}
		})
	}
	share := trustShare
	if os.Getenv(seededCore) != "" {
		share = seededShare
	}
	for r := range campaign.Sample(records, share) {
		queue <- r
	}
	close(queue)
	workers.Wait()
}

// A mutant is a recorded automaton of a formula after a mutation, and how it differs from the formula.
type mutant struct {
	Formula, Tool, Mutation, HOA string
	Missing, Extra               bool
}

// examine makes the case in which a translator gives the mutant. It returns the verdict on the answer,
// and why. again reports whether only the second look noticed something: the check of a proof, or of a
// short word without one. A wrong automaton is never proved, even by a wrong search.
func (m *mutant) examine(t *testing.T, o Options) (v trustVerdict, again bool, why string) {
	var c *outcome.Case
	ask := func(_ *translators.Tool, f *ltl.Formula) *translators.Output {
		if f.String() != c.Formula {
			return &translators.Output{Alone: true, Outcome: translators.Outcome{Status: outcome.Skipped}}
		}
		a, _, err := hoa.ReadOne(t.Context(), []byte(m.HOA))
		if err != nil {
			panic(err)
		}
		return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
	}
	o.Tools, o.Reference = tools("mutant"), translate.Of
	r := fake(&o, ask, ask)
	c = &outcome.Case{Formula: parse(t, m.Formula).String()}
	c = caseOf(t, r, m.Formula)
	kinds := map[outcome.Kind]bool{}
	for _, d := range c.Disagreements {
		if why := m.refute(&d); why != "" {
			return falseAlarm, false, why
		}
		kinds[d.Kind] = true
	}
	lacking := m.Missing && !kinds["missing"] || m.Extra && !kinds["extra"]
	refuted := len(c.Contradictions) > 0
	byProof := 0
	for _, text := range c.Errors {
		if strings.HasPrefix(text, "internal error: proof of ") {
			byProof++
		}
	}
	if (m.Missing || m.Extra) && slices.ContainsFunc(c.Results, func(r outcome.Result) bool { return r.Proved }) {
		t.Errorf("%s, %s of %s: a wrong automaton is proved", m.Formula, m.Mutation, m.Tool)
	}
	switch {
	case len(c.Errors) > 0:
		return internalError, refuted || lacking && len(c.Errors) == byProof, strings.Join(c.Errors, "\n")
	case lacking && len(c.Undecided) > 0:
		return leftOpen, false, fmt.Sprint(c.Undecided)
	case lacking && o.Prove == ProveAll && os.Getenv(seededCore) != "":
		return leftOpen, true, "" // not proved, as it should be
	case lacking:
		return hidden, false, fmt.Sprintf("missing %v, extra %v; found %v by %+v", m.Missing, m.Extra, kinds, c.Checks)
	}
	return right, false, ""
}

// refute returns why a disagreement is wrong, or "".
func (m *mutant) refute(d *outcome.Disagreement) string {
	if d.Kind == "missing" && !m.Missing || d.Kind == "extra" && !m.Extra {
		return fmt.Sprintf("%v are blamed: %s", d.Blamed, d.Kind)
	}
	if !slices.Equal(d.Blamed, []outcome.Subject{{Translator: "mutant"}}) {
		return fmt.Sprintf("%v are blamed", d.Blamed)
	}
	word, err := certify.ParseWord(d.Word)
	if err != nil {
		return err.Error()
	}
	f, err := ltl.NewStore().Parse(m.Formula, ltl.Spot)
	if err != nil {
		return err.Error()
	}
	truth, err := certify.Holds(context.Background(), f, word)
	if err != nil || truth != (d.Kind == "missing") {
		return fmt.Sprintf("the formula is %v on %s (%v)", truth, d.Word, err)
	}
	return ""
}

// A recordedPair is two automata, and which inclusions are true, where that is known.
type recordedPair struct {
	Kind, A, B string
	Intersect  *bool `json:"intersect"`
	AInB       *bool `json:"a_in_b"`
	BInA       *bool `json:"b_in_a"`
}

// A question is whether two automata, or one and the complement of another, share a word.
type question struct {
	name       string
	x, y       string
	complement bool // of y
	shared     bool // the truth
}

func (p *recordedPair) questions() (list []question) {
	if p.Intersect != nil {
		list = append(list, question{"intersect", p.A, p.B, false, *p.Intersect})
	}
	if p.AInB != nil {
		list = append(list, question{"A & !B", p.A, p.B, true, !*p.AInB})
	}
	if p.BInA != nil {
		list = append(list, question{"B & !A", p.B, p.A, true, !*p.BInA})
	}
	return list
}

// ask decides the question as the commands do.
func (q *question) ask() (v trustVerdict, why string) {
	panicked, err := guard.Call(func() (err error) {
		v, err = q.decide(context.Background())
		return err
	})
	if panicked != "" {
		return internalError, panicked
	}
	if err != nil {
		return internalError, err.Error()
	}
	return v, ""
}

func (q *question) decide(ctx context.Context) (trustVerdict, error) {
	x, _, err := hoa.ReadOne(ctx, []byte(q.x))
	if err != nil {
		return 0, err
	}
	y, _, err := hoa.ReadOne(ctx, []byte(q.y))
	if err != nil {
		return 0, err
	}
	alphabet := omega.Union(x.Alphabet(), y.Alphabet())
	if x, err = x.Over(ctx, alphabet); err != nil {
		return 0, err
	}
	if y, err = y.Over(ctx, alphabet); err != nil {
		return 0, err
	}
	first, second := productcheck.NewLanguage(x), productcheck.NewLanguage(y)
	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
	r, err := d.Decide(ctx, first, true, second, !q.complement)
	switch {
	case err != nil:
		return 0, err
	case r.Undecided != nil:
		return leftOpen, nil
	case r.Empty() && q.shared:
		return hidden, nil
	case r.Empty():
		return right, nil
	}
	in, out := []*productcheck.Language{first, second}, []*productcheck.Language(nil)
	if q.complement {
		in, out = in[:1], in[1:]
	}
	w, err := d.Shortest(ctx, r.Word.Concrete(), in, out)
	if err != nil {
		return 0, err
	}
	for i, l := range slices.Concat(in, out) {
		if err := l.Automaton().Certify(ctx, w.Word, i < len(in)); err != nil {
			return 0, err
		}
	}
	if !q.shared {
		return falseAlarm, nil
	}
	return right, nil
}

// TestExcess: the automata of Schuppan and Biere's Figure 3, and others that are small enough to see it.
func TestExcess(t *testing.T) {
	for _, x := range []struct {
		algorithm, formula string
		want               int // -1: nothing is accepted
	}{
		{"gpvw", "p & XGq", 1},
		{"cgh", "p & XGq", 0},
		{"tight", "p & XGq", 0},
		{"couvreur", "GFa", 0},
		{"couvreur", "Fa", 1},
		{"cgh", "Fa", 0},
		{"couvreur", "a & !a", -1},
	} {
		store := ltl.NewStore()
		f := must.Get(store.Parse(x.formula, ltl.Spot))
		got, err := excess(t.Context(), must.Get(translate.With(t.Context(), x.algorithm, store, f)))
		if err != nil || (got == nil) != (x.want < 0) || got != nil && *got != x.want {
			t.Errorf("%s of %s: excess %v, %v; expected %d", x.algorithm, x.formula, got, err, x.want)
		}
	}
}

// TestExcessBrute compares with all words and all runs of up to four letters.
func TestExcessBrute(t *testing.T) {
	n, seed := campaign.Seeded(t, 500, 7)
	r := rand.New(rand.NewPCG(seed, 0))
	seen := map[int]int{}
	for i := range n {
		alphabet := omega.NewAlphabet("a")
		sets, states := 1+r.IntN(2), 1+r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
			random.Options{States: states, Density: 1.5 / float64(states), Marks: 0.4})
		got := must.Get(excess(t.Context(), a))
		word, run := shortestBrute(t, a, 4)
		switch {
		case run == 0: // longer than four edges, or none
		case got == nil || *got != run-word:
			t.Fatalf("seed %d, automaton %d: excess %v, but a run of %d and a word of %d letters", seed, i, got, run, word)
		default:
			seen[*got]++
		}
	}
	if seen[0] < n/10 || seen[1] < n/50 {
		t.Errorf("%v: too few to say anything", seen)
	}
}

// shortestBrute returns the sizes of a shortest word and of a shortest run of up to most letters, or 0.
func shortestBrute(t *testing.T, a *omega.Automaton, most int) (word, run int) {
	t.Helper()
	for size := most; size > 0; size-- {
		for v := range 1 << size {
			for before := range size {
				letters := make([]omega.Label, size)
				for i := range letters {
					if letters[i] = a.Alphabet().Prop(0); v>>i&1 == 0 {
						letters[i] = a.Alphabet().Not(letters[i])
					}
				}
				w := omega.NewWord(a.Alphabet(), letters[:before], letters[before:])
				if must.Get(a.Accepts(t.Context(), w)) {
					word = size
				}
			}
		}
		var extend func(path []omega.State, marks []omega.Marks) bool
		extend = func(path []omega.State, marks []omega.Marks) bool {
			if len(marks) == size {
				for i, s := range path[:size] {
					seen := omega.Marks(0)
					for _, m := range marks[i:] {
						seen = a.Marks().Union(seen, m)
					}
					if s == path[size] && a.Acceptance().Condition.Eval(a.Marks(), seen) {
						return true
					}
				}
				return false
			}
			for _, e := range a.Edges(path[len(path)-1]) {
				if extend(append(path[:len(path):len(path)], e.Dst), append(marks[:len(marks):len(marks)], e.Marks)) {
					return true
				}
			}
			return false
		}
		for _, s := range a.Initial() {
			if extend([]omega.State{s}, nil) {
				run = size
			}
		}
	}
	return word, run
}

// TestWorkedExamples runs the examples in the comments of excess, without, settled and open.
func TestWorkedExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		a := must.First(hoa.ReadOne(t.Context(), []byte(text)))
		return a
	}
	late := read("HOA: v1 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 State: 1 [t] 1 {0} --END--")
	if n, err := excess(t.Context(), late); err != nil || n == nil || *n != 1 {
		t.Errorf("excess: %v, %v", n, err)
	}
	ab := omega.NewAlphabet("a", "b")
	a, b := ab.Prop(0), ab.Prop(1)
	if got := without(ab, ab.And(a, ab.Not(b)), 0); got != ab.Not(b) {
		t.Errorf("a&!b without a is %s", ab.Text(got))
	}
	always := read(`HOA: v1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--`)
	alphabet := always.Alphabet()
	a, notA := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	for _, x := range []struct{ prefix, cycle, want []omega.Label }{
		{[]omega.Label{a}, []omega.Label{notA}, []omega.Label{a, notA}},
		{nil, []omega.Label{a}, nil},
	} {
		w := omega.NewWord(alphabet, x.prefix, x.cycle)
		if got, err := settled(t.Context(), always, w); err != nil || !slices.Equal(got, x.want) {
			t.Errorf("settled on %s: %v, %v", w, got, err)
		}
	}
	both := read(`HOA: v1 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&1] 2 [0&!1] 1 State: 1 [!1] 1 [1] 2 State: 2 [t] 2 {0} --END--`)
	ab = both.Alphabet()
	each := []omega.Label{ab.And(ab.Prop(0), ab.Prop(1))}
	o := &opener{word: omega.NewWord(ab, each, each), required: []requirement{{productcheck.NewLanguage(both), true}}}
	if changed, err := o.open(t.Context(), nil); !changed || err != nil || o.word.String() != "a; cycle{b}" {
		t.Errorf("opened: %s, %v", o.word, err)
	}
}

// TestTryWordsErrors: a word that can't be judged is an internal error of its case,
// and does not end the run; only the end of the whole run does.
func TestTryWordsErrors(t *testing.T) {
	try := func(ctx context.Context, prop, text string) ([]string, error) {
		t.Helper()
		formula := must.Get(ltl.NewStore().Parse("Ga", ltl.Spot))
		a, _, err := hoa.ReadOne(context.Background(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.NewAlphabet(prop)
		a = must.Get(a.Over(context.Background(), alphabet))
		j := &certifier{words: map[string]*omega.Word{}, specification: &truths{formula: formula}, members: []*member{{subjects: []outcome.Subject{{Translator: "bad"}}, language: productcheck.NewLanguage(a)}}, decider: &productcheck.Decider{}}
		err = j.tryWords(ctx, alphabet, 10, rand.New(rand.NewPCG(1, 2)))
		return j.errors, err
	}
	const all = `HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--`
	const alternating = `HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0&1 {0} [t] 0 State: 1 [t] 1 --END--`
	for _, c := range []struct{ prop, text, want string }{
		{"b", all, "does not determine the truth of a"},
		{"a", alternating, ": bad: unsupported: alternating automaton with components that are not weak"},
	} {
		got, err := try(context.Background(), c.prop, c.text)
		if err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "internal error: word ") || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, %v; want one that contains %q", c.text, got, err, c.want)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := try(canceled, "a", all); !errors.Is(err, context.Canceled) || len(got) > 0 {
		t.Errorf("canceled: %q, %v", got, err)
	}
}

// giving returns what a tool gives that translates so.
func giving(t *testing.T, translate Translation) asker {
	return func(_ *translators.Tool, f *ltl.Formula) *translators.Output {
		s := ltl.NewStore()
		a := must.Get(translate(t.Context(), s, s.Import(f)))
		return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
	}
}

// randomTexts returns random formulas over three propositions.
func randomTexts(t *testing.T, seed uint64, n, size int) (list []string) {
	t.Helper()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 3, MaxSize: size}))
	for range n {
		list = append(list, must.Get(g.Next()).String())
	}
	return list
}

// TestShortWordsAlone: a translator and the reference have the same bug, so that all checks pass if the bug
// treats a formula and its negation alike. There are no random words and no proofs. All short words show the
// bug, blame the translator and no other, and say that the reference is wrong.
func TestShortWordsAlone(t *testing.T) {
	n, seed := campaign.Seeded(t, 40, 1)
	formulas := append(randomTexts(t, seed, n, 10), "a & b & Gc", "b U FGa")
	alone := 0
	for _, bug := range seeded.Bugs() {
		if bug.Class != "" {
			continue // a crash, or a false property
		}
		found := 0
		for _, formula := range formulas {
			o := Options{Tools: tools("mine"), Reference: bug.Automaton, Exhaustive: Cheap}
			ask := giving(t, bug.Automaton)
			c := caseOf(t, fake(&o, ask, ask), formula)
			for _, d := range c.Disagreements {
				if slices.ContainsFunc(d.Blamed, func(s outcome.Subject) bool { return s.Translator != "mine" }) {
					t.Fatalf("seed %d, %s, %s: %+v", seed, bug.Name, formula, d)
				}
				if !slices.ContainsFunc(c.Errors, func(e string) bool { return strings.Contains(e, "the reference is wrong") }) {
					t.Fatalf("seed %d, %s, %s: the reference is not said to be wrong: %v", seed, bug.Name, formula, c.Errors)
				}
			}
			if len(c.Disagreements) > 0 {
				found++
				blind := Options{Tools: tools("mine"), Reference: bug.Automaton}
				without := caseOf(t, fake(&blind, ask, ask), formula)
				if len(without.Disagreements)+len(without.Errors) == 0 {
					alone++
				}
			}
		}
		if found == 0 && bug.Name != "empty alphabet" { // all formulas have propositions
			t.Errorf("seed %d, %s: not found on %d formulas", seed, bug.Name, n)
		}
	}
	if alone < n {
		t.Errorf("seed %d: the short words alone show %d cases: too few to say anything", seed, alone)
	}
}

// TestShortWordsAgree: what the searches find on words up to a size is just what all of these
// show, and they find the same sizes.
func TestShortWordsAgree(t *testing.T) {
	n, seed := campaign.Seeded(t, 60, 2)
	some := 0
	for _, bug := range seeded.Bugs() {
		if bug.Class != "" {
			continue
		}
		ask := giving(t, bug.Automaton)
		for _, formula := range randomTexts(t, seed, n/10+1, 8) {
			search := caseOf(t, fake(&Options{Tools: tools("mine"), Reference: translate.Of}, ask, ask), formula)
			short := caseOf(t, fake(&Options{Tools: tools("mine"), NoComplement: true, Exhaustive: 3}, ask, ask), formula)
			both := caseOf(t, fake(&Options{Tools: tools("mine"), Reference: translate.Of, Exhaustive: 3}, ask, ask), formula)
			if len(search.Errors)+len(short.Errors)+len(both.Errors) > 0 {
				t.Fatalf("seed %d, %s, %s: %v %v %v", seed, bug.Name, formula, search.Errors, short.Errors, both.Errors)
			}
			for _, d := range short.Disagreements {
				if !d.Shortest {
					t.Errorf("seed %d, %s, %s: %s is not said to be shortest", seed, bug.Name, formula, d.Word)
				}
			}
			want, got := shown(search, 3), shown(short, 3)
			if !slices.Equal(want, got) || !slices.Equal(want, shown(both, 3)) {
				t.Errorf("seed %d, %s, %s: searches find %v, short words %v, both %v", seed, bug.Name, formula, want, got, shown(both, 3))
			}
			some += len(want)
		}
	}
	if some < n {
		t.Errorf("only %d disagreements: too few to say anything", some)
	}
}

// shown returns how automata are wrong on words up to a size, with the size of the smallest.
func shown(c *outcome.Case, size int) (list []string) {
	least := map[string]int{}
	for _, d := range c.Disagreements {
		for _, s := range d.Blamed {
			key := string(d.Kind) + " " + s.Symbol()
			if n, ok := least[key]; d.Size <= size && (!ok || d.Size < n) {
				least[key] = d.Size
			}
		}
	}
	for key, n := range least {
		list = append(list, key+strings.Repeat(" *", n))
	}
	slices.Sort(list)
	return list
}

// TestShortWordsContradict: a word that is on both sides of a passed check is an internal error,
// as is a word that the evaluation of all short words lacks.
func TestShortWordsContradict(t *testing.T) {
	ctx := t.Context()
	s := ltl.NewStore()
	alphabet := omega.NewAlphabet("a")
	var list members
	for k, formula := range []string{"Fa", "Ga"} {
		a := must.Get(must.Get(translate.Of(ctx, s, must.Get(s.Parse(formula, ltl.Spot)))).Over(ctx, alphabet))
		list.add(outcome.Subject{Translator: []string{"x", "y"}[k]}, a)
	}
	x, y := list[0][0], list[0][1]
	w := lasso(alphabet, []omega.Letter{{true}, {false}}, 1)
	ch := &checker{members: list, passed: []intersection{{x, y, true, true}, {x, y, true, false}}}
	c := outcome.NewCase(0, "Fa", nil)
	r := &caseRun{run: &run{Options: &Options{}}}
	for range 2 { // once is enough
		must.Do(r.contradict(ctx, c, ch, w))
	}
	if len(c.Contradictions) != 1 || len(c.Errors) != 1 || c.Contradictions[0].Check != "P x & !(P y)" {
		t.Errorf("%+v, %q", c.Contradictions, c.Errors)
	}

	decider := &productcheck.Decider{Limits: productcheck.DefaultLimits}
	j := &certifier{specification: &truths{alphabet: alphabet, store: s, formula: must.Get(s.Parse("Fa", ltl.Spot))}, members: list.all(), decider: decider, words: map[string]*omega.Word{}}
	j.add(must.Get(j.entries(ctx, w))...)
	for _, x := range []struct {
		words  shortWords
		errors int
	}{{shortWords{size: 1}, 0}, {shortWords{size: 2}, 1}, {shortWords{size: 2, wrong: []shortWord{{w, y, outcome.Missing}}}, 0}, {shortWords{size: 2, wrong: []shortWord{{w, y, outcome.Extra}}}, 1}} {
		j.errors = nil
		if x.words.agree(j); len(j.errors) != x.errors {
			t.Errorf("%+v: %q", x.words, j.errors)
		}
	}
}

// automaton returns the automaton of the words of the paths from the given states.
func (s *space) automaton(starts ...omega.State) *omega.Automaton {
	b := omega.NewBuilder(s.alphabet, omega.Acceptance{Condition: omega.AllOf()})
	b.AddStates(len(s.steps))
	for _, i := range starts {
		b.AddStart(i)
	}
	for i, steps := range s.steps {
		for _, step := range steps {
			for _, j := range step.next {
				b.AddEdge(omega.State(i), s.letters[step.letter], b.Marks().Of(), j)
			}
		}
	}
	return b.Automaton()
}

// lassos calls f with the word of each path from a state that goes back to one of its
// states after at most n steps.
func (s *space) lassos(from omega.State, n int, f func(*omega.Word)) {
	path := []omega.State{from}
	var letters []omega.Label // of the path's edges
	var extend func()
	extend = func() {
		for _, step := range s.steps[path[len(path)-1]] {
			letters = append(letters, s.letters[step.letter])
			for _, next := range step.next {
				for i, state := range path {
					if state == next {
						f(omega.NewWord(s.alphabet, slices.Clone(letters[:i]), slices.Clone(letters[i:])))
					}
				}
				if len(path) < n {
					path = append(path, next)
					extend()
					path = path[:len(path)-1]
				}
			}
			letters = letters[:len(letters)-1]
		}
	}
	extend()
}

// TestSpaceProduct: a product says of a state that a word is accepted from there if membership, by
// enumeration of the lassos of the space, says so; and where it does, the word that is taken from it is
// accepted, and one of a path. The sizes equal the sizes of an explicit product.
func TestSpaceProduct(t *testing.T) {
	ctx := context.Background()
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	counts := map[string]int{}
	for i := range 250 {
		sets := r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
			random.Options{States: 1 + r.IntN(4), Density: 0.2 + 0.6*r.Float64(), Marks: 0.3, Deterministic: i%3 == 0})
		if i%25 == 0 {
			a = alternating(t, alphabet)
		}
		l := productcheck.NewLanguage(a)
		o := Products{States: 1 + r.IntN(6), Density: 0.3 * r.Float64(), Seed: uint64(i)}
		s := o.newSpace("Ga", 0, alphabet)
		p := must.Get(s.product(ctx, l, productcheck.DefaultLimits))
		for state := range omega.State(o.States) {
			found := false
			s.lassos(state, 5, func(w *omega.Word) {
				in := must.Get(a.Accepts(context.Background(), w))
				found = found || in
			})
			if found && !p.live[state] {
				t.Fatalf("seed %d, automaton %d: a word from state %d is accepted, but the product says none is", seed, i, state)
			}
			if p.live[state] {
				counts["accepted"]++
				if err := s.confirmWord(ctx, state, l); err != nil {
					t.Fatalf("seed %d, automaton %d, state %d: %v", seed, i, state, err)
				}
			} else {
				counts["rejected"]++
			}
		}
		if !a.Alternating() {
			whole := must.Get(omega.Explore(ctx, productcheck.NewProduct(s.automaton(0), a), 0))
			if want := (emptiness.Reached{States: whole.NumStates(), Edges: whole.NumEdges(), Components: whole.Components().Count}); p.size != want {
				t.Errorf("seed %d, automaton %d: size %+v, want %+v", seed, i, p.size, want)
			}
		}
	}
	if counts["accepted"] < 100 || counts["rejected"] < 100 {
		t.Errorf("one-sided: %v", counts)
	}
}

// confirmWord takes a word from the product with the paths from a state: the automaton
// must accept it, and it must be one of these paths.
func (s *space) confirmWord(ctx context.Context, state omega.State, l *productcheck.Language) error {
	w, err := s.accepted(ctx, state, l, productcheck.DefaultLimits)
	if err != nil {
		return err
	}
	if in, err := l.Automaton().Accepts(context.Background(), w); err != nil || !in {
		return fmt.Errorf("%s is not accepted (%v)", w, err)
	}
	if in, err := s.automaton(state).Accepts(context.Background(), w); err != nil || !in {
		return fmt.Errorf("%s is on no path (%v)", w, err)
	}
	if in, err := s.automaton(state).Accepts(context.Background(), s.path(state)); err != nil || !in {
		return fmt.Errorf("%s is on no path (%v)", s.path(state), err)
	}
	return nil
}

// alternating returns a weak alternating automaton of G(a -> Fb), of two propositions.
func alternating(t *testing.T, alphabet *omega.Alphabet) *omega.Automaton {
	t.Helper()
	text := `HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 1 Fin(0)
--BODY-- State: 0 [!0 | 1] 0 [0 & !1] 0&1 State: 1 {0} [!1] 1 [1] 2 State: 2 [t] 2 --END--`
	for p := range hoa.Split([]byte(text)) {
		a := must.First(p.Automaton(context.Background()))
		return must.Get(a.Over(context.Background(), alphabet))
	}
	t.Fatal("no automaton")
	return nil
}

// TestSpace: all states are reached from the first, each has a successor, and a space
// depends on its seed, its number and the formula alone.
func TestSpace(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b")
	o := Products{States: 100, Density: 0.1, Seed: 5}
	edges, letters := 0, map[omega.Label]int{}
	for k := range 20 {
		s := o.newSpace("a U b", k, alphabet)
		whole, err := omega.Explore(context.Background(), s.automaton(0), 0)
		if err != nil || whole.NumStates() != o.States {
			t.Errorf("space %d: %d states are reached of %d (%v)", k, whole.NumStates(), o.States, err)
		}
		edges += whole.NumEdges()
		for i, steps := range s.steps {
			if len(steps) == 0 {
				t.Errorf("space %d: state %d has no successor", k, i)
			}
			met := map[int]bool{}
			for _, step := range steps {
				if met[step.letter] {
					t.Errorf("space %d: state %d has two steps with letter %d", k, i, step.letter)
				}
				met[step.letter] = true
				letters[s.letters[step.letter]] += len(step.next)
			}
		}
		if again := o.newSpace("a U b", k, alphabet); fmt.Sprint(again) != fmt.Sprint(s) {
			t.Errorf("space %d is another one the second time", k)
		}
		other := o
		other.Seed += 1000
		for _, unlike := range []*space{o.newSpace("a U b", k+1, alphabet), o.newSpace("Ga", k, alphabet), other.newSpace("a U b", k, alphabet)} {
			if fmt.Sprint(unlike) == fmt.Sprint(s) {
				t.Errorf("space %d does not depend on the number, the formula and the seed", k)
			}
		}
	}
	// 10 successors of each state, and 0.9 more that are there to reach it.
	if mean := float64(edges) / 2000; mean < 10 || mean > 12 {
		t.Errorf("%.2f successors in the mean", mean)
	}
	for l, n := range letters {
		if share := float64(n) / float64(edges); share < 0.2 || share > 0.3 {
			t.Errorf("letter %d is on %.2f of the edges", l, share)
		}
	}
	// The least there can be: one state with a loop, though no edge is likely.
	if s := (&Products{States: 1}).newSpace("1", 0, omega.NewAlphabet()); len(s.steps[0]) != 1 {
		t.Errorf("one state: %v", s.steps)
	}
}

// TestSpaceSizes: as in ltlcross, the products of a formula and of its negation both go on
// from the first state, and G halves the edges.
func TestSpaceSizes(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	size := func(k int, text string) emptiness.Reached {
		for p := range hoa.Split([]byte("HOA: v1 AP: 1 \"a\" Acceptance: 0 t Start: 0 " + text + " --END--")) {
			a := must.First(p.Automaton(context.Background()))
			s := DefaultProducts.newSpace("a", k, alphabet)
			p := must.Get(s.product(context.Background(), productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet))), productcheck.DefaultLimits))
			return p.size
		}
		t.Fatal("no automaton")
		return emptiness.Reached{}
	}
	for k := range 20 {
		one := size(k, "States: 1 --BODY-- State: 0 [t] 0")
		if one.States != 200 || one.Components != 1 {
			t.Errorf("space %d has %+v", k, one)
		}
		for _, letter := range []string{"0", "!0"} {
			if first := size(k, "States: 2 --BODY-- State: 0 ["+letter+"] 1 State: 1 [t] 1"); first.States != 201 || first.Edges <= one.Edges {
				t.Errorf("space %d: with [%s] first, the product has %+v", k, letter, first)
			}
			half := size(k, "States: 1 --BODY-- State: 0 ["+letter+"] 0")
			if share := float64(half.Edges) / float64(one.Edges); half.States < 195 || share < 0.4 || share > 0.6 {
				t.Errorf("space %d: with [%s] always, the product has %+v of %+v", k, letter, half, one)
			}
		}
	}
}

// TestSpaceProductEnds: limits of states, memory and time, and a context that is done.
func TestSpaceProductEnds(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(100)
	b.AddStart(0)
	for s := range omega.State(100) {
		b.AddEdge(s, alphabet.True(), b.Marks().Of(), (s+1)%100)
	}
	l := productcheck.NewLanguage(b.Automaton())
	s := DefaultProducts.newSpace("Ga", 0, alphabet)
	ctx, cancel := context.WithCancel(context.Background())
	for _, c := range []struct {
		limits productcheck.Limits
		want   string
	}{
		{productcheck.Limits{ProductStates: 10}, "limit of 10 product states"},
		{productcheck.Limits{Memory: 1000}, "memory limit of 1000 bytes"},
		{productcheck.Limits{Time: 1}, "time limit of 1ns"},
	} {
		if _, err := s.product(ctx, l, c.limits); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.limits, err, c.want)
		}
	}
	cancel()
	if _, err := s.product(ctx, l, productcheck.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

// started reports whether case i may start now. It must be the next one.
func (w *flow) started(i int) bool {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	index, err := w.start(ctx)
	return err == nil && index == i
}

// TestFlowBudget: cases that take much are under way alone, and after small ones there is room for many.
func TestFlowBudget(t *testing.T) {
	w := newFlow(2, 16, func(*outcome.Case) error { return nil })
	next := 0
	fill := func() (n int) {
		for w.started(next) {
			next++
			n++
		}
		return n
	}
	finish := func(bytes int64) {
		i := w.underway[0].index
		w.holds(i, bytes)
		must.Do(w.finish(&outcome.Case{Index: i}))
	}
	if n := fill(); n != 8 {
		t.Errorf("%d cases at the start on 2 cores", n)
	}
	for range 100 {
		finish(1000)
		fill()
	}
	if n := len(w.underway); n != 16 {
		t.Errorf("%d small cases, want as many as there is room for", n)
	}
	// One that has more than the budget stops all others, until it is finished.
	w.holds(w.underway[3].index, textBudget+1)
	finish(1000)
	finish(1000)
	if n := fill(); n != 0 {
		t.Errorf("%d cases more though the budget is used up", n)
	}
	for len(w.underway) > 1 {
		finish(textBudget / 3)
	}
	finish(textBudget / 3)
	if n := fill(); n != 3 {
		t.Errorf("%d cases, where each is expected to take a third", n)
	}
	for range 3 {
		finish(2 * textBudget)
	}
	if n := fill(); n != 1 {
		t.Errorf("%d cases, where each is expected to take more than there is", n)
	}
}

// TestFlowOrder: cases come in order, unless too many wait; at the end, all come.
func TestFlowOrder(t *testing.T) {
	var got []int
	w := newFlow(1, 100, func(c *outcome.Case) error { got = append(got, c.Index); return nil })
	w.window, w.expected = 3, 1
	for i := range 12 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	for _, i := range []int{1, 0, 4, 6, 5, 7, 8, 2, 11, 10} {
		must.Do(w.finish(&outcome.Case{Index: i}))
	}
	must.Do(w.end())
	// 3 and 9 have not come.
	if want := []int{0, 1, 4, 5, 2, 6, 7, 8, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFlowLate: who waits long for one before it overtakes it, though nothing more
// comes; an error of the receiver is told to whoever comes next.
func TestFlowLate(t *testing.T) {
	got := make(chan int, 10)
	full := errors.New("disk full")
	w := newFlow(1, 100, func(c *outcome.Case) error {
		if got <- c.Index; c.Index == 4 {
			return full
		}
		return nil
	})
	w.patience, w.expected = time.Millisecond, 1
	for i := range 7 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	expect := func(list ...int) {
		t.Helper()
		for _, want := range list {
			if c := <-got; c != want {
				t.Errorf("got %d, want %d", c, want)
			}
		}
	}
	for _, i := range []int{2, 1, 0} {
		must.Do(w.finish(&outcome.Case{Index: i}))
		if i == 2 {
			expect(2) // 0 is slow
		}
	}
	// 1 may have overtaken 0 or not.
	if a, b := <-got, <-got; a+b != 1 {
		t.Errorf("got %d and %d, want 0 and 1", a, b)
	}
	must.Do(w.finish(&outcome.Case{Index: 4}))
	expect(4) // 3 is slow
	if err := w.finish(&outcome.Case{Index: 3}); err != full {
		t.Errorf("got %v, want %v", err, full)
	}
	if err := errors.Join(w.finish(&outcome.Case{Index: 6}), w.end()); err != nil || len(got) > 0 {
		t.Errorf("got %v, and %d cases after the failure", err, len(got))
	}
}

// TestFlowWakes: who waits for room is woken, and is not when there is none; an
// error of the receiver is the last call of it.
func TestFlowWakes(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	w := newFlow(2, 2, func(*outcome.Case) error { calls++; return full })
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 2 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	second := make(chan error)
	all.Go(func() {
		_, err := w.start(ctx)
		second <- err
		if _, err := w.start(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	if err := w.finish(&outcome.Case{Index: 0}); err != full {
		t.Errorf("got %v", err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	cancel()
	all.Wait()
	if err := errors.Join(w.finish(&outcome.Case{Index: 1}), w.end()); err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
