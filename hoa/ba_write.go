package hoa

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/omega"
)

// maxBAProps is the number of propositions of which BA can have all valuations as symbols.
const maxBAProps = 10

// WriteBA writes an automaton in BA. It must have Büchi acceptance; see [AcceptanceError]. If its marks are on edges, a state with marked and unmarked incoming edges is written twice. If
// its letters are valuations of propositions, each is a symbol, such as a&!b; there may be ten
// propositions.
//
// Tools agree on what is written: the initial state comes first, and some accepting state is
// listed. For that, and for symbols that no edge has, there is one more state, which no run
// reaches.
//
//	[0]
//	a,[0]->[1]
//	b,[1]->[0]
//	c,[2]->[2]      // the automaton has no edge on c
//	[1]
//
// WriteBA fails when ctx is done.
func WriteBA(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	if a, err = inBuchi(ctx, a, "an automaton in BA has Büchi acceptance", 1); err != nil {
		return err
	}
	b := &baWriter{Writer: bufio.NewWriter(guard.Writer(w)), claims: newClaims(a), budget: budget.New(ctx), labels: map[omega.Label][]int{}}
	defer a.Alphabet().Bind(b.budget).Release(&err)
	if err := b.nameSymbols(); err != nil {
		return err
	}
	if err := b.reachable(); err != nil {
		return err
	}
	b.rest()
	if err := b.budget.Err(); err != nil {
		return err
	}
	return b.Flush()
}

type baWriter struct {
	*bufio.Writer
	*claims
	budget  *budget.Budget
	symbols []string
	used    []bool
	labels  map[omega.Label][]int // their symbols
}

// nameSymbols names the symbols: the symbols of the alphabet, or all valuations of its
// propositions.
func (b *baWriter) nameSymbols() error {
	alphabet := b.a.Alphabet()
	b.symbols = alphabet.Symbols()
	if n := alphabet.Len(); b.symbols == nil && n > maxBAProps {
		return fmt.Errorf("an automaton in BA has a symbol for each valuation of the propositions: %d propositions are more than %d; HOA can write it", n, maxBAProps)
	} else if b.symbols == nil {
		for v := range uint64(1) << n {
			b.symbols = append(b.symbols, alphabet.Text(alphabet.Cube(v, ^v&(1<<n-1))))
		}
	}
	for _, s := range b.symbols {
		if s == "" || strings.ContainsAny(s, ",\r\n") || strings.Contains(s, "->") || strings.TrimSpace(s) != s {
			return fmt.Errorf("BA cannot write the symbol %q: a name has no comma, arrow or white space around it", s)
		}
	}
	b.used = make([]bool, len(b.symbols))
	return nil
}

// reachable writes the initial state, and the edges of all that are reachable.
func (b *baWriter) reachable() error {
	fmt.Fprintf(b, "[%d]\n", b.visit(claimState{state: b.a.Initial()[0]}))
	for i := 0; i < len(b.queue); i++ { // visit appends to the queue
		for _, e := range b.a.Edges(b.queue[i].state) {
			list, err := b.symbolsOf(e.Label)
			if err != nil {
				return err
			}
			dst := b.visit(claimState{e.Dst, e.Marks != 0})
			for _, s := range list {
				b.edge(s, i, dst)
			}
			if b.budget.Spend(1 + len(list)) {
				return b.budget.Err()
			}
		}
	}
	return nil
}

func (b *baWriter) edge(symbol, src, dst int) {
	b.used[symbol] = true
	b.WriteString(b.symbols[symbol])
	b.WriteString(",[")
	b.WriteString(strconv.Itoa(src))
	b.WriteString("]->[")
	b.WriteString(strconv.Itoa(dst))
	b.WriteString("]\n")
}

// symbolsOf returns the symbols of a label. They are found once.
func (b *baWriter) symbolsOf(l omega.Label) ([]int, error) {
	list, ok := b.labels[l]
	if ok {
		return list, nil
	}
	alphabet := b.a.Alphabet()
	if alphabet.Symbols() == nil {
		// The symbols are all valuations. Bit i of a symbol's number is proposition i.
		letter := make(omega.Letter, alphabet.Len())
		for v := range b.symbols {
			for i := range letter {
				letter[i] = v>>i&1 != 0
			}
			if alphabet.Eval(l, letter) {
				list = append(list, v)
			}
		}
		b.budget.Spend(len(b.symbols))
	} else if list, ok = alphabet.SymbolsOf(l); !ok {
		return nil, errors.New("BA cannot write a label with one of two codes of a symbol: it is no set of symbols")
	}
	b.labels[l] = list
	return list, nil
}

// rest writes an unreachable state if it is needed, and the accepting states.
func (b *baWriter) rest() {
	var accepting []int
	for i := range b.queue {
		if b.accepting(i) {
			accepting = append(accepting, i)
		}
	}
	n := len(b.queue)
	if len(accepting) == 0 {
		b.used[0] = false // or the state would have no edge, perhaps
		accepting = []int{n}
	}
	// Readers know only the symbols that occur on an edge.
	for s, used := range b.used {
		if !used {
			b.edge(s, n, n)
		}
	}
	for _, i := range accepting {
		fmt.Fprintf(b, "[%d]\n", i)
	}
}
