package translators

import (
	"os"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// A simpleCommand is what a template is in the grammar of the shell if it is for
// certain one simple command without any expansion: then the shell would do nothing
// but take the quotes off, open files and execute the program, and that can be done
// without it, at a fraction of the time.
type simpleCommand struct {
	words     []word // the program and its arguments
	redirects []redirect
}

// A word is its pieces put together, all of them literal.
type word []part

// A redirect is a redirection of which the file is yet to be named.
type redirect struct {
	process.Redirect
	word word
}

// parseSimple returns nil if the parts take a shell, or if that is not for certain.
//
// Blanks separate words. Outside of quotes only letters, digits and some signs
// without any meaning are taken, and the redirections < > >> of standard input,
// output and error, and 2>&1 and its like. The program comes first, has no placeholder
// in it, and is not something that the shell does itself.
func parseSimple(parts []part) *simpleCommand {
	var p simpleParser
	for _, part := range parts {
		if !p.text(part.text) || part.placeholder != 0 && !p.placeholder(part.placeholder) {
			return nil
		}
	}
	if p.quote != 0 || p.escaped || !p.endWord() || p.redirect != nil || len(p.words) == 0 || !runs(p.words[0]) {
		return nil
	}
	return &p.simpleCommand
}

// simpleParser is the state between two characters of a template. Its methods report
// whether the command may still be simple.
type simpleParser struct {
	simpleCommand
	quote    byte      // that is open, or 0
	escaped  bool      // the character before was a backslash
	ended    bool      // there was an unquoted newline: only blanks may follow
	started  bool      // there is a word, though it may be empty
	quoted   bool      // a part of it is in quotes, escaped, or a placeholder
	literal  []byte    // the end of the word: behind what is in pieces
	pieces   word      // its start, up to the last placeholder
	redirect *redirect // that waits for its word
	sealed   bool      // only a blank may come now
}

func (p *simpleParser) text(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if p.sealed && strings.IndexByte(blanks, c) < 0 {
			return false
		}
		p.sealed = false
		switch {
		case p.escaped:
			p.escaped = false
			if c == '\n' {
				break // the line goes on
			}
			if p.quote != 0 && strings.IndexByte("$`\"\\", c) < 0 {
				p.literal = append(p.literal, '\\')
			}
			p.add(c, true)
		case p.quote == '\'':
			if c == p.quote {
				p.quote = 0
			} else {
				p.add(c, true)
			}
		case c == '\\':
			p.escaped = true
		case p.quote == '"':
			switch c {
			case p.quote:
				p.quote = 0
			case '$', '`':
				return false
			default:
				p.add(c, true)
			}
		case c == '\'' || c == '"':
			p.quote, p.started, p.quoted = c, true, true
		case strings.IndexByte(blanks, c) >= 0:
			if !p.endWord() {
				return false
			}
			p.ended = p.ended || c == '\n'
		case c == '<' || c == '>':
			n, ok := p.operator(text[i:])
			if !ok {
				return false
			}
			i += n - 1
		case strings.IndexByte(programLetters+"=,:@%", c) >= 0 || c == '#' && p.started:
			p.add(c, false)
		default:
			return false
		}
		if p.ended && (p.started || p.escaped || p.redirect != nil) {
			return false
		}
	}
	return true
}

// add puts a character at the end of the word.
func (p *simpleParser) add(c byte, quoted bool) {
	p.literal = append(p.literal, c)
	p.started, p.quoted = true, p.quoted || quoted
}

// placeholder puts a value at the end of the word. In quotes, the quotes around the
// value would close them: that is left to the shell.
func (p *simpleParser) placeholder(which byte) bool {
	if p.quote != 0 || p.escaped || p.ended || p.sealed {
		return false
	}
	p.pieces = append(p.pieces, part{text: string(p.literal), placeholder: which})
	p.literal = p.literal[:0]
	p.started, p.quoted = true, true
	return true
}

// endWord ends the word, if there is one.
func (p *simpleParser) endWord() bool {
	if !p.started {
		return true
	}
	w := append(p.pieces, part{text: string(p.literal)})
	p.pieces, p.literal, p.started, p.quoted = nil, p.literal[:0], false, false
	if p.redirect != nil {
		p.redirect.word = w
		p.redirects = append(p.redirects, *p.redirect)
		p.redirect = nil
		return true
	}
	p.words = append(p.words, w)
	return true
}

// operator reads the redirection at the start of text, the first character of which
// is < or >, and returns its length. Digits right before it, as in 2>, are the file
// that it redirects.
func (p *simpleParser) operator(text string) (n int, ok bool) {
	r := redirect{Redirect: process.Redirect{From: -1, Flag: os.O_RDONLY}}
	if text[0] == '>' {
		r.FD, r.Flag = 1, os.O_WRONLY|os.O_CREATE|os.O_TRUNC
	}
	if p.started && !p.quoted && strings.Trim(string(p.literal), "0123456789") == "" {
		if fd := string(p.literal); fd == "1" || fd == "2" {
			r.FD = int(fd[0] - '0')
		} else if fd != "0" || text[0] != '<' {
			return 0, false
		}
		p.literal, p.started = p.literal[:0], false
	}
	if p.ended || !p.endWord() || p.redirect != nil || len(p.words) == 0 || text[0] == '<' && r.FD != 0 {
		return 0, false
	}
	switch {
	case strings.HasPrefix(text, ">&"):
		if len(text) < 3 || text[2] != '1' && text[2] != '2' {
			return 0, false
		}
		r.From = int(text[2] - '0')
		p.redirects, p.sealed = append(p.redirects, r), true
		return 3, true
	case strings.HasPrefix(text, ">>"):
		r.Flag ^= os.O_TRUNC | os.O_APPEND
		n = 2
	default:
		n = 1
	}
	// With other signs behind it, it is another operator.
	if n < len(text) && strings.IndexByte("<>&|\\-", text[n]) >= 0 {
		return 0, false
	}
	p.redirect = &r
	return n, true
}

// runs reports whether a word is the name of a program for certain, and not of
// something that the shell does itself.
func runs(w word) bool {
	if len(w) != 1 {
		return false
	}
	name := w[0].text
	return strings.Contains(name, "/") || strings.Trim(name, programLetters) == "" && !shellWords[name]
}

// argv returns the program and its arguments, and the redirections, with what value
// gives for each placeholder; it asks once for each that is in the template, in the
// order of words and then of redirections. Without ok, the command takes a shell,
// value is not asked, and the line of expand is to be given to it.
//
// What is returned does exactly what the shell would do with the line of expand, if
// the values are the same, there is a program and the files can be opened (see
// process.LookPath). If not, give the line to the shell, which says what is wrong in its own
// words and with its own status.
func (c *Command) argv(value func(placeholder byte) (string, error)) (args []string, redirects []process.Redirect, ok bool, err error) {
	if c.simple == nil {
		return nil, nil, false, nil
	}
	args = make([]string, len(c.simple.words))
	for i, w := range c.simple.words {
		if args[i], err = w.fill(value); err != nil {
			return nil, nil, false, err
		}
	}
	for _, r := range c.simple.redirects {
		if r.From < 0 {
			if r.File, err = r.word.fill(value); err != nil {
				return nil, nil, false, err
			}
		}
		redirects = append(redirects, r.Redirect)
	}
	return args, redirects, true, nil
}

// fill puts a word together.
func (w word) fill(value func(placeholder byte) (string, error)) (string, error) {
	text := ""
	for _, piece := range w {
		text += piece.text
		if piece.placeholder != 0 {
			v, err := value(piece.placeholder)
			if err != nil {
				return "", err
			}
			text += v
		}
	}
	return text, nil
}

// simple reports whether a line is for certain one simple command that runs a
// program: no list, pipeline or substitution, no assignment before it, and not
// something that the shell does itself. Redirections may follow. It is then the
// same with "exec" before it, which spares a process.
func simple(line string) bool {
	line = strings.TrimLeft(line, " \t")
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	program := line[:end]
	// A word in single quotes is most often the path of a program, as Quote writes it.
	if n := len(program); n > 2 && program[0] == '\'' && strings.IndexByte(program[1:], '\'') == n-2 {
		program = program[1 : n-1]
	}
	if strings.Trim(program, programLetters) != "" || !strings.Contains(program, "/") && shellWords[program] {
		return false
	}
	const plain, single, double = 0, '\'', '"'
	quote := byte(plain)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == single:
			if c == single {
				quote = plain
			}
		case c == '\\':
			i++
		case c == '`' || c == '$' && i+1 < len(line) && line[i+1] == '(':
			return false
		case quote == double:
			if c == double {
				quote = plain
			}
		case c == single || c == double:
			quote = c
		case c == '&' && i > 0 && (line[i-1] == '>' || line[i-1] == '<'):
			// 2>&1
		case strings.IndexByte(";&|()\n", c) >= 0:
			return false
		}
	}
	return quote == plain
}

const programLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

// shellWords are the reserved words and the built-in commands of the usual
// shells, as far as they have only the letters of programs.
var shellWords = func() map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields(`. alias bg bind break builtin caller case cd chdir command compgen
		complete continue coproc declare dirs disown do done echo elif else enable esac eval exec
		exit export false fc fg fi for function getopts hash help hist history if in jobs kill let
		local logout mapfile popd print printf pushd pwd read readarray readonly return select set
		shift shopt sleep source suspend test then time times trap true type typeset ulimit umask
		unalias unset until wait whence while`) {
		words[w] = true
	}
	words[""], words[":"] = true, true
	return words
}()
