package ltl

import (
	"cmp"
	"slices"
)

// Truths has the truth of each subformula of a formula at each position of a lasso word.
// Position Prefix+Cycle is position Prefix again.
type Truths struct {
	Prefix, Cycle int
	Subformulas   []*Formula // distinct ones, operands before what they are operands of
	values        []bool     // of subformula i at position p: i*(Prefix+Cycle)+p
}

// Holds reports whether subformula i is true at position pos.
func (t *Truths) Holds(i, pos int) bool { return t.values[i*(t.Prefix+t.Cycle)+pos] }

// Truths evaluates the formula as Holds does. It returns the truth of all subformulas at all
// positions, operands first. If past operators distinguish the first rounds of the cycle,
// these rounds become positions of the prefix.
func (f *Formula) Truths(prefix, cycle int, value func(prop string, pos int) bool) *Truths {
	t := f.evaluate(prefix, cycle, value)
	// Rounds that are like the next one are left out.
	rounds := 0
	for t.Prefix-rounds*cycle > prefix && t.alike(t.Prefix-(rounds+1)*cycle) {
		rounds++
	}
	order := make([]int, len(t.Subformulas))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.Subformulas[i].size, t.Subformulas[j].size) })
	u := &Truths{Prefix: t.Prefix - rounds*cycle, Cycle: cycle}
	for _, i := range order {
		u.Subformulas = append(u.Subformulas, t.Subformulas[i])
		for p := range u.Prefix + cycle {
			u.values = append(u.values, t.Holds(i, p))
		}
	}
	return u
}

// alike reports whether the round of the cycle that starts at a position is like that
// behind it.
func (t *Truths) alike(pos int) bool {
	for i := range t.Subformulas {
		for p := pos; p < pos+t.Cycle; p++ {
			if t.Holds(i, p) != t.Holds(i, p+t.Cycle) {
				return false
			}
		}
	}
	return true
}
