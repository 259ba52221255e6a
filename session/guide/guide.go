package guide

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
)

const (
	// opening is how many formulas come before the first that is guided.
	opening = 192
	// Formulas of a step depend on the same answers, which are at least lag formulas old.
	step, lag = 64, 128
	// fresh is how many of a hundred formulas are new after the opening.
	fresh = 20
	// kept is how many formulas are kept at most: those that are worth least go.
	kept = 2000
)

// A Guide makes formulas. Several goroutines may use it, but only one calls Next.
type Guide struct {
	seed  uint64
	fresh *random.Generator
	seen  map[[16]byte]bool // keys of all formulas

	mu      sync.Mutex
	changed chan struct{} // closed when there is one more answer
	asked   []question    // those of which the answers are not in the corpus yet
	first   int           // number of the first of these
	place   map[int]int   // from indexes of cases to numbers
	corpus  corpus
}

// A question is a formula that Next has returned.
type question struct {
	formula    *ltl.Formula
	parents    []*entry
	answered   bool
	signatures []outcome.Signature
	cost       float64
}

// New returns a Guide whose corpus starts with formulas of earlier runs.
func New(p random.Profile, seed uint64, start []*ltl.Formula) *Guide {
	g := &Guide{seed: seed, fresh: random.New(p, seed), seen: map[[16]byte]bool{}, changed: make(chan struct{}), place: map[int]int{},
		corpus: corpus{seen: map[outcome.Signature]int{}}}
	for _, f := range start {
		g.corpus.entries = append(g.corpus.entries, &entry{formula: f, gain: 1, cost: float64(20 + f.Size())})
	}
	return g
}

// Next returns the formula of the case with some index, and the formulas that it was made of. It
// waits until those before it are answered that it depends on. It fails only when ctx is done.
func (g *Guide) Next(ctx context.Context, index int) (*ltl.Formula, []*ltl.Formula, error) {
	n := g.first + len(g.asked)
	if err := g.learn(ctx, n/step*step-lag); err != nil {
		return nil, nil, err
	}
	f, parents, err := g.make(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, question{formula: f, parents: parents})
	g.place[index] = n
	var formulas []*ltl.Formula
	for _, e := range parents {
		formulas = append(formulas, e.formula)
	}
	return f, formulas, nil
}

// Answer takes the case of an index. It ignores those of other formulas than the guide's.
func (g *Guide) Answer(c *outcome.Case) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, ok := g.place[c.Index]
	if !ok {
		return
	}
	delete(g.place, c.Index)
	q := &g.asked[n-g.first]
	q.answered, q.signatures, q.cost = true, c.Signatures(), cost(c, q.formula.Size())
	close(g.changed)
	g.changed = make(chan struct{})
}

// learn waits for the answers of the first n formulas, and adds them to the corpus, in order.
func (g *Guide) learn(ctx context.Context, n int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.first < n {
		if !g.asked[0].answered {
			changed := g.changed
			g.mu.Unlock()
			select {
			case <-changed:
			case <-ctx.Done():
			}
			g.mu.Lock()
			if err := ctx.Err(); err != nil {
				return err
			}
			continue
		}
		g.corpus.add(&g.asked[0])
		g.asked = g.asked[1:]
		g.first++
	}
	return nil
}

// tries is how often a formula is varied until it is new.
const tries = 20

// make makes formula n.
func (g *Guide) make(ctx context.Context, n int) (*ltl.Formula, []*entry, error) {
	r := rand.New(rand.NewPCG(g.seed^0x9e3779b97f4a7c15, uint64(n)))
	if n >= opening && len(g.corpus.entries) > 0 && r.IntN(100) >= fresh {
		e := g.corpus.pick(r)
		for range tries {
			parents := []*entry{e}
			var other *ltl.Formula
			if r.IntN(3) == 0 {
				parents = append(parents, g.corpus.pick(r))
				other = parents[1].formula
			}
			s := ltl.NewStore()
			f := random.Vary(r, s, e.formula, other)
			if !random.Trivial(f) && g.new(f) {
				e.picks++
				return f, parents, nil
			}
		}
	}
	for {
		f, err := g.fresh.Next(ctx)
		if err != nil {
			return nil, nil, err
		}
		if g.new(f) {
			return f, nil, nil
		}
	}
}

// new reports whether no formula like f was made before.
func (g *Guide) new(f *ltl.Formula) bool {
	key := random.Key(f)
	was := g.seen[key]
	g.seen[key] = true
	return !was
}

// A corpus has the formulas that showed something new.
type corpus struct {
	entries  []*entry
	seen     map[outcome.Signature]int // the number of formulas that showed it
	formulas int
}

// An entry is a formula that showed something new. Gain is how many new signatures it and those
// made of it showed.
type entry struct {
	formula *ltl.Formula
	gain    float64
	cost    float64
	picks   int
}

// worth is how often an entry is picked, compared with others: more if it gained more for what it
// costs, and less the more often it was picked.
func (e *entry) worth() float64 {
	return (e.gain + 1) / math.Sqrt(e.cost) / math.Pow(float64(1+e.picks), 0.7)
}

// add adds an answer.
func (c *corpus) add(q *question) {
	c.formulas++
	gain, mine := 0, map[outcome.Signature]bool{}
	for _, s := range q.signatures {
		if mine[s] {
			continue
		}
		mine[s] = true
		if c.seen[s]++; c.seen[s] == 1 {
			gain++
		}
	}
	if gain == 0 {
		return
	}
	for _, e := range q.parents {
		e.gain += float64(gain)
	}
	c.entries = append(c.entries, &entry{formula: q.formula, gain: float64(gain), cost: q.cost})
	if len(c.entries) > kept {
		c.drop()
	}
}

// drop drops the entry that is worth least.
func (c *corpus) drop() {
	least := 0
	for i, e := range c.entries {
		if e.worth() < c.entries[least].worth() {
			least = i
		}
	}
	c.entries = append(c.entries[:least], c.entries[least+1:]...)
}

// pick draws an entry by its worth.
func (c *corpus) pick(r *rand.Rand) *entry {
	sum := 0.0
	for _, e := range c.entries {
		sum += e.worth()
	}
	x := r.Float64() * sum
	for _, e := range c.entries {
		if x -= e.worth(); x < 0 {
			return e
		}
	}
	return c.entries[len(c.entries)-1]
}
