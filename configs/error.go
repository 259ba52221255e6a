package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
)

// An Error is one error in a configuration.
type Error struct {
	File         string
	Line, Column int    // from 1, columns count characters; 0 if it is not written in a file
	Key          string // "translators.timeout"; "" if the file is no TOML
	Message      string
	Suggestion   string // what may have been meant, or ""

	path   path
	offset int // in the string at path; -1 for the whole value; atKey for its key
}

const (
	atValue = -1
	atKey   = -2
)

// Error returns "file:line:column: key: message; did you mean this?"
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		fmt.Fprintf(&b, "%s:", e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
		}
		b.WriteByte(' ')
	}
	if e.Key != "" {
		fmt.Fprintf(&b, "%s: ", e.Key)
	}
	b.WriteString(e.Message)
	b.WriteString(spelling.DidYouMean(e.Suggestion))
	return b.String()
}

// Errors are all errors in a configuration, in the order of the file.
type Errors []*Error

// Error returns one line for each error.
func (list Errors) Error() string {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors.
func (list Errors) Unwrap() []error {
	errs := make([]error, len(list))
	for i, e := range list {
		errs[i] = e
	}
	return errs
}

func (list *Errors) add(p path, offset int, format string, args ...any) *Error {
	e := &Error{Key: p.key, Message: fmt.Sprintf(format, args...), path: p, offset: offset}
	*list = append(*list, e)
	return e
}

// unknown notes a name that is none of names.
func (list *Errors) unknown(p path, offset int, name, message string, names []string) {
	e := list.add(p, offset, "%s", message)
	if e.Suggestion = spelling.Nearest(name, names); e.Suggestion == "" {
		e.Message += ": expected one of " + strings.Join(names, ", ")
	}
}

// position fills in where the errors are, and sorts them by that.
func (list Errors) position(file string, l *locator) {
	for _, e := range list {
		e.File = file
		here, ok := l.places[e.path.id]
		for id := e.path.id; !ok && id != ""; {
			// What is missing is where its table is.
			id = id[:max(0, strings.LastIndexAny(id, ".["))]
			here, ok = l.places[id]
			here.value = -1 // a table has no value, only a header
		}
		at := here.value
		switch {
		case at < 0 || e.offset == atKey:
			at = here.key
		// Escapes in a string are longer than their characters.
		case e.offset >= 0 && strings.IndexByte(`"'`, l.text[at]) >= 0:
			at = inString(l.text, at, e.offset)
		}
		e.Line, e.Column = lineColumn(l.text, at)
	}
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// A path leads from the top of a file to a value: translators[1].env.HOME.
type path struct {
	id  string // with the indices of arrays: no two values have the same
	key string // without: what people are shown
}

func (p path) field(name string) path {
	if name == "" || strings.Trim(name, bareKey) != "" {
		name = strconv.Quote(name)
	}
	if p.id == "" {
		return path{name, name}
	}
	return path{p.id + "." + name, p.key + "." + name}
}

func (p path) item(i int) path { return path{p.id + "[" + strconv.Itoa(i) + "]", p.key} }

// within reports whether p is q, or is inside the value at q.
func (p path) within(q path) bool {
	rest, ok := strings.CutPrefix(p.id, q.id)
	return ok && (rest == "" || q.id == "" || rest[0] == '.' || rest[0] == '[')
}

// bareKey are the characters of keys that need no quotes.
const bareKey = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// A place is where a value is written, in bytes from the start of the file.
type place struct {
	key   int // its key, or the name in its header, or itself if it is in an array
	value int // -1 for a table that has a header instead
}

// A locator finds the place of each value in a TOML document. The parser of TOML
// gives values without positions, so the document is read a second time; as it
// is known to be valid by then, it is enough to recognize where keys, strings
// and brackets begin and end.
type locator struct {
	text   string
	pos    int
	places map[string]place
	tables map[string]int // how many tables an array of tables has so far
	// again are offsets of keys that have a value already. The parser of TOML
	// finds most of them, but not b = 1 after b.c = 2, nor b.c = 2 after b = [1] or
	// after [[b]].
	again []int
}

// locate returns the places of the values in a valid document. For any other document it ends too, and
// the places mean nothing.
func locate(text string) *locator {
	l := &locator{text: text, places: map[string]place{}, tables: map[string]int{}}
	table := path{}
	for l.blank(true); l.pos < len(text); l.blank(true) {
		start := l.pos
		if text[l.pos] == '[' {
			table = l.header()
		} else {
			l.pair(table)
		}
		if l.pos == start { // not valid: go on somewhere
			l.pos++
		}
	}
	return l
}

// header reads [a.b] or [[a.b]], and returns the path of the table that follows.
func (l *locator) header() path {
	array := strings.HasPrefix(l.text[l.pos:], "[[")
	p := path{}
	for l.accept('[') { // one bracket or two
	}
	start := l.pos
	for {
		// Where a is an array of tables, a.b is in its last table.
		if n := l.tables[p.id]; n > 0 {
			p = p.item(n - 1)
		}
		p, _ = l.name(p)
		if !l.accept('.') {
			break
		}
	}
	if array {
		l.tables[p.id]++
		p = p.item(l.tables[p.id] - 1)
		l.places[p.id] = place{start, -1}
	}
	for l.accept(']') {
	}
	return p
}

func (l *locator) pair(p path) {
	start := l.pos
	p, fresh := l.name(p)
	array := false
	for l.accept('.') {
		// An array of tables grows by headers only.
		array = array || l.tables[p.id] > 0
		p, fresh = l.name(p)
	}
	if array || !fresh {
		l.again = append(l.again, start)
	}
	if l.accept('=') {
		l.value(p)
	}
}

// name reads one part of a key, in the table at p. It returns its path, and
// whether that has not occurred before.
func (l *locator) name(p path) (_ path, fresh bool) {
	l.blank(false)
	start := l.pos
	var name strings.Builder
	if strings.IndexByte(`"'`, l.peek()) >= 0 && l.pos < len(l.text) {
		l.pos = walkString(l.text, l.pos, func(_ int, r rune) { name.WriteRune(r) })
	} else {
		for l.pos < len(l.text) && strings.IndexByte(bareKey, l.text[l.pos]) >= 0 {
			l.pos++
		}
		name.WriteString(l.text[start:l.pos])
	}
	l.blank(false)
	p = p.field(name.String())
	if here, known := l.places[p.id]; known {
		if here.value >= 0 { // a table that has a header may come again
			l.again = append(l.again, start)
		}
		return p, false
	}
	l.places[p.id] = place{start, -1}
	return p, true
}

// value reads a value, and notes that it is the one of p.
func (l *locator) value(p path) {
	l.blank(false)
	here, ok := l.places[p.id]
	if !ok { // an element of an array has no key
		here.key = l.pos
	}
	here.value = l.pos
	l.places[p.id] = here
	switch l.peek() {
	case '"', '\'':
		l.pos = walkString(l.text, l.pos, func(int, rune) {})
	case '[':
		l.list('[', ']', func(i int) { l.value(p.item(i)) })
	case '{':
		l.list('{', '}', func(int) { l.pair(p) })
	default:
		for l.pos < len(l.text) && !strings.ContainsRune(",]}#\n", rune(l.text[l.pos])) {
			l.pos++
		}
	}
}

// list reads elements between brackets, separated by commas. There may be a
// comma before the closing bracket as well.
func (l *locator) list(open, end byte, element func(i int)) {
	l.accept(open)
	for i := 0; ; i++ {
		l.blank(true)
		if l.pos == len(l.text) || l.accept(end) {
			return
		}
		start := l.pos
		element(i)
		l.blank(true)
		if !l.accept(',') && l.pos == start {
			return
		}
	}
}

// blank skips spaces, and also newlines and comments if lines is set.
func (l *locator) blank(lines bool) {
	for ; l.pos < len(l.text); l.pos++ {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t':
		case lines && (c == '\n' || c == '\r'):
		case lines && c == '#':
			end := strings.IndexByte(l.text[l.pos:], '\n')
			if end < 0 {
				end = len(l.text) - l.pos
			}
			l.pos += end - 1 // the loop goes on to the newline
		default:
			return
		}
	}
}

func (l *locator) peek() byte {
	if l.pos == len(l.text) {
		return 0
	}
	return l.text[l.pos]
}

func (l *locator) accept(c byte) bool {
	if l.peek() != c {
		return false
	}
	l.pos++
	return true
}

// walkString reads the string literal that starts at pos, in single or double
// quotes, on one line or on several, and returns where it ends. It gives each
// character of the string to each, with the place where it is written.
func walkString(text string, pos int, each func(offset int, r rune)) int {
	quote := text[pos : pos+1]
	basic := quote == `"`
	if strings.HasPrefix(text[pos:], strings.Repeat(quote, 3)) {
		quote = text[pos : pos+3]
	}
	pos += len(quote)
	if len(quote) == 3 {
		// A newline right after the quotes is not part of the string.
		pos += len(text[pos:]) - len(strings.TrimPrefix(strings.TrimPrefix(text[pos:], "\r"), "\n"))
	}
	for pos < len(text) {
		if strings.HasPrefix(text[pos:], quote) {
			// Of more than three quotes the last three are the end.
			if len(quote) == 1 || !strings.HasPrefix(text[pos+1:], quote) {
				return pos + len(quote)
			}
		}
		start := pos
		r, n := utf8.DecodeRuneInString(text[pos:])
		pos += n
		if basic && r == '\\' {
			if r, pos = unescape(text, pos); r < 0 { // an escaped end of a line
				continue
			}
		}
		each(start, r)
	}
	return pos
}

// unescape reads what follows a backslash: the character that it stands for, or -1 for the end of a line.
func unescape(text string, pos int) (rune, int) {
	if pos == len(text) {
		return -1, pos
	}
	c := text[pos]
	pos++
	if i := strings.IndexByte("btnfre", c); i >= 0 {
		return rune("\b\t\n\f\r\x1b"[i]), pos
	}
	if strings.IndexByte(" \t\r\n", c) >= 0 { // the end of a line, which is skipped with all space after it
		return -1, len(text) - len(strings.TrimLeft(text[pos:], " \t\r\n"))
	}
	digits, known := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if !known {
		return rune(c), pos
	}
	digits = min(digits, len(text)-pos) // the document may not be valid
	n, _ := strconv.ParseUint(text[pos:pos+digits], 16, 32)
	return rune(n), pos + digits
}

// inString returns where byte n of the string literal at pos is written.
func inString(text string, pos, n int) int {
	found := -1
	end := walkString(text, pos, func(offset int, r rune) {
		if n <= 0 && found < 0 {
			found = offset
		}
		n -= utf8.RuneLen(r)
	})
	if found < 0 {
		found = end - 1
	}
	return found
}

// lineColumn returns the line and the column, in characters, of an offset.
func lineColumn(text string, offset int) (line, column int) {
	offset = max(0, min(offset, len(text)))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return strings.Count(text[:offset], "\n") + 1, utf8.RuneCountInString(text[start:offset]) + 1
}

// lines sets Translator.Line to the line of the key that names what is run. Without one, it takes the table's line.
func (d *decoder) lines(list []Translator) {
	for i := range list {
		p := path{}.field("translators").item(i)
		for _, p := range []path{p.field("command"), p.field("tool"), p.field("builtin"), p} {
			if here, ok := d.places.places[p.id]; ok {
				list[i].Line, _ = lineColumn(d.text, here.key)
				break
			}
		}
	}
}
