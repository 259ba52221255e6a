package omega

import (
	"math"
	"math/bits"
)

// A Letter gives each proposition of an alphabet a truth value, by position.
type Letter []bool

func (v Letter) tableIndex() (n uint) {
	for i, t := range v {
		if t {
			n |= 1 << i
		}
	}
	return n
}

// Letter returns the letter of l with the fewest propositions true. Among several, it returns the
// one that sets the last propositions: !a&b for a | b. If l is false, ok is false. It takes time
// linear in the size of the diagram.
func (a *Alphabet) Letter(l Label) (v Letter, ok bool) {
	if l == False {
		return nil, false
	}
	v = make(Letter, len(a.props))
	cost := make(map[Label]int)
	for l != a.True() {
		i, lo, hi := a.Split(l)
		if a.fewest(hi, cost)+1 < a.fewest(lo, cost) {
			v[i], l = true, hi
		} else {
			l = lo
		}
	}
	return v, true
}

// fewest returns the least number of true propositions in a letter of l.
func (a *Alphabet) fewest(l Label, memo map[Label]int) int {
	const none = 1 << 30
	switch l {
	case False:
		return none
	case a.True():
		return 0
	}
	if n, ok := memo[l]; ok {
		return n
	}
	_, lo, hi := a.Split(l)
	n := min(a.fewest(lo, memo), a.fewest(hi, memo)+1)
	memo[l] = n
	return n
}

// LetterLabel returns the label with the single letter v. Propositions that v lacks are false.
func (a *Alphabet) LetterLabel(v Letter) Label {
	l := a.True()
	for i := len(a.props) - 1; i >= 0; i-- {
		p := a.Prop(i)
		if i >= len(v) || !v[i] {
			p = a.Not(p)
		}
		l = a.And(p, l)
	}
	return l
}

// Letters returns the number of letters over n propositions. With more than 900 it counts as if there
// were 900, as all counts of letters do: sums of more could leave the range of numbers.
func Letters(n int) float64 { return math.Ldexp(1, min(n, 900)) }

// count returns the number of letters in l; see Letters.
func (a *Alphabet) count(l Label, memo map[Label]float64) float64 {
	if a.dd == nil {
		return float64(bits.OnesCount64(uint64(l)) >> (tableProps - a.Len()))
	}
	return a.share(l, memo) * Letters(a.Len())
}

// share returns the fraction of all letters that are in l.
func (a *Alphabet) share(l Label, memo map[Label]float64) float64 {
	switch l {
	case False:
		return 0
	case a.True():
		return 1
	}
	f, ok := memo[l]
	if !ok {
		_, lo, hi := a.Split(l)
		f = (a.share(lo, memo) + a.share(hi, memo)) / 2
		memo[l] = f
	}
	return f
}
