package guide

import "github.com/xcheck-ltl/xcheck/outcome"

// costly is what a case costs at most. Nothing is learned from such a case but that: formulas made of
// it would cost even more.
const costly = 3000

// cost is what a case costs, by what is known of it whatever the machine: the sizes of its formula and
// of the automata of a translator, on average. Checks cost about twenty times as much as the automata
// have states and edges. What they took, and whether they were decided, is not looked at: it depends
// on how much time and memory other cases have left them. A call that reached its limit of time is
// costly, and so is an automaton that was not read, since it was too large then.
func cost(c *outcome.Case, size int) float64 { return costOf(size, work(c)) }

// costOf returns the cost of a case from the size of its formula, and its work.
func costOf(size, work int) float64 {
	const base = 100
	return float64(min(base+size+work, costly))
}

// work is what a case costs without its formula.
func work(c *outcome.Case) int {
	const checks = 20
	sizes := 0
	for i := range c.Results {
		r := &c.Results[i]
		if r.Status.TimedOut() || r.Status == outcome.Unsupported && r.States == 0 {
			return costly
		}
		sizes += r.States + r.Edges
	}
	translators := max(1, (len(c.Results)+1)/2)
	return min(checks*sizes/translators, costly)
}
