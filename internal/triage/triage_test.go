package triage_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestMain(m *testing.M) {
	seeded.Main()
	os.Exit(m.Run())
}

// misread has bugs of translators that translate another formula for those that fit.
var misread = map[string]struct {
	fits    func(*ltl.Formula) bool
	another func(text string) string
}{
	"negated above five nodes":      {func(f *ltl.Formula) bool { return f.Size() > 5 }, negated},
	"negated with two propositions": {func(f *ltl.Formula) bool { return len(f.Props()) > 1 }, negated},
	"negated with ten propositions": {func(f *ltl.Formula) bool { return len(f.Props()) > 9 }, negated},
	"W is U, and beside X M is R": {func(f *ltl.Formula) bool { return true }, func(text string) string {
		if text = strings.ReplaceAll(text, " W ", " U "); strings.Contains(text, "X") {
			text = strings.ReplaceAll(text, " M ", " R ")
		}
		return text
	}},
}

func negated(text string) string { return "!(" + text + ")" }

// seededTool returns a translator with a bug. One that crashes is a process that is kept alive.
func seededTool(t testing.TB, name, bug string) *translators.Tool {
	t.Helper()
	self := must.Get(os.Executable())
	c := must.Get(translators.ParseCommand(translators.Quote(self)+" -", translators.Stream))
	builtin := seeded.Builtin(bug)
	if m, ok := misread[bug]; ok {
		builtin = func(ctx context.Context, in string, out io.Writer) error {
			f, err := ltl.NewStore().Parse(in, ltl.Spot)
			if err == nil && m.fits(f) {
				in = m.another(in)
			}
			return errors.Join(err, seeded.Builtin(seeded.None.Name)(ctx, in, out))
		}
	}
	return &translators.Tool{Name: name, Command: c, Builtin: builtin, Mode: translators.Stream, Env: []string{seeded.Variable + "=" + bug, "GORACE=atexit_sleep_ms=0"}}
}

// grind is how a run with these options makes formulas small.
func grind(o cross.Options) triage.Options {
	return triage.Options{Grind: &o, MaxCalls: triage.DefaultCalls}
}

// triaged returns the causes of a run's failures, in lines: translators, class, smallest
// formula, and the number of formulas. The cases are added in the order of the
// indexes.
func triaged(t *testing.T, how triage.Options, cases []*outcome.Case) (lines []string, asked int) {
	t.Helper()
	failures := triage.New(how)
	for _, c := range cases {
		causes := must.Get(failures.Add(context.Background(), c))
		for _, cause := range causes {
			if cause.Ground && cause.Formulas == 1 {
				asked++
			}
		}
	}
	if calls := failures.Calls(); how.MaxCalls > 0 && calls > how.MaxCalls*len(how.Grind.Tools) {
		t.Errorf("%d calls of %d translators, want at most %d of each", calls, len(how.Grind.Tools), how.MaxCalls)
	}
	causes := must.Get(failures.Causes(context.Background()))
	t.Logf("%d calls", failures.Calls())
	for _, c := range causes {
		checkCauseCase(t, c)
		lines = append(lines, fmt.Sprintf("%s: %s: %s (%d)", strings.Join(c.Translators, ", "), c.Class, c.Formula, c.Formulas))
	}
	return lines, asked
}

// checkCauseCase: a cause has the case of its formula, and of that what is about its first
// translator.
func checkCauseCase(t *testing.T, cause *outcome.Cause) {
	t.Helper()
	if cause.Case == nil || cause.Case.Formula != cause.Formula || len(cause.Case.Results) != 2 {
		t.Fatalf("%v, %s: %+v", cause.Translators, cause.Formula, cause.Case)
	}
	if s := cause.Case.Results[0].Translator; s != cause.Translators[0] {
		t.Errorf("%v, %s: the case is about %s", cause.Translators, cause.Formula, s)
	}
	shown := false
	for _, d := range cause.Case.Disagreements {
		shown = shown || d.Word == cause.Word && len(d.Explanations) > 0
	}
	if shown != (cause.Word != "") {
		t.Errorf("%v, %s: the case does not explain the word %q: %+v", cause.Translators, cause.Formula, cause.Word, cause.Case)
	}
}

// checked returns the cases of formulas, and the options that they were made with.
func checked(t *testing.T, tools []*translators.Tool, formulas ...string) (cross.Options, []*outcome.Case) {
	t.Helper()
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	t.Cleanup(func() { runner.Close() })
	o := cross.Options{Tools: tools, Runner: runner, Reference: translate.Of, Properties: true}
	next := func() (cross.Input, error) {
		if len(formulas) == 0 {
			return cross.Input{}, io.EOF
		}
		f, err := ltl.NewStore().Parse(formulas[0], ltl.Spot)
		formulas = formulas[1:]
		return cross.Input{Formula: f}, err
	}
	var cases []*outcome.Case
	err := cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return o, cases
}

// TestTriage: failures of one cause are one group, whatever they look like. Failures of
// several causes are several groups, also in one translator.
func TestTriage(t *testing.T) {
	for _, c := range []struct {
		name     string
		bugs     []string // of the translators
		formulas []string
		want     []string
	}{
		{"one cause", []string{"U is W"},
			[]string{"G(a -> Xb)", "a U b", "!(b U a)", "G(c -> (a & c) U X b)", "(1 U a) xor b", "a U b | F c"},
			[]string{"U is W: extra words: 1 U b (5)"}},
		{"duals", []string{"one proposition twice"},
			[]string{"a & a", "b | b", "F(c & Xa) | a"},
			[]string{"one proposition twice: missing words: a & a (3)"}},
		{"whatever the operators", []string{"one proposition twice"},
			[]string{"a | a", "b -> Gb", "F(c U Xc) | a", "a W a", "(a xor b) R b"},
			[]string{"one proposition twice: missing words: a & a (5)"}},
		{"marks", []string{"mark lost"},
			[]string{"F(a & Xb)", "GFa", "a U b | c"},
			[]string{"mark lost: missing words: Fa (3)"}},
		{"negation", []string{"implication turned round"},
			[]string{"a -> b", "F(b -> Xa)"},
			[]string{"implication turned round: missing words: 0 -> b (2)"}},
		{"by propositions", []string{"negated with two propositions"},
			[]string{"a xor b", "Fa R b", "G(a -> X(b M c))", "b W a & c", "F(a | b | Xc)"},
			[]string{"negated with two propositions: extra and missing words: a & b (5)"}},
		{"by many propositions", []string{"negated with ten propositions"},
			[]string{"a & b & c & d & e & f & g & h & i & j & k"},
			[]string{"negated with ten propositions: extra and missing words: a & b & c & d & e & f & g & h & i & j (1)"}},
		{"by size", []string{"negated above five nodes"},
			[]string{"G(a -> X(b M c))", "a xor b R Xc", "!(Fa <-> Gb)", "(a W a) & (b -> c)", "X(0 U 0) & (1 R 0)"},
			[]string{"negated above five nodes: extra and missing words: XXXXXa (5)"}},
		{"two bugs, other words", []string{"M is R, W is U"},
			[]string{"(a M b) & (c W d)", "X((a W b) & (c M d))"},
			[]string{"M is R, W is U: extra words: 0 M b (2)", "M is R, W is U: missing words: 1 W d (2)"}},
		{"the way leads to another bug", []string{"M is R, W is U"},
			[]string{"0 & (c W d) | (a M b)"},
			[]string{"M is R, W is U: extra words: 0 M b (1)", "M is R, W is U: missing words: 1 W d (1)"}},
		{"only the negation", []string{"negated until keeps its first operand"},
			[]string{"a U b", "G(a U b)", "!(c U a)"},
			[]string{"negated until keeps its first operand: missing words, of the negation only: 0 U a (2)"}},
		{"crash", []string{"crash on nested untils"},
			[]string{"G(a U (b U c))", "a U b", "X(a U (a U b)) & c"},
			[]string{"crash on nested untils: exit 3: assertion failed: no choice is left: 0 U 0 U a (2)"}},
		{"property", []string{"false deterministic"},
			[]string{"FGa", "XF(b & Gc)", "Ga"},
			[]string{"false deterministic: property: deterministic: FGa (2)"}},
		{"without propositions", []string{"empty alphabet"},
			[]string{"0", "G(1) & F(0)", "X(0 U 0) & (1 R 0)", "a & 0"},
			[]string{"empty alphabet: extra words: 0 (3)"}},
		{"everywhere", []string{"dual acceptance"},
			[]string{"1", "b", "0", "a U b"},
			[]string{"dual acceptance: missing words: b (4)"}},
		{"two bugs", []string{"U is W, X is ignored"},
			[]string{"a U b", "Xa", "G(a U c) & b", "F(c & X b)"},
			[]string{"U is W, X is ignored: extra words: 1 U b (2)", "U is W, X is ignored: extra and missing words: Xa (2)"}},
		{"two bugs, one formula next to the other", []string{"U is W, M is R"},
			[]string{"a U b", "a M b", "G(a U c)", "Xa M b"},
			[]string{"U is W, M is R: extra words: 1 U b (2)", "U is W, M is R: extra words: 0 M b (2)"}},
		{"size", []string{"crash on more than eight nodes"},
			[]string{"G(a & Xb) | F(a & X c)", "X X X X X X X X b", "F(a | X(b | X(a & X a)))", "a U b", "(a U b) & (b U c) & X a"},
			[]string{"crash on more than eight nodes: exit 3: assertion failed: no choice is left: XXXXXXXXa (4)"}},
		{"one name", []string{"c is b, U is W"},
			[]string{"c", "Xc & a", "X(a U b)", "b & G c", "a U c"},
			[]string{"c is b, U is W: extra and missing words: c (4)", "c is b, U is W: extra words: 1 U b (1)"}},
		{"a proposition alone", []string{"bare proposition, U is W, M is R"},
			[]string{"b", "X(a U b)", "G(a U c)", "X(a M c)"},
			[]string{"bare proposition, U is W, M is R: extra words: 1 U b (2)", "bare proposition, U is W, M is R: extra and missing words: b (1)",
				"bare proposition, U is W, M is R: extra words: 0 M c (1)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tools []*translators.Tool
			for _, bug := range c.bugs {
				tools = append(tools, seededTool(t, bug, bug))
			}
			o, cases := checked(t, tools, c.formulas...)
			how := grind(o)
			got, asked := triaged(t, how, cases)
			if !slices.Equal(got, c.want) || asked != len(c.want) {
				t.Errorf("got\n%s\nwant\n%s\n%d formulas were made small", strings.Join(got, "\n"), strings.Join(c.want, "\n"), asked)
			}
			if tools[0].Builtin != nil && !strings.Contains(c.want[0], "property") {
				checkSmallest(t, o, c.want)
			}
		})
	}
}

// checkSmallest tries all formulas with fewer than four nodes, or five in a campaign. Those that fail must
// have a cause that is no larger.
func checkSmallest(t *testing.T, o cross.Options, causes []string) {
	t.Helper()
	s := ltl.NewStore()
	var found []*ltl.Formula
	for _, text := range causes {
		text = text[strings.LastIndex(text, ": ")+2 : strings.LastIndex(text, " (")]
		f := must.Get(s.Parse(text, ltl.Spot))
		found = append(found, f)
	}
	var ops ltl.OpSet
	for op := range ltl.OpYesterday {
		ops = ops.With(op)
	}
	x := cross.NewGrinder(o)
	most, smallest := 4, ""
	if campaign.Whole() {
		most = 5
	}
	for size := 1; size < most; size++ {
		for f := range s.Enumerate(size, 2, ops) {
			c := must.Get(x.Try(t.Context(), f, 0))
			if len(c.Failures()) > 0 && smallest == "" {
				smallest = f.String()
				t.Logf("the smallest formula that fails is %s: %q", smallest, causes)
			}
			if len(c.Failures()) > 0 && f.Ops().Has(ltl.OpProp) && !slices.ContainsFunc(found, func(g *ltl.Formula) bool { return g.Size() <= size }) {
				t.Errorf("%s fails, which is smaller than %q", f, causes)
			}
		}
	}
}

// TestTriageShared: translators with the same bug are one group, those that only fail on
// the same formulas are not.
func TestTriageShared(t *testing.T) {
	tools := []*translators.Tool{seededTool(t, "x", "mark lost"), seededTool(t, "y", "mark on all edges"), seededTool(t, "z", "mark lost")}
	o, cases := checked(t, tools, "Fa", "a U b", "X(a & F b)", "G a")
	got, _ := triaged(t, grind(o), cases)
	if want := []string{"x, z: missing words: Fa (4)", "y: extra words: Fa (4)"}; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTriagePlain: if nothing is to be made small, there is a group for each class, with
// the smallest formula of the run.
func TestTriagePlain(t *testing.T) {
	tools := []*translators.Tool{seededTool(t, "x", "U is W"), seededTool(t, "y", "crash on nested untils")}
	_, cases := checked(t, tools, "G(a U (b U c))", "b U X c", "a U b", "a U (c U a)")
	got, asked := triaged(t, triage.Options{}, cases)
	want := []string{"x: extra words: a U b (4)", "y: exit 3: assertion failed: no choice is left: a U c U a (2)"}
	if !slices.Equal(got, want) || asked != 0 {
		t.Errorf("got\n%s\nwant\n%s\n%d formulas were made small", strings.Join(got, "\n"), strings.Join(want, "\n"), asked)
	}
}

// TestTriageOwnClass: what is wrong is said of the translator alone, also on a formula on
// which others fail, too.
func TestTriageOwnClass(t *testing.T) {
	tools := []*translators.Tool{seededTool(t, "x", "U is W"), seededTool(t, "y", "dual acceptance")}
	_, cases := checked(t, tools, "a U b")
	got, _ := triaged(t, triage.Options{}, cases)
	if want := []string{"x: extra words: a U b (1)", "y: extra and missing words: a U b (1)"}; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTriageOrder: the groups do not depend on the order of the cases, but for the names
// of propositions.
func TestTriageOrder(t *testing.T) {
	const seed = 3
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 9}))
	var formulas []string
	for range 25 {
		f := must.Get(g.Next())
		formulas = append(formulas, f.String())
	}
	bugs := []string{"U is W", "M is R", "X is ignored", "one proposition twice", "edge lost"}
	var tools []*translators.Tool
	for _, bug := range bugs {
		tools = append(tools, seededTool(t, bug, bug))
	}
	o, cases := checked(t, tools, formulas...)
	r := rand.New(rand.NewPCG(seed, 0))
	var first []string
	for range 3 {
		got, _ := triaged(t, grind(o), cases)
		for i := range got {
			got[i] = strings.NewReplacer("a", "p", "b", "p").Replace(got[i])
		}
		slices.Sort(got)
		if first == nil {
			first = got
		}
		if len(got) != len(bugs) || !slices.Equal(got, first) {
			t.Errorf("seed %d: got\n%s\nbefore\n%s", seed, strings.Join(got, "\n"), strings.Join(first, "\n"))
		}
		r.Shuffle(len(cases), func(i, k int) { cases[i], cases[k] = cases[k], cases[i] })
	}
}

// TestTriageTrouble: what does not fail again is not made small, nor what takes long, and
// the end of the context ends the search, but loses no failure. Only the negation is said to fail
// if the call for the formula gave an automaton.
func TestTriageTrouble(t *testing.T) {
	right := seededTool(t, "x", seeded.None.Name)
	o, cases := checked(t, []*translators.Tool{right}, "a U b", "G a")
	for _, x := range []struct {
		status outcome.Status
		class  string
		want   []string
	}{
		{"ok", "", []string{"x: timeout, of the negation only: Ga (2)"}},
		{"crash", "crash 11", []string{"x: crash 11: Ga (2)", "x: timeout: Ga (2)"}},
	} {
		for _, c := range cases {
			c.Results[0].Status, c.Results[0].Failure = x.status, outcome.ParseClass(x.class)
			c.Results[1].Status, c.Results[1].Failure = "timeout", outcome.ParseClass("timeout: killed after …")
		}
		got, asked := triaged(t, grind(o), cases)
		if !slices.Equal(got, x.want) || asked != 0 {
			t.Errorf("got\n%s\nwant\n%s\n%d formulas were made small", strings.Join(got, "\n"), strings.Join(x.want, "\n"), asked)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	causes, err := triage.New(triage.Options{Grind: &o}).Add(ctx, cases[0])
	if err != nil || len(causes) != 2 || causes[0].Ground || causes[1].Ground {
		t.Errorf("canceled: %v, %v; want two groups with nothing made small", causes, err)
	}
}

// TestTriageCalls: no translator is asked more often than allowed, what is done is told, and no
// failure is lost.
func TestTriageCalls(t *testing.T) {
	o, cases := checked(t, []*translators.Tool{seededTool(t, "x", "U is W, M is R")}, "G(a U X c) | F(a M b)", "(a U b) xor (X b M c)", "c W (b U a)", "F(X a M b) & c", "a M b")
	for limit := 1; limit < 60; limit += 7 {
		var mu sync.Mutex
		told, last := 0, 0
		failures := triage.New(triage.Options{Grind: &o, MaxCalls: limit, Grinding: func(translator, formula string, calls int) {
			mu.Lock()
			defer mu.Unlock()
			if told, last = told+1, max(last, calls); translator != "x" || formula == "" {
				t.Errorf("told of %q, %q", translator, formula)
			}
		}})
		for _, c := range cases {
			must.Get(failures.Add(context.Background(), c))
		}
		causes, err := failures.Causes(context.Background())
		formulas := 0
		for _, c := range causes {
			formulas += c.Formulas
		}
		if err != nil || formulas < len(cases) || failures.Calls() > limit || told != failures.Calls() || last != told {
			t.Errorf("limit of %d: %d calls, %d told, the last was %d; %d formulas in %d groups: %v", limit, failures.Calls(), told, last, formulas, len(causes), err)
		}
	}
}

// TestTriageGroups: with the default number of calls, two bugs on many formulas are a handful of groups of a history,
// and nothing that is not shrunk.
func TestTriageGroups(t *testing.T) {
	g := random.New(random.Large, 3)
	var formulas []string
	for range 130 {
		f := must.Get(g.Next(t.Context()))
		formulas = append(formulas, f.String())
	}
	o, cases := checked(t, []*translators.Tool{seededTool(t, "x", "W is U, and beside X M is R")}, formulas...)
	failures, failing, groups := triage.New(grind(o)), 0, 0
	for _, c := range cases {
		if len(must.Get(failures.Add(t.Context(), c))) > 0 {
			failing++
		}
	}
	for _, c := range must.Get(failures.Causes(t.Context())) {
		groups += len(c.Split("x"))
	}
	if failing < 30 || groups > 4 {
		t.Errorf("%d groups of %d formulas", groups, failing)
	}
}

// TestTriageTime: at the time limit, no failure is lost, and no further one is looked at.
func TestTriageTime(t *testing.T) {
	o, cases := checked(t, []*translators.Tool{seededTool(t, "x", "U is W")}, "F(c & Xa) & (a U b)", "a U X b", "X(a U b) | c")
	failures := triage.New(triage.Options{Grind: &o})
	triage.SetTime(failures, 1)
	for _, c := range cases {
		must.Get(failures.Add(context.Background(), c))
	}
	causes, err := failures.Causes(context.Background())
	formulas := 0
	for _, c := range causes {
		if formulas += c.Formulas; c.Ground && !c.Unfinished {
			t.Errorf("%s: %s is finished", c.Class, c.Formula)
		}
	}
	if err != nil || formulas != len(cases) {
		t.Errorf("%d formulas in %d groups: %v", formulas, len(causes), err)
	}
}

// TestTriageNoReference: what one translator gets wrong is made small without the others,
// also where the run compared it with them alone.
func TestTriageNoReference(t *testing.T) {
	o, cases := checked(t, []*translators.Tool{seededTool(t, "x", "U is W"), seededTool(t, "y", seeded.None.Name)}, "F(c & (a U b))", "X(c U b)")
	o.Reference = nil
	got, _ := triaged(t, grind(o), cases)
	if want := []string{"x: extra words: 1 U b (2)"}; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestReadCause: of a cause that was read from a document it is known by its class what it is a
// matter of; a translator may say "words" when it fails.
func TestReadCause(t *testing.T) {
	for class, words := range map[string]bool{
		"missing words": true, "extra words, of the negation only": true, "extra and missing words": true,
		"exit 1: no such words": false, "property: words": false,
	} {
		if got := outcome.ParseClass(class).Words; got != words {
			t.Errorf("%q: got %v, want %v", class, got, words)
		}
	}
	calls := &outcome.Cause{Record: outcome.Record{Class: outcome.ParseClass("exit 1: no such words, of the negation only")}}
	if !calls.Includes(outcome.ParseClass("exit 1: no such words")) || calls.Includes(outcome.ParseClass("property: words")) {
		t.Error("failed calls are not of their own kind")
	}
}

// drawn is a case in which a translator fails with these options.
func drawn(index int, options string) *outcome.Case {
	c := outcome.NewCase(index, "p0 U p1", nil)
	c.Results = []outcome.Result{{Subject: outcome.Subject{Translator: "mine"}, Options: strings.Fields(options),
		Status: outcome.Exit, Failure: outcome.ParseClass("exit 3: no edge")}}
	return c
}

// TestOptions: a cause has the options that it needs and no others, and failures that need different
// ones have two causes. A failure with all the options of a cause belongs to it, and takes no calls.
func TestOptions(t *testing.T) {
	command := must.Get(translators.ParseCommand(`sh -c 'case " $* " in *" -S "* | *" -B "*"--high "*) echo no edge >&2; exit 3;; esac; echo HOA: v1 States: 0 Acceptance: 0 t --BODY-- --END--' -- {options} %f`, translators.Spawn))
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	groups := []translators.OptionGroup{{"-B"}, {"-C"}, {"--high"}, {"-U"}, {"-S"}}
	tool := &translators.Tool{Name: "mine", Command: command, Options: groups}
	failures := triage.New(grind(cross.Options{Tools: []*translators.Tool{tool}, Runner: runner}))
	for i, options := range []string{"-B -C --high -U", "-C -U -S", "-B --high -U", "-S"} {
		before := failures.Calls()
		must.Get(failures.Add(context.Background(), drawn(i, options)))
		if calls := failures.Calls() - before; i >= 2 && calls > 0 {
			t.Errorf("%s: %d calls, though the cause is known", options, calls)
		}
	}
	causes := must.Get(failures.Causes(context.Background()))
	var got []string
	for _, c := range causes {
		got = append(got, fmt.Sprintf("%s: %s with %s (%d)", c.Class, c.Formula, strings.Join(c.Options, " "), c.Formulas))
	}
	want := "exit 3: no edge: p0 with -B --high (2)\nexit 3: no edge: p0 with -S (2)"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if causes[0].Key == causes[1].Key {
		t.Errorf("both causes have the key %s", causes[0].Key)
	}
}

// TestSharedOptions: without a search, a cause has the options that all its failures have.
func TestSharedOptions(t *testing.T) {
	failures := triage.New(triage.Options{})
	for i, options := range []string{"-B -C --high", "-B --high -U", "-D -B --high"} {
		must.Get(failures.Add(context.Background(), drawn(i, options)))
	}
	causes, err := failures.Causes(context.Background())
	if err != nil || len(causes) != 1 || strings.Join(causes[0].Options, " ") != "-B --high" {
		t.Errorf("got %v, %+v", err, causes)
	}
	if got := causes[0].DrawnOptions(); got != "-B -C --high" {
		t.Errorf("the formula has %q", got)
	}
}

// Without translators, failures are grouped by class. A group shows its smallest formula.
func ExampleTriage() {
	failures := triage.New(triage.Options{})
	for i, formula := range []string{"G(a -> X b)", "X a", "a U X b"} {
		c := outcome.NewCase(i, formula, nil)
		c.Results = []outcome.Result{{
			Subject: outcome.Subject{Translator: "mine"},
			Status:  outcome.Crash,
			Failure: outcome.ParseClass("crash 11: no edge"),
		}}
		if _, err := failures.Add(context.Background(), c); err != nil {
			fmt.Println(err)
		}
	}
	causes, err := failures.Causes(context.Background())
	for _, c := range causes {
		fmt.Printf("%s: %s on %d formulas, such as %s\n", c.Translators[0], c.Class, c.Formulas, c.Formula)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// mine: crash 11: no edge on 3 formulas, such as X a
}
