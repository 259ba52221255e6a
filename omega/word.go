package omega

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Word is a lasso u·v^ω: the letters of Prefix once, then the letters of Cycle (at least
// one) forever. A letter is a label, and stands for any of its valuations, which may differ
// from round to round. So a Word is a set of words. It is a single word if each letter is a
// single valuation.
type Word struct {
	Alphabet *Alphabet
	Lasso[Label]
}

// Clone returns a copy for another goroutine; see Alphabet.Clone.
func (w *Word) Clone() *Word {
	c := *w
	c.Alphabet = w.Alphabet.Clone()
	return &c
}

// Check returns an error for a word that is nil or has the zero value, that has no cycle, or that has
// a letter which is False.
func (w *Word) Check() error {
	if w == nil || w.Alphabet == nil {
		return errors.New("no word given")
	}
	if len(w.Cycle) == 0 {
		return errors.New("the word has no cycle")
	}
	for i := range w.Size() {
		if w.At(i) == False {
			return fmt.Errorf("no valuation satisfies letter %d of the word", i+1)
		}
	}
	return nil
}

// NewWord returns the word of these letters.
func NewWord(alphabet *Alphabet, prefix, cycle []Label) *Word {
	return &Word{alphabet, Lasso[Label]{prefix, cycle}}
}

// wordError returns an ltl.SyntaxError with the text of the word.
func wordError(text string, at int, format string, args ...any) error {
	return fmt.Errorf("word %q: %w", text, (&ltl.SyntaxError{Reason: fmt.Sprintf(format, args...)}).At(text, at))
}

// ParseWord reads a word in Spot's syntax: letters separated by semicolons, the
// last of them in a cycle, as in
//
//	a&!b; b; cycle{!a; 1}
//
// Each letter is a Boolean formula in Spot's syntax. The alphabet of the word
// has the propositions that occur in it, in order of occurrence. The error wraps an ltl.SyntaxError.
func ParseWord(ctx context.Context, text string) (*Word, error) {
	store := ltl.NewStore()
	p := wordParser{text: text}
	var letters []*ltl.Formula
	loop := -1
	for {
		if loop < 0 && p.keyword("cycle") {
			if !p.take('{') {
				return nil, p.fail("expected '{' after cycle")
			}
			loop = len(letters)
		}
		start, end := p.letter()
		if strings.TrimSpace(text[start:end]) == "" {
			return nil, p.fail("expected a letter")
		}
		f, err := store.Parse(text[start:end], ltl.Spot)
		if err != nil {
			if syntax := (*ltl.SyntaxError)(nil); errors.As(err, &syntax) {
				return nil, wordError(text, start+syntax.Offset, "%s", syntax.Reason)
			}
			return nil, err
		}
		letters = append(letters, f)
		if p.take(';') {
			continue
		}
		if loop < 0 {
			return nil, p.fail("expected ';', and cycle{…} at the end")
		}
		if !p.take('}') {
			return nil, p.fail("expected ';' or '}'")
		}
		p.take(';') // allowed after the cycle
		if p.space(); p.at < len(text) {
			return nil, p.fail("expected nothing after the cycle")
		}
		return newWord(ctx, text, letters, loop)
	}
}

// maxWordProps leaves room for a formula and an automaton: a letter of all propositions must be a cube.
const maxWordProps = maxCoverNodes / 2

func newWord(ctx context.Context, text string, letters []*ltl.Formula, loop int) (w *Word, err error) {
	var props []string
	for _, f := range letters {
		props = append(props, f.Props()...)
	}
	if w = (&Word{Alphabet: NewAlphabet(props...)}); w.Alphabet.Len() > maxWordProps {
		return nil, wordError(text, 0, "expected at most %d propositions, found %d", maxWordProps, w.Alphabet.Len())
	}
	defer w.Alphabet.Bind(budget.New(ctx)).Release(&err)
	for i, f := range letters {
		l, err := w.Alphabet.Formula(f)
		if err != nil {
			return nil, wordError(text, 0, "letter %d: %v", i+1, err)
		}
		if l == False { // no word has this letter
			return nil, wordError(text, 0, "letter %d: no valuation satisfies %s", i+1, f)
		}
		if i < loop {
			w.Prefix = append(w.Prefix, l)
		} else {
			w.Cycle = append(w.Cycle, l)
		}
	}
	return w, nil
}

type wordParser struct {
	text string
	at   int
}

func (p *wordParser) fail(reason string) error {
	p.space()
	return wordError(p.text, p.at, "%s", reason)
}

func (p *wordParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *wordParser) take(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// keyword takes word if it comes next and is followed by an opening brace: a
// proposition may have the same name.
func (p *wordParser) keyword(word string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.text[p.at:], word)
	if !ok || !strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), "{") {
		return false
	}
	p.at += len(word)
	return true
}

// letter skips what comes before the next ';', '{' or '}' outside of quotes, and returns where that stands.
func (p *wordParser) letter() (start, end int) {
	start = p.at
	quoted := false
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case quoted && c == '\\':
			p.at++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ';' || c == '{' || c == '}'):
			return start, p.at
		}
	}
	p.at = len(p.text)
	return start, p.at
}

// String returns the word in the syntax that ParseWord reads.
func (w *Word) String() string {
	letter := w.Alphabet.Text
	var b strings.Builder
	for _, l := range w.Prefix {
		b.WriteString(letter(l))
		b.WriteString("; ")
	}
	b.WriteString("cycle{")
	for i, l := range w.Cycle {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(letter(l))
	}
	b.WriteByte('}')
	return b.String()
}

// Over returns the word over another alphabet. Letters leave new propositions open, and lose
// those that the alphabet lacks.
func (w *Word) Over(alphabet *Alphabet) *Word {
	if alphabet == w.Alphabet {
		return w
	}
	t := w.Alphabet.To(alphabet)
	return w.each(t.to, t.Label)
}

func (w *Word) each(alphabet *Alphabet, letter func(Label) Label) *Word {
	v := &Word{Alphabet: alphabet}
	for _, l := range w.Prefix {
		v.Prefix = append(v.Prefix, letter(l))
	}
	for _, l := range w.Cycle {
		v.Cycle = append(v.Cycle, letter(l))
	}
	return v
}

// Concrete returns a single word of the set, with the fewest propositions true in each letter.
// The word is written in its shortest form: the cycle does not repeat itself, and the prefix
// does not end with the last letter of the cycle. That of a; b; cycle{a; b; a; b} is
// cycle{a&!b; !a&b}.
func (w *Word) Concrete() *Word {
	v := w.each(w.Alphabet, func(l Label) Label {
		letter, _ := w.Alphabet.Letter(l)
		return w.Alphabet.LetterLabel(letter)
	})
	// The cycle is cut down to its shortest period.
	for n := 1; n <= len(v.Cycle)/2; n++ {
		if len(v.Cycle)%n == 0 && slices.Equal(v.Cycle[n:], v.Cycle[:len(v.Cycle)-n]) {
			v.Cycle = v.Cycle[:n]
			break
		}
	}
	// A last letter of the prefix that also ends the cycle is rolled into it: a; cycle{b; a} is
	// cycle{a; b}.
	for len(v.Prefix) > 0 && v.Prefix[len(v.Prefix)-1] == v.Cycle[len(v.Cycle)-1] {
		last := len(v.Cycle) - 1
		v.Cycle = append(v.Cycle[last:last+1:last+1], v.Cycle[:last]...)
		v.Prefix = v.Prefix[:len(v.Prefix)-1]
	}
	return v
}

// Holds reports whether the formula is true on the word, directly from the semantics. The
// letters must give each proposition of the formula a value; otherwise the error names an open
// one. It also fails with [ltl.ErrLarge].
func (w *Word) Holds(f *ltl.Formula) (bool, error) {
	if err := w.Check(); err != nil || f == nil {
		return false, cmp.Or(err, errors.New("no formula given"))
	}
	if err := w.Determines(f.Props()); err != nil {
		return false, err
	}
	return f.Holds(len(w.Prefix), len(w.Cycle), func(prop string, pos int) bool {
		return w.Alphabet.Meet(w.At(pos), w.Alphabet.Prop(w.Alphabet.index[prop]))
	})
}

// Determines fails with an OpenError if some letter leaves one of the propositions open.
func (w *Word) Determines(props []string) error {
	for _, name := range props {
		i, ok := w.Alphabet.index[name]
		if !ok {
			return &OpenError{Prop: name, Letter: 1}
		}
		p := w.Alphabet.Prop(i)
		for pos := range w.Size() {
			if l := w.At(pos); w.Alphabet.Meet(l, p) && w.Alphabet.Meet(l, w.Alphabet.Not(p)) {
				return &OpenError{Prop: name, Letter: pos + 1}
			}
		}
	}
	return nil
}

// An OpenError reports a letter that does not say whether a relevant proposition is true.
type OpenError struct {
	Prop   string
	Letter int // counted from 1
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("letter %d does not determine the truth of %s", e.Letter, e.Prop)
}

// Automaton returns an automaton that accepts exactly the words of w.
func (w *Word) Automaton() *Automaton {
	b := NewBuilder(w.Alphabet, Acceptance{0, condTrue})
	b.AddStates(w.Size())
	for i := range w.Size() {
		b.AddStart(0) // here, since a word without letters has no states
		b.AddEdge(State(i), w.At(i), 0, State(w.Next(i)))
	}
	return b.Automaton()
}

// A Lasso is an infinite sequence: Prefix once, then Cycle forever. The letters of a [Word] are
// one, and so are the steps of a run.
type Lasso[T any] struct{ Prefix, Cycle []T }

// Size returns the number of elements in prefix and cycle together.
func (l *Lasso[T]) Size() int { return len(l.Prefix) + len(l.Cycle) }

// At returns element i, or the zero value if i is not below Size().
func (l *Lasso[T]) At(i int) (x T) {
	n := len(l.Prefix)
	if uint(i) < uint(n) {
		return l.Prefix[i]
	}
	if i -= n; uint(i) < uint(len(l.Cycle)) {
		return l.Cycle[i]
	}
	return x
}

// Next returns the position that comes after one below Size(): after the last it is the first of
// the cycle. With two letters in the prefix and three in the cycle, the successors of 0 to 4 are 1,
// 2, 3, 4 and 2.
func (l *Lasso[T]) Next(i int) int {
	if i++; i < l.Size() {
		return i
	}
	return len(l.Prefix)
}

// Certify returns an error unless package certify confirms that the automaton, as read,
// accepts the word, as printed (or rejects it, if accepted is false). The word must give each
// proposition of the automaton a value.
func (a *Automaton) Certify(ctx context.Context, w *Word, accepted bool) error {
	if a.Alphabet() == nil {
		return ErrNoAutomaton
	}
	return certified(w, accepted, "accepted", func(text *certify.Word) (bool, error) {
		return certify.Accepts(ctx, a.Plain(), text)
	})
}

// CertifyTruth returns an error unless package certify confirms the truth of the formula on
// the word, as printed. The word must give each proposition of the formula a value.
func (w *Word) CertifyTruth(ctx context.Context, f *ltl.Formula, truth bool) error {
	return certified(w, truth, "true", func(text *certify.Word) (bool, error) { return certify.Holds(ctx, f, text) })
}

func certified(w *Word, want bool, what string, decide func(*certify.Word) (bool, error)) error {
	if err := w.Check(); err != nil {
		return err
	}
	// What is certified is the text that the user sees, read again by other code.
	concrete := w.Concrete()
	printed := concrete.String()
	text, err := certify.ParseWord(concrete.String())
	if err != nil {
		return fmt.Errorf("%w: %w; please report this", ErrInternal, err)
	}
	got, err := decide(text)
	switch {
	case err != nil:
		return fmt.Errorf("cannot certify the word %s: %w", printed, err)
	case got != want:
		return fmt.Errorf("%w: word %s: %s: %v, but its certificate says %v; please report this", ErrInternal, printed, what, want, got)
	}
	return nil
}
