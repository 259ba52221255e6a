package translators

import (
	"os"
	"slices"
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

// A redirect is a redirection of which the file is yet to be named.
type redirect struct {
	process.Redirect
	word word
}

// simple returns nil if the line takes a shell, or if that is not for certain.
//
// Outside of quotes only letters, digits and some signs without any meaning are taken, and the
// redirections < > >> of standard input, output and error, and 2>&1 and its like. The program
// comes first, has no placeholder in it, and is not something that the shell does itself.
//
//	mytool -f %f > %O       simple
//	mytool '%%' %f 2>&1     simple
//	mytool %f | sort        not: a pipeline
//	FOO=1 mytool %f         not: an assignment
//	$HOME/mytool %f         not: an expansion
func (l *shellLine) simple() *simpleCommand {
	tokens := l.tokens
	for len(tokens) > 0 && tokens[len(tokens)-1].op == "\n" {
		tokens = tokens[:len(tokens)-1]
	}
	c := &simpleCommand{}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.redirects() && len(c.words) > 0 && i+1 < len(tokens) {
			i++
			glued := i+1 < len(tokens) && tokens[i+1].glued // what is behind the file
			if !c.redirect(t, tokens[i], glued) {
				return nil
			}
			continue
		}
		if !t.literal() {
			return nil
		}
		c.words = append(c.words, t.pieces)
	}
	if l.cut || len(l.open) > 0 || len(c.words) == 0 || !runs(c.words[0]) {
		return nil
	}
	return c
}

// literal reports whether a token is a word that no shell changes.
func (t *token) literal() bool { return t.op == "" && !t.odd && !t.expands }

// redirect adds a redirection, if it is simple.
func (c *simpleCommand) redirect(t, file token, glued bool) bool {
	r := redirect{Redirect: process.Redirect{FD: 1, Flag: os.O_WRONLY | os.O_CREATE | os.O_TRUNC, From: -1}, word: file.pieces}
	if t.fd == "2" {
		r.FD = 2
	}
	switch {
	case !file.literal():
		return false
	case t.op == "<" && (t.fd == "" || t.fd == "0"):
		r.FD, r.Flag = 0, os.O_RDONLY
	case t.op == "<" || t.fd != "" && t.fd != "1" && t.fd != "2":
		return false
	case t.op == ">":
	case t.op == ">>":
		r.Flag ^= os.O_TRUNC | os.O_APPEND
	case t.op == ">&" && file.bare() && file.glued && !glued && (file.text() == "1" || file.text() == "2"):
		r.From = int(file.text()[0] - '0')
	default:
		return false
	}
	c.redirects = append(c.redirects, r)
	return true
}

// runs reports whether a word is the name of a program for certain, and not of
// something that the shell does itself.
func runs(w word) bool {
	if len(w) != 1 {
		return false
	}
	name := w[0].text
	path := strings.Contains(name, "/") && !assignment().MatchString(name) // and not X=/y
	return path || strings.Trim(name, programLetters) == "" && !shellWords[name]
}

// argv returns the program and its arguments, and the redirections, with what value gives for each
// placeholder; it asks once for each that is in the template, in the order of words and then of
// redirections. If the command takes a shell, it returns no arguments, value is not asked, and the
// line of expand is to be given to the shell.
//
// What is returned does exactly what the shell would do with the line of expand, if the values are
// the same, there is a program and the files can be opened (see process.LookPath). If not, give
// the line to the shell, which says what is wrong in its own words and with its own status.
func (c *Command) argv(value func(placeholder byte) (string, error)) (args []string, redirects []process.Redirect, err error) {
	if c.simple == nil {
		return nil, nil, nil
	}
	args = make([]string, len(c.simple.words))
	for i, w := range c.simple.words {
		if args[i], err = w.fill(value); err != nil {
			return nil, nil, err
		}
	}
	for _, r := range c.simple.redirects {
		if r.From < 0 {
			if r.File, err = r.word.fill(value); err != nil {
				return nil, nil, err
			}
		}
		redirects = append(redirects, r.Redirect)
	}
	return args, redirects, nil
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

// single reports whether a line is for certain one simple command that runs a program: no list,
// pipeline or substitution, no assignment before it, and not something that the shell does
// itself. Redirections may follow. It is then the same with "exec" before it, which spares a
// process.
func (l *shellLine) single() bool {
	if len(l.tokens) == 0 || len(l.open) > 0 || !runs(l.tokens[0].pieces) || strings.Trim(l.tokens[0].text(), programLetters) != "" {
		return false
	}
	return !slices.ContainsFunc(l.tokens, func(t token) bool { return t.op != "" && t.op != "#" && !t.redirects() })
}

// assignment begins a word that gives a variable a value, for the program that comes after it.
var assignment = expression(`^[A-Za-z_]\w*\+?=`)

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
