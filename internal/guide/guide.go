// Package guide varies the formulas that showed something new.
//
// The first formulas are random. Later ones are mostly changed copies of formulas that showed
// something new: a translator printed an automaton of a new kind, or failed in a new way. This is
// coverage-guided testing, as in AFL, with what is printed instead of branches.
//
// The formulas depend only on the seed and the answers of the translators, and not on which answer
// came first. A formula depends on the answers for formulas well before it, and waits for them.
package guide

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
)

const (
	// opening is how many formulas come before the first that is guided.
	opening = 200
	// Formulas of a step depend on the same answers.
	step = 64
	// fresh is how many of a hundred formulas are new after the opening.
	fresh = 20
)

// depends returns how many of the first answers formula n depends on. The later formulas may be
// checked at the same time, so that one that takes a minute does not hold up the run. They are a
// fifth of all, within limits: fewer would wait more often, more would learn later. Formula 1000 is in
// the step of 960, and depends on the first 768 answers.
func depends(n int) int {
	const least, most = 128, 8192
	n = n / step * step
	return n - min(max(n/5, least), most)
}

// A Guide makes formulas. Several goroutines may use it, but only one calls Next.
type Guide struct {
	profile random.Profile
	seed    uint64

	mu      sync.Mutex // for all that follows
	fresh   *random.Generator
	seen    recent.Set    // keys of formulas
	changed chan struct{} // closed when there is one more answer
	asked   []question    // questions whose answers are not in the corpus yet
	first   int           // number of the first of these
	place   map[int]int   // from indexes of cases to numbers
	corpus  corpus
}

// A question is a formula that Next has returned.
type question struct {
	index      int // of its case
	formula    *ltl.Formula
	parents    []*entry
	answered   bool
	signatures []outcome.Signature
	cost       float64
}

// New returns a Guide whose corpus starts with formulas of earlier runs: the first ones that are no
// larger than formulas of the profile.
func New(p random.Profile, seed uint64, start []*ltl.Formula) *Guide {
	g := &Guide{profile: p, seed: seed, fresh: random.New(p, seed), changed: make(chan struct{}), place: map[int]int{},
		corpus: corpus{seen: map[outcome.Signature]int{}}}
	for _, f := range start {
		if f.Size() <= p.Largest() && len(g.corpus.entries) < most {
			g.corpus.entries = append(g.corpus.entries, newEntry(f, 1, float64(200+f.Size())))
		}
	}
	return g
}

// Next returns the formula of the case with some index, and the formulas that it was made of. It
// waits until those before it are answered that it depends on. It fails only when ctx is done.
func (g *Guide) Next(ctx context.Context, index int) (*ltl.Formula, []*ltl.Formula, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.first + len(g.asked)
	if err := g.learn(ctx, depends(n)); err != nil {
		return nil, nil, err
	}
	f, parents, err := g.make(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	g.asked = append(g.asked, question{index: index, formula: f, parents: parents})
	g.place[index] = n
	var formulas []*ltl.Formula
	for _, e := range parents {
		formulas = append(formulas, e.formula)
	}
	return f, formulas, nil
}

// Answer takes the case of an index. It ignores cases of formulas that are not the guide's.
func (g *Guide) Answer(c *outcome.Case) {
	if c == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n, ok := g.place[c.Index]
	if !ok {
		return
	}
	delete(g.place, c.Index)
	q := &g.asked[n-g.first]
	g.answer(q, c.Signatures(), cost(c, q.formula.Size()))
}

func (g *Guide) answer(q *question, signatures []outcome.Signature, cost float64) {
	q.answered, q.signatures, q.cost = true, signatures, cost
	close(g.changed)
	g.changed = make(chan struct{})
}

// learn waits for the answers of the first n formulas, and adds them to the corpus, in order. It
// unlocks the guide while it waits.
func (g *Guide) learn(ctx context.Context, n int) error {
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
		g.learnOne()
	}
	return nil
}

// learnOne adds the first answer to the corpus.
func (g *Guide) learnOne() {
	g.corpus.add(&g.asked[0])
	g.asked = g.asked[1:]
	g.first++
}

// Kept returns the formulas of the run that showed something new and are still worth varying, in the order of
// their indexes. It ends the guide: it learns from all answers up to the first that is missing.
func (g *Guide) Kept() (list []Kept) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.asked) > 0 && g.asked[0].answered {
		g.learnOne()
	}
	for _, e := range g.corpus.entries {
		if e.signatures > 0 {
			list = append(list, Kept{Number: e.index, Formula: e.formula.String(), Signatures: e.signatures})
		}
	}
	return list
}

// tries is how often a formula is varied until it is new.
const tries = 20

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
			f := random.Vary(g.profile, r, s, e.formula, other)
			if !random.Trivial(f) && g.new(f) {
				for _, e := range parents {
					e.spent += e.cost
				}
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

// new reports whether no formula like f was made lately.
func (g *Guide) new(f *ltl.Formula) bool { return g.seen.Add(random.Key(f)) }

// costly is what a case costs at most. Nothing is learned from such a case but that: formulas made of
// it would cost even more.
const costly = 3000

// cost is what a case costs, by what is known of it whatever the machine: the sizes of its formula and of the
// automata of a translator, on average.
func cost(c *outcome.Case, size int) float64 { return costOf(size, work(c)) }

// costOf returns the cost of a case from the size of its formula, and its work.
func costOf(size, work int) float64 {
	const base = 100
	return float64(min(base+size+work, costly))
}

// work is what a case costs without its formula.
func work(c *outcome.Case) int {
	if c == nil {
		return costly
	}
	// Checks cost about twenty times as much as the automata have states and edges. What they took, and whether
	// they were decided, depends on how much time and memory other cases have left them.
	const checks = 20
	sizes := 0
	for i := range c.Results {
		r := &c.Results[i]
		if r.Status.TimedOut() || r.Status == outcome.Unsupported && r.States == 0 {
			return costly // it reached its limit of time, or is too large to be read
		}
		sizes += r.States + r.Edges
	}
	translators := max(1, (len(c.Results)+1)/2)
	return min(checks*sizes/translators, costly)
}

// most is how many formulas are kept: those that are worth least go.
const most = 2000

// A corpus has the formulas that showed something new.
type corpus struct {
	entries []*entry
	seen    map[outcome.Signature]int // the number of formulas that showed it
}

// A Kept is a formula that showed something new.
type Kept struct {
	Number     int // of its case
	Formula    string
	Signatures int // that were new
}

// An entry is a formula that showed something new.
type entry struct {
	index      int // of its case
	signatures int // that were new; 0 for a formula of an earlier run
	formula    *ltl.Formula
	gain       float64 // how many new signatures it and those made of it showed
	cost       float64 // of its case
	spent      float64 // on it and those made of it; cost for each that has no answer yet
}

func newEntry(f *ltl.Formula, gain int, cost float64) *entry {
	return &entry{formula: f, gain: float64(gain), cost: cost, spent: cost}
}

// worth is how often an entry is picked, compared with others: what it gained for what was spent.
func (e *entry) worth() float64 { return (e.gain + 1) / e.spent }

func (c *corpus) add(q *question) {
	for _, e := range q.parents {
		e.spent += q.cost - e.cost
	}
	if q.cost == costly {
		return
	}
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
	for _, e := range q.parents {
		e.gain += float64(gain)
	}
	if gain == 0 {
		return
	}
	e := newEntry(q.formula, gain, q.cost)
	e.index, e.signatures = q.index, gain
	c.entries = append(c.entries, e)
	if len(c.entries) > most {
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
