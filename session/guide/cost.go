package guide

import "github.com/xcheck-ltl/xcheck/outcome"

// cost is what a case costs: the sizes of its formula, its automata, and the complements and
// products of its checks. A failure to answer, or to decide, costs more than most of these. Times
// are no part of it, since they differ between runs.
func cost(c *outcome.Case, size int) float64 {
	const base, failure = 100, 20000
	sum := base + size
	for i := range c.Results {
		r := &c.Results[i]
		sum += r.States + r.Edges
		if r.Status == outcome.Timeout {
			sum += failure
		}
	}
	for i := range c.Checks {
		sum += c.Checks[i].Macrostates + c.Checks[i].ProductStates
	}
	return float64(sum + failure*len(c.Undecided))
}
