package outcome

import (
	"fmt"
	"hash/fnv"
	"math/bits"
)

// A Signature stands for what one translator made of one formula: how it failed, or what its
// automaton looks like, and what the call covered if that is known. Times are no part of it, since
// they differ between runs.
type Signature uint64

// Signatures returns the signatures of a case, one for each translator and polarity that was asked.
// A signature may occur twice.
func (c *Case) Signatures() (list []Signature) {
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() || r.Status == Skipped {
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, r.Translator, r.Status, r.Failure, rough(r.States), rough(r.Components), rough(r.Largest), r.Sets, r.Acceptance,
			r.Deterministic, r.Complete, r.StateMarks)
		if r.Coverage != "" {
			fmt.Fprint(h, " ", r.Coverage)
		}
		list = append(list, Signature(h.Sum64()))
	}
	return list
}

// rough is n up to 16. Larger numbers count as the same if their first four bits and their lengths
// are: 17 as 16, 18 and 19 as 18, 96 to 103 as 96.
func rough(n int) int {
	shift := max(0, bits.Len(uint(n))-4)
	return n >> shift << shift
}
