package translators

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// Lengths in bytes: no more of a text is looked at, and no more of its pattern kept.
const (
	maxPatternText = 2048
	maxPattern     = 200
)

// gap stands for what was taken out of a text.
const gap = process.Gap

// Pattern returns a message without the parts that differ from call to call. Equal patterns
// mean the same message. These parts are replaced by a gap:
//
//   - decimal and hexadecimal numbers,
//   - quoted text, except failed assertions and names such as std::bad_alloc,
//   - absolute paths, such as paths of temporary files,
//   - formulas and words, or parts of them: operators, brackets, and propositions of the
//     formula. A single letter, or a name that ends in digits, counts as a proposition of any
//     formula,
//   - labels of states in never claims.
//
// For example, with the formula a U (b & foo):
//
//	error in line 12: cannot open '/tmp/x.ltl'    error in line …: cannot open …
//	bad operator in a U (b & foo)                 bad operator in …
//	Assertion `n > 0' failed.                     Assertion `n > 0' failed.
//
// Some removed letters and brackets may belong to the message itself. That does no harm,
// because they are the same in all calls. Pattern reads only the first 2 KiB, and returns at
// most 200 bytes.
func Pattern(text, formula string) string {
	p := patterner{text: start(text, maxPatternText), props: propositions(formula)}
	return p.pattern()
}

// propositions returns the words of a formula that may be propositions.
func propositions(formula string) map[string]bool {
	props := map[string]bool{}
	for _, token := range (&patterner{text: start(formula, maxPatternText)}).words() {
		props[token] = true
	}
	return props
}

// start returns the first bytes of a text, in whole characters.
func start(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// A patterner cuts a text into tokens.
type patterner struct {
	text  string
	pos   int
	props map[string]bool // multi-letter words of the formula
	speak bool            // keep the words in quotes: they may be all that is said
}

// kind says what a token can be part of.
type kind uint8

const (
	end     kind = iota
	space        // white space and what can't be printed
	removed      // a number, something in quotes, a path
	operand      // a proposition, or an operator that is a letter
	symbol       // an operator or bracket
	plain        // anything else
)

// pattern replaces each stretch of removed tokens, operands and symbols, with
// space between them, by one gap. A stretch of symbols alone stays.
func (p *patterner) pattern() string {
	var b strings.Builder
	var kept strings.Builder // symbols and space: dropped if what is removed follows, written if plain text does
	within := false          // in a stretch that has more than symbols
	pause := false           // space at the end of a stretch: written only if plain text follows
	for b.Len() < maxPattern {
		k, text := p.next()
		switch k {
		case removed, operand:
			if !within {
				within = true
				if s := kept.String(); s != "" && unicode.IsSpace(rune(s[0])) {
					b.WriteByte(' ')
				}
				kept.Reset()
				b.WriteString(gap)
			}
			pause = false
			continue
		case symbol:
			if within {
				pause = false
			} else {
				kept.WriteString(text)
			}
			continue
		case space:
			if within {
				pause = true
			} else if s := kept.String(); !strings.HasSuffix(s, " ") {
				kept.WriteByte(' ')
			}
			continue
		}
		if pause {
			b.WriteByte(' ')
		}
		b.WriteString(kept.String())
		kept.Reset()
		within, pause = false, false
		if k == end {
			break
		}
		b.WriteString(text)
	}
	return start(strings.TrimSpace(b.String()), maxPattern)
}

// words returns the words of a formula that have more than one letter.
func (p *patterner) words() (list []string) {
	for {
		switch k, text := p.next(); {
		case k == end:
			return list
		case k == plain && len(text) > 1:
			// Which of its first letters are operators can't be seen: GFgrant.
			list = append(list, text, text[span(text, unary):])
		case k == removed && strings.HasPrefix(text, `"`):
			name := strings.Trim(text, `"`)
			list = append(append(list, name), strings.Fields(name)...)
		}
	}
}

// A quote among them has no partner: it is the end of a proposition whose start is
// missing.
const symbols = "!~&|^()[]{}<>-=*+/\\;\"'`"

// next returns the next token. Its text is never empty but at the end.
func (p *patterner) next() (kind, string) {
	rest := p.text[p.pos:]
	if rest == "" {
		return end, ""
	}
	before, _ := utf8.DecodeLastRuneInString(p.text[:p.pos])
	r, size := utf8.DecodeRuneInString(rest)
	quoted, path := "", ""
	if p.pos == 0 || !letter(before) && !digit(before) { // a quote in a word is an apostrophe
		quoted, path = quotedText().FindString(rest), absolutePath().FindString(rest)
	}
	k := plain
	switch {
	case !unicode.IsPrint(r) || unicode.IsSpace(r):
		k = space
	case digit(r):
		k, size = removed, max(len(number().FindString(rest)), len(address(rest)))
	case letter(r):
		k, size = p.word(rest)
	case quoted != "" && p.speak && !temporary(quoted):
		k = symbol // the quote alone
	case quoted != "" && (strings.HasSuffix(p.text[:p.pos], "Assertion ") || qualified(quoted)):
		size = len(quoted)
	case quoted+path != "":
		k, size = removed, len(quoted+path)
	case strings.ContainsRune(symbols, r):
		k = symbol
	}
	p.pos += size
	return k, rest[:size]
}

var (
	// number matches 12, 1.5, 1,000, 2e-07 and 0x7f.
	number = expression(`^(?:0[xX][0-9a-fA-F]*|[0-9]+(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]+)?)`)
	// hexadecimal matches an address without its 0x, such as 7ffe.
	hexadecimal = expression(`^[0-9a-fA-F]*[0-9][0-9a-fA-F]*$`)
	// quotedText ends with the first closing quote that no letter or digit follows: others are apostrophes.
	quotedText = expression("^(?:\"(?:[^\"\\\\]|\\\\.|\"[\\pL\\pN_])*\"|'(?:[^']|'[\\pL\\pN_])*'|`(?:[^`']|[`'][\\pL\\pN_])*[`']" +
		"|[“„](?:[^”“]|[”“][\\pL\\pN_])*[”“]|[‘‚](?:[^’‘]|[’‘][\\pL\\pN_])*[’‘]|«[^»]*»)")
	absolutePath = expression("^/[\\pL\\pN_.][^\\s\\pC:,;()\\[\\]{}<>'\"`]*")
)

// address returns the word that a text starts with if it is an address without its 0x.
func address(text string) string {
	whole := text[:span(text, func(r rune) bool { return letter(r) || digit(r) })]
	return hexadecimal().FindString(whole)
}

// temporary reports whether a quoted text is a file name, such as the name of a temporary
// file.
func temporary(text string) bool {
	text = strings.Trim(text, `"'`+"`‘’“”„‚«»")
	return !strings.ContainsFunc(text, unicode.IsSpace) && (strings.Contains(text, "/") || strings.HasPrefix(text, "tmp"))
}

// qualified reports whether a text has a name such as std::bad_alloc in it.
func qualified(text string) bool {
	i := strings.Index(text, "::")
	return i > 0 && i+2 < len(text) && letter(rune(text[i-1])) && letter(rune(text[i+2]))
}

func digit(r rune) bool  { return '0' <= r && r <= '9' }
func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// span returns the length of the longest start of text whose characters are in.
func span(text string, in func(rune) bool) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !in(r) }); n >= 0 {
		return n
	}
	return len(text)
}

func unary(r rune) bool { return strings.ContainsRune("GFXYZOH", r) }

// word returns the kind and the length of the word that text starts with: of one
// with digits inside, such as ltl2ba, up to these.
func (p *patterner) word(text string) (kind, int) {
	whole := span(text, func(r rune) bool { return letter(r) || digit(r) })
	if address(text) != "" {
		return removed, whole
	}
	switch w := text[:whole]; strings.ToLower(w) {
	case "true", "false", "xor", "cycle":
		return operand, whole
	default:
		if p.props[w] || stateLabel(w) {
			return operand, whole
		}
	}
	name := span(text, letter)
	digits := span(text[name:], digit)
	// Operators stand before their operand without space: GFa, XXp1.
	operators := span(text[:name], unary)
	short := utf8.RuneCountInString(text[operators:name]) <= 1
	if name+digits == whole && (short || digits > 0) || p.props[text[operators:whole]] {
		return operand, whole
	}
	// An apostrophe within it: can't.
	for n := name; len(text) > n+1 && text[n] == '\''; {
		more := span(text[n+1:], letter)
		if more == 0 {
			break
		}
		name, n = n+1+more, n+1+more
	}
	return plain, name
}

// stateLabel reports whether a word is the label of a state in a never claim, as all tools that
// print claims write it: T0_init, T2_S31, accept_S3, accept_all.
func stateLabel(word string) bool {
	if rest, ok := strings.CutPrefix(word, "accept_"); ok {
		return rest != ""
	}
	rest, ok := strings.CutPrefix(word, "T")
	n := span(rest, digit)
	return ok && n > 0 && len(rest) > n+1 && rest[n] == '_'
}
