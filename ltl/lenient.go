package ltl

import "strings"

// ParseLenient is Parse, except that a text in parentheses that is no formula becomes a
// proposition with that name. So formulas can contain expressions of a model's language:
//
//	(x[2] < y) U (ready)
//
// is "x[2] < y" U ready. Of nested parentheses, the innermost that make a formula are taken.
// LBT's syntax has no parentheses.
func (s *Store) ParseLenient(text string, syn Syntax) (*Formula, error) {
	return s.parse(text, syn, true)
}

// block takes the parentheses that open at an offset for a proposition, after it has
// turned out that there is no formula between them. Then the current token is the
// closing one. It returns nil, and the error stands, if there is none or nothing before
// it, if that is not allowed, or if the formula is too large.
func (p *parser) block(open int) *tree {
	if !p.lenient || p.exceeded {
		return nil
	}
	if p.blocks == nil {
		p.blocks = blocks(p.text)
	}
	end := p.blocks[open]
	if end == 0 {
		return nil
	}
	name := strings.TrimSpace(p.text[open+1 : end])
	if name == "" {
		return nil
	}
	p.err = nil
	p.tok, p.at, p.end = tokClose, end, end+1
	return &tree{op: OpProp, name: name}
}

// blocks returns, by the offset of each '(' outside of double quotes, that of the ')' that
// closes it. All are found at once: every one of a million may be asked for.
func blocks(text string) []int {
	end := make([]int, len(text))
	var open []int
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			end[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return end
}
