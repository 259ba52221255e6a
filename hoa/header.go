package hoa

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Limits that only keep a wrong number from asking for gigabytes.
const (
	maxStates = 10_000_000
	maxProps  = 1000
	// maxWarnings bounds the warnings about an automaton: nobody reads thousands.
	maxWarnings = 20
)

// header is what stands before --BODY--.
type header struct {
	states     int // -1: not given
	start      [][]int
	startAt    []int
	props      []string
	propsAt    int // where they are, or 0
	aliases    []alias
	aliased    map[string]bool // the names of aliases
	others     map[string]bool // header items that are not the format's own
	acceptance omega.Acceptance
	condition  *certify.Condition // as it is written
	negated    []int              // marks i of Fin(!i) and Inf(!i): the fresh ones follow the given ones
	fresh      map[int]int        // the places in negated
	sets       int                // given
	declared   omega.Declared
	name       string
}

// once are the header items of which there is one at most.
var once = []string{"HOA:", "States:", "AP:", "Acceptance:", "acc-name:", "tool:", "name:"}

// alias is a label with a name; its text is parsed when the propositions are
// known.
type alias struct {
	name string
	at   int
}

// common are the words that most headers have.
var common = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for _, w := range slices.Concat(once, []string{"Start:", "properties:", "Alias:", "trans-labels", "explicit-labels", "state-labels",
		"trans-acc", "state-acc", "deterministic", "complete", "unambiguous", "stutter-invariant", "weak", "very-weak",
		"inherently-weak", "terminal", "univ-branch", "no-univ-branch", "tight"}) {
		words[w] = w
	}
	return words
})

// intern returns a string, without a copy if the word is a common one.
func intern(word []byte) string {
	if w, ok := common()[string(word)]; ok {
		return w
	}
	return string(word)
}

// headerName returns the name of a header item, with the colon, if one comes
// next.
func (p *parser) headerName() string {
	start := p.at
	if w := p.word(); len(w) > 0 {
		from := p.at - len(w)
		for p.at < len(p.text) && (p.text[p.at] == '.' || wordByte(p.text[p.at])) {
			p.at++
		}
		if p.at < len(p.text) && p.text[p.at] == ':' {
			p.at = from + len(w)
			p.dots(from)
			p.at++
			return intern(p.text[from:p.at])
		}
	}
	p.at = start
	return ""
}

// header reads all up to and with --BODY--.
func (p *parser) header() (*header, error) {
	h := &header{states: -1}
	defer func() { h.declared.Draft = p.draft }()
	seen := make([]bool, len(once)) // the items of once that were seen
	if p.headerName() != "HOA:" {
		return nil, p.expected("HOA:")
	}
	if err := p.version(); err != nil {
		return nil, err
	}
	for {
		p.skip()
		at := p.at
		if p.keyword(bodyToken) {
			break
		}
		if p.keyword(abortToken) {
			return nil, ErrAborted
		}
		name := p.headerName()
		if name == "" {
			return nil, p.expectedAt(at, "a header item or --BODY--")
		}
		if i := slices.Index(once, name); i >= 0 {
			if seen[i] || name == "HOA:" { // HOA: was the first item
				return nil, p.errorAt(at, "second %s", name)
			}
			seen[i] = true
		}
		if err := p.headerItem(h, name, at); err != nil {
			return nil, err
		}
	}
	if !seen[slices.Index(once, "Acceptance:")] {
		return nil, p.errorAt(p.at, "the header has no Acceptance:")
	}
	return h, nil
}

// version reads the version of the format: v1, or the draft v1.1. The draft has Alphabet:, negated
// properties, dots in names, and other conditions for the names Streett and generalized-Streett.
// Others with the same major number are read as the closest of the two, as the format asks.
func (p *parser) version() error {
	p.skip()
	start := p.at
	if !p.keyword("v1") || p.at < len(p.text) && isDigit(p.text[p.at]) { // not v10
		return p.expectedAt(start, "version v1 or v1.1")
	}
	for p.at < len(p.text) && (wordByte(p.text[p.at]) || p.text[p.at] == '.') {
		p.at++
	}
	version := string(p.text[start:p.at])
	if p.draft = strings.HasPrefix(version, "v1."); version != "v1" && version != "v1.1" {
		p.warn(OddHeader, start, "unknown version "+strconv.Quote(version[:min(len(version), 40)])+" of the format")
	}
	return nil
}

func (p *parser) headerItem(h *header, name string, at int) (err error) {
	switch name {
	case "States:":
		h.states, err = p.number("a number of states", maxStates)
	case "Start:":
		var states []int
		if states, err = p.conjunction(nil); err == nil {
			h.start = append(h.start, states)
			h.startAt = append(h.startAt, at)
		}
	case "AP:":
		h.propsAt = at
		h.props, err = p.namesOf("proposition", "propositions", maxProps)
	case "Alphabet:":
		return p.errorAt(at, "Alphabet: is not supported: expected the propositions of AP:")
	case "Alias:":
		if !p.take('@') {
			return p.expected("@ and the alias's name")
		}
		end := p.aliasEnd()
		a := alias{name: string(p.text[p.at:end])}
		if a.name == "" || h.aliased[a.name] {
			return p.errorAt(p.at, "expected the name of a new alias, found %s", p.found())
		}
		if h.aliased == nil {
			h.aliased = map[string]bool{}
		}
		h.aliased[a.name] = true
		p.at = end
		p.skip()
		a.at = p.at
		h.aliases = append(h.aliases, a)
		_, err = p.label(nil) // only its end is looked for: the propositions may come later
		return err
	case "Acceptance:":
		err = p.acceptance(h)
	case "acc-name:":
		h.declared.AccNameAt = p.here(at)
		h.declared.AccName, err = p.accName()
	case "properties:":
		err = p.properties(h)
	case "tool:":
		if _, err = p.str("a tool's name in double quotes"); err == nil && p.peek() == '"' {
			_, err = p.str("a version in double quotes")
		}
	case "name:":
		h.name, err = p.str("a name in double quotes")
	default:
		if c := name[0]; 'A' <= c && c <= 'Z' {
			p.warn(OddHeader, at, "unknown header "+name+" (its capital letter means that it changes the semantics of the automaton)")
		}
		if h.others[name] {
			p.warn(OddHeader, at, "second "+name+" (only Start:, Alias: and properties: may occur more than once)")
		}
		if h.others == nil {
			h.others = map[string]bool{}
		}
		h.others[name] = true
		err = p.anyValues()
	}
	return err
}

// conjunction appends to list the states that it reads, joined by &.
func (p *parser) conjunction(list []int) ([]int, error) {
	for {
		s, err := p.number("a state number", maxStates)
		if err != nil {
			return nil, err
		}
		if list = append(list, s); !p.take('&') {
			return list, nil
		}
	}
}

// namesOf reads a number of names, and the names, which differ.
func (p *parser) namesOf(what, several string, limit int) (list []string, err error) {
	n, err := p.number("a number of "+several, limit)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for range n {
		p.skip()
		at := p.at
		s, err := p.str("a " + what + " in double quotes")
		if err != nil {
			return nil, err
		}
		if seen[s] {
			return nil, p.errorAt(at, "%s %q occurs twice", what, s)
		}
		seen[s] = true
		list = append(list, s)
	}
	if p.peek() == '"' {
		return nil, p.expected("no more than the " + plural.Of(n, what) + " announced")
	}
	return list, nil
}

// acceptance reads "n condition", where a condition may speak of the complement
// of a mark.
func (p *parser) acceptance(h *header) error {
	n, err := p.number("a number of marks", omega.MaxMarks)
	if err != nil {
		return err
	}
	h.sets = n
	if h.condition, err = p.readCondition(h); err != nil {
		return err
	}
	h.fresh = map[int]int{}
	condition := h.positive(h.condition)
	h.acceptance = omega.Acceptance{Sets: n + len(h.negated), Condition: condition}
	return nil
}

// positive returns the condition over marks that are not negated: a fresh mark stands for the edges
// without mark i. With two marks, Inf(!0) & Fin(1) | Fin(!0) becomes Inf(2) & Fin(1) | Fin(2).
func (h *header) positive(c *certify.Condition) *omega.Condition {
	args := make([]*omega.Condition, len(c.Args))
	for i, arg := range c.Args {
		args[i] = h.positive(arg)
	}
	mark := c.Mark
	if c.Complement {
		k, known := h.fresh[mark]
		if !known {
			k = len(h.negated)
			h.fresh[mark] = k
			h.negated = append(h.negated, mark)
		}
		mark = h.sets + k // fresh marks follow the given ones
	}
	switch c.Op {
	case certify.Inf:
		return omega.Inf(mark)
	case certify.Fin:
		return omega.Fin(mark)
	case certify.AllOf, certify.Always:
		return omega.AllOf(args...)
	}
	return omega.AnyOf(args...)
}

// readCondition reads an acceptance condition.
func (p *parser) readCondition(h *header) (*certify.Condition, error) {
	join := func(or bool, args []*certify.Condition) *certify.Condition {
		if or {
			return &certify.Condition{Op: certify.AnyOf, Args: args}
		}
		return &certify.Condition{Op: certify.AllOf, Args: args}
	}
	atom := func() (*certify.Condition, error) { return p.atom(h) }
	return expression(p, &grammar[*certify.Condition]{"acceptance condition", atom, join, nil}, 0, 0)
}

func (p *parser) atom(h *header) (*certify.Condition, error) {
	p.skip()
	at := p.at
	c := &certify.Condition{Op: certify.Inf}
	switch string(p.word()) {
	case "t":
		return &certify.Condition{Op: certify.Always}, nil
	case "f":
		return &certify.Condition{Op: certify.Never}, nil
	case "Fin":
		c.Op = certify.Fin
	case "Inf":
	default:
		return nil, p.expectedAt(at, "Inf(…), Fin(…), t, f or '('")
	}
	if !p.take('(') {
		return nil, p.expected("'('")
	}
	c.Complement = p.take('!')
	p.skip()
	at = p.at
	var err error
	if c.Mark, err = p.number("the number of a mark", omega.MaxMarks); err != nil {
		return nil, err
	}
	if c.Mark >= h.sets {
		return nil, p.errorAt(at, "mark %d, but there %s", c.Mark, only(h.sets, "mark"))
	}
	if !p.take(')') {
		return nil, p.expected("')'")
	}
	return c, nil
}
