package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An Explanation says why an automaton accepts a word or rejects it.
type Explanation struct {
	// Automata are the automata of the case that the explanation applies to. They are
	// identical except for names.
	Automata []Subject `json:"automata,omitempty"`
	Accepts  bool      `json:"accepts"`
	// Why is a sentence for people.
	Why string `json:"why"`
	// Run is an accepting run, a run that ends because no edge matches, or an infinite
	// rejecting run. It is nil if there is no initial state, and if no run can be shown.
	Run *Path `json:"run,omitempty"`
	// Stuck are the states in which the longest runs end, if all runs end.
	Stuck []Stuck `json:"stuck,omitempty"`
	// Stays are the places where infinite runs stay, if all are rejecting.
	Stays        []Stay     `json:"stays,omitempty"`
	StaysLeftOut int        `json:"stays_left_out,omitempty"`
	Departure    *Departure `json:"departure,omitempty"`
	// From has, for each letter of the word, the states of an alternating automaton from which
	// the rest is accepted. The runs of such an automaton are no paths, so none is shown.
	From []From `json:"accepted_from,omitempty"`
	// HOA is the text of the automaton, with the state numbers of the run. It is missing if
	// the automaton is too large.
	HOA string `json:"hoa,omitempty"`
}

// From has the states of an automaton from which the rest of a word is accepted.
type From struct {
	Letter        string `json:"letter"`
	States        []int  `json:"states"` // some of them, if they are many
	StatesLeftOut int    `json:"states_left_out,omitempty"`
	Again         bool   `json:"again"` // the letter is in the cycle of the word
}

// A Path is a run on a word, as a lasso. It may unroll the cycle of the word. A run that ends
// has no Cycle, and ends in state End.
type Path struct {
	Prefix []Step `json:"prefix"`
	Cycle  []Step `json:"cycle"`
	End    *int   `json:"end,omitempty"`
	// Obligation is what must hold from the letter at which the run ends.
	Obligation string `json:"obligation,omitempty"`
}

// At returns step i. The steps of the cycle come after the prefix.
func (r *Path) At(i int) *Step {
	if i < len(r.Prefix) {
		return &r.Prefix[i]
	}
	return &r.Cycle[i-len(r.Prefix)]
}

// A Step is an edge of a run.
type Step struct {
	Letter string `json:"letter"`
	State  int    `json:"state"`
	Name   string `json:"name,omitempty"` // of the state, if it has one
	Label  string `json:"label"`
	Marks  []int  `json:"marks"`
	To     int    `json:"to"`
	// Obligation is what must hold of the word from this letter on, if the formula holds on
	// the whole word; "" if unknown.
	Obligation string `json:"obligation,omitempty"`
	// NameHolds says whether the state's name holds from this letter on, if the states of the
	// automaton are named by formulas.
	NameHolds *bool `json:"name_holds,omitempty"`

	letter int // position
}

// Stuck is a state in which a run ends, with the labels of its edges.
type Stuck struct {
	State  int      `json:"state"`
	Name   string   `json:"name,omitempty"`
	Labels []string `json:"labels"`
}

// A Stay is a set of states that a run can stay in.
type Stay struct {
	States        []int `json:"states"` // some of them, if they are many
	StatesLeftOut int   `json:"states_left_out,omitempty"`
	Marks         []int `json:"marks"` // seen there
	// Fails says why no run that stays is accepting: parts of the acceptance condition that
	// all of them violate. If runs violate different parts, Rest is the part of the condition
	// that none satisfies.
	Fails []string `json:"fails,omitempty"`
	Rest  string   `json:"rest,omitempty"`
}

// Bounds of explanations: what is larger is not for reading.
const (
	mostExplained = 10      // automata, of one disagreement
	mostPlaces    = 1 << 22 // states times letters
	mostSteps     = 200
	mostStays     = 3
	mostStates    = 20 // of those listed
	mostDrawn     = 200
	mostText      = 64 << 10 // bytes
)

// Explain says why an automaton accepts or rejects a word. Letters may leave propositions
// open. The result is verified (omega.VerifyExplanation). An error is an internal error,
// unless ctx is done.
func Explain(ctx context.Context, a *omega.Automaton, w *omega.Word) (*Explanation, error) {
	accepts, err := a.Accepts(ctx, w)
	if err != nil {
		return nil, err
	}
	if a.NumStates() > mostPlaces/w.Size() {
		return &Explanation{Accepts: accepts, Why: fmt.Sprintf("run not shown: %d states and %d letters are too many", a.NumStates(), w.Size())}, nil
	}
	n := &narrator{a: a, word: w}
	if a.Alternating() {
		return n.alternating(ctx, accepts)
	}
	found, err := a.Explain(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := a.VerifyExplanation(ctx, w, found); err != nil {
		return nil, fmt.Errorf("wrong explanation of acceptance: %w", err)
	}
	return n.tell(found), nil
}

// explain adds to each disagreement the explanations of the automata that it blames, and
// the truth of the formula's parts.
func (x *exam) explain(ctx context.Context, c *Case, j *judge) error {
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		if x.given == nil {
			table, err := Tabulate(x.formula, d.word)
			if err != nil {
				j.fail(d.word, err.Error())
				continue
			}
			d.Table = table
		}
		for _, m := range j.members {
			e, err := x.explainMember(ctx, d, m, j.meaning)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				j.fail(d.word, fmt.Sprintf("%s: %v", m.name(), err))
			case e != nil:
				d.Explanations = append(d.Explanations, *e)
			}
			if len(d.Explanations) == mostExplained {
				break
			}
		}
	}
	return nil
}

// explainMember returns the explanation of an automaton, or nil if it is not blamed.
func (x *exam) explainMember(ctx context.Context, d *Disagreement, m *member, meaning meaning) (*Explanation, error) {
	var blamed []Subject
	for _, s := range m.subjects {
		if slices.Contains(d.Blamed, s) {
			blamed = append(blamed, s)
		}
	}
	if len(blamed) == 0 {
		return nil, nil
	}
	a := m.language.Automaton()
	e, err := Explain(ctx, a, d.word)
	if err != nil {
		return nil, err
	}
	e.Automata = blamed
	if e.HOA, err = text(ctx, a); err != nil {
		return nil, err
	}
	if e.Run == nil {
		return e, nil
	}
	if x.given == nil {
		f := x.formula
		if m.negated {
			f = x.store.Not(f)
		}
		e.Run.oblige(x.store, f, d.word)
		e.Run.names(a, x.formula, d.word)
	}
	var right *omega.Automaton // the words on which it is right to do what it does with this one
	if in, _, err := meaning.languages(ctx, !d.Truth); err == nil && len(in) > 0 {
		right = in[0].Automaton()
	}
	return e, e.depart(ctx, a, right, d.word)
}

// text returns an automaton in HOA format, or "" if it has more than mostDrawn states or
// the text more than mostText bytes.
func text(ctx context.Context, a *omega.Automaton) (string, error) {
	if a.NumStates() > mostDrawn {
		return "", nil
	}
	b := &bounded{most: mostText}
	if err := hoa.Write(ctx, b, a); err != nil && !b.over {
		return "", err
	}
	if b.over {
		return "", nil
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// bounded keeps what is written, until that is too much.
type bounded struct {
	strings.Builder
	most int
	over bool
}

var errTooLong = errors.New("the text is too long")

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		b.over = true
		return 0, errTooLong
	}
	return b.Builder.Write(p)
}

// A narrator puts what was found of an automaton on a word into words.
type narrator struct {
	a    *omega.Automaton
	word *omega.Word
}

func (n *narrator) tell(found *omega.Explanation) *Explanation {
	e := &Explanation{Accepts: found.Accepted}
	switch {
	case found.Run == nil:
		e.Why = "it has no initial state, so it rejects every word"
		return e
	case found.Run.Len() > mostSteps:
		e.Why = fmt.Sprintf("%s, but its run of %d letters is too long to show", map[bool]string{true: "it accepts", false: "it rejects"}[e.Accepts], found.Run.Len())
		return e
	}
	e.Run = n.run(found.Run)
	switch {
	case e.Accepts:
		e.Why = fmt.Sprintf("accepting run sees %s infinitely often, which satisfies %s", marksText(e.Run.seen()), n.a.Acceptance().Condition)
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
func (n *narrator) alternating(ctx context.Context, accepts bool) (*Explanation, error) {
	e := &Explanation{Accepts: accepts, Why: "alternating automaton: for each letter, the states that accept the rest of the word"}
	from, err := n.a.AcceptedFrom(ctx, n.word)
	if err != nil {
		return nil, err
	}
	size := n.word.Size()
	for pos := range min(size, mostSteps) {
		row := From{Letter: n.letter(pos), States: []int{}, Again: pos >= len(n.word.Prefix)}
		for s := range n.a.NumStates() {
			switch {
			case !from[s*size+pos]:
			case len(row.States) == mostStates:
				row.StatesLeftOut++
			default:
				row.States = append(row.States, s)
			}
		}
		e.From = append(e.From, row)
	}
	return e, nil
}

func (n *narrator) run(r *omega.Run) *Path {
	run := &Path{Prefix: []Step{}, Cycle: []Step{}}
	for i := range r.Len() {
		if i < len(r.Prefix) {
			run.Prefix = append(run.Prefix, n.step(r.At(i)))
		} else {
			run.Cycle = append(run.Cycle, n.step(r.At(i)))
		}
	}
	if len(r.Cycle) == 0 {
		end := int(r.End)
		run.End = &end
	}
	return run
}

func (n *narrator) step(s omega.Step) Step {
	e := n.a.Edges(s.State)[s.Edge]
	return Step{
		Letter: n.letter(s.Letter),
		State:  int(s.State),
		Name:   n.name(s.State),
		Label:  n.a.Alphabet().Text(e.Label),
		Marks:  n.a.Marks().AppendTo([]int{}, e.Marks),
		To:     int(e.Dst),
		letter: s.Letter,
	}
}

func (n *narrator) letter(pos int) string { return n.word.Alphabet.Text(n.word.At(pos)) }

func (n *narrator) name(s omega.State) string {
	if n.a.StateNames == nil {
		return ""
	}
	return strings.ToValidUTF8(n.a.StateNames[s], "\uFFFD")
}

// seen returns the marks in the cycle.
func (r *Path) seen() []int {
	var list []int
	for _, s := range r.Cycle {
		list = append(list, s.Marks...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func marksText(list []int) string {
	if len(list) == 0 {
		return "no marks"
	}
	return "{" + strings.Trim(fmt.Sprint(list), "[]") + "}"
}

// stuck tells of runs that all end.
func (n *narrator) stuck(e *Explanation, found *omega.Explanation) {
	var names []string
	for _, s := range found.Stuck[:min(len(found.Stuck), mostStates)] {
		end := Stuck{State: int(s), Name: n.name(s), Labels: []string{}}
		for _, edge := range n.a.Edges(s) {
			if label := n.a.Alphabet().Text(edge.Label); len(end.Labels) < mostStates && !slices.Contains(end.Labels, label) {
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
	case len(found.Stuck) > mostStates:
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
func (n *narrator) stays(e *Explanation, found *omega.Explanation) {
	for _, s := range found.Stays[:min(len(found.Stays), mostStays)] {
		stay := Stay{States: []int{}, Marks: n.a.Marks().AppendTo([]int{}, s.Marks)}
		for _, state := range s.States[:min(len(s.States), mostStates)] {
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

// Why says why a run that stays is rejecting, without its subject: "sees {0} infinitely often, …".
func (s *Stay) Why() string {
	if s.Rest != "" {
		return fmt.Sprintf("sees marks of %s infinitely often, but never so that %s holds", marksText(s.Marks), s.Rest)
	}
	return fmt.Sprintf("sees %s infinitely often, which violates %s", marksText(s.Marks), strings.Join(s.Fails, " and "))
}
