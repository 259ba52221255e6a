package runs

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// tightByRuns is Tight by trying all runs on the letters of the word, one after
// the other.
func tightByRuns(a *omega.Automaton, w *omega.Word) bool {
	var run func(pos int, s, at omega.State, seen omega.Marks) bool
	run = func(pos int, s, at omega.State, seen omega.Marks) bool {
		if pos == len(w.Prefix) {
			at, seen = s, 0
		}
		if pos == w.Size() {
			return s == at && a.Acceptance().Condition.Eval(a.Marks(), seen)
		}
		for _, e := range a.Edges(s) {
			if a.Alphabet().Meet(e.Label, w.At(pos)) && run(pos+1, e.Dst, at, a.Marks().Union(seen, e.Marks)) {
				return true
			}
		}
		return false
	}
	for _, s := range a.Initial() {
		if run(0, s, s, 0) {
			return true
		}
	}
	return false
}

func TestTightOn(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	accepted, tight := 0, 0
	for i := range 3000 {
		alphabet := omega.NewAlphabet([]string{"a", "b"}[:1+r.IntN(2)]...)
		sets := r.IntN(5)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
		if r.IntN(2) == 0 {
			acceptance = omega.GeneralizedBuchi(sets)
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: 1 + r.IntN(5), Density: 0.2 + 0.6*r.Float64(), Marks: 0.4})
		for range 5 {
			w := random.Word(r, alphabet, 3, 3)
			got, err := Tight(t.Context(), a, w)
			if err != nil || got != tightByRuns(a, w) {
				t.Fatalf("seed %d, case %d: %s: got %v (%v)", seed, i, w, got, err)
			}
			in, err := a.Accepts(context.Background(), w)
			if err != nil || got && !in {
				t.Fatalf("seed %d, case %d: %s: has a run, and accepted is %v (%v)", seed, i, w, in, err)
			}
			if in {
				accepted++
			}
			if got {
				tight++
			}
		}
	}
	if tight < 500 || accepted-tight < 500 {
		t.Errorf("of %d words accepted, %d have a run of their type: not worth much", accepted, tight)
	}
}

// TestTightOnCancel: the walks along a cycle see more sets of marks than can be
// looked at.
func TestTightOnCancel(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	condition := []*omega.Condition{}
	for i := range 60 {
		condition = append(condition, omega.Inf(i))
	}
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: 61, Condition: omega.AllOf(append(condition, omega.Fin(60))...)})
	b.AddStates(31)
	b.AddStart(0)
	w := &omega.Word{Alphabet: alphabet}
	for i := range 30 {
		for mark := range 2 {
			b.AddEdge(omega.State(i), alphabet.True(), b.Marks().Of(2*i+mark), omega.State(i+1))
		}
		w.Cycle = append(w.Cycle, alphabet.Prop(0))
	}
	b.AddEdge(30, alphabet.True(), 0, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Tight(ctx, b.Automaton(), w); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
}
