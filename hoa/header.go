package hoa

import (
	"bytes"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Limits that only keep a wrong number from asking for gigabytes.
const (
	maxStates = 10_000_000
	maxProps  = 1000
	// maxWarnings bounds those of an automaton: nobody reads thousands.
	maxWarnings = 20
)

// header is what stands before --BODY--.
type header struct {
	states     int // -1: not given
	start      [][]int
	startAt    []int
	props      []string
	haveProps  bool
	aliases    []alias
	aliased    map[string]bool // the names of aliases
	acceptance omega.Acceptance
	negated    []int // marks i of Fin(!i) and Inf(!i): the fresh ones follow the given ones
	sets       int   // given
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
var common = map[string]string{}

func init() {
	for _, w := range slices.Concat(once, []string{"Start:", "properties:", "Alias:", "trans-labels", "explicit-labels", "state-labels",
		"trans-acc", "state-acc", "deterministic", "complete", "unambiguous", "stutter-invariant", "weak", "very-weak",
		"inherently-weak", "terminal", "univ-branch", "no-univ-branch", "tight"}) {
		common[w] = w
	}
}

// intern returns a string, without a copy if the word is a common one.
func intern(word []byte) string {
	if w, ok := common[string(word)]; ok {
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
		for p.dots && p.at < len(p.text) && (p.text[p.at] == '.' || wordByte(p.text[p.at])) {
			p.at++
		}
		if p.at < len(p.text) && p.text[p.at] == ':' {
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
	seen := make([]bool, len(once)) // those of once
	if p.headerName() != "HOA:" {
		return nil, p.expected("HOA:")
	}
	if err := p.version(); err != nil {
		return nil, err
	}
	for {
		p.skip()
		at := p.at
		if p.keyword("--BODY--") {
			break
		}
		if p.keyword("--ABORT--") {
			return nil, ErrAborted
		}
		name := p.headerName()
		if name == "" {
			return nil, p.expected("a header item or --BODY--")
		}
		if i := slices.Index(once, name); i >= 0 {
			if seen[i] || name == "HOA:" {
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

// version reads the version of the format: v1, or the draft v1.1, which has negated
// properties and dots in the names of header items.
func (p *parser) version() error {
	p.skip()
	start := p.at
	if p.keyword("v1") {
		if p.dots = bytes.HasPrefix(p.text[p.at:], []byte(".1")); p.dots {
			p.at += len(".1")
		}
		if p.at == len(p.text) || !wordByte(p.text[p.at]) && p.text[p.at] != '.' {
			return nil
		}
	}
	p.at = start
	return p.expected("version v1 or v1.1")
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
		err = p.propositions(h, maxProps)
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
		_, err = p.label(nil)
	case "Acceptance:":
		err = p.acceptance(h)
	case "acc-name:":
		h.declared.AccNameAt = p.here(at)
		list, _ := p.values(nil, nil)
		h.declared.AccName = strings.Join(list, " ")
	case "properties:":
		p.properties(h)
	case "name:":
		h.name, err = p.str("a name in double quotes")
	default:
		p.values(nil, nil)
		if c := name[0]; 'A' <= c && c <= 'Z' && len(p.warnings) < maxWarnings {
			line, column := p.place(at)
			p.warnings = append(p.warnings, Warning{line, column, "header",
				"unknown header " + name + " (its upper-case letter says that it changes the meaning of the automaton)"})
		}
	}
	return err
}

// properties reads properties, some of which may be negated.
func (p *parser) properties(h *header) {
	for {
		if h.declared.Properties == nil {
			h.declared.Properties = make([]string, 0, 8)
		}
		var at []int
		h.declared.Properties, at = p.values(h.declared.Properties, nil)
		for _, start := range at {
			h.declared.PropertiesAt = append(h.declared.PropertiesAt, p.here(start))
		}
		start := p.at
		if !p.take('!') {
			return
		}
		name := string(p.word())
		if name == "" {
			p.at = start // the caller says what it expects
			return
		}
		if !p.dots && len(p.warnings) < maxWarnings {
			line, column := p.place(start)
			p.warnings = append(p.warnings, Warning{line, column, "header", "!" + name + ": version v1 of the format has no negated properties"})
		}
		h.declared.Properties = append(h.declared.Properties, "!"+name)
		h.declared.PropertiesAt = append(h.declared.PropertiesAt, p.here(start))
	}
}

// here returns the place of an offset.
func (p *parser) here(at int) omega.Place {
	line, column := p.place(at)
	return omega.Place{Line: line, Column: column}
}

// values appends to a list the strings, numbers and words up to the next header item, and
// to another where each starts.
func (p *parser) values(list []string, starts []int) ([]string, []int) {
	for {
		p.skip()
		at := p.at
		if p.headerName() != "" {
			p.at = at
			return list, starts
		}
		if p.peek() == '"' {
			s, err := p.str("a string")
			if err != nil {
				return list, starts
			}
			list, starts = append(list, s), append(starts, at)
			continue
		}
		for p.at < len(p.text) && wordByte(p.text[p.at]) && !bytes.HasPrefix(p.text[p.at:], []byte("--")) {
			p.at++
		}
		if p.at == at {
			return list, starts
		}
		list, starts = append(list, intern(p.text[at:p.at])), append(starts, at)
	}
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

func (p *parser) propositions(h *header, limit int) error {
	n, err := p.number("a number of propositions", limit)
	if err != nil {
		return err
	}
	h.haveProps = true
	for range n {
		p.skip()
		at := p.at
		s, err := p.str("a proposition in double quotes")
		if err != nil {
			return err
		}
		if s == "" {
			return p.errorAt(at, "expected a proposition, found an empty name")
		}
		if slices.Contains(h.props, s) {
			return p.errorAt(at, "proposition %q is there twice", s)
		}
		h.props = append(h.props, s)
	}
	if p.peek() == '"' {
		return p.expected("no more than the " + plural(n, "proposition") + " announced")
	}
	return nil
}

// acceptance reads "n condition", where a condition may speak of the complement
// of a mark.
func (p *parser) acceptance(h *header) error {
	n, err := p.number("a number of marks", omega.MaxMarks)
	if err != nil {
		return err
	}
	h.sets = n
	c, err := p.condition(h, 0)
	if err != nil {
		return err
	}
	h.acceptance = omega.Acceptance{Sets: n + len(h.negated), Condition: c}
	return nil
}

// condition reads a disjunction.
func (p *parser) condition(h *header, depth int) (*omega.Condition, error) {
	if depth > 10000 {
		return nil, p.errorAt(p.at, "acceptance condition nested deeper than 10000")
	}
	var or []*omega.Condition
	for {
		var and []*omega.Condition
		for {
			c, err := p.atom(h, depth)
			if err != nil {
				return nil, err
			}
			if and = append(and, c); !p.take('&') {
				break
			}
		}
		if or = append(or, omega.AllOf(and...)); !p.take('|') {
			return omega.AnyOf(or...), nil
		}
	}
}

func (p *parser) atom(h *header, depth int) (*omega.Condition, error) {
	p.skip()
	at := p.at
	if p.take('(') {
		c, err := p.condition(h, depth+1)
		if err == nil && !p.take(')') {
			err = p.expected("'&', '|' or ')'")
		}
		return c, err
	}
	make := omega.Inf
	switch string(p.word()) {
	case "t":
		return omega.AllOf(), nil
	case "f":
		return omega.AnyOf(), nil
	case "Fin":
		make = omega.Fin
	case "Inf":
	default:
		p.at = at
		return nil, p.expected("Inf(…), Fin(…), t, f or '('")
	}
	if !p.take('(') {
		return nil, p.expected("'('")
	}
	complement := p.take('!')
	p.skip()
	at = p.at
	i, err := p.number("the number of a mark", omega.MaxMarks)
	if err != nil {
		return nil, err
	}
	if i >= h.sets {
		return nil, p.errorAt(at, "mark %d, but there %s", i, only(h.sets, "mark"))
	}
	if !p.take(')') {
		return nil, p.expected("')'")
	}
	if complement {
		k := slices.Index(h.negated, i)
		if k < 0 {
			k = len(h.negated)
			h.negated = append(h.negated, i)
		}
		i = h.sets + k
	}
	return make(i), nil
}
