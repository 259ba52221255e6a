package suite

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A buchi is an automaton in BA, the format of RABIT and Reduce (Clemente and Mayr 2019), which
// suites are published in:
//
//	[0]             // the initial state; without this line, the source of the first edge
//	a,[0]->[1]      // an edge on the symbol a
//	b,[1]->[0]
//	[1]             // an accepting state
//
// Names of symbols and states are any text without commas and arrows; brackets are a part of the
// name. Each letter of a word is one symbol. The automaton has the symbols that occur.
type buchi struct {
	states    []string
	symbols   []string // sorted
	edges     []baEdge
	initial   string
	accepting map[string]bool
}

type baEdge struct{ symbol, src, dst string }

// readBA reads an automaton in BA. Where no accepting state is listed, to some tools all states
// accept, to others none; unlisted is "all" or "none", or such a file is an error.
func readBA(text, unlisted string) (*buchi, error) {
	b := &buchi{accepting: map[string]bool{}}
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		left, dst, arrow := strings.Cut(line, "->")
		if !arrow {
			switch {
			case len(b.edges) > 0:
				b.accepting[line] = true
			case b.initial != "":
				return nil, fmt.Errorf("%d: expected one initial state in front of the edges, found a second", n+1)
			default:
				b.initial = line
			}
			b.states = append(b.states, line)
			continue
		}
		symbol, src, comma := strings.Cut(left, ",")
		e := baEdge{strings.TrimSpace(symbol), strings.TrimSpace(src), strings.TrimSpace(dst)}
		if !comma || e.symbol == "" || e.src == "" || e.dst == "" || strings.Contains(e.src+e.dst, ",") || strings.Contains(e.dst, "->") {
			return nil, fmt.Errorf("%d: expected an edge, symbol,source->destination, found %q", n+1, line)
		}
		if b.initial == "" {
			b.initial = e.src
		}
		b.edges = append(b.edges, e)
		b.symbols = append(b.symbols, e.symbol)
		b.states = append(b.states, e.src, e.dst)
	}
	slices.Sort(b.states)
	slices.Sort(b.symbols)
	b.states, b.symbols = slices.Compact(b.states), slices.Compact(b.symbols)
	switch {
	case b.initial == "":
		return nil, fmt.Errorf("expected an automaton in BA, found nothing")
	case len(b.accepting) > 0 || len(b.edges) == 0:
	case unlisted == "all":
		for _, s := range b.states {
			b.accepting[s] = true
		}
	case unlisted != "none":
		return nil, fmt.Errorf("no accepting state is listed: to RABIT all states accept then, to other tools none; choose with --ba-accepting=all or --ba-accepting=none")
	}
	return b, nil
}

// automaton returns the automaton over an alphabet in which propositions encode the sorted symbols.
func (b *buchi) automaton(alphabet *omega.Alphabet, symbols []string) *omega.Automaton {
	build := omega.NewBuilder(alphabet, omega.Buchi())
	build.AddStates(len(b.states))
	state := func(name string) omega.State {
		i, _ := slices.BinarySearch(b.states, name)
		return omega.State(i)
	}
	build.AddStart(state(b.initial))
	type pair struct{ src, dst omega.State }
	labels := map[pair]omega.Label{} // one edge for all symbols with the same source and destination
	var pairs []pair
	for _, e := range b.edges {
		i, _ := slices.BinarySearch(symbols, e.symbol)
		p := pair{state(e.src), state(e.dst)}
		if _, ok := labels[p]; !ok {
			pairs = append(pairs, p)
		}
		labels[p] = alphabet.Or(labels[p], alphabet.Cube(symbolCode(i, len(symbols))))
	}
	for _, p := range pairs {
		marks := omega.Marks(0)
		if b.accepting[b.states[p.src]] { // all edges of an accepting state have the mark
			marks = 1
		}
		build.AddEdge(p.src, labels[p], marks, p.dst)
	}
	a := build.Automaton()
	a.StateMarks, a.StateNames = true, b.states
	return a
}

// symbolCode returns the code of symbol i of n: the propositions that are true in it and those that
// are false. No code is unused, so that the complement of a set of words is one of codes: if n is no
// power of two, the first symbols have one proposition less. Three symbols have the codes !p, p&!q
// and p&q, with p and q for the propositions.
func symbolCode(i, n int) (pos, neg uint64) {
	size := bits.Len(uint(max(n, 1) - 1))
	short := 1<<size - n // the number of symbols with two codes
	if i < short {
		size--
	} else {
		i += short
	}
	for k := range size {
		if i>>(size-1-k)&1 != 0 {
			pos |= 1 << k
		} else {
			neg |= 1 << k
		}
	}
	return pos, neg
}

// automata reads the files of a problem, by their names. Automata in BA, whose names end in .ba, get
// the symbols of all of them.
func (s *Suite) automata(ctx context.Context, names []string, texts [][]byte) ([]*omega.Automaton, error) {
	list := make([]*omega.Automaton, len(names))
	inBA := make([]*buchi, len(names))
	var symbols []string
	for i, name := range names {
		var err error
		if strings.HasSuffix(name, ".ba") {
			if inBA[i], err = readBA(string(texts[i]), s.Unlisted); err == nil {
				symbols = append(symbols, inBA[i].symbols...)
			}
		} else {
			list[i], _, err = hoa.ReadOne(ctx, texts[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if symbols == nil && !slices.Contains(list, nil) {
		return list, nil
	}
	slices.Sort(symbols)
	symbols = slices.Compact(symbols)
	props := make([]string, bits.Len(uint(max(len(symbols), 1)-1)))
	for i := range props {
		props[i] = fmt.Sprintf("symbol%d", i)
	}
	for i, b := range inBA {
		if b == nil {
			return nil, fmt.Errorf("%s: expected an automaton in BA, as the other one of the problem", names[i])
		}
		list[i] = b.automaton(omega.NewAlphabet(props...), symbols)
	}
	return list, nil
}
