package ltl

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A SyntaxError says where a formula is not as it should be.
type SyntaxError struct {
	Text            string
	Offset          int // in bytes
	Line, Column    int // from 1; columns count characters
	Expected, Found string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: expected %s, found %s", e.Line, e.Column, e.Expected, e.Found)
}

// Excerpt returns the line with the error, and a caret below the position. For a long line, it
// returns the part around the position. Unprintable characters are escaped as in Go.
func (e *SyntaxError) Excerpt() string {
	const width = 60
	if e.Offset < 0 || e.Offset > len(e.Text) {
		return ""
	}
	start := strings.LastIndexByte(e.Text[:e.Offset], '\n') + 1
	line, _, _ := strings.Cut(e.Text[e.Offset:], "\n")
	before, after := printable(e.Text[start:e.Offset]), printable(line)
	if over := len(before) - width/2; over > 0 && len(before)+len(after) > width {
		// What is not needed behind the place is room before it.
		over = min(over, len(before)+len(after)-width)
		before = append([]rune("…"), before[over+1:]...)
	}
	if room := width - len(before); len(after) > room {
		after = append(after[:room-1], '…')
	}
	return string(before) + string(after) + "\n" + strings.Repeat(" ", len(before)) + "^"
}

// printable returns the characters of text, with escapes instead of those that
// can't be printed.
func printable(text string) []rune {
	var list []rune
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			quoted := strconv.Quote(text[:n])
			list = append(list, []rune(quoted[1:len(quoted)-1])...)
		} else {
			list = append(list, r)
		}
		text = text[n:]
	}
	return list
}

// place computes the line and the column of an error.
func (e *SyntaxError) place() *SyntaxError {
	before := e.Text[:e.Offset]
	e.Line = 1 + strings.Count(before, "\n")
	e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return e
}
