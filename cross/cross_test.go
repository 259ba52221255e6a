package cross_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

// The test binary is also a translator: with this variable set, it prints an
// automaton of its argument, after a mutation if the variable names one.
const asTranslator = "XCHECK_TEST_TRANSLATOR"

func TestMain(m *testing.M) {
	if mutation := os.Getenv(asTranslator); mutation != "" {
		a, err := translate(mutation, os.Args[1])
		if err == nil {
			err = hoa.Write(os.Stdout, a)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// translate returns the built-in automaton of a formula, mutated.
func translate(mutation, formula string) (*omega.Automaton, error) {
	s := ltl.NewStore()
	f, err := s.Parse(formula, ltl.Spot)
	if err != nil {
		return nil, err
	}
	algorithm := "gastin-oddoux"
	if mutation == "gpvw" {
		algorithm = "gpvw"
	}
	a, err := builtin.Translate(context.Background(), algorithm, s, f)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	io.WriteString(h, mutation+formula)
	return mutate(a, mutation, rand.New(rand.NewPCG(h.Sum64(), 0))), nil
}

// mutate drops an edge, toggles a mark, or negates a literal of a label.
func mutate(a *omega.Automaton, mutation string, r *rand.Rand) *omega.Automaton {
	if a.NumEdges() == 0 || a.Alphabet().Len() == 0 {
		return a
	}
	victim := r.IntN(a.NumEdges())
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	n := 0
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if n == victim {
				switch mutation {
				case "drop":
					e.Label = omega.False
				case "toggle":
					if sets := a.Acceptance().Sets; sets > 0 {
						m := b.Marks().Of(r.IntN(sets))
						e.Marks = b.Marks().Union(b.Marks().Minus(e.Marks, m), b.Marks().Minus(m, e.Marks))
					}
				case "negate":
					e.Label = negateLiteral(a.Alphabet(), e.Label, r)
				}
			}
			n++
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	return b.Automaton()
}

func negateLiteral(alphabet *omega.Alphabet, l omega.Label, r *rand.Rand) omega.Label {
	cubes := alphabet.Cover(l)
	i := r.IntN(len(cubes))
	if len(cubes[i]) == 0 {
		return l
	}
	cubes[i][r.IntN(len(cubes[i]))] ^= 1
	sum := omega.False
	for _, c := range cubes {
		cube := alphabet.True()
		for _, x := range c {
			p := alphabet.Prop(x.Prop())
			if x.Negated() {
				p = alphabet.Not(p)
			}
			cube = alphabet.And(cube, p)
		}
		sum = alphabet.Or(sum, cube)
	}
	return sum
}

// tool returns the test binary as a translator.
func tool(t testing.TB, mutation string) *translators.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A program with the race detector in it would sleep for a second at its end.
	return shell(t, mutation, translators.Quote(self)+" %f", asTranslator+"="+mutation, "GORACE=atexit_sleep_ms=0")
}

func shell(t testing.TB, name, command string, env ...string) *translators.Tool {
	t.Helper()
	c, err := translators.ParseCommand(command)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: name, Command: c, Env: env, Limits: translators.Limits{Timeout: 20 * time.Second}}
}

// random gives n random formulas over 3 propositions.
func random(t testing.TB, seed uint64, n, size int) func() (cross.Input, error) {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: size})
	if err != nil {
		t.Fatal(err)
	}
	return func() (cross.Input, error) {
		if n--; n < 0 {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		return cross.Input{Formula: f, Seed: &seed}, err
	}
}

func these(t testing.TB, formulas ...string) func() (cross.Input, error) {
	t.Helper()
	return func() (cross.Input, error) {
		if len(formulas) == 0 {
			return cross.Input{}, io.EOF
		}
		f, err := ltl.NewStore().Parse(formulas[0], ltl.Spot)
		formulas = formulas[1:]
		return cross.Input{Formula: f}, err
	}
}

// run collects the cases of a run.
func run(t testing.TB, o cross.Options, next func() (cross.Input, error)) []*cross.Case {
	t.Helper()
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.Runner = runner
	if o.Jobs == 0 {
		o.Jobs = 2
	}
	if o.Limits == (productcheck.Limits{}) {
		o.Limits = productcheck.DefaultLimits
	}
	var cases []*cross.Case
	err = cross.Run(context.Background(), o, next, func(c *cross.Case) error {
		cases = append(cases, c)
		return nil
	})
	if err = errors.Join(err, runner.Close()); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if c.Index != i {
			t.Fatalf("case %d has index %d", i, c.Index)
		}
		for _, e := range c.Errors {
			t.Errorf("%s: %s", c.Formula, e)
		}
	}
	return cases
}

// TestMutants runs a wrong translator beside two good ones. Whenever its
// mutation has changed the language, it is found, and only it is blamed; and it
// is not blamed when the language is the same.
func TestMutants(t *testing.T) {
	const seed = 1
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		caught, harmless := 0, 0
		cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, mutation), tool(t, "gastin-oddoux")}},
			random(t, seed, 60, 10))
		for _, c := range cases {
			wrong := map[cross.Subject]bool{}
			for _, d := range c.Disagreements {
				checkDisagreement(t, c, &d)
				for _, b := range d.Blamed {
					if b.Translator != mutation {
						t.Errorf("seed %d, %s: %s is blamed: %+v", seed, c.Formula, b, d)
					}
					wrong[b] = true
				}
			}
			for _, negated := range []bool{false, true} {
				want := changed(t, mutation, c.Formula, negated)
				if got := wrong[cross.Subject{Translator: mutation, Negated: negated}]; got != want {
					t.Errorf("seed %d, %s, negated %v: blamed %v, but the language has changed: %v", seed, c.Formula, negated, got, want)
				}
				if want {
					caught++
				} else {
					harmless++
				}
			}
		}
		if caught < 20 || harmless < 5 {
			t.Errorf("%s: %d mutants, %d without effect: too few to say anything", mutation, caught, harmless)
		}
	}
}

// changed reports whether the mutant differs from the automaton that it is made
// from, by random words and, where they don't show it, by both inclusions.
func changed(t *testing.T, mutation, formula string, negated bool) bool {
	t.Helper()
	s := ltl.NewStore()
	f, err := s.Parse(formula, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	if negated {
		f = s.Not(f)
	}
	good, err := translate("gastin-oddoux", f.String())
	if err != nil {
		t.Fatal(err)
	}
	bad, err := translate(mutation, f.String())
	if err != nil {
		t.Fatal(err)
	}
	good = good.Over(bad.Alphabet())
	r := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		w := omega.RandomWord(r, bad.Alphabet(), 3, 3)
		x, _ := good.Accepts(w)
		y, _ := bad.Accepts(w)
		if x != y {
			return true
		}
	}
	for _, pair := range [][2]*omega.Automaton{{good, bad}, {bad, good}} {
		co, err := complement.Of(context.Background(), pair[1], 0)
		if err != nil {
			t.Fatal(err)
		}
		both, err := productcheck.Intersect(context.Background(), pair[0], co, emptiness.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !both.Empty() {
			return true
		}
	}
	return false
}

// checkDisagreement recomputes everything that a disagreement says of its word.
func checkDisagreement(t *testing.T, c *cross.Case, d *cross.Disagreement) {
	t.Helper()
	f, err := ltl.NewStore().Parse(c.Formula, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	w, err := omega.ParseWord(d.Word)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := w.Holds(f)
	if err != nil || truth != d.Truth || w.Size() != d.Size {
		t.Errorf("%s on %s: truth %v (%v), size %d; the report says %v, %d", c.Formula, d.Word, truth, err, w.Size(), d.Truth, d.Size)
	}
	for _, a := range d.Accepts {
		if a.Right != (a.Accepts == (truth != a.Negated)) {
			t.Errorf("%s on %s: %+v is inconsistent", c.Formula, d.Word, a)
		}
		blamed := false
		for _, b := range d.Blamed {
			blamed = blamed || b == a.Subject
		}
		if kind := map[bool]string{true: "extra", false: "missing"}[a.Accepts]; blamed != (!a.Right && kind == d.Kind) {
			t.Errorf("%s on %s, kind %s: %+v, blamed %v", c.Formula, d.Word, d.Kind, a, blamed)
		}
	}
}

// TestNoFalseAlarm runs the good translators alone. (The long version of this
// test is a command in the README.)
func TestNoFalseAlarm(t *testing.T) {
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}, Words: 20, Properties: true},
		random(t, 2, 100, 15)) {
		if len(c.Disagreements)+len(c.Undecided)+len(c.Findings) > 0 {
			t.Errorf("%s: %+v", c.Formula, c)
		}
	}
}

// TestClassesAndPairs: checking every pair of automata and checking by classes
// blame the same automata, whatever is wrong with them.
func TestClassesAndPairs(t *testing.T) {
	const seed = 3
	tools := []*translators.Tool{tool(t, "drop"), tool(t, "gpvw"), tool(t, "toggle"), tool(t, "negate"), tool(t, "gastin-oddoux")}
	classes := run(t, cross.Options{Tools: tools}, random(t, seed, 40, 8))
	pairs := run(t, cross.Options{Tools: tools, AllPairs: true}, random(t, seed, 40, 8))
	some := 0
	for i, c := range classes {
		x, y := blamed(c), blamed(pairs[i])
		if !reflect.DeepEqual(x, y) {
			t.Errorf("seed %d, %s: by classes %v are wrong, by pairs %v", seed, c.Formula, x, y)
		}
		some += len(x)
	}
	if some < 20 {
		t.Errorf("only %d wrong automata: too few to say anything", some)
	}
}

func blamed(c *cross.Case) map[string]bool {
	set := map[string]bool{}
	for _, d := range c.Disagreements {
		for _, b := range d.Blamed {
			set[b.String()] = true
		}
	}
	return set
}

// TestDeterminism: but for times, the report is the same whatever runs in
// parallel.
func TestDeterminism(t *testing.T) {
	var texts []string
	for _, jobs := range []int{1, 8} {
		cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "drop"), tool(t, "gpvw"), tool(t, "gastin-oddoux")}, Jobs: jobs, Words: 5},
			random(t, 4, 40, 8))
		for _, c := range cases {
			for i := range c.Results {
				r := &c.Results[i]
				r.Seconds, r.CPU, r.MaxRSS = 0, 0, 0
			}
		}
		text, err := json.MarshalIndent(cases, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("the reports differ")
	}
}

// TestMisbehaviour: each failure is in its class, and does not keep the others
// from being checked.
func TestMisbehaviour(t *testing.T) {
	alternating := `HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 [t] 0\&1 {0} [t] 0 State: 1 [t] 1 --END--`
	tools := []*translators.Tool{
		tool(t, "gpvw"),
		shell(t, "hangs", "trap '' TERM; sleep 100; : %f"),
		shell(t, "forks", "sleep 100 & echo never { a: false } '#' %f | sed 's/#.*//'"),
		shell(t, "endless", "yes %f"),
		shell(t, "half", "echo HOA: v1 States: 1 : %f"),
		shell(t, "error text", "echo error: cannot translate %f"),
		shell(t, "killed", "kill -9 $$ ; : %f"),
		shell(t, "missing", "/no/such/translator %f"),
		shell(t, "silent", ": %f"),
		shell(t, "alternating", "echo '"+strings.ReplaceAll(alternating, `\&`, "&")+"'; : %f"),
		shell(t, "aborts", "echo 'HOA: v1 --ABORT--'; : %f"),
		shell(t, "no X", "echo %f"),
	}
	for i := range tools {
		tools[i].Limits = translators.Limits{Timeout: 30 * time.Second, MaxOutput: 1 << 16}
	}
	tools[1].Limits.Timeout = 300 * time.Millisecond
	tools[len(tools)-1].Without = ltl.Ops(ltl.OpNext)
	cases := run(t, cross.Options{Tools: tools}, these(t, "X0 & Xa", "b U Xc"))
	want := "ok timeout ok too-big syntax syntax crash exit no-output unsupported unsupported skipped"
	for _, c := range cases {
		for polarity := range 2 {
			var got []string
			for i := polarity; i < len(c.Results); i += 2 {
				got = append(got, c.Results[i].Status)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %s, want %s", c.Formula, got, want)
			}
		}
		// The claim that has no run at all is wrong.
		if x := blamed(c); !reflect.DeepEqual(x, map[string]bool{"P forks": true, "N forks": true}) {
			t.Errorf("%s: blamed %v", c.Formula, x)
		}
	}
}

// TestNames: propositions that a syntax can't write come back under their own
// names.
func TestNames(t *testing.T) {
	self, _ := os.Executable()
	odd := shell(t, "lbt", translators.Quote(self)+" \"$(printf %%s %l | tr -d '&' | sed 's/^ *//')\"", asTranslator+"=gpvw", "GORACE=atexit_sleep_ms=0")
	spin := shell(t, "claim", "echo 'never { T0: if :: (p0) -> goto T0 fi }'; : %s")
	cases := run(t, cross.Options{Tools: []*translators.Tool{odd, spin}}, these(t, `"a b"`))
	if len(cases) != 1 || len(cases[0].Results) != 4 {
		t.Fatalf("%+v", cases)
	}
	c := cases[0]
	for _, f := range c.Findings {
		t.Errorf("finding %+v", f)
	}
	for _, d := range c.Disagreements {
		if !strings.Contains(d.Word, `"a b"`) {
			t.Errorf("the word %s does not speak of the formula's proposition", d.Word)
		}
	}
	if !blamed(c)["P claim"] || !blamed(c)["N claim"] {
		t.Errorf("blamed: %v", blamed(c))
	}
}

// TestFindings: false properties, strange propositions and headers.
func TestFindings(t *testing.T) {
	text := `HOA: v1 States: 1 Start: 0 AP: 2 "a" "z" acc-name: Buchi Acceptance: 1 Fin(0) Strange: x properties: deterministic weak complete --BODY-- State: 0 [0] 0 [0&1] 0 --END--`
	cases := run(t, cross.Options{Tools: []*translators.Tool{shell(t, "liar", "echo '"+text+"'; : %f")}, Properties: true}, these(t, "Ga"))
	var got []string
	for _, f := range cases[0].Findings {
		if !f.Negated {
			got = append(got, f.Class+": "+f.Text)
		}
	}
	want := []string{
		"warning: 1:79: unknown header Strange: (its upper-case letter says that it changes the meaning of the automaton)",
		`proposition: proposition "z" is not one of the formula`,
		"property: acc-name: Buchi stands for 1 Inf(0), but the acceptance is 1 Fin(0)",
		"property: declared deterministic, but it is not",
		"property: declared complete, but it is not",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLimits: what is given up is counted, and not blamed on anybody.
func TestLimits(t *testing.T) {
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}}
	o.Limits = productcheck.Limits{Macrostates: 1, ProductStates: 3, Time: time.Minute}
	cases := run(t, o, these(t, "GFa & GFb | FGc"))
	c := cases[0]
	if len(c.Disagreements) > 0 || len(c.Undecided) == 0 {
		t.Fatalf("%+v", c)
	}
	for _, u := range c.Undecided {
		if u.Why != "limit of 1 states with Büchi acceptance" && u.Why != "limit of 1 macrostates" && u.Why != "limit of 3 product states" {
			t.Errorf("undecided %+v", u)
		}
	}
}

// TestCancel: what is done is reported, and the run ends soon.
func TestCancel(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	start := time.Now()
	err = cross.Run(ctx, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner, Jobs: 2, Limits: productcheck.DefaultLimits},
		random(t, 5, 1_000_000, 10), func(*cross.Case) error {
			if done++; done == 20 {
				cancel()
			}
			return nil
		})
	if !errors.Is(err, context.Canceled) || done < 20 || time.Since(start) > 20*time.Second {
		t.Errorf("%d cases, %v, after %v", done, err, time.Since(start))
	}
}

// TestSlow: while one case is slow, others go on, and all are emitted in order;
// but not without bound.
func TestSlow(t *testing.T) {
	go1 := filepath.Join(t.TempDir(), "go")
	// The first formula waits for the last one; were that not started, for ever.
	slow := shell(t, "slow", "case %f in first) until [ -e "+go1+" ]; do sleep 0.01; done;; last) : > "+go1+";; esac; echo 'never { a: skip }'")
	formulas := []string{"first"}
	for i := range 60 {
		formulas = append(formulas, fmt.Sprintf("a U b%d", i))
	}
	cases := run(t, cross.Options{Tools: []*translators.Tool{slow}, Jobs: 3}, these(t, append(formulas, "last")...))
	if len(cases) != len(formulas)+1 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		for _, r := range c.Results {
			if r.Status != "ok" {
				t.Errorf("%s: %s: %s", c.Formula, r.Status, r.Detail)
			}
		}
	}
}

// TestSlowBound: the cases that wait for a slow one are a bounded number, and are
// emitted if that is given up.
func TestSlowBound(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	// It never ends on the first formula, and is not run on the others.
	stuck := shell(t, "stuck", "sleep 100; : %f")
	stuck.Limits.Timeout = time.Hour
	stuck.Without = ltl.Ops(ltl.OpNext)
	ctx, cancel := context.WithCancel(context.Background())
	given, emitted := 0, 0
	last := time.AfterFunc(time.Hour, cancel)
	next := func() (cross.Input, error) {
		f, err := ltl.NewStore().Parse(map[bool]string{true: "a", false: "Xa"}[given == 0], ltl.Spot)
		given++
		last.Reset(time.Second) // canceled when no more are taken
		if given > 5000 {
			err = io.EOF
		}
		return cross.Input{Formula: f}, err
	}
	err = cross.Run(ctx, cross.Options{Tools: []*translators.Tool{stuck}, Runner: runner, Jobs: 2}, next,
		func(*cross.Case) error { emitted++; return nil })
	if !errors.Is(err, context.Canceled) || given < 100 || given > 1100 || emitted < given-10 {
		t.Errorf("%d formulas taken, %d cases emitted, %v", given, emitted, err)
	}
}

// TestEmitError: an error of the receiver ends the run with it.
func TestEmitError(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	full := errors.New("disk full")
	err = cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner, Jobs: 2},
		random(t, 6, 1_000_000, 5), func(*cross.Case) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestSourceWaits: an error of the receiver ends the run also if no further
// formula comes.
func TestSourceWaits(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	first, never := these(t, "a"), make(chan bool)
	asked := 0
	next := func() (cross.Input, error) {
		if asked++; asked > 1 {
			<-never
		}
		return first()
	}
	full := errors.New("disk full")
	err = cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner, Jobs: 2},
		next, func(*cross.Case) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestTrouble: trouble of our own ends the run, and is not taken for its being
// canceled.
func TestTrouble(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.Close(); err != nil {
		t.Fatal(err)
	}
	err = cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner, Jobs: 2},
		random(t, 6, 1_000_000, 5), func(*cross.Case) error { return nil })
	if err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the runner of translators is closed") {
		t.Errorf("got %v", err)
	}
}
