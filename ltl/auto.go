package ltl

import (
	"fmt"
	"strings"
)

// parseAny reads a formula in whichever syntax it is written in. If it is none in any,
// the error is that of the syntax in which most of it can be read.
func (s *Store) parseAny(text string, lenient bool) (*Formula, error) {
	list := []Syntax{Spot, LBT}
	if strings.Contains(text, "=0") || strings.Contains(text, "=1") {
		list = append(list, Wring)
	}
	if strings.Contains(text, "[]") || strings.Contains(text, "<>") {
		list = append(list, Spin)
	}
	var found *Formula
	var in Syntax
	var worst *SyntaxError
	for _, syn := range list {
		f, err := s.parse(text, syn, lenient)
		if bad, ok := err.(*SyntaxError); ok {
			if worst == nil || bad.Offset > worst.Offset {
				worst = bad
			}
			continue
		}
		if found != nil && f != found {
			e := &SyntaxError{Text: text, Expected: "a formula that means the same in all syntaxes (or give its syntax)",
				Found: fmt.Sprintf("%s in %s's and %s in %s's", short(found), in, short(f), syn)}
			return nil, e.place()
		}
		found, in = f, syn
	}
	if found == nil {
		return nil, worst
	}
	return found, nil
}

// short returns the formula, or the start of it if it is long.
func short(f *Formula) string {
	const most = 60
	text := []rune(f.String())
	if len(text) > most {
		return string(text[:most-1]) + "…"
	}
	return string(text)
}
