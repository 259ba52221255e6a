package guide

import "github.com/xcheck-ltl/xcheck/outcome"

// cost is what a case costs, in nodes, states and edges. A failure to answer costs most.
func cost(c *outcome.Case, size int) float64 {
	sum := 20 + size
	for i := range c.Results {
		r := &c.Results[i]
		sum += r.States + r.Edges
		if r.Status == outcome.Timeout {
			sum += 10000
		}
	}
	return float64(sum + 10000*len(c.Undecided))
}
