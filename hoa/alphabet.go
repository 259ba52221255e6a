package hoa

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
)

// There are two ways in HOA to have letters that are no valuations. Version 1.1 lists them, and
// labels have their numbers:
//
//	Alphabet: 3 "a" "b" "c"
//
// What we write is in version 1, which all tools read: propositions encode the symbols, and a
// header item of our own, which others ignore, has their names:
//
//	AP: 2 "symbol0" "symbol1"
//	xcheck-symbols: "a" "b" "c"

// symbolsItem is our header item.
const symbolsItem = "xcheck-symbols:"

// symbolNames reads the names of symbols, which are sorted.
func (p *parser) symbolNames() (list []string, err error) {
	for p.peek() == '"' {
		at := p.at
		s, err := p.str("a symbol in double quotes")
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && s <= list[n-1] {
			return nil, p.errorAt(at, "symbol %q: expected the symbols in order", s)
		}
		if list = append(list, s); len(list) > omega.MaxSymbols {
			return nil, p.errorAt(at, "more than %d symbols", omega.MaxSymbols)
		}
	}
	if list == nil {
		return nil, p.expected("a symbol in double quotes")
	}
	return list, nil
}

// checkSymbols fails if what the header says of its letters does not fit.
func (p *parser) checkSymbols(h *header) error {
	switch {
	case h.letters != nil && h.propsAt > 0:
		return p.errorAt(max(h.propsAt, h.symbolsAt), "both AP: and Alphabet:, of which an automaton has one")
	case h.letters != nil && h.symbols != nil:
		return p.errorAt(h.symbolsAt, "both Alphabet: and %s", symbolsItem)
	case h.symbols == nil:
		return nil
	}
	if want := omega.NewSymbolAlphabet(h.symbols...).Props(); !slices.Equal(want, h.props) {
		return p.errorAt(h.symbolsAt, "%s has %d symbols, which the propositions %q encode, but AP: has %q", symbolsItem, len(h.symbols), want, h.props)
	}
	return nil
}

// recordHeader starts an automaton over the letters of the header. If Alphabet: lists them, ranks
// has the place of each among the sorted symbols:
//
//	Alphabet: 3 "b" "c" "a"      ranks 1 2 0
func (p *parser) recordHeader(h *header) (r *recorder, ranks []int) {
	switch {
	case h.letters != nil:
		r = p.recordOver(omega.NewSymbolAlphabet(h.letters...), h.acceptance, h.condition)
		r.letters = make([]label, len(h.letters))
		ranks = make([]int, len(h.letters))
		for i, s := range h.letters {
			ranks[i], _ = slices.BinarySearch(r.alphabet.Symbols(), s)
		}
		return r, ranks
	case h.symbols != nil:
		return p.recordOver(omega.NewSymbolAlphabet(h.symbols...), h.acceptance, h.condition), nil
	}
	return p.record(h.props, h.acceptance, h.condition), nil
}

// operand returns the label of a number: a proposition, or a letter of Alphabet:.
func (l *labels) operand(n int) *certify.Label {
	if l.ranks != nil {
		return l.symbol(l.ranks[n]).text
	}
	return &l.atoms[2*n]
}

// what says what a number in a label stands for.
func (l *labels) what() string {
	if l.ranks != nil {
		return "letter"
	}
	return "proposition"
}

// allLetters is the number of letters in an error.
func (l *labels) allLetters() string {
	if l.ranks != nil {
		return strconv.Itoa(l.count)
	}
	return fmt.Sprintf("2^%d", l.count)
}

// most returns the number of letters, and false if they are too many to be listed.
func (l *labels) most() (n int, ok bool) {
	if l.ranks != nil {
		return l.count, true
	}
	return 1 << min(l.count, 30), l.count < 30
}
