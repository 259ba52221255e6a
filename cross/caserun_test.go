package cross

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
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
	err := Run(context.Background(), Options{Tools: []*translators.Tool{tool}, Runner: runner}, next,
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
			if f.Class != "property" || f.Property != lie || f.Subject != x.calls[i%6].Subject {
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

// TestIncomplete: failures on a complete automaton are not called those on an incomplete one, however many propositions it has.
func TestIncomplete(t *testing.T) {
	for _, n := range []int{1, 64, 65, 127, 128, 200, 900, 901, 1000, 1024, 1500} {
		var props []string
		for i := range n {
			props = append(props, fmt.Sprint("p", i))
		}
		alphabet := omega.NewAlphabet(props...)
		for _, complete := range []bool{true, false} {
			b := omega.NewBuilder(alphabet, omega.Buchi())
			b.AddStart(b.AddState())
			b.AddEdge(0, alphabet.Prop(0), 0, 0)
			if complete {
				b.AddEdge(0, alphabet.Not(alphabet.Prop(0)), 0, 0)
			}
			g, err := newGiven(t.Context(), Input{Automaton: b.Automaton()}, 0)
			if err != nil || strings.Contains(g.Identity(outcome.ParseClass("extra words")), "incomplete") == complete {
				t.Errorf("%d propositions, complete %t: %+v, %v", n, complete, g, err)
			}
		}
	}
}

// TestRoom: of the cases in a room, the one that has read the most ends first, or its proof or check. Of those that have
// read as much, it is the one that has been checked the longest, and then those that wait for tools. One that has left
// is not there any more. A case that needs too much memory in each step ends at last.
func TestRoom(t *testing.T) {
	var r room
	small, mine := int64(0), int64(0)
	asks, _ := r.enter(t.Context(), asking, &small)
	gone, leave := r.enter(t.Context(), checking, &small)
	first, leaveFirst := r.enter(t.Context(), checking, &mine)
	second, _ := r.enter(t.Context(), checking, &small)
	reads, _ := r.enter(t.Context(), asking, new(int64(1000)))
	proof, _ := r.enter(first, stepping, &mine)
	leave()
	want := []context.Context{reads, proof, first, second, asks}
	for i, ctx := range want {
		if !r.endLargest() {
			t.Fatalf("%d: nothing has ended", i)
		}
		for k, other := range want {
			if late(other) != (k <= i) {
				t.Errorf("after %d: context %d: %v", i, k, context.Cause(other))
			}
		}
		if late(ctx) && i == 2 {
			leaveFirst()
		}
	}
	if r.endLargest() || late(gone) {
		t.Error("a case has ended that had left")
	}
	greedy, _ := r.enter(t.Context(), checking, &mine)
	for k := range maxSpared + 1 {
		step, _ := r.enter(greedy, stepping, &mine)
		if r.endLargest(); !late(step) || late(greedy) != (k == maxSpared) {
			t.Errorf("step %d: ended %v, its case %v", k, late(step), late(greedy))
		}
	}
}

// TestUncertified: what a limit ends is undecided, wherever it is met, and no internal error.
func TestUncertified(t *testing.T) {
	for _, limit := range []error{ltl.ErrLarge, certify.ErrLarge, context.DeadlineExceeded, &omega.LimitError{What: "memory", Limit: 1}} {
		if err := fmt.Errorf("word: %w", limit); !overLimit(err) {
			t.Error(err)
		}
	}
	other := must.Get(ltl.NewStore().Parse("G(p0 -> Fp1) & G(p2 -> Fp3) & G(p4 -> Fp5) & F(p4 & XXXXXXXXp5)", ltl.Spot))
	wrong := func(*translators.Tool, *ltl.Formula) *translators.Output { return answer(other, true) }
	for memory := int64(1); memory <= 1<<20; memory <<= 5 {
		r := fake(&Options{Tools: tools("wrong"), Words: 20, Limits: omega.Limits{Memory: memory}}, wrong, wrong)
		if c := caseOf(t, r, "(p0 U p1) & GF(p2 -> Xp3) | F(p4 & XXp5)"); len(c.Errors) > 0 || len(c.Disagreements)+len(c.Undecided) == 0 {
			t.Errorf("%d bytes: errors %v, %d disagreements, undecided %v", memory, c.Errors, len(c.Disagreements), c.Undecided)
		}
	}
}

// TestCut: a tool whose answer is not awaited, for lack of memory, has not failed, and the case is not decided.
func TestCut(t *testing.T) {
	ask := func(_ *translators.Tool, f *ltl.Formula) *translators.Output { return answer(f, true) }
	r := fake(&Options{Tools: tools("large", "small")}, ask, ask)
	r.translate = func(tool *translators.Tool, ctx context.Context, _ *translators.Runner, f *ltl.Formula, _ time.Duration) (*translators.Output, error) {
		if tool.Name == "small" {
			return ask(tool, f), nil
		}
		r.room.endLargest()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	c := caseOf(t, r, "a U b")
	for _, x := range c.Results {
		if x.Failed() {
			t.Errorf("%s: %s", x.Subject, x.Status)
		}
	}
	if len(c.Undecided) != 1 || c.Undecided[0].Check != outcome.RestOfCase || !strings.Contains(c.Undecided[0].Why, "(answers)") {
		t.Errorf("undecided %+v", c.Undecided)
	}
}

// TestFull: a check that ends for lack of memory is undecided, and the case goes on with the others.
func TestFull(t *testing.T) {
	ask := func(_ *translators.Tool, f *ltl.Formula) *translators.Output { return answer(f, true) }
	r := fake(&Options{Tools: tools("a"), Reference: translate.Of, AllPairs: true}, ask, ask)
	entered.Store(new(func(name string) {
		if name == "a is included in builtin" {
			r.room.endLargest()
		}
	}))
	defer entered.Store(nil)
	c := caseOf(t, r, "a U b")
	if len(c.Undecided) != 1 || c.Undecided[0].Why != r.room.full() || !c.Checked || len(c.Checks) < 6 {
		t.Errorf("undecided %+v, checks %+v", c.Undecided, c.Checks)
	}
}

// TestContested: an automaton seems to accept too much, but our translation of the formula is too large to find a word.
func TestContested(t *testing.T) {
	s := ltl.NewStore()
	f := s.Prop("a")
	for range ondemand.MaxSubformulas {
		f = s.Next(f)
	}
	x := &caseRun{run: fake(&Options{}, nil, nil), store: s, formula: f}
	ch, c := &checker{run: x, ctx: t.Context(), members: members{{{subjects: []outcome.Subject{{Translator: "a"}}, refused: certify.ErrTooMuch}}}}, new(outcome.Case)
	if err := x.contested(t.Context(), c, ch, omega.NewAlphabet("a")); err != nil || len(ch.undone) != 1 || len(c.Errors) > 0 {
		t.Errorf("%v, undecided %v, errors %v", err, ch.undone, c.Errors)
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
