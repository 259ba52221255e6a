package emptiness_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/runs"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestCheck compares the verdict with the verdict of reduce.Reduce, which has
// its own algorithm to find the states that accept a word. It also replays the
// runs.
func TestCheck(t *testing.T) {
	n, seed := campaign.Seeded(t, 4000, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	empty := 0
	for i := range n {
		acceptance := runs.Condition(r)
		states := 1 + r.IntN(12)
		marks := []float64{0.05, 0.2, 0.5}[r.IntN(3)]
		if acceptance.Sets > 64 {
			marks = 0.9
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: states, Density: 1.5 / float64(states), Marks: marks, StateMarks: i%3 == 0})
		reduced := must.Get(reduce.Reduce(context.Background(), a))
		got, err := emptiness.Check(context.Background(), a, omega.Limits{})
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
		if err := runs.Replay(a, got.Run); err != nil {
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

// TestLongChain: nothing recurses over states.
func TestLongChain(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const n = 100_000
	r, err := emptiness.Check(context.Background(), runs.Chain{N: n, Over: omega.NewAlphabet()}, omega.Limits{})
	if err != nil || !r.Empty() || r.States != n || r.Depth != n {
		t.Errorf("got %+v, %v; want an empty automaton of %d states, all on one path", r, err, n)
	}
}

func TestLimits(t *testing.T) {
	c := runs.Chain{N: 1000000, Over: omega.NewAlphabet()}
	_, err := emptiness.Check(context.Background(), c, omega.Limits{ProductStates: 1000})
	var limit *omega.LimitError
	if !errors.As(err, &limit) || limit.Limit != 1000 {
		t.Errorf("got %v, want the limit of 1000 states", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := emptiness.Check(ctx, c, omega.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestCorpus compares the verdicts on automata of all acceptance conditions with the verdicts of
// other tools.
func TestCorpus(t *testing.T) {
	n := 0
	for c := range corpus.Records[struct {
		ID    any
		HOA   string
		Empty bool
	}](t, "automata.jsonl.gz") {
		a := must.Get(hoa.NewReader(strings.NewReader(c.HOA)).Next(t.Context()))
		r, err := emptiness.Check(t.Context(), a, omega.Limits{})
		if err != nil || r.Empty() != c.Empty {
			t.Fatalf("%v: empty = %t, %v; want %t", c.ID, r.Empty(), err, c.Empty)
		}
		if !c.Empty {
			if err := runs.Replay(a, r.Run); err != nil {
				t.Fatalf("%v: %v", c.ID, err)
			}
		}
		n++
	}
	t.Logf("%d automata", n)
}

// the initial states branch.
func TestAlternating(t *testing.T) {
	const text = "HOA: v1\nStates: 2\nStart: 0&1\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0 {0}\nState: 1\n[t] 1 {0}\n--END--\n"
	a := must.Get(hoa.NewReader(strings.NewReader(text)).Next(t.Context()))
	if _, err := emptiness.Check(context.Background(), a, omega.Limits{}); !errors.Is(err, omega.ErrAlternating) {
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
		acceptance := runs.Condition(r)
		a := random.Automaton(r, alphabet, acceptance, random.Options{
			States: 1 + r.IntN(9), Density: 0.1 + 0.3*r.Float64(), Marks: r.Float64(), Deterministic: r.IntN(4) == 0})
		var starts []omega.State
		for _, s := range r.Perm(a.NumStates())[:1+r.IntN(a.NumStates())] {
			starts = append(starts, omega.State(s))
		}
		a = started(a, starts...)
		survey, err := emptiness.TakeSurvey(ctx, a, omega.Limits{})
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		reached := map[omega.State]bool{}
		some := map[bool]bool{}
		for k, s := range starts {
			part := must.Get(omega.Explore(ctx, started(a, starts[:k+1]...), omega.NoLimits()))
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
	if _, err := emptiness.TakeSurvey(ctx, ring(10), omega.Limits{ProductStates: 9}); !errors.As(err, &limit) || limit.What != "states" {
		t.Errorf("10 states with a limit of 9: %v", err)
	}
	if _, err := emptiness.TakeSurvey(ctx, ring(1000), omega.Limits{Memory: 1000}); !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("1000 states in 1000 bytes: %v", err)
	}
	survey, err := emptiness.TakeSurvey(ctx, ring(1000), omega.Limits{})
	if err != nil || slices.Contains(survey.NonEmpty, true) {
		t.Errorf("a ring without marks: %v, %v", survey, err)
	}
	if survey, err := emptiness.TakeSurvey(ctx, started(ring(3)), omega.Limits{}); err != nil || len(survey.Reached) != 0 {
		t.Errorf("no initial state: %+v, %v", survey, err)
	}
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	if _, err := emptiness.TakeSurvey(ctx, b.Automaton(), omega.Limits{}); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("an alternating automaton: %v", err)
	}
	cancel()
	if _, err := emptiness.TakeSurvey(ctx, ring(1000), omega.Limits{}); !errors.Is(err, context.Canceled) {
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
		acceptance := runs.Condition(r)
		for !acceptance.Condition.HasFin() {
			acceptance = runs.Condition(r)
		}
		a := runs.Automaton(r, []int{7, 30}[i%2], acceptance, []runs.Shape{runs.AnyShape, runs.WeakShape}[r.IntN(2)])
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
			if runs.Shortest(a) > 0 == with.Empty() {
				t.Fatalf("seed %d, automaton %d (%s): empty %v, not by brute force", seed, i, acceptance, with.Empty())
			}
		}
		if !with.Empty() {
			if err := runs.Replay(a, with.Run); err != nil {
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

// TestCopiedComponents: of edges that differ in their labels only, the copy of a
// component has one. The ring has a hundred between any two states, which take 6 MB
// while they are on the path of the search; a copy of them all would take 2 MB more.
func TestCopiedComponents(t *testing.T) {
	const n, parallel = 2000, 100
	acceptance := must.Get(omega.NamedAcceptance("Streett 2"))
	alphabet := omega.NewAlphabet("a", "b", "c", "d", "e", "f", "g")
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	for s := range omega.State(n) {
		for i := range parallel {
			letter := make(omega.Letter, alphabet.Len())
			for k := range letter {
				letter[k] = i>>k&1 != 0
			}
			b.AddEdge(s, alphabet.LetterLabel(letter), b.Marks().Of(0), (s+1)%n)
		}
	}
	r, err := emptiness.Check(context.Background(), b.Automaton(), omega.Limits{Memory: 6_750_000})
	if err != nil || !r.Empty() {
		t.Errorf("%+v, %v; want an empty automaton", r, err)
	}
}

// TestShortestRun compares the length with the one that runs.Shortest finds. The laboratory compares
// its parts, with all options, with their rivals.
func TestShortestRun(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	lengths := map[int]int{}
	for i := range n {
		a := runs.Automaton(r, 8, runs.Condition(r), runs.AnyShape)
		got, err := emptiness.ShortestRun(t.Context(), a, omega.Limits{})
		want, length := runs.Shortest(a), 0
		if err == nil && got.Run != nil {
			length, err = got.Run.Size(), runs.Replay(a, got.Run)
		}
		if err != nil || length != want {
			t.Fatalf("seed %d, automaton %d (%s): a run of %d edges, %v; want %d", seed, i, a.Acceptance(), length, err, want)
		}
		lengths[min(length, 3)]++
	}
	if min(lengths[0], lengths[1], lengths[2], lengths[3]) < n/100 {
		t.Errorf("seed %d: the test is one-sided: %v", seed, lengths)
	}
}
