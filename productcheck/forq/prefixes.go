package forq

import (
	"slices"
	"unsafe"
)

// prefixes finds, for each state of the left side, the least sets of states that a word leads the
// right side to which leads the left side to that state; or the largest sets.
type prefixes struct {
	*search
	largest bool
	list    []prefix
	chains  [][]int32 // by state of the left side: the antichain
	empty   int32     // the first prefix on which the right side has no run, or -1
}

// A prefix is a word with what it leads to.
type prefix struct {
	state int32 // of the left side
	row   int32 // set of states of the right side
	step        // the last one
	gone  bool  // another set has taken the place of this one
}

// A step is the last letter of a word.
type step struct {
	before int32 // number of the word without it, or -1
	edge   int32 // of the left side
	class  int32 // of letters of the right side; -1 for the empty word
}

// maxContexts is how many largest sets a state may have. If there are more, their union takes
// their place.
const maxContexts = 4

func newPrefixes(s *search, largest bool) *prefixes {
	return &prefixes{search: s, largest: largest, chains: make([][]int32, s.left.states), empty: -1}
}

// start adds the empty word.
func (p *prefixes) start(states []int32, row int32) {
	for _, s := range states {
		p.add(prefix{state: s, row: row, step: step{before: -1, class: -1}})
	}
}

// close adds all longer words.
func (p *prefixes) close() {
	for i := int32(0); int(i) < len(p.list); i++ {
		x := p.list[i]
		if x.gone {
			continue
		}
		for k := p.left.first[x.state]; k < p.left.first[x.state+1]; k++ {
			e := &p.left.edges[k]
			classes := e.least
			if p.largest {
				classes = e.largest
			}
			for _, class := range classes {
				if p.budget.Stop() {
					return
				}
				p.add(prefix{state: e.dst, row: p.rows.after(x.row, class), step: step{i, k, class}})
			}
			if p.list[i].gone {
				break
			}
		}
	}
}

// add adds a word, unless another one is at least as good.
//
// A word without a run of the right side is as good as can be: any word of the left side that
// begins with it is one that is looked for. So all other words are dropped.
func (p *prefixes) add(x prefix) {
	if !p.largest && p.empty < 0 && p.rows.size[x.row] == 0 {
		for i := range p.list {
			p.list[i].gone = true
		}
		for s := range p.chains {
			p.chains[s] = nil
		}
		p.empty = int32(len(p.list))
	}
	chain := p.chains[x.state]
	p.budget.Spend(len(chain))
	for _, i := range chain {
		if p.better(p.list[i].row, x.row) {
			return
		}
	}
	chain = slices.DeleteFunc(chain, func(i int32) bool {
		p.list[i].gone = p.better(x.row, p.list[i].row)
		return p.list[i].gone
	})
	if p.largest && len(chain) == maxContexts {
		for _, i := range chain {
			p.list[i].gone = true
			x.row = p.rows.union(x.row, p.list[i].row)
		}
		chain = chain[:0]
	}
	p.chains[x.state] = append(chain, int32(len(p.list)))
	p.list = append(p.list, x)
}

// better reports whether the set of row i makes that of row j superfluous.
func (p *prefixes) better(i, j int32) bool {
	if p.largest {
		i, j = j, i
	}
	return p.rows.subset(i, j)
}

func (p *prefixes) memory() int64 {
	return int64(unsafe.Sizeof(prefix{}))*int64(cap(p.list)) + 24*int64(len(p.chains)) + 4*int64(len(p.list))
}
