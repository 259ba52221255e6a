package witness

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// NotTight returns a shortest word that shows that an automaton is not tight. The automaton
// accepts this lasso u·v^ω, but no accepting run is in the same state after u and after u·v
// (see runs.Tight). Each letter is a single valuation. If the search is complete
// and there is no such word, Word and Why are nil, and the automaton is tight in the sense of
// Schuppan and Biere 2005.
//
// Take [t] 1 from state 0, and [t] 1 {0} from state 1. The only run on cycle{1} is in state 0 at the
// start and in state 1 after one letter, so this word shows that the automaton is not tight.
//
// The search is as in [Shortest], with the automaton on both sides. On the rejecting side,
// only cycles of a single arc of the profile count. The profile determines the states from
// which the cycle is accepted, and the states to which it leads back at once. So the
// search is complete when there are no new prefixes and profiles.
//
// NotTight costs what Shortest does, and fails as it does. At a limit it tries random words
// for up to a second. A word found that way may not be shortest.
func NotTight(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*Result, error) {
	s := newSearch(ctx, limits)
	s.tight = true
	r, err := s.shortest(ctx, []Side{{a, true}, {a, false}})
	if err != nil || r.Why == nil {
		return r, err
	}
	inTime, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r.Word, err = tryTight(inTime, a, r.Least)
	if errors.Is(err, context.DeadlineExceeded) { // the second is over, or the caller's time
		err = ctx.Err()
	}
	return r, err
}

// randomWords is how many words are tried where a search was given up.
const randomWords = 1000

// tryTight looks for a word as NotTight does among random ones of about a size.
func tryTight(ctx context.Context, a *omega.Automaton, size int) (*omega.Word, error) {
	r := rand.New(rand.NewPCG(1, 0)) // the same words each time
	for range randomWords {
		w := random.Word(r, a.Alphabet(), size+2, size+2).Concrete()
		in, err := a.Accepts(ctx, w)
		if err == nil && in {
			in, err = runs.Tight(ctx, a, w)
			if err == nil && !in {
				return w, nil
			}
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// atOnce adds to set the states to which the loop with the given rows leads back
// through marks that satisfy the condition.
func (t *side) atOnce(rows, set []uint64) {
	for s := range t.states {
		row := rows[s*t.words : (s+1)*t.words]
		for i, marks := range t.sets {
			b := s*len(t.sets) + i
			if bitset.Has(row, b) && t.condition.Eval(t.table, marks) {
				bitset.Add(set, s)
			}
		}
	}
}

// An Ambiguity is a word with two different accepting runs. Each letter is a single valuation.
// The runs have the prefix and cycle lengths of the word.
type Ambiguity struct {
	Word *omega.Word
	Runs [2]*emptiness.Run
}

// Ambiguous returns a word with two accepting runs, or nil if the automaton is unambiguous; see
// [Unambiguous], which fails for the same reasons. The word belongs to a shortest pair of runs, or
// to any pair if the search takes more than a second. For
//
//	State: 0  [t] 0  [a] 1 {0}
//	State: 1  [a] 1 {0}
//
// it is cycle{a}: one run moves to state 1 at the first letter, the other one later. Ambiguous also
// fails with an internal error.
func Ambiguous(ctx context.Context, a *omega.Automaton) (x *Ambiguity, err error) {
	defer a.Alphabet().Bind(budget.New(ctx)).Release(&err)
	t, run, err := twoRuns(ctx, a)
	if run == nil || err != nil {
		return nil, err
	}
	inTime, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	// If it takes too much, any two runs will do.
	if r, _ := emptiness.ShortestRun(inTime, t, omega.Limits{}); r.Run != nil {
		run = r.Run
	}
	x = &Ambiguity{Word: &omega.Word{Alphabet: a.Alphabet()}, Runs: [2]*emptiness.Run{{}, {}}}
	x.Word.Prefix = t.split(run.Prefix, &x.Runs[0].Prefix, &x.Runs[1].Prefix)
	x.Word.Cycle = t.split(run.Cycle, &x.Runs[0].Cycle, &x.Runs[1].Cycle)
	return x, x.certify(ctx, a)
}

// Unambiguous reports whether no word has two different accepting runs. A run is a sequence
// of edges, as in HOA. So two edges between the same states that share a letter make two runs
// if their marks differ, even if the condition does not use these marks. With the same marks,
// they are one edge that is written as two. Runs from different initial states differ.
//
// This takes time and memory quadratic in the edges. It also takes an emptiness check for the
// conjunction of the condition with itself. That is no harder for generalized Büchi and Streett
// conditions; for Rabin conditions, all pairs of pairs must be tried.
//
// An alternating automaton must be deterministic: at most one initial conjunction of states,
// and no two edges of a state that meet. Otherwise Unambiguous fails with ErrAlternating. It
// also fails when ctx is done, and with a LimitError if the pairs take more memory
// than ctx allows, or than omega.Limits does by default.
func Unambiguous(ctx context.Context, a *omega.Automaton) (bool, error) {
	_, run, err := twoRuns(ctx, a)
	return run == nil && err == nil, err
}

// twoRuns looks for a word with two accepting runs. It returns both as one run of the square, or nil for an
// unambiguous automaton.
func twoRuns(ctx context.Context, a *omega.Automaton) (*twice, *emptiness.Run, error) {
	sizes, err := a.Statistics(ctx)
	if err != nil || len(a.Initial()) <= 1 && sizes.NondetStates == 0 {
		return nil, nil, err
	}
	live, err := emptiness.TakeSurvey(ctx, a, omega.NoLimits())
	if err != nil {
		return nil, nil, err
	}
	t := &twice{a: a, live: live.NonEmpty, marks: a.Marks().Joint(a.Marks(), 1)}
	r, err := emptiness.Check(ctx, t, omega.Limits{ProductStates: -1, Memory: budget.Memory(ctx)})
	return t, r.Run, err
}

// twice is a Source: the square of an automaton, in two copies. In the first copy both runs are one.
// In the second one they have differed. Labels do not matter: all are true.
//
// Take state 0 with the edges [a] 0 and [a] 1. From the pair (0,0) in the first copy, a leads to (0,0)
// and to (1,1) in the first copy, and to (1,0) in the second one.
type twice struct {
	a     *omega.Automaton
	live  []bool // by state: some word is accepted from there
	marks *omega.JointMarks
	pairs intern.Words
}

type pair struct {
	p, q   omega.State
	differ bool
}

func (t *twice) state(p pair) omega.State {
	w := uint64(p.p)<<32 | uint64(p.q)<<1
	if p.differ {
		w |= 1
	}
	s, _ := t.pairs.Number(w)
	return omega.State(s)
}

func (t *twice) pair(s omega.State) pair {
	w := t.pairs.At(int32(s))
	return pair{omega.State(w >> 32), omega.State(uint32(w) >> 1), w&1 != 0}
}

// Memory returns the number of bytes of the pairs.
func (t *twice) Memory() int64 { return t.pairs.Memory() }

func (t *twice) Alphabet() *omega.Alphabet { return t.a.Alphabet() }

// Acceptance asks for what the automaton does, of both runs, and for the second copy: its
// edges have the last mark.
func (t *twice) Acceptance() omega.Acceptance {
	c, sets := t.a.Acceptance().Condition, t.a.Acceptance().Sets
	return omega.Acceptance{Sets: 2*sets + 1, Condition: omega.AllOf(c, c.Shift(sets), omega.Inf(2*sets))}
}

func (t *twice) Marks() *omega.MarkTable { return t.marks.MarkTable }

func (t *twice) Initial() (list []omega.State) {
	for i, p := range t.a.Initial() {
		list = append(list, t.state(pair{p, p, false}))
		for _, q := range t.a.Initial()[:i] { // (p,q) and (q,p) are the same pair
			list = append(list, t.state(pair{p, q, true}))
		}
	}
	return list
}

func (t *twice) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	t.steps(s, func(_, _, both omega.Edge) bool {
		buf = append(buf, both)
		return false
	})
	return buf, nil
}

// steps calls f with the edges of both runs and the edge of the pair, until f returns true.
func (t *twice) steps(s omega.State, f func(x, y, both omega.Edge) bool) {
	from := t.pair(s)
	for i, x := range t.a.Edges(from.p) {
		for j, y := range t.a.Edges(from.q) {
			if !from.differ && j > i {
				break // the other way round
			}
			t.a.Alphabet().Spend(1)
			if !t.live[x.Dst] || !t.live[y.Dst] || !t.a.Alphabet().Meet(x.Label, y.Label) {
				continue
			}
			marks := t.marks.Join(x.Marks, y.Marks)
			if from.differ {
				marks = t.marks.Union(marks, t.marks.Of(2*t.a.Acceptance().Sets))
			}
			to := pair{x.Dst, y.Dst, from.differ || x.Dst != y.Dst || x.Marks != y.Marks}
			if f(x, y, omega.Edge{Label: t.a.Alphabet().True(), Marks: marks, Dst: t.state(to)}) {
				return
			}
		}
	}
}

// split appends the steps of both runs, and returns the letters.
func (t *twice) split(steps []emptiness.Step, left, right *[]emptiness.Step) (letters []omega.Label) {
	for _, step := range steps {
		from := t.pair(step.From)
		t.steps(step.From, func(x, y, both omega.Edge) bool {
			if both != step.Edge {
				return false
			}
			letter, _ := t.a.Alphabet().Letter(t.a.Alphabet().And(x.Label, y.Label))
			letters = append(letters, t.a.Alphabet().LetterLabel(letter))
			*left = append(*left, emptiness.Step{From: from.p, Edge: x})
			*right = append(*right, emptiness.Step{From: from.q, Edge: y})
			return true
		})
	}
	return letters
}

// certify fails if these are not two different accepting runs on the word.
func (x *Ambiguity) certify(ctx context.Context, a *omega.Automaton) error {
	for _, r := range x.Runs {
		steps := make([]runs.Step, r.Size())
		for i := range steps {
			step := r.At(i)
			steps[i] = runs.Step{State: step.From, Letter: i, Edge: slices.Index(a.Edges(step.From), step.Edge)}
		}
		n := len(r.Prefix)
		run := &runs.Run{Lasso: omega.Lasso[runs.Step]{Prefix: steps[:n], Cycle: steps[n:]}}
		if accepting, err := runs.Verify(context.WithoutCancel(ctx), a, x.Word, run); err != nil || !accepting {
			return fmt.Errorf("%w: witness: not an accepting run on %s: %v", omega.ErrInternal, x.Word, *r)
		}
	}
	// Edges that differ only in their labels do not make two runs.
	for i := range x.Word.Size() {
		e, f := x.Runs[0].At(i), x.Runs[1].At(i)
		if e.From != f.From || e.Edge.Marks != f.Edge.Marks || e.Edge.Dst != f.Edge.Dst {
			return nil
		}
	}
	return fmt.Errorf("%w: witness: the same run twice on %s", omega.ErrInternal, x.Word)
}
