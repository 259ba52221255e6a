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

// suspects returns words of a template that look like programs, in their order. They need not be
// programs: it takes a shell to know.
func suspects(parts []part) (list []string) {
	s := suspectScan{command: true}
	for _, p := range parts {
		s.text(p.text)
		if p.placeholder != 0 {
			s.open, s.unsure = true, true
		}
	}
	s.endWord()
	for _, word := range s.words {
		if !slices.Contains(s.functions, word) && !shellWords[word] {
			list = append(list, word)
		}
	}
	return list
}

// suspectScan reads a template roughly as the shell does.
type suspectScan struct {
	words     []string // that look like programs
	functions []string

	word    []byte
	open    bool // there is a word
	unsure  bool // it is more than its letters
	quote   byte
	command bool // a command may begin here
	wrapped bool // behind a word of startsOthers
	file    bool // the next word is that of a redirection
}

func (s *suspectScan) text(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case s.quote != 0 && c == s.quote:
			s.quote = 0
		case s.quote == '\'' || s.quote == '"' && c != '$' && c != '`' && c != '\\':
			s.add(c)
		case c == '\'' || c == '"':
			s.quote, s.open = c, true
		case c == '\\' && i+1 < len(text):
			i++
			s.add(text[i])
		case c == '(' && s.open && !s.unsure && strings.HasPrefix(text[i:], "()"):
			s.functions = append(s.functions, string(s.word))
			s.word, s.open = s.word[:0], false
			i++
			s.command = true
		case strings.IndexByte("|&;()\n`", c) >= 0:
			s.endWord()
			s.command, s.wrapped, s.file = true, false, false
		case c == '<' || c == '>':
			s.endWord()
			s.file = true
		case c == ' ' || c == '\t':
			s.endWord()
		case c == '#' && !s.open:
			s.endWord()
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end - 1
			} else {
				return
			}
		default:
			s.add(c)
		}
	}
}

func (s *suspectScan) add(c byte) {
	s.word, s.open = append(s.word, c), true
	s.unsure = s.unsure || strings.IndexByte("$`*?[~{", c) >= 0 && string(s.word) != "{"
}

// endWord decides what a word is.
func (s *suspectScan) endWord() {
	if !s.open {
		return
	}
	word, unsure := string(s.word), s.unsure
	s.word, s.open, s.unsure = s.word[:0], false, false
	switch {
	case s.file:
		s.file = false
	case !s.command || introduces[word] || strings.Contains(word, "="):
	case s.wrapped && (word[:min(1, len(word))] == "-" || strings.Trim(word, "0123456789.smhdk") == ""):
	case startsOthers[word]:
		s.wrapped = true
	default:
		if !unsure && word != "" {
			s.words = append(s.words, word)
		}
		s.command = false
	}
}

// pipeline reports whether a template is for certain one pipeline: commands with | between them.
func pipeline(parts []part) bool {
	pipes := false
	for _, p := range parts {
		text := strings.ReplaceAll(p.text, "2>&1", "")
		if strings.ContainsAny(text, "&;()\n`{}'\"\\") || strings.Contains(text, "||") {
			return false
		}
		pipes = pipes || strings.Contains(text, "|")
	}
	return pipes
}
