// Package certify is the trusted core of xcheck: it decides whether an automaton accepts a lasso
// word, and whether a formula holds on it. xcheck certifies every word here before it prints it. So
// a printed disagreement is right if this package is.
//
// The package is naive on purpose. It shares no code with the packages that search for words, and imports only ltl,
// for the syntax tree of formulas. An [Automaton] is exactly what its text says: the labels, the condition and the
// order of the edges are as written. A [Word] is read back from the text that is printed.
//
// Take an automaton of G F a with state 0, its edges [a] 0 {0} and [!a] 0, and the condition Inf(0).
// Its product with the word a; cycle{!a} has two nodes: state 0 before the first letter, and state 0 before the
// second. The letter a takes the first edge. The letter !a takes the second edge, back to the same node. This is
// the only cycle, and it sees no mark. So Inf(0) fails, and the automaton rejects the word.
//
// Start with [Accepts] and [Holds] for words, and with [Proof.Check] for proofs.
package certify

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Letter gives propositions a truth value, by name.
type Letter map[string]bool

// An OpenError reports a letter that does not say whether a relevant proposition is true.
type OpenError struct{ Prop string }

func (e *OpenError) Error() string {
	return fmt.Sprintf("a letter does not determine the truth of %s", e.Prop)
}

func (l Letter) value(prop string) value {
	if truth, ok := l[prop]; ok {
		return valueOf(truth)
	}
	return open
}

// A Word is a lasso: Prefix once, then Cycle forever. Cycle has at least one letter.
type Word struct{ Prefix, Cycle []Letter }

// size is the number of positions: letters before the cycle, and in it.
func (w *Word) size() int { return len(w.Prefix) + len(w.Cycle) }

func (w *Word) at(pos int) Letter {
	if pos < len(w.Prefix) {
		return w.Prefix[pos]
	}
	return w.Cycle[pos-len(w.Prefix)]
}

// next returns the position after pos: after the last, the first of the cycle.
func (w *Word) next(pos int) int {
	if pos+1 == w.size() {
		return len(w.Prefix)
	}
	return pos + 1
}

// Automaton returns an automaton of the completions of the word. A word may leave propositions open:
// cycle{a} says nothing of b. Its completions are the infinite words that choose the truth of b at each
// position, not always the same in each round of the cycle. It returns nil for a word without a cycle.
func (w *Word) Automaton() *Automaton {
	if w.check() != nil {
		return nil
	}
	a := &Automaton{States: w.size(), Start: [][]int{{0}}, Acceptance: &Condition{Op: Always}}
	for _, l := range slices.Concat(w.Prefix, w.Cycle) {
		a.Props = slices.AppendSeq(a.Props, maps.Keys(l))
	}
	slices.Sort(a.Props)
	a.Props = slices.Compact(a.Props)
	for pos := range w.size() {
		letter := conjunction(len(a.Props), func(i int) value { return w.at(pos).value(a.Props[i]) })
		a.AddEdge(pos, letter, nil, w.next(pos))
	}
	return a
}

// ParseWord reads a word as xcheck prints it. Semicolons separate the letters, and the last
// ones are in a cycle. Each letter is a conjunction of literals, or 1:
//
//	a&!b; !a&b; cycle{a&b; !a&!b}
func ParseWord(text string) (*Word, error) {
	p := wordParser{rest: text}
	w := &Word{}
	for list := &w.Prefix; ; {
		if list == &w.Prefix && p.take("cycle{") {
			list = &w.Cycle
		}
		letter, err := p.letter()
		if err != nil {
			return nil, err
		}
		*list = append(*list, letter)
		switch {
		case p.take(";"):
		case list == &w.Prefix:
			return nil, p.fail("';'")
		case !p.take("}"):
			return nil, p.fail("';' or '}'")
		case p.rest != "":
			return nil, p.fail("the end")
		default:
			return w, nil
		}
	}
}

type wordParser struct{ rest string }

func (p *wordParser) fail(expected string) error {
	return fmt.Errorf("word: expected %s, found %.40q", expected, p.rest)
}

func (p *wordParser) take(token string) (ok bool) {
	p.rest, ok = strings.CutPrefix(strings.TrimLeft(p.rest, " "), token)
	return ok
}

func (p *wordParser) letter() (Letter, error) {
	letter := Letter{}
	if p.take("1") {
		return letter, nil
	}
	for {
		found := literal.FindStringSubmatch(p.rest)
		if found == nil {
			return nil, p.fail("a proposition")
		}
		p.rest = p.rest[len(found[0]):]
		value, name := found[1] == "", found[2]+escaped.ReplaceAllString(found[3], "$1")
		if old, ok := letter[name]; ok && old != value { // a letter is one valuation
			return nil, fmt.Errorf("word: %s is both true and false in a letter", name)
		}
		letter[name] = value
		if !p.take("&") {
			return letter, nil
		}
	}
}

// A literal is a proposition, perhaps with !, as a word or in quotes.
var (
	literal = regexp.MustCompile(`^ *(!?) *(?:([A-Za-z0-9_.]+)|"((?s:[^"\\]|\\.)*)")`)
	escaped = regexp.MustCompile(`(?s)\\(.)`)
)

var errNoWord, errNoFormula, errNoAutomaton = errors.New("no word given"), errors.New("no formula given"), errors.New("no automaton given")

// check returns an error for a word that is nil or lacks a cycle.
func (w *Word) check() error {
	if w == nil || len(w.Cycle) == 0 {
		return errNoWord
	}
	return nil
}

// check returns an error for an automaton that is nil or lacks a condition.
func (a *Automaton) check() error {
	if a == nil || a.Acceptance == nil {
		return errNoAutomaton
	}
	return nil
}
