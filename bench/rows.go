package bench

import "fmt"

// String returns the line of a table.
func (r Row) String() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %.1f |",
		r.Family, r.Algorithm, r.Automata, r.Fits, r.Done, r.States, r.Reduced, r.Largest, r.Seconds)
}

// String returns the three lines of a table.
func (r InclusionRow) String() string {
	row := func(name string, c InclusionCost) string {
		return fmt.Sprintf("| %s | %.2f | %d | %d |", name, c.Seconds, c.Macrostates, c.ProductStates)
	}
	head := fmt.Sprintf("| %s | %d | %d | %d ", r.Family, r.Checks, r.Empty, r.Failed)
	ratio := fmt.Sprintf("| ratio | %.1f | %.1f | %.1f |", r.Whole.Seconds/r.Demand.Seconds,
		float64(r.Whole.Macrostates)/float64(r.Demand.Macrostates), float64(r.Whole.ProductStates)/float64(r.Demand.ProductStates))
	return head + row("on demand", r.Demand) + "\n| | | | " + row("whole", r.Whole) + "\n| | | | " + ratio
}

// String returns the line of a table.
func (r TightRow) String() string {
	text := fmt.Sprintf("| %s | %s | %d | %d | %.2f | %.2f | %.2f | %d | %d | %.2f | %.4f |",
		r.Specification, r.Algorithm, r.Violations, r.Done, r.Shortest, r.Length, r.Excess, r.Longer, r.Most, r.Bound, r.Seconds)
	if r.Done == 0 {
		text = fmt.Sprintf("| %s | %s | %d | 0 | | | | | | | |", r.Specification, r.Algorithm, r.Violations)
	}
	return text
}

// String returns the line of a table.
func (r EmptinessRow) String() string {
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.2f |",
		r.Family, r.Graph, r.Algorithm, r.Sources, r.Done, r.Empty, r.States, r.Edges, r.Depth, r.Live, r.Roots, r.Run, r.Seconds)
}

// String returns the line of a table.
func (r TranslationRow) String() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %.2f | %.3f |",
		r.Set, r.Algorithm, r.Formulas, r.Done, r.States, r.Edges, r.Marks, r.Deterministic, r.Seconds, r.Slowest)
}

// String returns the line of a table.
func (r ProductRow) String() string {
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %.2f | %.2f | %.1f | %d | %d | %d |", r.Family, r.Result, r.Way, r.Checks,
		r.Failed, r.Seconds, 1000*r.Median, 1000*r.Slowest, r.States, r.Edges, r.Allocated>>10)
}

// String returns the line of a table.
func (r MinimalRow) String() string {
	text := fmt.Sprintf("| %s | %s | %d | %d | %.1f | %.0f | %.0f | %.1f | %.0f | %.1f | %.4f |",
		r.Input, r.Search, r.Automata, r.Done, r.Length, r.States, r.Matched, r.Runs, r.Queued, r.Memory/1024, r.Seconds)
	if r.Done == 0 {
		text = fmt.Sprintf("| %s | %s | %d | 0 | | | | | | | |", r.Input, r.Search, r.Automata)
	}
	return text
}
