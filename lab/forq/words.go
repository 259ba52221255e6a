package forq

import (
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/omega"
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

// findPrefixes starts with the empty words, and adds all longer ones. If the budget ends, the result
// means nothing.
func (s *search) findPrefixes() {
	p := &prefixes{search: s, chains: make([][]int32, s.left.states)}
	s.least = p
	row := s.rows.set(s.right.initial)
	for _, state := range s.left.initial {
		p.add(prefix{state: state, row: row, step: step{before: -1, class: -1}})
	}
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
			// One of its own successors is at least as good: what follows from x follows from that,
			// too.
			if p.list[i].gone {
				break
			}
		}
	}
}

// add adds a word, unless another one is at least as good.
// A word without a run of the right side replaces all others.
func (p *prefixes) add(x prefix) {
	// Such a word is best: each word of the left side that begins with it is a counterexample.
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
		if p.rows.subset(p.list[i].row, x.row) { // reaches no more: at least as good
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

// periods finds the least relations of the words that lead the left side from a state back to it
// past an accepting edge, and whether one of them makes a word that the right side rejects.
type periods struct {
	*search
	contexts [][]uint64 // by state of the left side: sets of states of the right side
	sets     int        // of them that are made
	pivot    int32      // of the left side
	context  []int32    // states of the right side: the rows of a relation
	place    []int32    // by state of the right side: its place in context, plus one
	list     []period
	tables   []int32   // the rows of all relations, one after the other
	chains   [][]int32 // by state of the left side, and whether an accepting edge was passed
	used     []int32   // chains that are not empty
	buf      []int32
	lasso    lasso
}

// A period is a word with the states and the relation that it leads to. The relations of the right
// side are in tables.
type period struct {
	state  int32 // of the left side
	marked bool  // past an accepting edge
	gone   bool  // another relation has taken the place of this one
	size   int32 // of the relation
	step         // the last one
}

// run finds the periods of a state, and tries each of them with the stems.
func (p *periods) run(pivot int32, stems []int32) {
	p.pivot = pivot
	clear(p.place)
	p.context, p.list, p.tables, p.buf = p.context[:0], p.list[:0], p.tables[:0], p.buf[:0]
	for _, i := range p.used {
		p.chains[i] = p.chains[i][:0]
	}
	p.used = p.used[:0]
	for s := range members(p.contexts[pivot]) {
		p.context = append(p.context, s)
		p.place[s] = int32(len(p.context))
		p.buf = append(p.buf, p.rows.one(s)) // the relation of the empty word
	}
	none := slices.Clone(p.buf)
	p.extend(period{state: pivot, step: step{before: -1}}, none, -1, stems)
	for i := int32(0); int(i) < len(p.list) && p.result.Word == nil; i++ {
		if x := p.list[i]; !x.gone {
			p.extend(x, p.relation(i), i, stems)
		}
		if p.budget.Err() != nil {
			break
		}
	}
}

// relation returns the rows of a period.
func (p *periods) relation(i int32) []int32 {
	n := len(p.context)
	return p.tables[int(i)*n : int(i+1)*n]
}

// extend adds the words that are one letter longer than x, number i (-1: the empty word). Those that return to the
// pivot are tried as periods with all stems. Letters with a larger relation need no try: see edge.least.
func (p *periods) extend(x period, relation []int32, i int32, stems []int32) {
	for k := p.left.first[x.state]; k < p.left.first[x.state+1]; k++ {
		e := &p.left.edges[k]
		if !e.on { // outside the part that is searched
			continue
		}
		for _, class := range e.least {
			if p.budget.Spend(1 + len(relation)) {
				return
			}
			y := period{state: e.dst, marked: x.marked || e.marked, step: step{i, k, class}}
			p.buf = p.buf[:0]
			for _, row := range relation {
				row = p.rows.after(row, class)
				y.size += p.rows.size[row]
				p.buf = append(p.buf, row)
			}
			if !p.add(y) || !y.marked || y.state != p.pivot {
				continue
			}
			if p.refuted(int32(len(p.list)-1), stems); p.result.Word != nil {
				return
			}
		}
		if i >= 0 && p.list[i].gone { // a better word has been extended, and this one need not be
			return
		}
	}
}

// add adds a word with the relation in the buffer. It returns false if another word is at least as
// good.
func (p *periods) add(x period) bool {
	open, marked := 2*x.state, 2*x.state+1
	// A marked word is better than an open one.
	if p.bettered(x, p.chains[marked]) || !x.marked && p.bettered(x, p.chains[open]) {
		return false
	}
	own := open
	p.drop(x, open)
	if x.marked {
		own = marked
		p.drop(x, marked)
	}
	if len(p.chains[own]) == 0 {
		p.used = append(p.used, own)
	}
	p.chains[own] = append(p.chains[own], int32(len(p.list)))
	p.list = append(p.list, x)
	p.tables = append(p.tables, p.buf...)
	return true
}

// bettered reports whether some word of a chain is at least as good as x.
func (p *periods) bettered(x period, chain []int32) bool {
	p.budget.Spend(1 + len(chain))
	return slices.ContainsFunc(chain, func(i int32) bool { return p.list[i].size <= x.size && p.below(p.relation(i), p.buf) })
}

// drop drops the words of a chain that x is at least as good as.
func (p *periods) drop(x period, chain int32) {
	if !x.marked && chain%2 == 1 {
		return
	}
	p.chains[chain] = slices.DeleteFunc(p.chains[chain], func(i int32) bool {
		p.list[i].gone = x.size <= p.list[i].size && p.below(p.buf, p.relation(i))
		return p.list[i].gone
	})
}

// below reports whether a relation is a subset of another one.
func (p *periods) below(x, y []int32) bool {
	for k, i := range x {
		if j := y[k]; i != j && p.rows.size[i] > p.rows.size[j] {
			return false
		}
	}
	for k, i := range x {
		if !p.rows.subset(i, y[k]) {
			return false
		}
	}
	return true
}

// refuted tries a period with all stems. If the right side rejects one of their words, that word is
// the result.
func (p *periods) refuted(i int32, stems []int32) {
	relation := p.relation(i)
	for _, stem := range stems {
		if p.lasso.accepted(p, p.rows.reached(p.least.list[stem].row), relation) {
			continue
		}
		if p.budget.Err() == nil {
			prefix := p.letters(stem, func(k int32) step { return p.least.list[k].step })
			cycle := p.letters(i, func(k int32) step { return p.list[k].step })
			p.result.Word = omega.NewWord(p.right.Alphabet(), prefix, cycle)
		}
		return
	}
}

// letters returns the letters of a word.
func (p *periods) letters(i int32, at func(i int32) step) []omega.Label {
	var list []omega.Label
	for i >= 0 && at(i).class >= 0 {
		s := at(i)
		list = append(list, p.right.Alphabet().And(p.right.classes[s.class], p.left.edges[s.edge].label))
		i = s.before
	}
	slices.Reverse(list)
	return list
}

func (p *periods) memory() int64 {
	n := int64(unsafe.Sizeof(period{}))*int64(cap(p.list)) + 4*int64(cap(p.tables)) + 24*int64(len(p.chains))
	n += 24*int64(len(p.contexts)) + 8*int64(p.sets)*int64(p.rows.words)
	return n + 8*int64(len(p.list)) + 4*int64(cap(p.place))
}
