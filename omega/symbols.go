package omega

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// Some automata read symbols: in each letter of a word there is exactly one of them. An alphabet
// encodes n symbols by ⌈log2 n⌉ propositions. The encoding leaves no code unused: if n is no power
// of two, some symbols have two codes, which differ in the last proposition.
//
//	symbols a, b, c:  a is !symbol0, b is symbol0&!symbol1, c is symbol0&symbol1
//
// Each valuation is the code of one symbol. So a language of words of symbols stands for the
// language of all their codes, and this is compatible with union, intersection, complement and
// inclusion. No algorithm but those that print and read words needs to know of symbols.

// MaxSymbols is the number of symbols that an alphabet may have.
const MaxSymbols = 1 << 16

// NewSymbolAlphabet returns an alphabet that encodes symbols. It sorts them, so that the same
// symbols always have the same encoding. A repeated name counts once. There may be MaxSymbols at
// most.
func NewSymbolAlphabet(symbols ...string) *Alphabet {
	symbols = slices.Clone(symbols)
	slices.Sort(symbols)
	symbols = slices.Compact(symbols)
	props := make([]string, symbolBits(len(symbols)))
	for i := range props {
		props[i] = fmt.Sprintf("symbol%d", i)
	}
	a := NewAlphabet(props...)
	a.symbols = symbols
	return a
}

// symbolBits returns the number of propositions that encode n symbols.
func symbolBits(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// Symbols returns the symbols, sorted; nil if letters are valuations of propositions. The slice
// must not be changed.
func (a *Alphabet) Symbols() []string { return a.symbols }

// Symbol returns the set of the codes of symbol i.
func (a *Alphabet) Symbol(i int) Label {
	pos, neg := SymbolCode(i, len(a.symbols))
	return a.Cube(pos, neg)
}

// SymbolCode returns the code of symbol i of n: the propositions that are true in it and those that
// are false, as in Cube. The first symbols have one proposition less: three symbols have the codes
// !p, p&!q and p&q, with p and q for the propositions.
func SymbolCode(i, n int) (pos, neg uint64) {
	size := symbolBits(n)
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

// SymbolsOf returns the symbols that l has a code of, in order. If l has only one of the two codes
// of a symbol, whole is false: then l is no set of symbols. It takes time linear in the number of
// symbols of l, times the number of propositions.
func (a *Alphabet) SymbolsOf(l Label) (list []int, whole bool) {
	n := len(a.symbols)
	size := symbolBits(n)
	short := 1<<size - n
	whole = true // codes with one proposition less
	var visit func(l Label, prop, code int)
	visit = func(l Label, prop, code int) {
		switch {
		case l == False:
			return
		case prop == size:
			list = append(list, code-short)
			return // the longer codes come after the shorter ones
		case prop == size-1 && code < short:
			list = append(list, code)
			whole = whole && l == a.True() // the last proposition must not matter
			return
		}
		lo, hi := a.cofactor(l, prop)
		visit(lo, prop+1, 2*code)
		visit(hi, prop+1, 2*code+1)
	}
	if n > 0 {
		visit(l, 0, 0)
	}
	return list, whole
}

// symbolText returns a label over symbols for people: "a | b", or "!a&!b" for all but two.
func (a *Alphabet) symbolText(l Label) string {
	list, _ := a.SymbolsOf(l)
	name := func(i int) string { return ltl.PropText(a.symbols[i]) }
	var b strings.Builder
	switch n := len(a.symbols); {
	case len(list) == n && n > 1:
		return "1"
	case len(list) == 0:
		return "0"
	case 2*len(list) <= n || n == 1: // the shorter list
		for k, i := range list {
			if k > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(name(i))
		}
	default:
		k := 0
		for i := range n {
			if k < len(list) && list[k] == i {
				k++
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteByte('!')
			b.WriteString(name(i))
		}
	}
	return b.String()
}

// OverSymbols returns the word over an alphabet of symbols: where it has a proposition, that is the
// name of a symbol, and true in letters of this symbol only. A word that has symbols already, or
// propositions of the encoding, is returned unchanged, and so is any if the alphabet has no
// symbols.
func (w *Word) OverSymbols(a *Alphabet) (*Word, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	if a == nil {
		return nil, ErrNoAutomaton
	}
	if a.symbols == nil || w.Alphabet.symbols != nil {
		return w, nil
	}
	known := make([]int, w.Alphabet.Len())
	encoded := true
	unknown := ""
	for i, p := range w.Alphabet.props {
		_, ok := a.index[p]
		encoded = encoded && ok
		if known[i], ok = slices.BinarySearch(a.symbols, p); !ok {
			unknown = p
		}
	}
	switch {
	case encoded && unknown != "": // the word has propositions of the encoding
		return w, nil
	case unknown != "":
		return nil, fmt.Errorf("unknown symbol %q: the automaton has %s", unknown, some(a.symbols))
	}
	for i := range w.Size() {
		if symbolLetter(w, a, known, w.At(i)) == False {
			return nil, fmt.Errorf("letter %d, %s, fits no symbol: in each letter exactly one symbol is true", i+1, w.Alphabet.Text(w.At(i)))
		}
	}
	return w.each(a, func(l Label) Label { return symbolLetter(w, a, known, l) }), nil
}

// symbolLetter returns the symbols that a letter of a word over names of symbols stands for.
// Proposition i of the word names the symbol known[i].
func symbolLetter(w *Word, a *Alphabet, known []int, l Label) Label {
	valuation := make(Letter, len(known))
	label := False
	// The letter with no symbol of the word stands for all symbols that the word does not name.
	others := w.Alphabet.Eval(l, valuation)
	if others {
		label = a.True()
	}
	for i, s := range known {
		valuation[i] = true
		switch has := w.Alphabet.Eval(l, valuation); {
		case has && !others:
			label = a.Or(label, a.Symbol(s))
		case others && !has:
			label = a.And(label, a.Not(a.Symbol(s)))
		}
		valuation[i] = false
	}
	return label
}

// some lists names, but not too many: "a, b and c", "a, b, c and 20 more".
func some(names []string) string {
	const most = 5
	if len(names) == 0 {
		return "none"
	}
	list := make([]string, 0, most+1)
	for _, s := range names[:min(most, len(names))] {
		list = append(list, fmt.Sprintf("%q", s))
	}
	if n := len(names) - most; n > 0 {
		list = append(list, fmt.Sprintf("%d more", n))
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// A SymbolsError says that the letters of two automata are not the same.
type SymbolsError struct {
	// The symbols that only one of them has.
	OnlyInA, OnlyInB []string
	// One automaton has no symbols, but these propositions.
	Props []string
}

func (e *SymbolsError) Error() string {
	if e.Props != nil {
		return fmt.Sprintf("different alphabets: one automaton reads symbols, the other propositions (%s)", some(e.Props))
	}
	text := "different alphabets"
	for _, x := range []struct {
		name string
		list []string
	}{{"A", e.OnlyInA}, {"B", e.OnlyInB}} {
		if len(x.list) > 0 {
			text += fmt.Sprintf("; only %s has %s", x.name, some(x.list))
		}
	}
	return text
}

// SameSymbols returns a SymbolsError if a and b have different symbols, or if only one of them has
// symbols and the other propositions that do not encode them.
func SameSymbols(a, b *Alphabet) error {
	switch {
	case a == nil || b == nil:
		return ErrNoAutomaton
	case a.symbols == nil && b.symbols == nil || slices.Equal(a.symbols, b.symbols) && a.symbols != nil && b.symbols != nil:
		return nil
	case a.symbols == nil && b.includes(a) || b.symbols == nil && a.includes(b):
		return nil
	case a.symbols == nil:
		return &SymbolsError{Props: a.props}
	case b.symbols == nil:
		return &SymbolsError{Props: b.props}
	}
	return &SymbolsError{OnlyInA: without(a.symbols, b.symbols), OnlyInB: without(b.symbols, a.symbols)}
}

// without returns the names of one sorted list that another lacks.
func without(list, other []string) (rest []string) {
	for _, s := range list {
		if _, ok := slices.BinarySearch(other, s); !ok {
			rest = append(rest, s)
		}
	}
	return rest
}

// WithSymbols returns the automaton over an alphabet of more symbols, which no edge has. It fails
// for a symbol that the alphabet lacks, for a label that is no set of symbols, and when ctx is
// done.
func (a *Automaton) WithSymbols(ctx context.Context, alphabet *Alphabet) (*Automaton, error) {
	switch {
	case a.Alphabet() == nil || alphabet == nil:
		return nil, ErrNoAutomaton
	case slices.Equal(a.alphabet.symbols, alphabet.symbols):
		return a, nil
	}
	return a.decoded(ctx, alphabet, func(s string) (Label, error) {
		i, ok := slices.BinarySearch(alphabet.symbols, s)
		if !ok {
			return False, fmt.Errorf("unknown symbol %q: expected one of %s", s, some(alphabet.symbols))
		}
		return alphabet.Symbol(i), nil
	})
}

// OverProps returns the automaton over an alphabet of propositions. Each symbol must be the text of
// a valuation of all propositions, such as a&!b. It fails for any other symbol, and as WithSymbols.
func (a *Automaton) OverProps(ctx context.Context, alphabet *Alphabet) (*Automaton, error) {
	if a.Alphabet() == nil || alphabet == nil {
		return nil, ErrNoAutomaton
	}
	store := ltl.NewStore()
	return a.decoded(ctx, alphabet, func(s string) (l Label, err error) {
		f, err := store.Parse(s, ltl.Spot)
		if err == nil {
			l, err = alphabet.Formula(f)
		}
		if letter, ok := alphabet.Letter(l); err != nil || !ok || alphabet.LetterLabel(letter) != l {
			return False, fmt.Errorf("symbol %q: expected a valuation of the propositions %s", s, some(alphabet.props))
		}
		return l, nil
	})
}

// decoded returns the automaton over another alphabet, which has a label for each symbol.
func (a *Automaton) decoded(ctx context.Context, alphabet *Alphabet, label func(symbol string) (Label, error)) (_ *Automaton, err error) {
	w := budget.New(ctx)
	defer alphabet.Bind(w).Release(&err)
	symbols := make([]Label, len(a.alphabet.symbols))
	for i, s := range a.alphabet.symbols {
		if symbols[i], err = label(s); err != nil {
			return nil, err
		}
		if w.Spend(1 + alphabet.Len()) {
			return nil, w.Err()
		}
	}
	memo := map[Label]Label{}
	b := *a
	b.alphabet, b.AsRead, b.edges = alphabet, nil, slices.Clone(a.edges) // the text as read has other propositions
	for i, e := range b.edges {
		l, ok := memo[e.Label]
		if !ok {
			list, whole := a.alphabet.SymbolsOf(e.Label)
			if !whole {
				return nil, fmt.Errorf("the label %s is no set of symbols: it has one of two codes of a symbol", a.alphabet.Text(e.Label)) // no name fits half a symbol
			}
			for _, s := range list {
				l = alphabet.Or(l, symbols[s])
			}
			if w.Spend(1 + len(list)) {
				return nil, w.Err()
			}
			memo[e.Label] = l
		}
		b.edges[i].Label = l
	}
	return &b, w.Err()
}

// OneAlphabet returns two automata over the propositions, or the symbols, of both. It fails if their
// symbols differ: see SameSymbols.
func OneAlphabet(ctx context.Context, a, b *Automaton) (x, y *Automaton, err error) {
	if err := SameSymbols(a.Alphabet(), b.Alphabet()); err != nil {
		return nil, nil, err
	}
	both := Union(a.Alphabet(), b.Alphabet())
	if x, err = a.Over(ctx, both); err == nil {
		y, err = b.Over(ctx, both)
	}
	return x, y, err
}

// UniteSymbols returns two automata over the symbols of both. If only one has symbols, they must be
// valuations of the other's propositions: see OverProps. Automata without symbols are returned
// unchanged. It fails as WithSymbols.
func UniteSymbols(ctx context.Context, a, b *Automaton) (x, y *Automaton, err error) {
	if a.Alphabet() == nil || b.Alphabet() == nil {
		return nil, nil, ErrNoAutomaton
	}
	different := SameSymbols(a.alphabet, b.alphabet)
	switch {
	case different == nil:
		return a, b, nil
	case a.alphabet.symbols == nil:
		y, err = b.OverProps(ctx, NewAlphabet(a.alphabet.props...))
		x = a
	case b.alphabet.symbols == nil:
		x, err = a.OverProps(ctx, NewAlphabet(b.alphabet.props...))
		y = b
	default:
		both := NewSymbolAlphabet(slices.Concat(a.alphabet.symbols, b.alphabet.symbols)...)
		if x, err = a.WithSymbols(ctx, both); err == nil {
			y, err = b.WithSymbols(ctx, both)
		}
		return x, y, err
	}
	// The second error says why the symbols are no valuations of the propositions.
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w; %w", different, err)
	}
	return x, y, err
}
