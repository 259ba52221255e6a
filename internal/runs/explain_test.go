package runs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// A walk is a state, a position of the word, and the marks seen on the way there.
type walk struct {
	state omega.State
	pos   int
	seen  omega.Marks
}

// bruteCycles returns the sets of marks that closed walks through each place can see,
// for the places that can be reached: it follows all walks, by the marks that they have
// seen.
func bruteCycles(a *omega.Automaton, w *omega.Word) map[walk]bool {
	reach := func(from []walk) map[walk]bool {
		found := map[walk]bool{}
		for len(from) > 0 {
			at := from[0]
			from = from[1:]
			next := at.pos + 1
			if next == w.Size() {
				next = len(w.Prefix)
			}
			for _, e := range a.Edges(at.state) {
				to := walk{e.Dst, next, a.Marks().Union(at.seen, e.Marks)}
				if a.Alphabet().Meet(e.Label, w.At(at.pos)) && !found[to] {
					found[to] = true
					from = append(from, to)
				}
			}
		}
		return found
	}
	var start []walk
	for _, s := range a.Initial() {
		start = append(start, walk{s, 0, 0})
	}
	places := map[walk]bool{}
	for _, at := range start {
		places[at] = true
	}
	for at := range reach(start) {
		places[walk{at.state, at.pos, 0}] = true
	}
	cycles := map[walk]bool{}
	for place := range places {
		for at := range reach([]walk{place}) {
			if at.state == place.state && at.pos == place.pos {
				cycles[at] = true
			}
		}
	}
	return cycles
}

// TestExplain: an automaton accepts a word if and only if an accepting run is returned;
// it gets stuck if and only if there is no infinite run; and what is said of the places
// where runs stay holds for all of them.
func TestExplain(t *testing.T) {
	const seed = 71
	r := rand.New(rand.NewPCG(seed, 0))
	n, count := campaign.Inputs(t, 6000), map[string]int{}
	for i := range n {
		a, w := sample.OnWord(r)
		e := must.Get(runs.Explain(t.Context(), a, w))
		what := fmt.Sprintf("seed %d, automaton %d (%s) on %s", seed, i, a.Acceptance(), w)
		if err := runs.VerifyExplanation(context.Background(), a, w, e); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		cycles := bruteCycles(a, w)
		accepted := false
		for at := range cycles {
			accepted = accepted || a.Acceptance().Condition.Eval(a.Marks(), at.seen)
		}
		switch {
		case e.Accepted != accepted:
			t.Fatalf("%s: accepted is %v", what, e.Accepted)
		case accepted:
			count["accepted"]++
		case len(e.Stays) == 0:
			count["stuck"]++
			if len(cycles) > 0 {
				t.Fatalf("%s: there are infinite runs, but it is said to be stuck in %v", what, e.Stuck)
			}
		default:
			count["stays"]++
			checkStays(t, what, a, e.Stays, cycles)
		}
	}
	for _, kind := range []string{"accepted", "stuck", "stays"} {
		if count[kind] < n/12 {
			t.Errorf("only %d are %s", count[kind], kind)
		}
	}
}

// checkStays compares the places where runs stay with all closed walks.
func checkStays(t *testing.T, what string, a *omega.Automaton, stays []runs.Stay, cycles map[walk]bool) {
	t.Helper()
	table := a.Marks()
	inside := map[omega.State]bool{}
	for at := range cycles {
		inside[at.state] = true
	}
	for _, s := range stays {
		for _, state := range s.States {
			if !inside[state] {
				t.Fatalf("%s: no cycle goes through state %d", what, state)
			}
		}
	}
	for at := range cycles {
		if !slices.ContainsFunc(stays, func(s runs.Stay) bool {
			if !slices.Contains(s.States, at.state) || table.Minus(at.seen, s.Marks) != 0 {
				return false
			}
			for _, leaf := range s.Failed {
				if leaf.Eval(table, at.seen) {
					return false
				}
			}
			return s.Rest.Op == omega.CondFalse && len(s.Failed) > 0 || a.Acceptance().Condition.Op == omega.CondFalse ||
				s.Rest.Op != omega.CondFalse && !s.Rest.Eval(table, at.seen)
		}) {
			t.Fatalf("%s: a cycle of state %d with marks %v is in none of %+v", what, at.state, table.AppendTo(nil, at.seen), stays)
		}
	}
	// The parts that failed are enough to make the condition false.
	for _, s := range stays {
		rest := a.Acceptance().Condition.Assume(func(i int) int {
			for _, leaf := range s.Failed {
				if leaf.Mark == i {
					return map[omega.CondOp]int{omega.CondInf: -1, omega.CondFin: 1}[leaf.Op]
				}
			}
			return 0
		})
		if s.Rest.Op == omega.CondFalse && rest.Op != omega.CondFalse {
			t.Fatalf("%s: %v do not make %s false", what, s.Failed, a.Acceptance())
		}
	}
}

// TestExplainShort: an accepting run is as short as any where all marks of the condition
// have to be seen, and most are where there is a choice.
func TestExplainShort(t *testing.T) {
	const seed = 72
	r := rand.New(rand.NewPCG(seed, 0))
	n, accepted, asShort := campaign.Inputs(t, 10000), 0, 0
	for i := range n {
		a, w := sample.OnWord(r)
		e := must.Get(runs.Explain(t.Context(), a, w))
		if !e.Accepted {
			continue
		}
		accepted++
		shortest := bruteLasso(a, w)
		c := a.Acceptance().Condition
		exact := !slices.ContainsFunc(append(c.Args, c), func(d *omega.Condition) bool { return d.Op == omega.CondFin || d.Op == omega.CondOr })
		if e.Run.Size() == shortest {
			asShort++
		}
		if n := e.Run.Size(); n < shortest || exact && n > shortest {
			t.Fatalf("seed %d, automaton %d (%s) on %s: a run of %d steps, the shortest has %d", seed, i, a.Acceptance(), w, n, shortest)
		}
	}
	if accepted < n/10 || asShort < accepted*9/10 {
		t.Errorf("%d words are accepted, %d by a shortest run", accepted, asShort)
	}
}

// bruteLasso returns the length of a shortest accepting lasso.
func bruteLasso(a *omega.Automaton, w *omega.Word) int {
	step := func(from map[walk]bool) map[walk]bool {
		to := map[walk]bool{}
		for at := range from {
			next := at.pos + 1
			if next == w.Size() {
				next = len(w.Prefix)
			}
			for _, e := range a.Edges(at.state) {
				if a.Alphabet().Meet(e.Label, w.At(at.pos)) {
					to[walk{e.Dst, next, a.Marks().Union(at.seen, e.Marks)}] = true
				}
			}
		}
		return to
	}
	prefixes := map[walk]bool{}
	for _, s := range a.Initial() {
		prefixes[walk{s, 0, 0}] = true
	}
	best := 1 << 30
	for n := 0; n < best; n++ {
		places := map[walk]bool{}
		for at := range prefixes {
			places[walk{at.state, at.pos, 0}] = true
		}
		for place := range places {
			for m, at := 1, step(map[walk]bool{place: true}); n+m < best && len(at) > 0 && m < 100; m, at = m+1, step(at) {
				for to := range at {
					if to.state == place.state && to.pos == place.pos && a.Acceptance().Condition.Eval(a.Marks(), to.seen) {
						best = n + m
					}
				}
			}
		}
		if prefixes = step(places); n > 100 {
			break
		}
	}
	return best
}

// TestVerifyRun: a run in which anything is changed is not verified, or is another run
// of the automaton.
func TestVerifyRun(t *testing.T) {
	const seed = 73
	r := rand.New(rand.NewPCG(seed, 0))
	n, refused := campaign.Inputs(t, 2000), 0
	for i := range n {
		a, w := sample.OnWord(r)
		e, err := runs.Explain(t.Context(), a, w)
		if err != nil || e.Run == nil || e.Run.Size() == 0 {
			continue
		}
		run := &runs.Run{Lasso: omega.Lasso[runs.Step]{Prefix: slices.Clone(e.Run.Prefix), Cycle: slices.Clone(e.Run.Cycle)}, End: e.Run.End}
		part := run.Prefix
		if len(part) == 0 || len(run.Cycle) > 0 && r.IntN(2) == 0 {
			part = run.Cycle
		}
		step := &part[r.IntN(len(part))]
		switch i % 4 {
		case 0:
			step.State = omega.State(a.NumStates())
		case 1:
			step.Letter++
		case 2:
			step.Edge = -1
		case 3:
			step.Edge = (step.Edge + 1) % len(a.Edges(step.State))
			if followed(a, w, run) {
				continue
			}
		}
		if _, err := runs.Verify(context.Background(), a, w, run); err == nil {
			t.Fatalf("seed %d, automaton %d: %+v is verified on %s", seed, i, run, w)
		}
		refused++
	}
	if refused < n/4 {
		t.Errorf("only %d runs were refused", refused)
	}
}

// followed reports whether each edge of a run leads to the state of the next step, on
// letters that fit.
func followed(a *omega.Automaton, w *omega.Word, run *runs.Run) bool {
	for i := range run.Size() {
		next := run.End
		if i+1 < run.Size() {
			next = run.At(i + 1).State
		} else if len(run.Cycle) > 0 {
			next = run.Cycle[0].State
		}
		step := run.At(i)
		if e := a.Edges(step.State)[step.Edge]; e.Dst != next || !a.Alphabet().Meet(e.Label, w.At(step.Letter)) {
			return false
		}
	}
	return true
}

// TestExplainLarge: a long word on a large automaton with many marks takes no time to
// speak of, and a context that is done ends it.
func TestExplainLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	acceptance := must.Get(omega.NamedAcceptance("Streett 20"))
	a := random.Automaton(r, omega.NewAlphabet("a"), acceptance, random.Options{States: 500, Density: 0.01, Marks: 0.01})
	w := random.Word(r, a.Alphabet(), 0, 100)
	e := must.Get(runs.Explain(t.Context(), a, w))
	if err := runs.VerifyExplanation(context.Background(), a, w, e); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runs.Explain(ctx, a, w); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func ExampleExplain() {
	b := omega.NewBuilder(omega.NewAlphabet("a"), omega.Buchi())
	b.AddStates(2)
	b.AddStart(0)
	a := b.Alphabet().Prop(0)
	b.AddEdge(0, b.Alphabet().Not(a), 0, 0)
	b.AddEdge(0, a, 0, 1)
	b.AddEdge(1, a, b.Marks().Of(0), 1)
	automaton := b.Automaton()
	for _, text := range []string{"!a; cycle{a}", "cycle{!a}", "a; cycle{!a}"} {
		w, err := omega.ParseWord(context.Background(), text)
		if err != nil {
			panic(err)
		}
		e, err := runs.Explain(context.Background(), automaton, w)
		if err != nil {
			panic(err)
		}
		switch {
		case e.Accepted:
			fmt.Println(w, "is accepted, with a cycle of", len(e.Run.Cycle))
		case len(e.Stays) > 0:
			fmt.Println(w, "is rejected: in", e.Stays[0].States, "no", e.Stays[0].Failed[0])
		default:
			fmt.Println(w, "is rejected: after", e.Run.Size(), "letters stuck in", e.Stuck)
		}
	}
	// Output:
	// !a; cycle{a} is accepted, with a cycle of 1
	// cycle{!a} is rejected: in [0] no Inf(0)
	// a; cycle{!a} is rejected: after 1 letters stuck in [1]
}

// alternate returns a very weak alternating automaton of the same states and labels.
func alternate(r *rand.Rand, a *omega.Automaton) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), omega.Buchi())
	b.AddStates(a.NumStates())
	b.AddStart(0)
	for s := range omega.State(a.NumStates()) {
		marks := b.Marks().Of([][]int{nil, {0}}[r.IntN(2)]...)
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, marks, b.Universal([]omega.State{s, omega.State(r.IntN(int(s) + 1))}))
			b.AddEdge(s, e.Label, marks, omega.State(r.IntN(int(s)+1)))
		}
	}
	return b.Automaton()
}

// TestAcceptedFrom compares what is accepted from each state and position with
// membership of the rest of the word in the automaton that starts there.
func TestAcceptedFrom(t *testing.T) {
	const seed = 74
	r := rand.New(rand.NewPCG(seed, 0))
	n, accepted := campaign.Inputs(t, 670), map[bool]int{}
	for i := range n {
		a, w := sample.OnWord(r)
		if i%2 == 1 {
			a, w = alternate(r, a), w.Concrete()
		}
		from := must.Get(a.AcceptedFrom(t.Context(), w))
		for s := range omega.State(a.NumStates()) {
			for pos := range w.Size() {
				rest := omega.NewWord(w.Alphabet, nil, w.Cycle)
				if pos < len(w.Prefix) {
					rest.Prefix = w.Prefix[pos:]
				} else {
					rest.Prefix = w.Cycle[pos-len(w.Prefix):]
				}
				want := must.Get(sample.From(a, s).Accepts(context.Background(), rest))
				if got := from[int(s)*w.Size()+pos]; got != want {
					t.Fatalf("seed %d, automaton %d: from state %d, %s is accepted: %v", seed, i, s, rest, want)
				}
				if want {
					accepted[a.Alternating()]++
				}
			}
		}
	}
	if accepted[false] < n/4 || accepted[true] < n/4 {
		t.Errorf("only %v are accepted", accepted)
	}
}

// TestVerifyExplanation: an explanation in which anything is wrong is not verified.
func TestVerifyExplanation(t *testing.T) {
	const seed = 75
	r := rand.New(rand.NewPCG(seed, 0))
	refused := map[string]int{}
	for i := range campaign.Inputs(t, 1000) {
		a, w := sample.OnWord(r)
		e := must.Get(runs.Explain(t.Context(), a, w))
		check := func(what string, wrong runs.Explanation) {
			if runs.VerifyExplanation(context.Background(), a, w, &wrong) == nil {
				t.Fatalf("seed %d, automaton %d on %s: verified, though %s", seed, i, w, what)
			}
			refused[what]++
		}
		wrong := *e
		wrong.Accepted = !e.Accepted
		check("the answer is wrong", wrong)
		wrong = *e
		wrong.Run = nil
		if e.Run != nil {
			check("there is no run", wrong)
		}
		switch {
		case len(e.Stays) > 0:
			stay := e.Stays[0]
			stay.States = nil
			wrong = *e
			wrong.Stays = []runs.Stay{stay}
			check("runs stay nowhere", wrong)
			wrong.Stays = nil
			check("it is said to be stuck", wrong)
		case len(e.Stuck) > 0:
			wrong = *e
			wrong.Stuck = append(slices.Clone(e.Stuck), e.Stuck[0]+1)
			check("too many states are stuck", wrong)
			wrong.Stuck = e.Stuck[1:]
			check("a stuck state is missing", wrong)
		}
	}
	if len(refused) != 6 {
		t.Errorf("refused: %v", refused)
	}
}

// read returns the Büchi automaton over a with the states and edges of body.
func read(t *testing.T, states int, body string) *omega.Automaton {
	t.Helper()
	a := must.First(hoa.ReadOne(t.Context(), fmt.Appendf(nil, `HOA: v1 States: %d Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- %s --END--`, states, body)))
	return a
}

func word(text string) *omega.Word {
	return must.Get(omega.ParseWord(context.Background(), text))
}

// TestCommentExplanations: the examples in the comment on Explanation.
func TestCommentExplanations(t *testing.T) {
	for _, x := range []struct {
		states     int
		body, want string
	}{
		{1, "State: 0 [0] 0 {0}", "true [] []"},
		{2, "State: 0 [0] 1 State: 1 [!0] 0", "false [1] []"},
		{2, "State: 0 [0] 1 State: 1 [0] 1", "false [] [[1] [Inf(0)]]"},
	} {
		e := must.Get(runs.Explain(t.Context(), read(t, x.states, x.body), word("cycle{a}")))
		var stays []any
		for _, stay := range e.Stays {
			stays = append(stays, stay.States, stay.Failed)
		}
		if got := fmt.Sprint(e.Accepted, " ", e.Stuck, " ", stays); got != x.want {
			t.Errorf("%s: %s, want %s", x.body, got, x.want)
		}
	}
}

// TestCommentTight: the example in the comment on Tight.
func TestCommentTight(t *testing.T) {
	a := read(t, 2, "State: 0 [0] 1 {0} State: 1 [t] 1 {0}")
	for text, want := range map[string]bool{"cycle{a}": false, "a; cycle{a}": true} {
		if got, err := runs.Tight(t.Context(), a, word(text)); err != nil || got != want {
			t.Errorf("%s: %t, %v", text, got, err)
		}
	}
}

// TestCommentAccepting: the example in the comment on accepting. The run takes the second edge alone.
func TestCommentAccepting(t *testing.T) {
	a := worked.Automaton(t, "2 Fin(0)&Inf(1)", "State: 0 [t] 0 {0} [t] 0 {1} [t] 0 {0 1}")
	e, err := runs.Explain(t.Context(), a, word("cycle{a}"))
	if err != nil || !e.Accepted || len(e.Run.Prefix) != 0 || len(e.Run.Cycle) != 1 || e.Run.Cycle[0].Edge != 1 {
		t.Errorf("%+v, %v", e, err)
	}
}
