package patterns

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Request selects formulas of a list, or the formulas of a family for some values of its
// parameters.
type Request struct {
	Set    *Set
	ranges [2]span // of the parameters; for a list, the first one selects the formulas
}

// A span is the numbers from low to high.
type span struct{ low, high int }

// A Formula is a formula of a Request.
type Formula struct {
	Set     *Set
	Numbers []int // the parameters; for a list, the number of the formula, from 1
	*ltl.Formula
}

// Name returns the request for this one formula, such as "dac 3".
func (f *Formula) Name() string {
	name := f.Set.Name
	for _, n := range f.Numbers {
		name += " " + strconv.Itoa(n)
	}
	return name
}

// Len returns the number of formulas.
func (r Request) Len() int {
	if r.Set == nil {
		return 0
	}
	n := 1
	for _, s := range r.ranges {
		n *= s.high - s.low + 1
	}
	return n
}

// At makes formula k, from 0 to Len()-1, in a Store of its own. The second of two parameters varies
// fastest: "ms-example 1..2 1..2" has the formulas 1 1, 1 2, 2 1 and 2 2. For another k, the result
// has the zero value.
func (r Request) At(k int) Formula {
	if uint(k) >= uint(r.Len()) {
		return Formula{}
	}
	inner := r.ranges[1].high - r.ranges[1].low + 1
	numbers := [2]int{r.ranges[0].low + k/inner, r.ranges[1].low + k%inner}
	f, _ := r.Set.formula(numbers)
	return Formula{r.Set, numbers[:max(1, len(r.Set.Parameters))], f} // a formula of a list has one number, too
}

// All returns all formulas.
func (r Request) All() iter.Seq[Formula] {
	return func(yield func(Formula) bool) {
		for k := range r.Len() {
			if !yield(r.At(k)) {
				return
			}
		}
	}
}

// formula returns a formula of a list, counted from 1, or of a family, and false if
// it would be too large.
func (s *Set) formula(numbers [2]int) (*ltl.Formula, bool) {
	if s.make != nil {
		return s.build(numbers, maxSize)
	}
	f, err := ltl.NewStore().Parse(s.list[numbers[0]-1], ltl.Spot)
	if err != nil {
		panic(err) // the lists are our own
	}
	return f, true
}

// An Error reports what is wrong with a request, and where.
type Error struct {
	Text       string
	Offset     int // in bytes
	Reason     string
	Suggestion string // the name that was meant, or ""
}

// Error returns the text, the position, the reason and the suggestion.
func (e *Error) Error() string {
	text := fmt.Sprintf("patterns %q: at %d: %s", e.Text, e.Offset+1, e.Reason)
	if e.Suggestion != "" {
		text += fmt.Sprintf("; did you mean %s?", e.Suggestion)
	}
	return text
}

// Parse reads a request: the name of a set, then numbers such as 3 or ranges such as 1..5,
// separated by spaces. A list takes at most one, which selects its formulas. A family takes
// one for each parameter. The error is an *Error.
//
// Every formula of a Request can be made. To ensure that, Parse makes the one that is probably
// the largest, which takes at most a fraction of a second.
func Parse(text string) (Request, error) {
	p := &parser{text: text}
	r := p.request()
	if p.err != nil {
		return Request{}, p.err
	}
	return r, nil
}

// A parser reads words, and keeps the first error.
type parser struct {
	text string
	at   int // of the word
	word string
	err  *Error
}

func (p *parser) fail(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Text: p.text, Offset: offset, Reason: fmt.Sprintf(format, args...)}
	}
}

// next goes to the next word, which is empty at the end.
func (p *parser) next() {
	const space = " \t\r\n"
	p.at += len(p.word)
	p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], space))
	p.word = p.text[p.at:]
	if end := strings.IndexAny(p.word, space); end >= 0 {
		p.word = p.word[:end]
	}
}

func (p *parser) request() Request {
	r := Request{ranges: [2]span{{1, 1}, {1, 1}}} // one value for parameters that there are not
	p.next()
	r.Set = p.set()
	if r.Set == nil {
		return r
	}
	p.next()
	s := r.Set
	switch {
	case len(s.Parameters) > 0:
		for i, x := range s.Parameters {
			if p.word == "" {
				p.fail(p.at, "expected a number or a range for %s, such as 1..5: %s is %s", x.Name, s.Name, s.About)
				return r
			}
			r.ranges[i] = p.numbers(x.Least, maxSize)
			p.next()
		}
	case p.word != "":
		r.ranges[0] = p.numbers(1, s.Len())
		p.next()
	default:
		r.ranges[0].high = s.Len()
	}
	if p.word != "" {
		p.fail(p.at, "expected the end, found %q: %s takes no more numbers", p.word, s.Name)
	}
	if p.err == nil {
		if _, ok := s.formula([2]int{r.ranges[0].high, r.ranges[1].high}); !ok { // probably the largest one
			p.fail(len(p.text), "%s would be of more than %d operators and propositions", s.Name, maxSize)
		}
	}
	return r
}

func (p *parser) set() *Set {
	switch s := byName()[p.word]; {
	case s != nil:
		return s
	case p.word == "":
		p.fail(p.at, "expected the name of a list or a family of formulas")
	default:
		p.fail(p.at, "no list or family of formulas named %q", p.word)
		var names []string
		for _, s := range sets() {
			names = append(append(names, s.Name), s.Also...)
		}
		p.err.Suggestion = spelling.Nearest(p.word, names)
	}
	return nil
}

// numbers reads the word as a number or a range.
func (p *parser) numbers(least, most int) span {
	first, last, isRange := strings.Cut(p.word, "..")
	s := span{low: p.number(p.at, first, least, most)}
	s.high = s.low
	if isRange {
		s.high = p.number(p.at+len(first)+2, last, least, most) // after the dots
	}
	if s.low > s.high {
		p.fail(p.at, "empty range %d..%d", s.low, s.high)
	}
	return s
}

func (p *parser) number(at int, text string, least, most int) int {
	n, err := strconv.Atoi(text)
	switch {
	case text == "" || strings.Trim(text, "0123456789") != "":
		p.fail(at, "expected a number such as 3, or a range such as 1..5, found %q", p.word)
	case err != nil || n < least || n > most:
		p.fail(at, "expected a number from %d to %d, found %s", least, most, text)
	}
	return n
}
