package translators

import (
	"slices"
	"strings"
)

// startsOthers are programs whose arguments are a command.
var startsOthers = map[string]bool{"env": true, "exec": true, "nice": true, "ionice": true, "nohup": true, "setsid": true, "stdbuf": true,
	"taskset": true, "time": true, "timeout": true, "command": true, "chrt": true, "unbuffer": true, "sudo": true}

// introduces are words of the shell behind which a command stands.
var introduces = map[string]bool{"if": true, "then": true, "else": true, "elif": true, "do": true, "while": true, "until": true, "!": true, "{": true, "}": true}

// suspects returns words of a line that look like programs, in their order. They need not be
// programs: it takes a shell to know.
func (l *shellLine) suspects() (list []string) {
	var words, functions []string
	command := true  // a command may begin here
	wrapped := false // behind a word of startsOthers
	file := false    // the next word is that of a redirection
	for i, t := range l.tokens {
		switch word := t.text(); {
		case t.op == "#":
		case t.redirects():
			file = true
		case t.op != "":
			command, wrapped, file = true, false, false
		case file:
			file = false
		case !command || introduces[word] || strings.Contains(word, "="):
		case wrapped && (word[:min(1, len(word))] == "-" || strings.Trim(word, "0123456789.smhdk") == ""):
		case startsOthers[word]:
			wrapped = true
		default:
			command = false
			switch rest := l.tokens[i+1:]; {
			case len(t.pieces) > 1 || t.expands || word == "":
			case len(rest) > 1 && rest[0].op == "(" && rest[0].glued && rest[1].op == ")" && rest[1].glued:
				functions = append(functions, word)
			default:
				words = append(words, word)
			}
		}
	}
	for _, word := range words {
		if !slices.Contains(functions, word) && !shellWords[word] {
			list = append(list, word)
		}
	}
	return list
}

// pipeline reports whether a line is for certain one pipeline: commands with | between them.
func (l *shellLine) pipeline() bool {
	other := func(t token) bool { return t.quoted || t.op != "" && t.op != "|" && !t.redirects() }
	return !slices.ContainsFunc(l.tokens, other) && slices.ContainsFunc(l.tokens, func(t token) bool { return t.op == "|" })
}
