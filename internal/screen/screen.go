// Package screen keeps what tools print, and what formulas and names have, from acting on a terminal.
//
// All text for a terminal goes through [Escape]: that of a [Writer] as it is written, and that of reports when
// they are complete. Only [Paint] makes colors, and only [Write] gets past a Writer.
package screen

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// key marks the sequences of Paint until they are written. Nobody else can know it.
var key = ";" + strconv.FormatUint(rand.Uint64(), 10) + "m"

// Paint returns text in a color, such as "31" or "1;31", for Escape.
func Paint(color, text string) string { return Color(color) + text + Color("") }

// Color is where Paint begins a color, and ends it with the color "".
func Color(color string) string { return "\x1b[" + color + key }

// Escape returns text with each character that a terminal might obey as the escape that JSON has: \u001b for
// ESC. Ends of lines, tabs and what Paint has made stay. Invalid UTF-8 becomes U+FFFD.
func Escape(text string) string {
	harmless := func(r rune) bool { return r == '\n' || r == '\t' || unicode.IsPrint(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !harmless(r) }) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		const longest = 64 // of what Paint makes
		if color, _, ok := strings.Cut(text[:min(len(text), longest)], key); ok && strings.HasPrefix(color, "\x1b[") && strings.Trim(color[2:], "0123456789;") == "" {
			b.WriteString(color + "m")
			text = text[len(color)+len(key):]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case harmless(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[n:]
	}
	return b.String()
}

// A Writer writes to a terminal what Escape makes of it. Like a file it may be used by several goroutines.
type Writer struct {
	File *os.File
	mu   sync.Mutex
	rest []byte // the start of a character
}

// FileOf returns the file that w writes to, if w is a file or a Writer on one.
func FileOf(w io.Writer) (*os.File, bool) {
	if s, ok := w.(*Writer); ok {
		return s.File, true
	}
	file, ok := w.(*os.File)
	return file, ok
}

// Write writes a text. If it ends within a character, that waits for the next one.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(bytes.Clone(w.rest), text...)
	end := len(all)
	for n := 1; n < utf8.UTFMax && n <= len(all); n++ {
		if tail := all[len(all)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				end -= n
			}
			break
		}
	}
	w.rest = all[end:]
	_, err := io.WriteString(w.File, Escape(string(all[:end])))
	return len(text), err
}

// WriteSafe writes a text as it is.
func (w *Writer) WriteSafe(text []byte) (int, error) { return w.File.Write(text) }

// Write writes a text that Escape has returned. If the writer has a method WriteSafe, that gets it.
func Write(w io.Writer, text string) error {
	var err error
	if s, ok := w.(interface{ WriteSafe([]byte) (int, error) }); ok {
		_, err = s.WriteSafe([]byte(text))
	} else {
		_, err = io.WriteString(w, text)
	}
	return err
}

// Line returns the start of a text, as one line that is fit for a terminal.
func Line(text string, most int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // it might change the terminal
			return ' '
		}
		return r
	}, text))
	if runes := []rune(text); len(runes) > max(0, most) {
		text = strings.TrimSpace(string(runes[:max(1, most)-1])) + "…"
	}
	return text
}

// TitleOf returns what stands for an input in a line, by its text: a formula, or the source of an automaton.
func TitleOf(text string) string {
	title, _, _ := CutText(text)
	return title
}

// CutText splits the text of an input into its title and, if it is an automaton, the HOA text.
func CutText(text string) (title, hoa string, ok bool) {
	if i := strings.Index(text, "\nHOA: v1\n"); i >= 0 { // no formula has such a line
		return text[:i], text[i+1:], true
	}
	return text, "", false
}
