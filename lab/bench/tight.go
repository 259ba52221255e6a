package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A Violation is a model (a Kripke structure) with a specification that does not hold in it,
// given as its negation.
type Violation struct {
	store    *ltl.Store
	negation *ltl.Formula
	labels   []omega.Label // of the states, which are numbered from the initial one; each a single valuation
	next     [][]omega.State
	alphabet *omega.Alphabet

	prefix, cycle int // of a shortest counterexample
}

// A Specification is a list of violations.
type Specification struct {
	Name  string
	About string
	each  bool // there are as many as are asked for
	make  func(r *rand.Rand) (*Violation, error)
}

// Specifications returns the models and specifications on which counterexamples are compared.
// They come from Schuppan and Biere 2005, Figures 3 and 4 and appendix B; others are random.
func Specifications() []Specification {
	list := []Specification{{
		"figure-3", "one state with p & q; !(p & XGq)", false,
		func(*rand.Rand) (*Violation, error) { return figure3() },
	}}
	for n := 2; n <= 6; n++ {
		list = append(list, Specification{
			fmt.Sprint("counter-", n), fmt.Sprintf("a counter modulo %d; !F O(c=0 & O(c=1 & … O(c=%d)…))", n, n-1), false,
			func(*rand.Rand) (*Violation, error) { return counter(n) },
		})
	}
	for _, past := range []bool{false, true} {
		name := "random-future"
		if past {
			name = "random-past"
		}
		list = append(list, Specification{
			name, fmt.Sprintf("random models of %d states, and random formulas of size 3 to %d", randomStates, randomSize(past)), true,
			func(r *rand.Rand) (*Violation, error) { return randomViolation(r, past) },
		})
	}
	for _, x := range templates() {
		list = append(list, Specification{x.name, x.about + "; " + x.formula, false, x.violation})
	}
	return list
}

// violations makes them, each random ones.
func (spec Specification) violations(ctx context.Context, seed uint64, each int) ([]*Violation, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	if !spec.each {
		each = 1 // all would be the same
	}
	list := make([]*Violation, each)
	for i := range list {
		var err error
		if list[i], err = spec.make(r); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return list, nil
}

// figure3 is the model with the specification for which GPVW needs a longer run.
func figure3() (*Violation, error) {
	s := ltl.NewStore()
	v := &Violation{store: s, alphabet: omega.NewAlphabet("p", "q"), next: [][]omega.State{{0}}}
	v.negation = s.And(s.Prop("p"), s.Next(s.Globally(s.Prop("q"))))
	v.labels = []omega.Label{v.alphabet.Cube(3, 0)}
	return v, v.shortest(mostLetters)
}

// counter is the model with the specification for which cgh needs about n².
func counter(n int) (*Violation, error) {
	s := ltl.NewStore()
	v := &Violation{store: s, negation: s.True()}
	var props []string
	for i := range n {
		props = append(props, fmt.Sprint("c", i))
	}
	v.alphabet = omega.NewAlphabet(props...)
	for i := n - 1; i >= 0; i-- { // each O becomes true a round after the one in it
		v.negation = s.Unary(ltl.OpOnce, s.And(s.Prop(props[i]), v.negation))
	}
	v.negation = s.Finally(s.Simplify(v.negation))
	for i := range n {
		v.labels = append(v.labels, v.alphabet.Cube(1<<i, (1<<n-1)&^(1<<i))) // only c=i holds
		v.next = append(v.next, []omega.State{omega.State((i + 1) % n)})
	}
	return v, v.shortest(mostLetters)
}

// Random models are small, so that all their lassos can be looked at.
const (
	randomStates = 6
	mostLetters  = 8 // of a shortest counterexample
)

func randomSize(past bool) int {
	if past {
		return 10
	}
	return 15
}

// randomViolation makes random models with random specifications until there is a
// counterexample of at most mostLetters states.
func randomViolation(r *rand.Rand, past bool) (*Violation, error) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{
		Seed: r.Uint64(), Props: []string{"a", "b", "c"}, MinSize: 3, MaxSize: randomSize(past), Past: past,
	})
	for err == nil {
		var f *ltl.Formula
		if f, err = g.Next(); err != nil || past && !f.Ops().HasPast() {
			continue // with an error the loop ends
		}
		v := &Violation{store: ltl.NewStore(), alphabet: omega.NewAlphabet(f.Props()...)}
		v.negation = v.store.Import(f)
		all := uint64(1)<<v.alphabet.Len() - 1
		for range randomStates {
			set := r.Uint64() & all
			v.labels = append(v.labels, v.alphabet.Cube(set, all&^set))
			v.next = append(v.next, []omega.State{omega.State(r.IntN(randomStates)), omega.State(r.IntN(randomStates))})
		}
		if err = v.shortest(mostLetters); err == nil {
			return v, nil
		}
		if errors.Is(err, errNoLasso) { // the next model may violate its formula
			err = nil
		}
	}
	return nil, err
}

// errNoLasso says that a model has no counterexample, or none that is short.
var errNoLasso = errors.New("no short counterexample")

// shortest finds a shortest counterexample of at most the given number of states. It evaluates the
// formula on all lassos of the model.
func (v *Violation) shortest(most int) error {
	for n := 1; n <= most; n++ {
		if v.lasso([]omega.State{0}, n) {
			return nil
		}
	}
	return errNoLasso
}

// lasso looks for a counterexample of n states that starts with the given path.
func (v *Violation) lasso(path []omega.State, n int) bool {
	last := v.next[path[len(path)-1]]
	if len(path) < n {
		return slices.ContainsFunc(last, func(s omega.State) bool { return v.lasso(append(path, s), n) })
	}
	// The last state closes a cycle at each state of the path that it has an edge to.
	for prefix, s := range path {
		for _, back := range last {
			if s == back && v.shows(path, prefix) {
				v.prefix, v.cycle = prefix, n-prefix
				return true
			}
		}
	}
	return false
}

// shows reports whether the lasso is a counterexample.
func (v *Violation) shows(path []omega.State, prefix int) bool {
	holds, _ := v.negation.Holds(prefix, len(path)-prefix, func(prop string, pos int) bool {
		i, _ := v.alphabet.Index(prop)
		return v.alphabet.Meet(v.labels[path[pos]], v.alphabet.Prop(i))
	})
	return holds // past LTL never fails
}

// model returns the automaton of the model over an alphabet: a state's label is on
// the edges that leave it.
func (v *Violation) model(ctx context.Context, alphabet *omega.Alphabet) (*omega.Automaton, error) {
	b := omega.NewBuilder(v.alphabet, omega.Acceptance{Condition: omega.AllOf()})
	b.AddStates(len(v.labels))
	b.AddStart(0)
	for s, next := range v.next {
		for _, to := range next {
			b.AddEdge(omega.State(s), v.labels[s], 0, to)
		}
	}
	return b.Automaton().Over(ctx, alphabet)
}

// A TightRow has the average lengths of counterexamples found with the automata of one
// algorithm.
type TightRow struct {
	// the specification that the models violate
	Specification string  `json:"specification" table:"specification"`
	Algorithm     string  `json:"algorithm" table:"algorithm"`   // name of the algorithm
	Violations    int     `json:"violations" table:"violations"` // number of models that violate it
	Done          int     `json:"done" table:"done,ends"`        // number that ended within the limits
	Shortest      float64 `json:"shortest" table:"shortest,2"`   // average length of the shortest counterexample
	// average length of the run that Couvreur's algorithm finds
	Found float64 `json:"found" table:"found,2"`
	// average length of the shortest accepting run of model and automaton
	Length float64 `json:"length" table:"length,2"`
	Excess float64 `json:"excess" table:"excess,2"` // average excess length: length minus shortest
	Longer int     `json:"longer" table:"longer"`   // number of violations with an excess length above 0
	Most   int     `json:"most" table:"most"`       // the greatest excess length
	Bound  float64 `json:"bound" table:"bound,2"`   // average bound on length by cgh, of Proposition 2
	// average number of states that the search for the shortest run visited
	States  float64 `json:"states" table:"states,0"`
	Seconds float64 `json:"seconds" table:"seconds,4"` // average time in seconds
}

// TightOptions are the options of Tight.
type TightOptions struct {
	Specifications []Specification
	Algorithms     []translate.Algorithm
	Seed           uint64
	Each           int           // random models
	Time           time.Duration // for each model and algorithm
	Memory         int64         // bytes; 0: no limit
}

// Tight looks for shortest runs in the products of models with automata of the negated
// specifications, and passes each row to emit. It fails when ctx is done.
func Tight(ctx context.Context, o TightOptions, emit func(TightRow) error) error {
	for _, spec := range o.Specifications {
		violations, err := spec.violations(ctx, o.Seed, o.Each)
		if err != nil {
			return err
		}
		err = emitEach(o.Algorithms, emit, func(a translate.Algorithm) (TightRow, error) {
			row := TightRow{Specification: spec.Name, Algorithm: a.Name, Violations: len(violations)}
			for _, v := range violations {
				if err := o.measure(ctx, &row, a, v); err != nil {
					return row, err
				}
			}
			average(row.Done, &row.Shortest, &row.Length, &row.Found, &row.States, &row.Excess, &row.Bound, &row.Seconds)
			return row, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errTooShort cannot happen unless a translation or a search is wrong.
var errTooShort = errors.New("internal error: a run that is shorter than the shortest counterexample: please report")

// measure adds a violation to a row.
func (o *TightOptions) measure(ctx context.Context, row *TightRow, a translate.Algorithm, v *Violation) error {
	search := func(by func(context.Context, omega.Source, omega.Limits) (*emptiness.Result, error)) (r *emptiness.Result, took time.Duration, done bool, err error) {
		took, done, err = measured(ctx, o.Time, func(limited context.Context) error {
			src, err := v.product(limited, a)
			if err == nil {
				r, err = by(limited, src, omega.Limits{Memory: o.Memory}.Or(omega.NoLimits()))
			}
			return err
		})
		return r, took, done, err
	}
	got, took, done, err := search(product.ShortestRun)
	if !done {
		return err
	}
	// Couvreur's algorithm finds what a model checker shows that does not look for a shortest run.
	first, _, done, err := search(product.Check)
	if !done {
		return err
	}
	shortest := v.prefix + v.cycle
	if got.Empty() || first.Empty() || got.Run.Size() < shortest || first.Run.Size() < got.Run.Size() {
		return errTooShort // no run may be shorter than the counterexample it stands for
	}
	n := got.Run.Size()
	row.Done++
	row.Shortest += float64(shortest)
	row.Length += float64(n)
	row.Found += float64(first.Run.Size())
	row.States += float64(got.States)
	row.Excess += float64(n - shortest)
	row.Most = max(row.Most, n-shortest)
	if n > shortest {
		row.Longer++
	}
	// The greatest length of a run of cgh for this counterexample, by Proposition 2.
	row.Bound += float64(v.prefix + (v.negation.PastDepth()+2)*v.cycle)
	row.Seconds += took.Seconds()
	return nil
}

// product returns the product of the model with the automaton of the negated specification.
func (v *Violation) product(ctx context.Context, a translate.Algorithm) (omega.Source, error) {
	src, err := a.Source(ctx, v.store, v.negation)
	if err != nil {
		return nil, err
	}
	model, err := v.model(ctx, src.Alphabet())
	if err != nil {
		return nil, err
	}
	return productcheck.NewProduct(model, src), nil
}
