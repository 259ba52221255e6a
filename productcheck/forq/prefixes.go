package forq

import (
	"slices"
	"unsafe"
)

// prefixes finds, for each state of the left side, the least sets of right states. Each is what
// some word leads the right side to, where the word leads the left side to the state.
type prefixes struct {
	*search
	list   []prefix
	chains [][]int32 // by state of the left side: the antichain
	empty  bool      // the right side has no run on some word
}

// A prefix is a word with the states that it leads to.
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

func newPrefixes(s *search) *prefixes {
	p := &prefixes{search: s, chains: make([][]int32, s.left.states)}
	s.least = p
	row := s.rows.set(s.right.initial)
	for _, state := range s.left.initial {
		p.add(prefix{state: state, row: row, step: step{before: -1, class: -1}})
	}
	p.close()
	return p
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
			for _, class := range e.least {
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
// A word without a run of the right side is best: each word of the left side that begins with it is
// a counterexample. So all other words are dropped.
func (p *prefixes) add(x prefix) {
	if !p.empty && p.rows.size[x.row] == 0 {
		for i := range p.list {
			p.list[i].gone = true
		}
		for s := range p.chains {
			p.chains[s] = nil
		}
		p.empty = true
	}
	chain := p.chains[x.state]
	p.budget.Spend(len(chain))
	for _, i := range chain {
		if p.rows.subset(p.list[i].row, x.row) {
			return
		}
	}
	chain = slices.DeleteFunc(chain, func(i int32) bool {
		p.list[i].gone = p.rows.subset(x.row, p.list[i].row)
		return p.list[i].gone
	})
	p.chains[x.state] = append(chain, int32(len(p.list)))
	p.list = append(p.list, x)
}

func (p *prefixes) memory() int64 {
	return int64(unsafe.Sizeof(prefix{}))*int64(cap(p.list)) + 24*int64(len(p.chains)) + 4*int64(len(p.list))
}
