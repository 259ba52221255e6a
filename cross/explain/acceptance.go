package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/runs"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Bounds of explanations: what is larger is not for reading.
const (
	maxPlaces = 1 << 22 // states times letters
	maxSteps  = 200
	maxStays  = 3
	maxStates = 20 // listed states
)

// Acceptance says why an automaton accepts or rejects a word. Letters may leave propositions
// open. The result is verified (runs.VerifyExplanation). An error is an internal error,
// unless ctx is done.
func Acceptance(ctx context.Context, a *omega.Automaton, w *omega.Word) (*outcome.Explanation, error) {
	accepts, err := a.Accepts(ctx, w)
	if err != nil {
		return nil, err
	}
	if a.NumStates() > maxPlaces/w.Size() {
		return &outcome.Explanation{Accepts: accepts, Why: fmt.Sprintf("run not shown: %d states and %d letters are too many", a.NumStates(), w.Size())}, nil
	}
	n := &explainer{a: a, word: w}
	if a.Alternating() {
		return n.alternating(ctx, accepts)
	}
	found, err := runs.Explain(ctx, a, w)
	if err != nil {
		return nil, err
	}
	if err := runs.VerifyExplanation(ctx, a, w, found); err != nil {
		return nil, fmt.Errorf("wrong explanation of acceptance: %w", err)
	}
	return n.tell(found), nil
}

// An explainer puts what was found of an automaton on a word into words.
type explainer struct {
	a    *omega.Automaton
	word *omega.Word
}

func (n *explainer) tell(found *runs.Explanation) *outcome.Explanation {
	e := &outcome.Explanation{Accepts: found.Accepted}
	switch {
	case found.Run == nil:
		e.Why = "it has no initial state, so it rejects every word"
		return e
	case found.Run.Size() > maxSteps:
		e.Why = fmt.Sprintf("%s, but its run of %d letters is too long to show", map[bool]string{true: "it accepts", false: "it rejects"}[e.Accepts], found.Run.Size())
		return e
	}
	e.Run = n.run(found.Run)
	switch {
	case e.Accepts:
		e.Why = fmt.Sprintf("accepting run sees %s infinitely often, which satisfies %s", outcome.MarksText(seen(e.Run)), n.a.Acceptance().Condition)
		if n.a.Acceptance().Condition.Op == omega.CondTrue {
			e.Why = "accepting run: every infinite run is accepting"
		}
	case len(found.Stays) == 0:
		n.stuck(e, found)
	default:
		n.stays(e, found)
	}
	return e
}

// alternating tells from where the rest of the word is accepted.
func (n *explainer) alternating(ctx context.Context, accepts bool) (*outcome.Explanation, error) {
	e := &outcome.Explanation{Accepts: accepts, Why: "alternating automaton: for each letter, the states that accept the rest of the word"}
	from, err := n.a.AcceptedFrom(ctx, n.word)
	if err != nil {
		return nil, err
	}
	size := n.word.Size()
	for pos := range min(size, maxSteps) {
		row := outcome.From{Letter: n.letter(pos), States: []int{}, Again: pos >= len(n.word.Prefix)}
		for s := range n.a.NumStates() {
			switch {
			case !from[s*size+pos]:
			case len(row.States) == maxStates:
				row.StatesLeftOut++
			default:
				row.States = append(row.States, s)
			}
		}
		e.From = append(e.From, row)
	}
	return e, nil
}

func (n *explainer) run(r *runs.Run) *outcome.Path {
	run := &outcome.Path{Prefix: []outcome.Step{}, Cycle: []outcome.Step{}}
	for _, s := range r.Prefix {
		run.Prefix = append(run.Prefix, n.step(s))
	}
	for _, s := range r.Cycle {
		run.Cycle = append(run.Cycle, n.step(s))
	}
	if len(r.Cycle) == 0 {
		end := int(r.End)
		run.End = &end
	}
	return run
}

func (n *explainer) step(s runs.Step) outcome.Step {
	e := n.a.Edges(s.State)[s.Edge]
	return outcome.Step{
		Letter: n.letter(s.Letter),
		State:  int(s.State),
		Name:   n.name(s.State),
		Label:  n.a.Alphabet().Text(e.Label),
		Marks:  n.a.Marks().AppendTo([]int{}, e.Marks),
		To:     int(e.Dst),
	}
}

func (n *explainer) letter(pos int) string { return n.word.Alphabet.Text(n.word.At(pos)) }

func (n *explainer) name(s omega.State) string {
	if n.a.StateNames == nil {
		return ""
	}
	return strings.ToValidUTF8(n.a.StateNames[s], "\uFFFD")
}

// seen returns the marks in the cycle.
func seen(r *outcome.Path) []int {
	var list []int
	for _, s := range r.Cycle {
		list = append(list, s.Marks...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// stuck tells of runs that all end.
func (n *explainer) stuck(e *outcome.Explanation, found *runs.Explanation) {
	var names []string
	for _, s := range found.Stuck[:min(len(found.Stuck), maxStates)] {
		end := outcome.Stuck{State: int(s), Name: n.name(s), Labels: []string{}}
		for _, edge := range n.a.Edges(s) {
			if label := n.a.Alphabet().Text(edge.Label); len(end.Labels) < maxStates && !slices.Contains(end.Labels, label) {
				end.Labels = append(end.Labels, label)
			}
		}
		e.Stuck = append(e.Stuck, end)
		names = append(names, fmt.Sprint(s))
	}
	length := len(found.Run.Prefix)
	at := length
	for at >= n.word.Size() {
		at -= len(n.word.Cycle)
	}
	letter := n.letter(at)
	if length == 0 {
		e.Why = "stuck at the first letter: "
	} else {
		e.Why = fmt.Sprintf("stuck at letter %d: ", length+1)
	}
	switch labels := e.Stuck[0].Labels; {
	case len(found.Stuck) > maxStates:
		e.Why += fmt.Sprintf("its runs are in %d states, and none of them has an edge for %s", len(found.Stuck), letter)
	case len(names) > 1:
		e.Why += fmt.Sprintf("none of the states %s has an edge for %s", strings.Join(names, ", "), letter)
	case len(labels) == 0:
		e.Why += fmt.Sprintf("state %s has no edges", names[0])
	default:
		more := ""
		if len(labels) > 5 {
			labels, more = labels[:5], ", …"
		}
		e.Why += fmt.Sprintf("state %s has no edge for %s, only for %s%s", names[0], letter, strings.Join(labels, ", "), more)
	}
}

// stays tells of infinite runs.
func (n *explainer) stays(e *outcome.Explanation, found *runs.Explanation) {
	for _, s := range found.Stays[:min(len(found.Stays), maxStays)] {
		stay := outcome.Stay{States: []int{}, Marks: n.a.Marks().AppendTo([]int{}, s.Marks)}
		for _, state := range s.States[:min(len(s.States), maxStates)] {
			stay.States = append(stay.States, int(state))
		}
		stay.StatesLeftOut = len(s.States) - len(stay.States)
		if s.Rest.Op != omega.CondFalse {
			stay.Rest = s.Rest.String()
		}
		for _, leaf := range s.Failed {
			if text := leaf.String(); !slices.Contains(stay.Fails, text) {
				stay.Fails = append(stay.Fails, text)
			}
		}
		e.Stays = append(e.Stays, stay)
	}
	e.Why = "rejecting run " + e.Stays[0].Why()
	if n.a.Acceptance().Condition.Op == omega.CondFalse {
		e.Why = "no run is accepting: the acceptance condition is " + n.a.Acceptance().String()
	}
	e.StaysLeftOut = len(found.Stays) - len(e.Stays)
}
