package hoa

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A label is what a text says of an edge: as it is written, and as a set of letters.
type label struct {
	text *certify.Label
	set  omega.Label
}

// A recorder builds an automaton twice: for the searches, and as it is written, by which
// certify checks what the searches find.
type recorder struct {
	builder  *omega.Builder
	alphabet *omega.Alphabet
	release  func(err *error) // the binding of the alphabet
	written  certify.Automaton
	atoms    []certify.Label                // proposition i, its negation
	sets     map[*certify.Label]omega.Label // of texts that occur more than once
	kept     int64                          // bytes that labels and edges as written take, about
}

const (
	labelSize = int64(unsafe.Sizeof(certify.Label{}))
	edgeSize  = int64(unsafe.Sizeof(certify.Edge{})) + 8 // and its place in a list
)

// record starts an automaton. What it takes is limited by the parser's budget, until the
// alphabet is released.
func (p *parser) record(props []string, acceptance omega.Acceptance, condition *certify.Condition) *recorder {
	alphabet := omega.NewAlphabet(props...)
	props = alphabet.Props()
	r := &recorder{alphabet: alphabet, atoms: make([]certify.Label, 2*len(props))}
	r.release = r.alphabet.BindNodes(p.budget, maxNodes+len(p.text)).Release // the diagrams of a longer text may be larger
	r.builder = omega.NewBuilder(r.alphabet, acceptance)
	p.budget.LimitMemory(cmp.Or(p.budget.MemoryLimit(), maxMemory), func() int64 { return r.kept + r.builder.Memory() })
	r.written.Props, r.written.Acceptance = props, condition
	args := make([]*certify.Label, len(props))
	for i := range props {
		args[i] = &r.atoms[2*i]
		r.atoms[2*i] = certify.Label{Op: certify.Prop, Prop: i}
		r.atoms[2*i+1] = certify.Label{Op: certify.Not, Args: args[i : i+1 : i+1]}
	}
	return r
}

// start adds an initial state, or a conjunction of them.
func (r *recorder) start(states ...int) {
	r.written.Start = append(r.written.Start, slices.Clone(states))
	r.builder.AddStart(r.universal(states))
}

// edge adds an edge. Set has its marks and those that stand for the absence of others.
func (r *recorder) edge(from int, l label, set omega.Marks, marks []int, to ...int) {
	r.written.AddEdge(from, l.text, marks, to...)
	r.kept += edgeSize + 8*int64(len(marks)+len(to))
	r.builder.AddStates(from + 1)
	r.builder.AddEdge(omega.State(from), l.set, set, r.universal(to))
}

// universal returns the state, or what stands for several, and adds them.
func (r *recorder) universal(states []int) omega.State {
	if len(states) == 1 {
		r.builder.AddStates(states[0] + 1)
		return omega.State(states[0])
	}
	members := make([]omega.State, len(states))
	for i, s := range states {
		r.builder.AddStates(s + 1)
		members[i] = omega.State(s)
	}
	return r.builder.Universal(members)
}

// automaton returns what has been built, with n states.
func (r *recorder) automaton(n int) *omega.Automaton {
	r.builder.AddStates(n)
	r.written.States = n
	a := r.builder.Automaton()
	a.AsRead = &r.written
	return a
}

// evaluated returns the label of a text. Texts that are evaluated again are remembered.
func (r *recorder) evaluated(text *certify.Label) label {
	set, ok := r.sets[text]
	if !ok {
		set = r.set(text)
		if r.sets == nil {
			r.sets = map[*certify.Label]omega.Label{}
		}
		r.sets[text] = set
	}
	return label{text, set}
}

// set returns the letters of which the text is true.
func (r *recorder) set(l *certify.Label) omega.Label {
	return r.part(l, map[*certify.Label]omega.Label{})
}

// part is set for a part of a text. A large text may have the same part often: it is known after the first time.
func (r *recorder) part(l *certify.Label, known map[*certify.Label]omega.Label) omega.Label {
	switch l.Op {
	case certify.False:
		return omega.False
	case certify.True:
		return r.alphabet.True()
	case certify.Prop:
		return r.alphabet.Prop(l.Prop)
	}
	if set, ok := r.sets[l]; ok { // an alias
		return set
	}
	if set, ok := known[l]; ok {
		return set
	}
	if l.Op == certify.Not {
		return r.alphabet.Not(r.part(l.Args[0], known))
	}
	join, none := r.alphabet.And, r.alphabet.True()
	if l.Op == certify.Or {
		join, none = r.alphabet.Or, omega.False
	}
	list := []omega.Label{none}
	for _, arg := range l.Args {
		list = append(list, r.part(arg, known))
	}
	known[l] = r.alphabet.Join(list, join) // n propositions take O(n log n) nodes of a diagram, and not O(n²)
	return known[l]
}

// joined returns a disjunction or a conjunction of labels.
func joined(or bool, args []*certify.Label) *certify.Label {
	switch {
	case len(args) == 1:
		return args[0]
	case or:
		return &certify.Label{Op: certify.Or, Args: args}
	}
	return &certify.Label{Op: certify.And, Args: args}
}

func anyOf(args ...*certify.Label) *certify.Label { return joined(true, args) }
func allOf(args ...*certify.Label) *certify.Label { return joined(false, args) }

// negated returns the negation of a label.
func negated(l *certify.Label) *certify.Label {
	return &certify.Label{Op: certify.Not, Args: []*certify.Label{l}}
}

// The labels that hold always, and never.
var (
	always = &certify.Label{Op: certify.True}
	never  = &certify.Label{Op: certify.False}
)
