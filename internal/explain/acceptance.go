package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Bounds of explanations: what is larger is not for reading.
const (
	maxPlaces = 1 << 22 // states times letters
	maxSteps  = 200
	maxStays  = 3
	maxStates = 20 // listed states
)

// Acceptance says why an automaton accepts or rejects a word. Letters may leave propositions open. The result
// is verified (runs.VerifyExplanation). An error is an internal error, unless ctx is done.
func Acceptance(ctx context.Context, a *omega.Automaton, w *omega.Word) (*outcome.Explanation, error) {
	accepts, err := a.Accepts(ctx, w)
	if err != nil {
		return nil, err
	}
	if a.NumStates() > maxPlaces/w.Size() { // divided, so that nothing overflows
		return &outcome.Explanation{Accepts: accepts, Why: fmt.Sprintf("run not shown: %d states and %d letters are too many", a.NumStates(), w.Size())}, nil
	}
	n := &explainer{a: a, word: w}
	if a.Alternating() { // its runs are trees
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

// tell describes why the word is accepted or rejected.
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
		e.Why = fmt.Sprintf("accepting run sees %s infinitely often, which satisfies %s", plural.Marks(seen(e.Run)), n.a.Acceptance().Condition)
		if n.a.Acceptance().Condition.Op == omega.CondTrue { // nothing has to be seen
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
	for pos := range min(size, maxSteps) { // the cycle may be long
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
	for i, s := range slices.Concat(r.Prefix, r.Cycle) {
		part := &run.Prefix
		if i >= len(r.Prefix) {
			part = &run.Cycle
		}
		e := n.a.Edges(s.State)[s.Edge]
		*part = append(*part, outcome.Step{Letter: n.letter(s.Letter), State: int(s.State), Name: n.name(s.State),
			Label: n.a.Alphabet().Text(e.Label), Marks: n.a.Marks().AppendTo([]int{}, e.Marks), To: int(e.Dst)})
	}
	if len(r.Cycle) == 0 { // it ends
		end := int(r.End)
		run.End = &end
	}
	return run
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
	for at >= n.word.Size() { // positions in the cycle repeat
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
		if s.Rest.Op != omega.CondFalse { // else the leaves in Failed say all
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
	if n.a.Acceptance().Condition.Op == omega.CondFalse { // the marks do not matter
		e.Why = "no run is accepting: the acceptance condition is " + n.a.Acceptance().String()
	}
	e.StaysLeftOut = len(found.Stays) - len(e.Stays)
}

// Annotate adds to the steps of a run of automaton a on word w what must hold from there on, if the
// formula f of store s (or its negation) holds on w. It also adds whether the name of the state holds
// there, if the states are named by formulas over the propositions of f.
func Annotate(r *outcome.Path, a *omega.Automaton, s *ltl.Store, f *ltl.Formula, negated bool, w *omega.Word) {
	f = s.Import(f)
	if r == nil || f == nil || w.Check() != nil {
		return
	}
	g := f
	if negated {
		g = s.Not(f)
	}
	n := len(r.Prefix) + len(r.Cycle)
	at := func(i int) *outcome.Step {
		if i >= n {
			i = len(r.Prefix) + (i-len(r.Prefix))%len(r.Cycle)
		}
		return r.At(i)
	}
	value := valuation(w)
	due, from := obligations(s, g, len(r.Prefix), len(r.Cycle), func(prop string, i int) bool { return value(prop, fold(w, i)) })
	// The run is unrolled so that in its cycle the obligations are the same each time round, if they become so soon.
	if from > len(r.Prefix) {
		var steps []outcome.Step
		for i := range due {
			steps = append(steps, *at(i))
		}
		r.Prefix, r.Cycle = steps[:from:from], steps[from:]
		n = len(due)
	}
	for i, f := range due { // the run may end before the word
		switch {
		case i < n:
			r.At(i).Obligation = f.String()
		case i == n && r.End != nil:
			r.Obligation = f.String()
		}
	}
	nameStates(r, a.OrEmpty(), f, w)
}

// nameStates puts into each step of a run whether the name of its state is true of the rest of the word, if
// the automaton's states are named by formulas over the formula's propositions.
func nameStates(r *outcome.Path, a *omega.Automaton, f *ltl.Formula, w *omega.Word) {
	props := f.Props()
	foreign := func(prop string) bool { return !slices.Contains(props, prop) }
	store := ltl.NewStore()
	named := make([]*ltl.Formula, len(a.StateNames))
	temporal := false // or they may be numbers
	for i, name := range a.StateNames {
		g, err := store.Parse(name, ltl.Spot)
		if err != nil || g.Ops().HasPast() || slices.ContainsFunc(g.Props(), foreign) {
			return
		}
		temporal = temporal || g.Ops()&^ltl.Ops(ltl.OpFalse, ltl.OpTrue, ltl.OpProp) != 0
		named[i] = g
	}
	if !temporal {
		return
	}
	truths := make(map[int]*ltl.Truths)
	for i := range len(r.Prefix) + len(r.Cycle) {
		step := r.At(i)
		t, ok := truths[step.State]
		if !ok {
			var err error
			if t, err = named[step.State].Truths(len(w.Prefix), len(w.Cycle), valuation(w)); err != nil {
				continue
			}
			truths[step.State] = t
		}
		holds := t.Holds(len(t.Subformulas)-1, fold(w, i))
		step.NameHolds = &holds
	}
}

// Progression returns the obligations along a word, or nil if the formula has past operators. The
// letters must give each proposition of the formula a value.
func Progression(s *ltl.Store, f *ltl.Formula, w *omega.Word) *outcome.Progression {
	if f = s.Import(f); f == nil || w.Check() != nil {
		return nil
	}
	value := valuation(w)
	due, cycle := obligations(s, f, len(w.Prefix), len(w.Cycle), func(prop string, pos int) bool { return value(prop, fold(w, pos)) })
	if due == nil {
		return nil
	}
	o := &outcome.Progression{Letters: []string{}, Formulas: []string{}, Cycle: cycle}
	for i, f := range due {
		o.Letters = append(o.Letters, w.Alphabet.Text(w.At(fold(w, i))))
		o.Formulas = append(o.Formulas, f.String())
	}
	return o
}

// maxObligation is the size of the largest formula that is shown as an obligation.
const maxObligation = 60

// obligations returns what must hold from each position of a lasso on, if f holds on all of it. If
// cycle is 0, it is a finite word, and the position after its end is included. Value may be asked
// for any position. The list ends when the formulas repeat the formulas of the round before, and
// from is the first position that repeats. It also ends after three rounds, and before a formula
// that is too large; then from is -1. The list is nil if f has past operators.
func obligations(s *ltl.Store, f *ltl.Formula, prefix, cycle int, value func(prop string, pos int) bool) (due []*ltl.Formula, from int) {
	last := prefix + 3*cycle
	for i := 0; f.Size() <= maxObligation; i++ {
		if from := i - cycle; cycle > 0 && from >= prefix && due[from] == f {
			return due, from
		}
		if due = append(due, f); i == last {
			break
		}
		var ok bool
		if f, ok = s.Progress(f, func(prop string) bool { return value(prop, i) }); !ok {
			return nil, -1
		}
	}
	return due, -1
}

// Bounds of truth tables.
const (
	maxRows      = 100
	maxPositions = 200
)

// Truths evaluates all subformulas of a formula on a word. It returns nil if there are too
// many positions for a table. The letters must give each proposition of the formula a value;
// otherwise the error is an omega.OpenError.
func Truths(f *ltl.Formula, w *omega.Word) (*outcome.TruthTable, error) {
	if _, err := w.Holds(f); err != nil {
		return nil, err
	}
	truths, err := f.Truths(len(w.Prefix), len(w.Cycle), valuation(w))
	if err != nil {
		return nil, err
	}
	positions := truths.Prefix + truths.Cycle
	if positions > maxPositions {
		return nil, nil
	}
	t := &outcome.TruthTable{Letters: []string{}, Cycle: truths.Prefix, Rows: []outcome.TruthRow{}}
	for pos := range positions {
		t.Letters = append(t.Letters, w.Alphabet.Text(w.At(fold(w, pos))))
	}
	t.LeftOut = max(0, len(truths.Subformulas)-maxRows) // the largest subformulas come last
	for i := t.LeftOut; i < len(truths.Subformulas); i++ {
		var b strings.Builder
		for pos := range positions {
			b.WriteByte(map[bool]byte{false: '0', true: '1'}[truths.Holds(i, pos)])
		}
		t.Rows = append(t.Rows, outcome.TruthRow{Formula: truths.Subformulas[i].String(), Truth: b.String()})
	}
	return t, nil
}

// fold returns the place in the word of any position.
func fold(w *omega.Word, pos int) int {
	if n := len(w.Prefix); pos >= n {
		return n + (pos-n)%len(w.Cycle)
	}
	return pos
}

// valuation returns the truth of propositions along a word. Those that it does not have are false.
func valuation(w *omega.Word) func(prop string, pos int) bool {
	return func(prop string, pos int) bool {
		i, ok := w.Alphabet.Index(prop)
		return ok && w.Alphabet.Meet(w.At(pos), w.Alphabet.Prop(i))
	}
}
