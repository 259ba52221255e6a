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
	if c.line.undecided {
		return nil
	}
	for _, p := range c.line.places {
		written := c.text[p.at:p.end]
		switch {
		case inFile(p.placeholder):
		case p.inside == '\'':
			return c.fail(p.at, "%s is inside single quotes, but its value is already quoted: %s", written, c.unquote(p))
		case p.inside == '"' && !p.blank && !readAgain(c.parts):
			return c.fail(p.at, "%s is inside double quotes, but its value is already quoted, so the tool would get the quotes: %s", written, c.unquote(p))
		}
	}
	if n := len(c.line.open); n > 0 {
		names := map[byte]string{'\'': "single quote", '"': "double quote", '`': "backquote"}
		if name := names[c.line.open[n-1]]; name != "" {
			return c.fail(len(c.text), "missing %s: the last one is not closed", name)
		}
	}
	return nil
}

// unquote says what to write instead of a placeholder in quotes.
func (c *Command) unquote(p place) string {
	written := c.text[p.at:p.end]
	if p.at > 0 && p.end < len(c.text) && c.text[p.at-1] == p.inside && c.text[p.end] == p.inside {
		return "write " + written + " instead of " + c.text[p.at-1:p.end+1]
	}
	return "move it out of the quotes, as in 'mytool '" + written + ", or pass it on as an argument, as in sh -c 'mytool \"$1\"' sh " + written
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
