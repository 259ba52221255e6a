package omega

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/promela"
)

// A State is the number of a state of one Source. In an alternating Automaton, a negative
// destination stands for several states at once; see [Automaton.Universal].
type State int32

// An Edge leads to Dst on each letter of Label, and carries Marks.
type Edge struct {
	Label Label
	Marks Marks
	Dst   State
}

// A Source is an automaton whose edges are made on request. States are numbered from 0 without
// gaps, in the order in which the Source first mentions them. So an algorithm can keep facts
// about states in a slice.
type Source interface {
	Alphabet() *Alphabet
	Acceptance() Acceptance
	Marks() *MarkTable
	// Initial returns the initial states. The slice must not be changed.
	Initial() []State
	// AppendEdges appends the edges of s to buf, always the same ones in the same order. It
	// fails if the Source exceeds a limit, if its context is canceled, or if the automaton is
	// alternating (ErrAlternating).
	AppendEdges(buf []Edge, s State) ([]Edge, error)
}

// MemoryOf returns the number of bytes that src takes, or 0 if it has no method Memory that reports
// them.
func MemoryOf(src Source) int64 {
	if sized, ok := src.(interface{ Memory() int64 }); ok {
		return sized.Memory()
	}
	return 0
}

// ErrAlternating reports an alternating automaton (with universal branching) where none is
// supported.
var ErrAlternating = errors.New("unsupported: universal branching (alternating automaton)")

// An Automaton is an explicit ω-automaton, and a Source. A Builder makes it; after that it never
// changes, but operations on it add to the tables of its alphabet and marks. So only one goroutine
// at a time may use it; see Clone. For an automaton that is nil or has the zero value, functions
// that return an error return [ErrNoAutomaton]. Other functions take it for one without states.
type Automaton struct {
	// Name, StateNames (nil, or one per state), Declared, Written and StateMarks come from the
	// text of the automaton.
	Name       string
	StateNames []string
	Declared   Declared
	Written    Written
	// StateMarks is set if the text has marks on states, so that all edges of a state carry
	// the same marks.
	StateMarks bool
	// AsRead is the text, unchanged, for package certify. It is nil if the automaton was not
	// read from a text.
	AsRead *certify.Automaton

	// Reduced says that package reduce would find nothing more to do.
	Reduced bool

	alphabet   *Alphabet
	acceptance Acceptance
	marks      *MarkTable
	start      []State
	first      []int32 // the edges of s are edges[first[s]:first[s+1]]
	edges      []Edge
	universal  [][]State
}

// Declared is what the header of an automaton claims.
type Declared struct {
	AccName    string   // with its parameters; "" if none
	Properties []string // in order
	// Draft is set for version 1.1 of HOA, in which some names mean something else.
	Draft bool
	// The places of AccName and of each of Properties in the text, if there is one.
	AccNameAt    Place
	PropertiesAt []Place
}

// A Place is a line and a column of a text, counted from 1. The zero Place means unknown.
type Place struct{ Line, Column int }

// Written says how the text writes labels and marks. Each field is the number of the first
// state that is written that way plus one, or 0.
type Written struct {
	StateLabels, EdgeLabels, ImplicitLabels State
	StateMarks, EdgeMarks                   State
	// Fresh is the number of marks that are not in the text. They are the last ones, and stand
	// for the negated marks of the condition.
	Fresh int
}

// ErrInternal reports a computation that contradicts itself: a bug in its code.
var ErrInternal = errors.New("internal error")

// ErrNoAutomaton reports an automaton that is nil or has the zero value.
var ErrNoAutomaton = errors.New("no automaton given")

// Supported returns ErrNoAutomaton for a Source that is nil or a zero Automaton, and ErrAlternating
// for an alternating one. Searches call it first.
func Supported(src Source) error {
	a, explicit := src.(*Automaton)
	switch {
	case src == nil || explicit && a.Alphabet() == nil:
		return ErrNoAutomaton
	case explicit && a.Alternating():
		return ErrAlternating
	}
	return nil
}

// OrEmpty returns a, or an automaton without states if a is nil or has the zero value.
func (a *Automaton) OrEmpty() *Automaton {
	if a.Alphabet() == nil {
		return NewBuilder(NewAlphabet(), Acceptance{}).Automaton()
	}
	return a
}

// Clone returns a copy for another goroutine, which shares no tables with a. Any number of
// goroutines may clone an automaton that no goroutine uses otherwise.
func (a *Automaton) Clone() *Automaton {
	a = a.OrEmpty()
	b := *a
	b.alphabet, b.marks = a.alphabet.Clone(), a.marks.clone()
	return &b
}

// Alphabet returns the alphabet of the labels. It is nil if a is nil or has the zero value.
func (a *Automaton) Alphabet() *Alphabet {
	if a == nil {
		return nil
	}
	return a.alphabet
}

// Acceptance returns the acceptance condition.
func (a *Automaton) Acceptance() Acceptance {
	if a == nil || a.marks == nil {
		return Acceptance{0, condTrue}
	}
	return a.acceptance
}

// Marks returns the table for the sets of marks.
func (a *Automaton) Marks() *MarkTable {
	if a == nil || a.marks == nil {
		return NewMarkTable(0)
	}
	return a.marks
}

// Initial returns the initial states. A negative one stands for a set of states; see
// Universal.
func (a *Automaton) Initial() []State {
	if a == nil {
		return nil
	}
	return a.start
}

// NumStates returns the number of states.
func (a *Automaton) NumStates() int {
	if a == nil {
		return 0
	}
	return max(len(a.first)-1, 0)
}

// NumEdges returns the number of edges.
func (a *Automaton) NumEdges() int {
	if a == nil {
		return 0
	}
	return len(a.edges)
}

// Edges returns the edges of state s, none if there is no such state. The slice must not be changed.
func (a *Automaton) Edges(s State) []Edge {
	if i := int(s); i >= 0 && i < len(a.first)-1 {
		return a.edges[a.first[i]:a.first[i+1]]
	}
	return nil
}

// AppendEdges appends the edges of s. It fails if the automaton is alternating.
func (a *Automaton) AppendEdges(buf []Edge, s State) ([]Edge, error) {
	if a.Alternating() {
		return buf, ErrAlternating
	}
	edges := a.Edges(s)
	return append(grow.By(buf, len(edges)), edges...), nil
}

// Alternating reports whether the automaton has universal branching.
func (a *Automaton) Alternating() bool { return a != nil && len(a.universal) > 0 }

// Universal returns the states that a negative destination or initial state stands for. A run
// continues in all of them. For other states it returns the state itself.
func (a *Automaton) Universal(s State) []State {
	switch {
	case s >= 0:
		return []State{s}
	case int(^s) < len(a.universal):
		return a.universal[^s]
	}
	return nil
}

// Transitions returns the number of pairs of an edge and one of its letters.
func (a *Automaton) Transitions() float64 {
	n := 0.0
	memo := make(map[Label]float64)
	for _, e := range a.edges {
		n += a.alphabet.count(e.Label, memo)
	}
	return n
}

// A Builder collects the parts of an Automaton. A state must be added before it is used:
// AddStart, Universal and AddEdge panic with a message that names a state that is not there.
type Builder struct {
	automaton Automaton
	states    int
	src       []State
	sets      intern.Lists[State]
	starts    map[State]bool
}

// NewBuilder returns a Builder of an automaton without states.
func NewBuilder(alphabet *Alphabet, acceptance Acceptance) *Builder {
	acceptance.Condition = acceptance.condition()
	return &Builder{automaton: Automaton{
		alphabet:   alphabet,
		acceptance: acceptance,
		marks:      NewMarkTable(acceptance.Sets),
	}}
}

// NewBuilder returns a Builder of an automaton with the alphabet, the acceptance condition and
// the table of marks of a.
func (a *Automaton) NewBuilder() *Builder {
	a = a.OrEmpty()
	return &Builder{automaton: Automaton{alphabet: a.alphabet, acceptance: a.acceptance, marks: a.marks}}
}

// Marks returns the table for the marks of the automaton's edges.
func (b *Builder) Marks() *MarkTable { return b.automaton.marks }

// Alphabet returns the alphabet of the automaton's labels.
func (b *Builder) Alphabet() *Alphabet { return b.automaton.alphabet }

// AddState adds a state and returns its number.
func (b *Builder) AddState() State {
	b.states++
	return State(b.states - 1)
}

// AddStates adds states until there are n.
func (b *Builder) AddStates(n int) { b.states = max(b.states, n) }

// NumStates returns the number of states added so far.
func (b *Builder) NumStates() int { return b.states }

// has reports whether s is a state, or stands for a set of states.
func (b *Builder) has(s State) bool {
	return int(s) < b.states && int(^s) < len(b.automaton.universal)
}

// lacks panics.
func (b *Builder) lacks(s State) {
	panic(fmt.Sprintf("omega: there is no state %d in a Builder of %d states and %d sets", s, b.states, len(b.automaton.universal)))
}

// AddStart makes s an initial state.
func (b *Builder) AddStart(s State) {
	if !b.has(s) {
		b.lacks(s)
	}
	if b.starts[s] {
		return
	}
	if b.starts == nil {
		b.starts = make(map[State]bool)
	}
	b.starts[s] = true
	b.automaton.start = append(b.automaton.start, s)
}

// Universal returns a destination or initial state that stands for all states of set. For a
// single state, that is the state itself.
func (b *Builder) Universal(set []State) State {
	// Equal sets get one number, in whatever order their states are given.
	set = slices.Clone(set)
	slices.Sort(set)
	set = slices.Compact(set)
	for _, s := range set {
		if s < 0 || !b.has(s) {
			b.lacks(s)
		}
	}
	if len(set) == 1 {
		return set[0]
	}
	i, fresh := b.sets.Number(set)
	if fresh {
		b.automaton.universal = append(b.automaton.universal, set)
	}
	return ^State(i)
}

// AddEdge adds an edge. It ignores an edge with label False.
func (b *Builder) AddEdge(src State, label Label, marks Marks, dst State) {
	if src < 0 || !b.has(src) {
		b.lacks(src)
	}
	if !b.has(dst) {
		b.lacks(dst)
	}
	if label != False {
		b.src = append(grow.By(b.src, 1), src)
		b.automaton.edges = append(grow.By(b.automaton.edges, 1), Edge{label, marks, dst})
	}
}

// Copy adds the states and initial states of a, and its edges as change returns them. It stops when
// the budget ends.
func (b *Builder) Copy(a *Automaton, w *budget.Budget, change func(s State, e Edge) Edge) {
	w = w.OrFree()
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return
			}
			if change != nil {
				e = change(s, e)
			}
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
}

// Memory returns twice the number of bytes of states and edges, because Automaton copies the
// edges when it sorts them.
func (b *Builder) Memory() int64 {
	return int64(4*b.states+2*(24*cap(b.automaton.edges)+4*cap(b.src))) + b.automaton.marks.Memory()
}

// Automaton returns the automaton. The edges of each state have the order in which they were
// added. Do not use the Builder afterwards.
func (b *Builder) Automaton() *Automaton {
	a := &b.automaton
	a.first = make([]int32, b.states+1)
	sorted := true
	for i, s := range b.src {
		a.first[s+1]++
		sorted = sorted && (i == 0 || b.src[i-1] <= s)
	}
	for s := range b.states {
		a.first[s+1] += a.first[s]
	}
	// Edges are counted by state and put in their places; the edges of a state keep their order.
	if !sorted {
		next := slices.Clone(a.first)
		edges := make([]Edge, len(a.edges))
		for i, s := range b.src {
			edges[next[s]] = a.edges[i]
			next[s]++
		}
		a.edges = edges
	}
	return a
}

// Over returns the automaton over another alphabet, which must contain all of its
// propositions. The result shares everything but the labels with a. Over fails when ctx is
// done. It fails with a LimitError if the new labels take too much memory: the size of a
// diagram depends on the order of the propositions.
func (a *Automaton) Over(ctx context.Context, alphabet *Alphabet) (_ *Automaton, err error) {
	switch {
	case a.Alphabet() == nil || alphabet == nil:
		return nil, ErrNoAutomaton
	case alphabet == a.alphabet:
		return a, nil
	case !alphabet.includes(a.alphabet):
		return nil, fmt.Errorf("the alphabet has the propositions %s: the automaton needs %s", some(alphabet.props), some(a.alphabet.props))
	}
	b := budget.New(ctx)
	defer alphabet.Bind(b).Release(&err)
	return a.over(alphabet), b.Err()
}

// over is Over on the budget that the alphabet is bound to.
func (a *Automaton) over(alphabet *Alphabet) *Automaton {
	if alphabet == a.alphabet {
		return a
	}
	b := *a
	b.alphabet = alphabet
	b.edges = slices.Clone(a.edges)
	t := a.alphabet.To(alphabet)
	for i := range b.edges {
		b.edges[i].Label = t.Label(b.edges[i].Label)
	}
	return &b
}

// Renamed returns the automaton with its propositions renamed. Different propositions must get
// different names.
func (a *Automaton) Renamed(name func(prop string) string) *Automaton {
	if a.Alphabet() == nil || name == nil {
		return a
	}
	props := make([]string, a.alphabet.Len())
	for i, p := range a.alphabet.props {
		props[i] = name(p)
	}
	// Labels refer to propositions by index: they stay as they are, and so do diagrams.
	renamed := *a.alphabet
	fresh := NewAlphabet(props...)
	renamed.props, renamed.index = fresh.props, fresh.index
	b := *a
	b.alphabet = &renamed
	if a.AsRead != nil {
		read := *a.AsRead
		read.Props = fresh.props
		b.AsRead = &read
	}
	return &b
}

// Spelled returns the automaton with propositions that are expressions of Promela spelled as in props:
// x==1 becomes x == 1. It keeps those that props has, too.
func (a *Automaton) Spelled(props []string) *Automaton {
	own := a.OrEmpty().Alphabet().Props()
	given := map[string]string{}
	for _, p := range props {
		if !slices.Contains(own, p) { // one that a has as it is given needs no other spelling
			given[promela.Name(p)] = p
		}
	}
	odd := func(p string) bool { return !slices.Contains(props, p) && given[promela.Name(p)] != "" }
	if len(given) == 0 || !slices.ContainsFunc(own, odd) {
		return a
	}
	return a.Renamed(func(p string) string {
		if !odd(p) {
			return p
		}
		name := promela.Name(p)
		defer delete(given, name) // no two become one
		return given[name]
	})
}

// Limits limit one answer. In each of them, everywhere, zero means the default, and a negative number
// no limit.
type Limits struct {
	Macrostates   int           // of an automaton that is made, such as a complement; a million by default
	ProductStates int           // that a search for a run visits; ten million
	Memory        int64         // bytes, of all automata that are made and the search; 192 MiB
	Time          time.Duration // a minute
	// WordSteps limits the search for a shortest word. It is about the number of words of memory that
	// are read, and does not depend on the machine. The default, 200 million, takes about a second.
	WordSteps int
}

// defaultLimits keep a run with two checks at a time within 512 MiB, with the program and garbage.
var defaultLimits = Limits{Macrostates: 1000000, ProductStates: 10000000, Memory: 192 << 20, Time: time.Minute, WordSteps: 200_000_000}

// NoLimits returns limits that limit nothing.
func NoLimits() Limits { return Limits{-1, -1, -1, -1, -1} }

// Or returns l with the limits of m where l has 0.
func (l Limits) Or(m Limits) Limits {
	return Limits{cmp.Or(l.Macrostates, m.Macrostates), cmp.Or(l.ProductStates, m.ProductStates),
		cmp.Or(l.Memory, m.Memory), cmp.Or(l.Time, m.Time), cmp.Or(l.WordSteps, m.WordSteps)}
}

// WithDefaults returns l with the default where l has 0. What obeys limits calls it first.
func (l Limits) WithDefaults() Limits { return l.Or(defaultLimits) }

// WithMemory returns a context that carries the memory limit to all computations under it,
// checks or not.
func (l Limits) WithMemory(ctx context.Context) context.Context {
	if l = l.WithDefaults(); l.Memory < 0 {
		return ctx
	}
	return budget.WithMemory(ctx, l.Memory)
}

// Explore returns the reachable part of src as an explicit automaton, with states numbered in
// breadth-first order. It fails if src does, when ctx is done, and with a LimitError past
// limits.Macrostates states.
func Explore(ctx context.Context, src Source, limits Limits) (_ *Automaton, err error) {
	if err := Supported(src); err != nil {
		return nil, err
	}
	limit := limits.WithDefaults().Macrostates
	w := budget.New(ctx)
	defer src.Alphabet().Bind(w).Release(&err)
	b := NewBuilder(src.Alphabet(), src.Acceptance())
	b.automaton.marks = src.Marks()
	var number []State // by state of src: number in the result plus one
	var queue []State
	visit := func(s State) State {
		// A source may make states on the fly, so their number is unknown.
		for int(s) >= len(number) {
			number = append(number, 0)
		}
		if number[s] == 0 {
			queue = append(queue, s)
			number[s] = b.AddState() + 1
		}
		return number[s] - 1
	}
	for _, s := range src.Initial() {
		b.AddStart(visit(s))
	}
	var buf []Edge
	w.LimitMemory(w.MemoryLimit(), func() int64 { return b.Memory() + int64(24*cap(buf)+8*cap(queue)) + MemoryOf(src) })
	for i := 0; i < len(queue); i++ { // queue[i] is state i of the result
		if buf, err = src.AppendEdges(buf[:0], queue[i]); err != nil {
			return nil, err
		}
		if w.Spend(1 + len(buf)) {
			return nil, w.Err()
		}
		for _, e := range buf {
			b.AddEdge(State(i), e.Label, e.Marks, visit(e.Dst))
		}
		if limit > 0 && b.NumStates() > limit {
			return nil, &LimitError{What: "states", Limit: limit}
		}
	}
	return b.Automaton(), nil
}

// From returns the automaton with other initial states (Gillard 2019, section 4.6). It shares the
// edges of a. What the text of a declares is dropped, as it may not hold from these states. It
// fails if a has no such states.
func (a *Automaton) From(states ...State) (*Automaton, error) {
	if a.Alphabet() == nil {
		return nil, ErrNoAutomaton
	}
	for _, s := range states {
		if n := a.NumStates(); s < 0 || int(s) >= n {
			return nil, fmt.Errorf("no state %d: the automaton has %d states, numbered from 0", s, n)
		}
	}
	b := *a
	b.start = slices.Clone(states)
	b.Declared, b.AsRead, b.Reduced = Declared{}, nil, false
	return &b, nil
}

// OneStart returns an automaton with the language of a and one initial state: a itself, or a with a
// new state that has the edges of all initial states. A run takes only one of these, so they carry no
// marks. The automaton must not be alternating.
func (a *Automaton) OneStart() *Automaton {
	if len(a.Initial()) == 1 || a.Alphabet() == nil || a.Alternating() {
		return a
	}
	b := a.NewBuilder()
	b.Copy(a, nil, nil)
	fresh := b.AddState()
	for _, s := range a.Initial() {
		for _, e := range a.Edges(s) {
			b.AddEdge(fresh, e.Label, 0, e.Dst)
		}
	}
	x := b.Automaton()
	x.Name, x.StateMarks, x.start = a.Name, a.StateMarks, []State{fresh}
	return x
}

// some lists names, but not too many: "a, b and c", "a, b, c and 20 more".
func some(names []string) string {
	const most = 5
	if len(names) == 0 {
		return "none"
	}
	list := make([]string, 0, most+1)
	for _, s := range names[:min(most, len(names))] {
		list = append(list, fmt.Sprintf("%q", s))
	}
	if n := len(names) - most; n > 0 {
		list = append(list, fmt.Sprintf("%d more", n))
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
