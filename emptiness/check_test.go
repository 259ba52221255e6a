package emptiness_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// replay reports what is wrong with a run: it must be a path of edges of the
// automaton from an initial state, its cycle must close, and the cycle's marks
// must satisfy the condition.
func replay(src omega.Source, r *emptiness.Run) error {
	if len(r.Cycle) == 0 {
		return errors.New("empty cycle")
	}
	steps := append(append([]emptiness.Step(nil), r.Prefix...), r.Cycle...)
	initial := false
	for _, s := range src.Initial() {
		initial = initial || s == steps[0].From
	}
	if !initial {
		return fmt.Errorf("state %d is not initial", steps[0].From)
	}
	for i, step := range steps {
		edges, err := src.AppendEdges(nil, step.From)
		if err != nil {
			return err
		}
		found := false
		for _, e := range edges {
			found = found || e == step.Edge
		}
		if !found {
			return fmt.Errorf("step %d: state %d has no edge %v", i, step.From, step.Edge)
		}
		next := r.Cycle[0].From
		if i+1 < len(steps) {
			next = steps[i+1].From
		}
		if step.Edge.Dst != next {
			return fmt.Errorf("step %d leads to %d, not %d", i, step.Edge.Dst, next)
		}
	}
	var all omega.Marks
	for _, step := range r.Cycle {
		all = src.Marks().Union(all, step.Edge.Marks)
	}
	if !src.Acceptance().Condition.Eval(src.Marks(), all) {
		return fmt.Errorf("marks %v of the cycle do not satisfy %s", src.Marks().AppendTo(nil, all), src.Acceptance())
	}
	return nil
}

// conditions are the acceptance conditions of the random tests: the named ones,
// random ones, and more sets than a machine word has bits.
func condition(r *rand.Rand) omega.Acceptance {
	names := []string{"all", "none", "Buchi", "co-Buchi", "generalized-Buchi 3", "generalized-co-Buchi 2", "Rabin 2",
		"Streett 2", "generalized-Rabin 2 1 2", "parity min even 4", "parity max odd 3", "generalized-Buchi 70"}
	if i := r.IntN(2 * len(names)); i < len(names) {
		a, _ := omega.NamedAcceptance(names[i])
		return a
	}
	n := 1 + r.IntN(6)
	return omega.Acceptance{Sets: n, Condition: random.Condition(r, n, 0)}
}

// TestCheck compares the verdict with the verdict of reduce.Reduce, which has
// its own algorithm to find the states that accept a word. It also replays the
// runs.
func TestCheck(t *testing.T) {
	n, seed := campaign.Seeded(t, 4000, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	empty := 0
	for i := range n {
		acceptance := condition(r)
		states := 1 + r.IntN(12)
		marks := []float64{0.05, 0.2, 0.5}[r.IntN(3)]
		if acceptance.Sets > 64 {
			marks = 0.9
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: states, Density: 1.5 / float64(states), Marks: marks, StateMarks: i%3 == 0})
		reduced := must.Get(reduce.Reduce(context.Background(), a))
		got, err := emptiness.Check(context.Background(), a, emptiness.Limits{})
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		if got.Empty() != (reduced.NumStates() == 0) {
			t.Fatalf("seed %d, automaton %d (%s): empty = %v", seed, i, acceptance, got.Empty())
		}
		if got.Empty() {
			empty++
			continue
		}
		if err := replay(a, got.Run); err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		if ok, err := a.Accepts(context.Background(), got.Run.Word(alphabet)); !ok || err != nil {
			t.Fatalf("seed %d, automaton %d: the word %s of the run is not accepted (%v)", seed, i, got.Run.Word(alphabet), err)
		}
	}
	if empty < n/10 || empty > n*9/10 {
		t.Errorf("%d of %d automata are empty: the test is one-sided", empty, n)
	}
}

// chain is a path of n states with a loop without marks at its end, given on
// demand.
type chain struct {
	n        omega.State
	alphabet *omega.Alphabet
}

func (c chain) Alphabet() *omega.Alphabet    { return c.alphabet }
func (c chain) Acceptance() omega.Acceptance { return omega.Buchi() }
func (c chain) Marks() *omega.MarkTable      { return omega.NewMarkTable(1) }
func (c chain) Initial() []omega.State       { return []omega.State{0} }
func (c chain) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	return append(buf, omega.Edge{Label: c.alphabet.True(), Dst: min(s+1, c.n-1)}), nil
}

// TestLongChain: nothing recurses over states.
func TestLongChain(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const n = 100_000
	r, err := emptiness.Check(context.Background(), chain{n, omega.NewAlphabet()}, emptiness.Limits{})
	if err != nil || !r.Empty() || r.States != n || r.Depth != n {
		t.Errorf("got %+v, %v; want an empty automaton of %d states, all on one path", r, err, n)
	}
}

func TestLimits(t *testing.T) {
	c := chain{1000000, omega.NewAlphabet()}
	_, err := emptiness.Check(context.Background(), c, emptiness.Limits{States: 1000})
	var limit *omega.LimitError
	if !errors.As(err, &limit) || limit.Limit != 1000 {
		t.Errorf("got %v, want the limit of 1000 states", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := emptiness.Check(ctx, c, emptiness.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestCorpus compares the verdicts of all algorithms on automata of all acceptance conditions with
// the verdicts of other tools.
func TestCorpus(t *testing.T) {
	n := 0
	checker := properties.Checker{Decider: &productcheck.Decider{Limits: productcheck.DefaultLimits}}
	decided := map[emptiness.Algorithm][2]int{}
	for c := range corpus.Records[struct {
		ID    any
		HOA   string
		Empty bool
	}](t, "automata.jsonl.gz") {
		a, err := hoa.NewReader(context.Background(), strings.NewReader(c.HOA)).Next()
		if err != nil {
			t.Fatalf("%v: %v", c.ID, err)
		}
		n++
		agree(t, fmt.Sprint(c.ID), a, a.IsWeak(), must.Get(checker.Decide(context.Background(), a, "terminal")).Holds, c.Empty, decided)
	}
	t.Logf("%d automata", n)
	report(t, decided, 1)
}

// the initial states branch.
func TestAlternating(t *testing.T) {
	const text = "HOA: v1\nStates: 2\nStart: 0&1\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0 {0}\nState: 1\n[t] 1 {0}\n--END--\n"
	a := must.Get(hoa.NewReader(context.Background(), strings.NewReader(text)).Next())
	for _, by := range append(emptiness.Algorithms(), "") {
		if _, err := by.Check(context.Background(), a, emptiness.Limits{}); !errors.Is(err, omega.ErrAlternating) {
			t.Errorf("%s: %v", by, err)
		}
	}
	if _, err := emptiness.Check(context.Background(), a, emptiness.Limits{}); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("Check: %v", err)
	}
}

// started returns the automaton with other initial states.
func started(a *omega.Automaton, starts ...omega.State) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range starts {
		b.AddStart(s)
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, b.Marks().Of(a.Marks().AppendTo(nil, e.Marks)...), e.Dst)
		}
	}
	return b.Automaton()
}

// TestSurvey: each state is empty if and only if reduce.Reduce says so of the automaton that
// starts there, by an algorithm of its own. The counts must be the same as on the reachable
// part, made explicit.
func TestSurvey(t *testing.T) {
	ctx := context.Background()
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	verdicts := map[bool]int{}
	mixed := 0
	n := campaign.Inputs(t, 1500)
	for i := range n {
		acceptance := condition(r)
		a := random.Automaton(r, alphabet, acceptance, random.Options{
			States: 1 + r.IntN(9), Density: 0.1 + 0.3*r.Float64(), Marks: r.Float64(), Deterministic: r.IntN(4) == 0})
		var starts []omega.State
		for _, s := range r.Perm(a.NumStates())[:1+r.IntN(a.NumStates())] {
			starts = append(starts, omega.State(s))
		}
		a = started(a, starts...)
		survey, err := emptiness.TakeSurvey(ctx, a, emptiness.Limits{})
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		reached := map[omega.State]bool{}
		some := map[bool]bool{}
		for k, s := range starts {
			part := must.Get(omega.Explore(ctx, started(a, starts[:k+1]...), 0))
			want := emptiness.Reached{States: part.NumStates(), Edges: part.NumEdges(), Components: part.Components().Count}
			if survey.Reached[k] != want {
				t.Errorf("seed %d, automaton %d: from %v, reached %+v, want %+v", seed, i, starts[:k+1], survey.Reached[k], want)
			}
			for queue := []omega.State{s}; len(queue) > 0; queue = queue[1:] {
				if reached[queue[0]] {
					continue
				}
				reached[queue[0]] = true
				for _, e := range a.Edges(queue[0]) {
					queue = append(queue, e.Dst)
				}
			}
		}
		for s := range reached {
			alone := must.Get(reduce.Reduce(ctx, started(a, s)))
			empty := alone.NumStates() == 0
			if survey.NonEmpty[s] == empty {
				t.Errorf("seed %d, automaton %d (%s): from state %d non-empty %v, but Reduce says otherwise",
					seed, i, acceptance, s, survey.NonEmpty[s])
			}
			verdicts[empty]++
			some[empty] = true
		}
		if len(some) == 2 {
			mixed++
		}
	}
	if verdicts[true] < n/3 || verdicts[false] < n/3 || mixed < n/20 {
		t.Errorf("only %v, %d mixed: the test shows nothing", verdicts, mixed)
	}
}

// TestSurveyEnds: limits, a context that is done, and automata that can't be searched.
func TestSurveyEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	alphabet := omega.NewAlphabet("a")
	ring := func(n int) *omega.Automaton {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(n)
		b.AddStart(0)
		for s := range omega.State(n) {
			b.AddEdge(s, alphabet.True(), b.Marks().Of(), (s+1)%omega.State(n))
		}
		return b.Automaton()
	}
	var limit *omega.LimitError
	if _, err := emptiness.TakeSurvey(ctx, ring(10), emptiness.Limits{States: 9}); !errors.As(err, &limit) || limit.What != "states" {
		t.Errorf("10 states with a limit of 9: %v", err)
	}
	if _, err := emptiness.TakeSurvey(ctx, ring(1000), emptiness.Limits{Memory: 1000}); !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("1000 states in 1000 bytes: %v", err)
	}
	survey, err := emptiness.TakeSurvey(ctx, ring(1000), emptiness.Limits{})
	if err != nil || slices.Contains(survey.NonEmpty, true) {
		t.Errorf("a ring without marks: %v, %v", survey, err)
	}
	if survey, err := emptiness.TakeSurvey(ctx, started(ring(3)), emptiness.Limits{}); err != nil || len(survey.Reached) != 0 {
		t.Errorf("no initial state: %+v, %v", survey, err)
	}
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	if _, err := emptiness.TakeSurvey(ctx, b.Automaton(), emptiness.Limits{}); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("an alternating automaton: %v", err)
	}
	cancel()
	if _, err := emptiness.TakeSurvey(ctx, ring(1000), emptiness.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

// TestUnavoidableMarks compares the generic check with and without its test of unavoidable marks,
// and with brute force, and counts how often both split a component.
func TestUnavoidableMarks(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	var splits [2][2]int // without and with a mark that is on all edges; with the test and without
	more, fewer, brute := 0, 0, 0
	for i := range n {
		acceptance := condition(r)
		for !acceptance.Condition.HasFin() {
			acceptance = condition(r)
		}
		a := randomAutomaton(r, []int{7, 30}[i%2], acceptance, []shape{anyShape, weakShape}[r.IntN(2)])
		everywhere := i / 2 % 2
		if everywhere == 1 {
			a = withMarkEverywhere(a, r)
		}
		with, some, err := emptiness.CheckSplits(context.Background(), a, true)
		if err != nil {
			t.Fatal(err)
		}
		without, others, err := emptiness.CheckSplits(context.Background(), a, false)
		if err != nil {
			t.Fatal(err)
		}
		if with.Empty() != without.Empty() {
			t.Fatalf("seed %d, automaton %d (%s): empty %v with the test, %v without", seed, i, acceptance, with.Empty(), without.Empty())
		}
		if a.NumStates() <= 7 && acceptance.Sets <= 8 {
			brute++
			if naive(a) > 0 == with.Empty() {
				t.Fatalf("seed %d, automaton %d (%s): empty %v, not by brute force", seed, i, acceptance, with.Empty())
			}
		}
		if !with.Empty() {
			if err := replay(a, with.Run); err != nil {
				t.Fatalf("seed %d, automaton %d (%s): %v", seed, i, acceptance, err)
			}
		}
		splits[everywhere][0] += some
		splits[everywhere][1] += others
		if some > others {
			more++
		} else if some < others {
			fewer++
		}
	}
	t.Logf("seed %d: %d automata, %d by brute force: %d splits with the test, %d without; with a mark on all edges %d and %d; fewer in %d, more in %d",
		seed, n, brute, splits[0][0], splits[0][1], splits[1][0], splits[1][1], fewer, more)
	if splits[0][0] > splits[0][1] || splits[1][0] > splits[1][1] || fewer == 0 || brute < n/10 {
		t.Error("the test of unavoidable marks has no effect, or the automata are too large")
	}
}

// withMarkEverywhere returns a with one mark on each edge.
func withMarkEverywhere(a *omega.Automaton, r *rand.Rand) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	mark := b.Marks().Of(r.IntN(a.Acceptance().Sets))
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, b.Marks().Union(b.Marks().Of(a.Marks().AppendTo(nil, e.Marks)...), mark), e.Dst)
		}
	}
	return b.Automaton()
}

// BenchmarkAlgorithms searches automata that accept nothing, with up to 8 acceptance sets, the last
// of them empty.
func BenchmarkAlgorithms(b *testing.B) {
	for _, sets := range []int{1, 2, 4, 8} {
		r := rand.New(rand.NewPCG(1, 0))
		alphabet := omega.NewAlphabet()
		builder := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(sets))
		const n = 50000
		builder.AddStates(n)
		builder.AddStart(0)
		for s := range n {
			for range 4 {
				var m omega.Marks
				if i := r.IntN(sets); i < sets-1 {
					m = builder.Marks().Of(i)
				}
				builder.AddEdge(omega.State(s), alphabet.True(), m, omega.State(min(n-1, max(0, s+r.IntN(100)-10))))
			}
		}
		a := builder.Automaton()
		for _, by := range emptiness.Algorithms() {
			if by == emptiness.ByWeak || by == emptiness.ByTerminal {
				continue
			}
			b.Run(fmt.Sprintf("%d/%s", sets, by), func(b *testing.B) {
				for b.Loop() {
					if r, err := by.Check(context.Background(), a, emptiness.Limits{}); err != nil || !r.Empty() {
						b.Fatal(r, err)
					}
				}
			})
		}
	}
}
