package guide

import (
	"fmt"
	"hash/fnv"
	"math/bits"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Signature stands for what one translator made of one formula: how it failed, or what its
// automaton looks like. Times are no part of it, since they differ between runs.
type Signature uint64

// Signatures returns those of a case, one for each translator and polarity that was asked. The
// same may occur twice.
func Signatures(c *outcome.Case) (list []Signature) {
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() || r.Status == outcome.Skipped {
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, r.Translator, r.Status, r.Failure, size(r.States), size(r.Components), size(r.Largest), r.Sets, r.Acceptance,
			r.Deterministic, r.Complete, r.StateMarks)
		list = append(list, Signature(h.Sum64()))
	}
	return list
}

// size is n up to 16. Larger numbers count as the same if their first four bits are.
func size(n int) int {
	shift := max(0, bits.Len(uint(n))-4)
	return n >> shift << shift
}

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
