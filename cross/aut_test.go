package cross_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/internal/transform/shrink"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translators"
)

// transform returns an automaton of the same language, or a mutation of it; after "!",
// it complements the automaton first.
func transform(a *omega.Automaton, name string) (*omega.Automaton, error) {
	mutation, complemented := strings.CutPrefix(name, "!")
	var err error
	if complemented {
		if a, _, err = complement.Whole(context.Background(), "", a, omega.Limits{Macrostates: 1000, Memory: 1 << 30}); err != nil {
			return nil, err
		}
	}
	h := fnv.New64a()
	hoa.Write(context.Background(), h, a)
	if mutation == "reduce" {
		return reduce.Reduce(context.Background(), a)
	}
	return mutate(a, mutation, rand.New(rand.NewPCG(h.Sum64(), 0))), nil
}

// transformer returns a tool that transforms automata within this process.
func transformer(t testing.TB, name string) *translators.Tool {
	t.Helper()
	x := automatonTool(t, name, "transform", translators.Stream)
	x.Builtin = func(ctx context.Context, in string, out io.Writer) error {
		a, _, err := hoa.ReadOne(ctx, []byte(in))
		if err == nil {
			a, err = transform(a, name)
		}
		if err != nil {
			return err
		}
		return hoa.Write(ctx, out, a)
	}
	return x
}

func automatonTool(t testing.TB, name, command string, mode translators.Mode, env ...string) *translators.Tool {
	t.Helper()
	c := must.Get(translators.ParseAutomatonCommand(command, mode))
	return &translators.Tool{Name: name, Command: c, Mode: mode, Env: env, Limits: translators.Limits{Timeout: 20 * time.Second}}
}

// randomAutomata gives n automata over a single proposition, so that few words tell automata apart.
func randomAutomata(t testing.TB, seed uint64, n int) func() (cross.Input, error) {
	t.Helper()
	acceptance := must.Get(random.ParsePattern("random 1..3"))
	g, err := random.NewGenerator(random.GeneratorOptions{Seed: seed, Props: []string{"a"}, MinStates: 1, MaxStates: 4, Density: 0.4, Marks: 0.3,
		Acceptance: acceptance, Functions: true})
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	return func() (cross.Input, error) {
		if k == n {
			return cross.Input{}, io.EOF
		}
		k++
		a, err := g.Next(context.Background())
		return cross.Input{Automaton: a, Source: fmt.Sprint("random ", k-1), Seed: &seed}, err
	}
}

// lassos returns all words over one proposition with up to prefix letters before the
// cycle and up to cycle letters in it.
func lassos(t testing.TB, prefix, cycle int) (words []*omega.Word) {
	t.Helper()
	letters := func(n, bits int) string {
		var list []string
		for i := range n {
			list = append(list, []string{"!a", "a"}[bits>>i&1])
		}
		return strings.Join(list, "; ")
	}
	for p := range prefix + 1 {
		for c := 1; c <= cycle; c++ {
			for bits := range 1 << (p + c) {
				text := "cycle{" + letters(c, bits) + "}"
				if p > 0 {
					text = letters(p, bits>>c) + "; " + text
				}
				w := must.Get(omega.ParseWord(context.Background(), text))
				words = append(words, w)
			}
		}
	}
	return words
}

// A proof that is not saved proves nothing. If it is none, that is an internal error.
func TestSaveProofRefused(t *testing.T) {
	for _, refused := range []struct {
		err      error
		unproved outcome.Unproved
		errors   int
	}{{&certify.Refusal{Reason: "test"}, outcome.RefusedProof, 1}, {prove.ErrLineBreak, outcome.LineBreakProof, 0}} {
		refuse := func(context.Context, *outcome.Case, outcome.Subject, *certify.Proof) error { return refused.err }
		o := cross.Options{Tools: []*translators.Tool{transformer(t, "reduce")}, Prove: cross.ProveAll, SaveProof: refuse}
		o.Runner = must.Get(translators.NewRunner(2, t.TempDir()))
		cases := 0
		must.Do(cross.Run(context.Background(), o, randomAutomata(t, 1, 3), func(c *outcome.Case) error {
			cases++
			r := c.Results[0]
			if len(c.Errors) != refused.errors || r.Proved || r.Unproved != refused.unproved || refused.errors > 0 && !strings.Contains(c.Errors[0], "no proof: test") {
				t.Errorf("%q, proved %v: %s", c.Errors, r.Proved, r.Unproved)
			}
			return nil
		}))
		if must.Do(o.Runner.Close()); cases != 3 {
			t.Errorf("%d cases", cases)
		}
	}
}

// TestAutomatonMutants: a tool that drops an edge, toggles a mark or negates a literal is caught if some
// short word tells the difference, and only if the word that is shown does. What it says of the words is what
// membership says of the automata themselves. XCHECK_CAMPAIGN is the number of automata.
func TestAutomatonMutants(t *testing.T) {
	n, seed := campaign.Seeded(t, 30, 21)
	words := lassos(t, 2, 3)
	mutations := []string{"drop", "toggle", "negate", "reduce"}
	for _, complemented := range []bool{false, true} {
		var tools []*translators.Tool
		for _, m := range mutations {
			if complemented {
				m = "!" + m
			}
			tools = append(tools, transformer(t, m))
		}
		cases := run(t, cross.Options{Tools: tools, Complemented: complemented, Words: 10, Exhaustive: cross.Cheap, Properties: true, Prove: cross.ProveAll}, randomAutomata(t, seed, n))
		next := randomAutomata(t, seed, n)
		caught, equal, proved := 0, 0, 0
		for i, c := range cases {
			in := must.Get(next())
			what := fmt.Sprintf("seed %d, automaton %d, complemented %v", seed, i, complemented)
			if !c.Checked || len(c.Undecided) > 0 || len(c.Results) != len(tools) {
				t.Fatalf("%s: %+v", what, c)
			}
			for k, tool := range tools {
				out := must.Get(transform(in.Automaton, tool.Name))
				// Words that it lacks, or has too many, by brute force.
				differs := map[string]bool{}
				for _, w := range words {
					x, y := member(t, in.Automaton, w), member(t, out, w)
					if want := x != complemented; y != want {
						differs[map[bool]string{true: "missing", false: "extra"}[want]] = true
					}
				}
				found := map[string]bool{}
				for _, d := range c.Disagreements {
					for _, s := range d.Blamed {
						if s != (outcome.Subject{Translator: tool.Name, Polarity: outcome.Polarity(complemented)}) {
							continue
						}
						found[string(d.Kind)] = true
						w := must.Get(omega.ParseWord(context.Background(), d.Word))
						x, y := member(t, in.Automaton, w), member(t, out, w)
						if want := x != complemented; d.Truth != x || y == want || (d.Kind == "missing") != want {
							t.Errorf("%s: %s, word %s (%s): the input says %v, the output %v", what, tool.Name, w, d.Kind, x, y)
						}
					}
				}
				// All that is short is found; that what is found is there has been checked.
				for kind := range differs {
					if !found[kind] {
						t.Errorf("%s: %s: a word is %s, but it was not found", what, tool.Name, kind)
					}
				}
				if len(found) > 0 {
					caught++
				} else {
					equal++
				}
				if k == 3 && len(found) > 0 {
					t.Errorf("%s: reduction is blamed", what)
				}
				if r := &c.Results[k]; r.Proved {
					proved++
					if len(found) > 0 || complemented {
						t.Errorf("%s: %s is proved", what, tool.Name)
					}
				} else if (r.Unproved == "") != complemented {
					t.Errorf("%s: %s: not proved: %q", what, tool.Name, r.Unproved)
				}
			}
		}
		if caught < n/3 || equal < n/3 || !complemented && proved < equal/2 {
			t.Errorf("complemented %v: %d caught, %d equal, %d proved: too few of one kind", complemented, caught, equal, proved)
		}
	}
}

func member(t testing.TB, a *omega.Automaton, w *omega.Word) bool {
	t.Helper()
	return must.Get(a.Accepts(context.Background(), w))
}

// TestAutomatonPairs: the tool gives the second automaton of a pair for the first, and is wrong if and only
// if Spot says that one is not included in the other. One pair in three is taken, or in a campaign all.
func TestAutomatonPairs(t *testing.T) {
	type pair struct {
		A, B string
		AinB *bool `json:"a_in_b"`
		BinA *bool `json:"b_in_a"`
	}
	var pairs []pair
	dir := t.TempDir()
	var input strings.Builder
	for p := range campaign.Sample(corpus.Records[pair](t, "pairs.jsonl.gz"), 10) {
		must.Do(os.WriteFile(filepath.Join(dir, strconv.Itoa(len(pairs))), []byte(p.B), 0o666))
		pairs = append(pairs, p)
		input.WriteString(p.A)
		input.WriteString("\n")
	}
	r := hoa.NewReader(strings.NewReader(input.String()))
	k := 0
	next := func() (cross.Input, error) {
		a, err := r.Next(context.Background())
		if err == nil {
			a.Name = strconv.Itoa(k)
			k++
		}
		return cross.Input{Automaton: a, Source: "pair"}, err
	}
	tools := []*translators.Tool{automatonTool(t, "other", "cat "+translators.Quote(dir)+"/%M", translators.Spawn), transformer(t, "reduce")}
	for i, c := range run(t, cross.Options{Tools: tools}, next) {
		found := map[string]bool{}
		for _, d := range c.Disagreements {
			found[string(d.Kind)] = true
			for _, s := range d.Blamed {
				if s.Translator != "other" {
					t.Errorf("pair %d: %s is blamed", i, s)
				}
			}
		}
		for kind, in := range map[string]*bool{"missing": pairs[i].AinB, "extra": pairs[i].BinA} {
			if in != nil && found[kind] == *in {
				t.Errorf("pair %d: %s words: found %v, included %v", i, kind, found[kind], *in)
			}
		}
	}
}

// TestAutomatonCases: what a case says does not depend on how many run at a time, nor on
// whether it is decided by classes. Tools differ from each other alike with the input and without it.
func TestAutomatonCases(t *testing.T) {
	t.Parallel()
	for _, complemented := range []bool{false, true} {
		prefix := map[bool]string{true: "!"}[complemented]
		tools := func() []*translators.Tool {
			return []*translators.Tool{transformer(t, prefix+"drop"), transformer(t, prefix+"reduce"), transformer(t, prefix+"toggle")}
		}
		one := runOn(t, 1, cross.Options{Tools: tools(), Complemented: complemented}, randomAutomata(t, 4, 20))
		three := runOn(t, 3, cross.Options{Tools: tools(), Complemented: complemented}, randomAutomata(t, 4, 20))
		pairs := run(t, cross.Options{Tools: tools(), Complemented: complemented, AllPairs: true}, randomAutomata(t, 4, 20))
		unrelated := run(t, cross.Options{Tools: tools(), Unrelated: true}, randomAutomata(t, 4, 20))
		for i, c := range one {
			if !reflect.DeepEqual(c.Disagreements, three[i].Disagreements) && fmt.Sprint(words(c)) != fmt.Sprint(words(three[i])) {
				t.Errorf("complemented %v, automaton %d: %v on one core, %v on three", complemented, i, words(c), words(three[i]))
			}
			if x, y := blamed(c), blamed(pairs[i]); !reflect.DeepEqual(x, y) {
				t.Errorf("complemented %v, automaton %d: by classes %v are wrong, by pairs %v", complemented, i, x, y)
			}
			if x, y := apart(unrelated[i]), apart(pairs[i]); unrelated[i].Reference != "" || !unrelated[i].Checked || !reflect.DeepEqual(x, y) {
				t.Errorf("complemented %v, automaton %d: without the input %v differ, with it %v", complemented, i, x, y)
			}
		}
	}
}

// apart returns the tools that a word tells apart: the first accepts it, the second rejects it.
func apart(c *outcome.Case) map[[2]string]bool {
	found := map[[2]string]bool{}
	for _, w := range c.Witnesses {
		for _, x := range w.Accepts {
			for _, y := range w.Accepts {
				if x.Translator != c.Reference && y.Translator != c.Reference && x.Accepts && !y.Accepts {
					found[[2]string{x.Translator, y.Translator}] = true
				}
			}
		}
	}
	return found
}

func words(c *outcome.Case) (list []string) {
	for _, d := range c.Disagreements {
		list = append(list, fmt.Sprint(d.Kind, d.Word, d.Blamed, d.Shortest))
	}
	return list
}

// TestAutomatonFindings: what is odd about outputs, and inputs that can't be compared.
func TestAutomatonFindings(t *testing.T) {
	const (
		head = "HOA: v1 States: 1 Start: 0 "
		tail = " --BODY-- State: 0 [t] 0 --END-- "
	)
	one := func(text string) func() (cross.Input, error) {
		return inputs(cross.Input{Automaton: must.First(hoa.ReadOne(context.Background(), []byte(text))), Source: "here"})
	}
	input := head + `AP: 1 "a" Acceptance: 0 t` + tail
	for _, test := range []struct{ output, class string }{
		{head + `AP: 1 "a" Acceptance: 0 t properties: deterministic` + tail, ""},
		{head + `AP: 1 "A" Acceptance: 0 t` + tail, "proposition-case"},
		{head + `AP: 1 "b" Acceptance: 0 t` + tail, "proposition"},
		{head + `AP: 0 Acceptance: 1 Inf(0) properties: colored --BODY-- State: 0 [t] 0 {0} [t] 0 --END--`, "property"},
		{"HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0&1 State: 1 [t] 1 --END--", "alternation"},
		{head + `AP: 0 Acceptance: 0 t` + tail + "done", "text-after"},
	} {
		tools := []*translators.Tool{automatonTool(t, "x", "cat > /dev/null; echo "+translators.Quote(test.output), translators.Spawn)}
		c := run(t, cross.Options{Tools: tools, Properties: true}, one(input))[0]
		var classes []string
		for _, f := range c.Findings {
			classes = append(classes, string(f.Class))
		}
		if got := strings.Join(classes, " "); got != test.class || len(c.Disagreements) > 0 || !c.Checked {
			t.Errorf("%s: findings %s, want %s; %+v", test.output, got, test.class, c)
		}
	}
	// Alternating and not weak: the tool is not asked, as nothing could be said of its answer.
	tools := []*translators.Tool{automatonTool(t, "x", "cat", translators.Spawn)}
	c := run(t, cross.Options{Tools: tools}, one("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0&0 {0} [!0] 0 --END--"))[0]
	if len(c.Undecided) > 0 {
		t.Errorf("a destination named twice is no alternation: %+v", c)
	}
	c = run(t, cross.Options{Tools: tools}, one("HOA: v1 States: 2 Start: 0&1 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 State: 1 [t] 1 --END--"))[0]
	if len(c.Undecided) != 1 || c.Checked || len(c.Results) > 0 {
		t.Errorf("%+v", c)
	}
}

// TestGrindAutomaton: what is left shows the same, and nothing smaller does; a failure of
// another kind is no step on the way.
func TestGrindAutomaton(t *testing.T) {
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	// It forgets edges to state 0 that carry mark 0, and fails on automata with one state.
	const bad = `a=$(cat); case $a in *"States: 1"*) exit 9;; esac; printf "%%s\n" "$a" | grep -v "] 0 {0"`
	o := cross.Options{Runner: runner,
		Tools: []*translators.Tool{automatonTool(t, "bad", bad, translators.Spawn), transformer(t, "reduce")}}
	a, _, err := hoa.ReadOne(context.Background(), []byte(`HOA: v1 States: 4 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0)&Inf(1) --BODY--
		State: 0 [0] 1 [!0&1] 2 {1} [t] 3
		State: 1 [0] 0 {0 1} [1] 2
		State: 2 [0&1 | !0&!1] 2 [1] 3 {0}
		State: 3 [!1] 0 {0 1} [1] 3 {1} --END--`))
	if err != nil {
		t.Fatal(err)
	}
	missing := outcome.Failure{Translators: []string{"bad"}, Class: outcome.Missing.Class()}
	for range 2 { // it depends on nothing else
		g := must.Get(cross.GrindAutomaton(context.Background(), o, cross.Input{Automaton: a, Source: "here"}, missing))
		var text strings.Builder
		hoa.Write(context.Background(), &text, g.Automaton)
		m := shrink.MeasureOf(g.Automaton)
		if m.States != 2 || m.Edges != 2 || m.Props > 0 {
			t.Errorf("%+v is left:\n%s", m, text.String())
		}
		if len(g.Case.Disagreements) != 1 || g.Case.Disagreements[0].Kind != "missing" {
			t.Errorf("it shows %v", words(g.Case))
		}
		if g.Case.Index > 200 {
			t.Errorf("%d automata tried", g.Case.Index)
		}
	}
	good := o
	good.Tools = []*translators.Tool{transformer(t, "reduce")}
	if g, err := cross.GrindAutomaton(context.Background(), good, cross.Input{Automaton: a}, outcome.Failure{Translators: []string{"reduce"}, Class: outcome.Missing.Class()}); err == nil {
		t.Errorf("ground to %v, though nothing is wrong", g.Automaton)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := cross.GrindAutomaton(ctx, o, cross.Input{Automaton: a}, missing); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
