package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Survey says for every state of an automaton whether it accepts some word from there.
type Survey struct {
	// NonEmpty has an element for each visited state, and perhaps for others.
	NonEmpty []bool
	// Reached[i] counts what is reachable from the initial states up to i.
	Reached []Reached

	components int // complete ones
}

// Reached counts a part of an automaton. Edges are those that the Source gives.
type Reached struct{ States, Edges, Components int }

// TakeSurvey decides for all reachable states whether the language from there is empty, for
// any acceptance condition.
//
// It is the search of Check, continued after the first accepting component (Gabow 2000). A
// state accepts a word if its component has an accepting part, or an edge to a state that
// accepts a word. Cost and errors are those of Check on an empty automaton.
//
// With 0→1, 0→2, 1→1, 2→2 {0} and Inf(0), 2 and 0 accept some word, and 1 does not.
func TakeSurvey(ctx context.Context, src omega.Source, limits Limits) (_ *Survey, err error) {
	if err := omega.Supported(src); err != nil {
		return nil, err
	}
	s := &search{explorer: newExplorer(ctx, src, limits), late: true, survey: &Survey{}}
	s.pruner = nil // the states that it would skip are part of the survey
	defer s.start().Release(&err)
	s.hasFin = s.cond.HasFin()
	for _, init := range src.Initial() {
		if _, err := s.from(init); err != nil {
			return nil, err
		}
		s.survey.Reached = append(s.survey.Reached, Reached{s.result.States, s.result.Edges, s.survey.components})
	}
	return s.survey, nil
}

// note takes down whether some word is accepted from the states of the topmost component,
// which is complete.
func (s *search) note(states []omega.State) error {
	last := len(s.roots) - 1
	r := s.roots[last]
	some := r.hopeful || r.closed && s.cond.Eval(s.marks, r.marks)
	if !some && r.closed && s.hasFin {
		found, err := s.inner(states, r.marks)
		if err != nil {
			return err
		}
		some = found != nil
	}
	for _, state := range states {
		s.survey.NonEmpty = grown(s.survey.NonEmpty, state)
		s.survey.NonEmpty[state] = some
	}
	s.survey.components++
	if some && last > 0 {
		s.roots[last-1].hopeful = true
	}
	return nil
}
