package hoa

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// buchi is a Büchi automaton in BA while it is read:
//
//	[0]             // the initial state; without this line, the source of the first edge
//	a,[0]->[1]      // an edge on the symbol a
//	b,[1]->[0]
//	[1]             // an accepting state
//
// Names of symbols and states are any text without commas and arrows; brackets are a part of the
// name. The alphabet has the symbols that occur.
type buchi struct {
	*parser
	states, symbols names
	edges           []baEdge
	initial         int   // a state, or -1
	early           []int // where states stand in front of the first edge
	accepting       []bool
	listed          bool      // an accepting state was
	lone            []baState // listed when no edge had named them yet
	*recorder
	known map[string]label // by sets of symbols
}

type baState struct{ number, at int }

type baEdge struct{ src, dst, symbol int32 }

// names are numbered in order of their first occurrence.
type names struct {
	list  []string
	index map[string]int32
	size  int64 // in bytes, about
}

func (n *names) number(name []byte) int32 {
	i, ok := n.index[string(name)]
	if !ok {
		i = int32(len(n.list))
		text := string(name)
		if n.index == nil {
			n.index = map[string]int32{}
		}
		n.index[text] = i
		n.list = append(n.list, text)
		n.size += int64(len(text)) + 64
	}
	return i
}

// ba reads an automaton in BA. It takes time and memory linear in the text, besides what sorts the
// edges and joins the labels of parallel ones.
func (p *parser) ba() (_ *omega.Automaton, err error) {
	b := &buchi{parser: p, initial: -1, known: map[string]label{}}
	limit := cmp.Or(p.budget.MemoryLimit(), maxMemory)
	p.budget.LimitMemory(limit, b.memory)
	p.at += len(p.text[p.at:]) - len(bytes.TrimPrefix(p.text[p.at:], []byte(byteOrderMark)))
	for p.at < len(p.text) {
		end := len(p.text)
		if n := bytes.IndexByte(p.text[p.at:], '\n'); n >= 0 {
			end = p.at + n
		}
		if p.budget.Spend(1 + (end-p.at)/64) {
			p.ended = p.at
			return nil, p.budget.Err()
		}
		if err := b.line(bytes.TrimSpace(p.text[p.at:end])); err != nil {
			return nil, err
		}
		p.at = min(end+1, len(p.text))
	}
	if err := b.complete(); err != nil {
		return nil, err
	}
	b.recorder = p.recordOver(omega.NewSymbolAlphabet(b.symbols.list...), omega.Buchi(), omega.Buchi().Condition.Plain())
	b.recorder.letters = make([]label, len(b.symbols.list))
	defer b.binding.Release(&err)
	p.budget.LimitMemory(limit, func() int64 { return b.memory() + b.recorder.memory() })
	b.addEdges()
	if err := p.budget.Check(); err != nil {
		return nil, err
	}
	if b.initial >= 0 {
		b.recorder.start(b.initial)
	}
	a := b.automaton(len(b.states.list))
	a.StateMarks, a.StateNames = true, b.states.list
	return a, nil
}

// memory returns the bytes that was read takes, about.
func (b *buchi) memory() int64 {
	return b.states.size + b.symbols.size + int64(12*cap(b.edges)+8*cap(b.early)+16*cap(b.lone)+cap(b.accepting))
}

// line reads a line without the white space around it.
func (b *buchi) line(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	at := b.at + bytes.Index(b.text[b.at:], line) // the line was trimmed
	if len(line) > maxString {
		return b.errorAt(at, "expected a line of at most %d bytes", maxString)
	}
	if i := bytes.IndexByte(line, '\r'); i >= 0 {
		return b.errorAt(at+i, "carriage return within a line: lines end with a line feed")
	}
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return b.errorAt(at+i, "NUL byte, which no text has")
	}
	e, fault := cutEdge(line)
	switch {
	case !e.found:
		return b.state(line, at)
	case fault != "":
		return b.errorAt(at, "%s", fault)
	case len(b.edges) == 0 && len(b.early) > 1:
		return b.errorAt(b.early[1], "second state in front of the first edge: to some tools it is initial, to others accepting; name one initial state, and accepting ones after the edges")
	}
	edge := baEdge{b.states.number(e.src), b.states.number(e.dst), b.symbols.number(e.label)}
	switch {
	case len(b.symbols.list) > omega.MaxSymbols:
		return b.errorAt(at, "more than %d symbols", omega.MaxSymbols)
	case len(b.states.list) > maxStates:
		return b.errorAt(at, "more than %d states", maxStates)
	}
	if b.initial < 0 { // no line in front of the edges names one
		b.initial = int(edge.src)
	}
	b.edges = append(grow.By(b.edges, 1), edge)
	return nil
}

// state reads a line with a state: the initial one in front of the edges, accepting ones behind.
func (b *buchi) state(name []byte, at int) error {
	before := len(b.states.list)
	s := int(b.states.number(name))
	if len(b.states.list) > maxStates {
		return b.errorAt(at, "more than %d states", maxStates)
	}
	if len(b.edges) == 0 {
		if b.early = append(b.early, at); len(b.early) == 1 {
			b.initial = s
		}
		return nil
	}
	if s == before {
		b.lone = append(b.lone, baState{s, at})
	}
	b.listed = true
	if s >= len(b.accepting) {
		b.accepting = append(grow.By(b.accepting, s+1-len(b.accepting)), make([]bool, s+1-len(b.accepting))...)
	}
	b.accepting[s] = true
	return nil
}

// complete checks what can be known at the end of the text.
func (b *buchi) complete() error {
	if b.initial < 0 {
		return b.errorAt(b.at, "expected an edge, label,source->destination, or an initial state, found %s", b.found())
	}
	if len(b.edges) == 0 {
		return nil // no word is accepted, whatever accepts
	}
	if len(b.lone) > 0 {
		linked := make([]bool, len(b.states.list))
		for _, e := range b.edges {
			linked[e.src], linked[e.dst] = true, true
		}
		for _, s := range b.lone {
			if !linked[s.number] { // no later line has an edge of it, either
				b.warn(OddHeader, s.at, "accepting state "+strconv.Quote(b.states.list[s.number])+" has no edge")
			}
		}
	}
	// Probably the file has [0] for the initial state, and 0 in its edges.
	if name := b.states.list[b.initial]; len(b.early) > 0 && b.hasOther("["+name+"]", strings.Trim(name, "[]")) {
		b.warn(OddHeader, b.early[0], "the initial state "+strconv.Quote(name)+" is not the state with other brackets: they are part of a name")
	}
	if b.listed {
		return nil
	}
	switch b.unlisted {
	case AskUnlisted:
		return b.errorAt(b.at, "no accepting state is listed: to RABIT all states accept then, to other tools none; choose with --ba-accepting=all or --ba-accepting=none")
	case AllUnlisted:
		b.accepting = slices.Repeat([]bool{true}, len(b.states.list))
	}
	return nil
}

// hasOther reports whether no edge leaves the initial state, but one of others has edges.
func (b *buchi) hasOther(names ...string) bool {
	if slices.ContainsFunc(b.edges, func(e baEdge) bool { return int(e.src) == b.initial }) {
		return false
	}
	return slices.ContainsFunc(names, func(s string) bool {
		i, ok := b.states.index[s]
		return ok && int(i) != b.initial
	})
}

// addEdges adds the edges, one for all symbols with the same source and destination.
func (b *buchi) addEdges() {
	rank := make([]int32, len(b.symbols.list)) // in the alphabet, which sorts the symbols
	for i, s := range b.symbols.list {
		k, _ := slices.BinarySearch(b.alphabet.Symbols(), s)
		rank[i] = int32(k)
	}
	for i := range b.edges {
		b.edges[i].symbol = rank[b.edges[i].symbol]
	}
	slices.SortFunc(b.edges, func(x, y baEdge) int {
		return cmp.Or(cmp.Compare(x.src, y.src), cmp.Compare(x.dst, y.dst), cmp.Compare(x.symbol, y.symbol))
	})
	mark := []int{0}
	for i := 0; i < len(b.edges); {
		first := b.edges[i]
		k := i + 1
		for k < len(b.edges) && b.edges[k].src == first.src && b.edges[k].dst == first.dst {
			k++
		}
		if b.budget.Spend(k - i) {
			return
		}
		l := b.joined(b.edges[i:k])
		// BA has its marks on states: all edges of an accepting state get it.
		if s := int(first.src); s < len(b.accepting) && b.accepting[s] {
			b.edge(s, l, 1, mark, int(first.dst))
		} else {
			b.edge(s, l, 0, nil, int(first.dst))
		}
		i = k
	}
}

// joined returns the label of sorted parallel edges. Equal sets of symbols share it.
func (b *buchi) joined(edges []baEdge) label {
	var buf [64]byte
	key := buf[:0]
	for i, e := range edges {
		if i == 0 || e != edges[i-1] { // an edge may be listed twice
			key = binary.AppendUvarint(key, uint64(e.symbol))
		}
	}
	l, ok := b.known[string(key)]
	if ok {
		return l
	}
	var texts []*certify.Label
	for i, e := range edges {
		if i == 0 || e != edges[i-1] {
			s := b.symbol(int(e.symbol))
			texts = append(texts, s.text)
			l.set = b.alphabet.Or(l.set, s.set)
		}
	}
	l.text = anyOf(texts...)
	b.kept += labelSize + int64(8*len(texts)+len(key)+64)
	b.known[string(key)] = l
	return l
}

// symbol returns the label of a symbol. It is made once.
func (r *recorder) symbol(i int) label {
	if r.letters[i].text != nil {
		return r.letters[i]
	}
	pos, neg := omega.SymbolCode(i, len(r.letters))
	var args []*certify.Label
	for k := range r.alphabet.Len() {
		switch {
		case pos>>k&1 != 0:
			args = append(args, &r.atoms[2*k])
		case neg>>k&1 != 0:
			args = append(args, &r.atoms[2*k+1])
		}
	}
	l := label{always, r.alphabet.Cube(pos, neg)}
	if len(args) > 0 {
		l.text = allOf(args...)
	}
	r.kept += labelSize + int64(8*len(args))
	r.letters[i] = l
	return l
}
