package guide

import (
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

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
