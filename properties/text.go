package properties

import "github.com/xcheck-ltl/xcheck/omega"

// Properties of the text: what it must not have.

func (q *question) stateLabels() error {
	return only(q.a.Written.EdgeLabels, "edges of state %d have labels", q.a.Written.ImplicitLabels, "edges of state %d have none but implicit labels")
}

func (q *question) transLabels() error {
	return only(q.a.Written.StateLabels, "state %d has a label", 0, "")
}

func (q *question) implicitLabels() error {
	return only(q.a.Written.EdgeLabels, "edges of state %d have labels", q.a.Written.StateLabels, "state %d has a label")
}

// explicitLabels does not mind labels on states: they are explicit.
func (q *question) explicitLabels() error {
	return only(q.a.Written.ImplicitLabels, "edges of state %d have none", 0, "")
}

func (q *question) transMarks() error {
	return only(q.a.Written.StateMarks, "state %d has marks", 0, "")
}

// only says that something is written though it should not be, and for which state.
func only(x omega.State, wrongX string, y omega.State, wrongY string) error {
	switch {
	case x > 0:
		return because(wrongX, x-1)
	case y > 0:
		return because(wrongY, y-1)
	}
	return nil
}

// stateMarks also looks at the marks, for automata that were not read from a text.
func (q *question) stateMarks() error {
	if s := q.a.Written.EdgeMarks; s > 0 {
		return because("edges of state %d have marks", s-1)
	}
	for s := range omega.State(q.a.NumStates()) {
		edges := q.a.Edges(s)
		for _, e := range edges {
			if e.Marks != edges[0].Marks {
				return because("edges of state %d carry the marks %s and %s", s, q.marks(edges[0]), q.marks(e))
			}
		}
	}
	return nil
}
