package report

import (
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

// A Compacted has the sums over the cases that a compacted run no longer has.
type Compacted struct {
	Sums *sums.Sums `json:"sums"` // the sums
	// distance between the numbers of formulas of a shard; 1 if there are no shards
	Stride int `json:"stride"`
}

// AddCompacted adds the plain cases of a compacted run. If the summary is empty, and the other
// cases of the run follow, [Power] has a curve. c is nil for a run that has all cases.
func (t *Summary) AddCompacted(c *Compacted) {
	if c == nil || c.Sums == nil {
		return
	}
	s := c.Sums
	if t.compacted == nil {
		t.compacted = &Compacted{Sums: &sums.Sums{}, Stride: c.Stride}
	}
	t.compacted.Sums.Merge(s)
	t.Automata = t.Automata || s.Automata
	t.NoChecks = t.NoChecks || s.NoChecks
	t.cases += s.Cases
	t.evidence.cases += int32(s.Cases)
	n := &t.Counts
	n.Formulas += s.Cases
	n.Passed += s.Passed
	n.Proved += s.Proved
	n.Unproved += s.Unproved
	if !t.NoChecks {
		n.Unchecked += s.Unchecked
	}
	for _, x := range s.Tools {
		n.Skipped += x.Skipped
		t.of(x.Name).add(x)
	}
	t.tried.addCompacted(c)
	n.Signatures = len(t.tried.seen)
}

// add adds plain cases.
func (x *ToolStats) add(s *sums.Tool) {
	x.Formulas += s.OK + s.Skipped
	for status, n := range map[outcome.Status]int{outcome.OK: s.OK, outcome.Skipped: s.Skipped} {
		if n > 0 {
			x.Statuses[status] += n
		}
	}
	if x.Skip == "" {
		x.Skip = s.Skip
	}
	x.States += s.States
	x.Edges += s.Edges
	x.Transitions += s.Transitions
	x.Sets += s.Sets
	x.Excess += s.Excess
	x.ExcessOf += s.ExcessOf
	x.Seconds += s.Time.Seconds()
	x.CPU += s.CPU.Seconds()
	x.MaxRSS = max(x.MaxRSS, s.MaxRSS)
}
