package translators

import "strings"

// misquoted looks for a mistake in the quotes of the shell that makes every call fail. It
// returns nil if there is none, or if it takes a shell to know.
//
// A formula is put into the line as one word in single quotes:
//
//	mytool %f          mytool 'a U b'
//	mytool '%f'        mytool ''a U b''      three words: the quotes close each other
//	mytool "%f"        mytool "'a U b'"      the tool gets the single quotes as well
//	sh -c "mytool %f"  sh -c "mytool 'a U b'"  right: another shell takes them off
//
// The names of files (%F, %O, …) are left alone: they do no harm in quotes.
func (c *Command) misquoted() *CommandError {
	s := quoteScan{command: c, again: readAgain(c.parts)}
	for _, p := range c.parts {
		s.text(p.text)
		if p.placeholder != 0 {
			s.placeholder(p)
		}
		if s.undecided {
			return nil
		}
	}
	if s.bad == nil {
		s.unclosed()
	}
	return s.bad
}

// quoteScan reads a template as the shell does, as far as quotes are concerned.
type quoteScan struct {
	command   *Command
	again     bool   // some word makes a shell read its arguments
	open      []byte // what is open, innermost last: ' " ` or ( for $( and (
	word      []byte // since the last blank, or since the innermost double quote
	blank     bool   // there was a blank since then
	comment   bool
	escaped   bool
	undecided bool // only a shell can tell
	bad       *CommandError
}

func (s *quoteScan) innermost() byte {
	if len(s.open) == 0 {
		return 0
	}
	return s.open[len(s.open)-1]
}

func (s *quoteScan) push(c byte) { s.open, s.word, s.blank = append(s.open, c), s.word[:0], false }
func (s *quoteScan) pop() {
	s.open, s.word, s.blank = s.open[:len(s.open)-1], append(s.word[:0], '.'), false
}

func (s *quoteScan) text(text string) {
	for i := 0; i < len(text) && !s.undecided; i++ {
		switch c := text[i]; {
		case s.comment:
			s.comment = c != '\n'
		case s.innermost() == '\'':
			if c == '\'' {
				s.pop()
			}
		case s.escaped:
			s.escaped = false
			s.word = append(s.word, '.')
		case c == '\\':
			s.escaped = true
			s.undecided = strings.IndexByte(string(s.open), '`') >= 0
		case s.innermost() == '"':
			s.doubleQuoted(c, text[i+1:])
		default:
			s.unquoted(c, text[i+1:])
		}
	}
}

// doubleQuoted reads a character between double quotes.
func (s *quoteScan) doubleQuoted(c byte, rest string) {
	switch {
	case c == '"':
		s.pop()
	case c == '`':
		s.backquote()
	case c == '$' && strings.HasPrefix(rest, "{"):
		s.undecided = true // quotes mean something else there
	case c == '(' && s.last() == '$':
		s.push('(')
	case strings.IndexByte(blanks, c) >= 0:
		s.blank = true
	default:
		s.word = append(s.word, c)
	}
}

// unquoted reads a character outside of quotes, perhaps in a substitution.
func (s *quoteScan) unquoted(c byte, rest string) {
	switch {
	case c == '\'' && s.last() == '$', c == '<' && strings.HasPrefix(rest, "<"), c == '$' && strings.HasPrefix(rest, "{"):
		s.undecided = true // $'…', a here-document, ${x:-'…'}
	case c == '\'' || c == '"':
		s.push(c)
	case c == '`':
		s.backquote()
	case c == '(':
		s.push('(')
	case c == ')' && s.innermost() == '(':
		s.pop()
	case c == '#' && len(s.word) == 0:
		s.comment, s.undecided = true, len(s.open) > 0
	case strings.IndexByte(blanks+";&|()<>", c) >= 0:
		// In a substitution, the parentheses of case close nothing.
		if s.undecided = string(s.word) == "case" && len(s.open) > 0; !s.undecided {
			s.word = s.word[:0]
		}
	default:
		s.word = append(s.word, c)
	}
}

// backquote begins or ends a substitution.
func (s *quoteScan) backquote() {
	switch {
	case len(s.open) == 0:
		s.push('`')
	case s.innermost() == '`':
		s.pop()
	default:
		s.undecided = true
	}
}

// last returns the character before, if it is of the same word.
func (s *quoteScan) last() byte {
	if len(s.word) == 0 {
		return 0
	}
	return s.word[len(s.word)-1]
}

// placeholder checks where a placeholder stands.
func (s *quoteScan) placeholder(p part) {
	s.escaped = false
	wrong := s.bad == nil && !s.comment && !inFile(p.placeholder)
	s.word = append(s.word, '.')
	switch {
	case !wrong:
	case s.innermost() == '\'':
		s.bad = s.command.fail(p.at, "%s is inside single quotes, but its value is already quoted: %s", s.written(p), s.fix(p))
	case s.innermost() == '"' && !s.blank && !s.again:
		s.bad = s.command.fail(p.at, "%s is inside double quotes, but its value is already quoted, so the tool would get the quotes: %s", s.written(p), s.fix(p))
	}
}

// written returns a placeholder as it is in the template.
func (s *quoteScan) written(p part) string {
	_, end, err := s.command.placeholder(p.at)
	if err != nil {
		return "%" + string(p.placeholder)
	}
	return s.command.text[p.at:end]
}

// fix says what to write instead.
func (s *quoteScan) fix(p part) string {
	text, written := s.command.text, s.written(p)
	if end := p.at + len(written); p.at > 0 && end < len(text) && text[p.at-1] == s.innermost() && text[end] == s.innermost() {
		return "write " + written + " instead of " + text[p.at-1:end+1]
	}
	return "move it out of the quotes, as in 'mytool '" + written + ", or pass it on as an argument, as in sh -c 'mytool \"$1\"' sh " + written
}

// unclosed finds a quote that is still open at the end, as the shell would.
func (s *quoteScan) unclosed() {
	names := map[byte]string{'\'': "single quote", '"': "double quote", '`': "backquote"}
	if name := names[s.innermost()]; name != "" {
		s.bad = s.command.fail(len(s.command.text), "missing %s: the last one is not closed", name)
	}
}

// readAgain reports whether some word makes a shell, on this machine or another one, read its
// arguments as commands: then quotes in quotes may be right.
func readAgain(parts []part) bool {
	for _, p := range parts {
		for _, word := range strings.FieldsFunc(p.text, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()`\"'", r) }) {
			shellFlag := len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.HasSuffix(word, "c")
			if shellFlag || word == "eval" || word == "ssh" || word == "su" || word == "xargs" || word == "parallel" || word == "trap" {
				return true
			}
		}
	}
	return false
}
