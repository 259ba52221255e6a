package translators

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A shellLine is a template as a shell reads it. In its words, a character of a private area stands for
// each placeholder.
type shellLine struct {
	parts []part
	file  *syntax.File // empty if only a shell can read the line
	err   error        // of the parser
}

// firstMark stands for the first placeholder of a line. Few lines have maxMarks.
const firstMark, maxMarks = '\uE000', 0x1000

// mark returns the number of the placeholder that a character stands for.
func mark(r rune) (number int, ok bool) {
	return int(r - firstMark), r >= firstMark && r < firstMark+maxMarks
}

func marked(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { _, ok := mark(r); return ok })
}

// readShell reads a template as the standard says of a shell.
func readShell(parts []part) *shellLine {
	l := &shellLine{parts: parts, file: &syntax.File{}}
	var b strings.Builder
	for i, p := range parts {
		if i == maxMarks || marked(p.text) || strings.Contains(p.text, "\r") { // which is no blank for all shells
			return l
		}
		b.WriteString(p.text)
		if p.placeholder != 0 {
			b.WriteRune(firstMark + rune(i))
		}
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX), syntax.KeepComments(true)).Parse(strings.NewReader(b.String()), "")
	if l.err = err; err == nil {
		l.file = file
	}
	return l
}

// command returns the only command of a line, if that is a program with arguments, with redirections that
// may follow: no list, pipeline or assignment.
func (l *shellLine) command() (*syntax.Stmt, *syntax.CallExpr) {
	if len(l.file.Stmts) != 1 {
		return nil, nil
	}
	stmt := l.file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Negated || stmt.Background || stmt.Coprocess || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return nil, nil
	}
	return stmt, call
}

// single reports whether a line is for certain one command that runs a program, and not something that
// the shell does itself. It is then the same with "exec" before it, which spares a process.
func (l *shellLine) single() bool {
	_, call := l.command()
	if call == nil {
		return false
	}
	w, ok := l.literal(call.Args[0])
	return ok && runs(w) && strings.Trim(w[0].text, programLetters) == ""
}

// first returns the first command of a line, if it has a name.
func (l *shellLine) first() *syntax.CallExpr {
	if len(l.file.Stmts) == 0 {
		return nil
	}
	cmd := l.file.Stmts[0].Cmd
	for both, ok := cmd.(*syntax.BinaryCmd); ok; both, ok = cmd.(*syntax.BinaryCmd) {
		cmd = both.X.Cmd
	}
	if call, ok := cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		return call
	}
	return nil
}

// texts returns the words of a line without their quotes and placeholders, and also those in substitutions.
func (l *shellLine) texts() (list []string) {
	syntax.Walk(l.file, func(node syntax.Node) bool {
		if w, ok := node.(*syntax.Word); ok {
			var b strings.Builder
			syntax.Walk(w, func(node syntax.Node) bool {
				switch x := node.(type) {
				case *syntax.Lit:
					b.WriteString(x.Value)
				case *syntax.SglQuoted:
					b.WriteString(x.Value)
				}
				return true
			})
			list = append(list, b.String())
		}
		return true
	})
	return list
}

// A word is its pieces put together, all of them literal.
type word []part

// literal returns a word that no shell changes: outside of quotes, it has only letters, digits and some
// signs without any meaning, and placeholders.
func (l *shellLine) literal(w *syntax.Word) (pieces word, ok bool) {
	text := ""
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			for _, r := range p.Value {
				if i, ok := mark(r); ok {
					pieces = append(pieces, part{text: text, placeholder: l.parts[i].placeholder})
					text = ""
				} else if !strings.ContainsRune(plainLetters, r) {
					return nil, false
				} else {
					text += string(r)
				}
			}
		case *syntax.SglQuoted:
			if p.Dollar || marked(p.Value) { // the quotes around the value close these
				return nil, false
			}
			text += p.Value
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || p.Dollar || marked(lit.Value) || strings.ContainsAny(lit.Value, "\\$`") {
					return nil, false
				}
				text += lit.Value
			}
		default:
			return nil, false
		}
	}
	return append(pieces, part{text: text}), true
}

// simple returns the program and its arguments if the line is for certain nothing else, without any
// expansion. Then the shell would do nothing but take the quotes off and execute the program, and that can
// be done without it, at a fraction of the time. If the output is %O, printed is true. Otherwise it returns nil.
//
//	mytool '%%' -f %f       simple
//	mytool %f > %O          simple: standard output takes the place of the file
//	mytool %f > file        not: another redirection
//	mytool %f | sort        not: a pipeline
//	FOO=1 mytool %f         not: an assignment
//	$HOME/mytool %f         not: an expansion
func (l *shellLine) simple() (words []word, printed bool) {
	stmt, call := l.command()
	if call == nil || len(stmt.Comments)+len(l.file.Last) > 0 {
		return nil, false
	}
	for _, r := range stmt.Redirs {
		w, ok := l.literal(r.Word)
		if printed = ok && r.Op == syntax.RdrOut && r.N == nil && len(stmt.Redirs) == 1 && w.output(); !printed {
			return nil, false
		}
	}
	for _, arg := range call.Args {
		w, ok := l.literal(arg)
		if !ok || printed && slices.ContainsFunc(w, func(p part) bool { return p.placeholder == 'O' }) {
			return nil, false
		}
		words = append(words, w)
	}
	if !runs(words[0]) {
		return nil, false
	}
	return words, printed
}

// output reports whether a word is %O alone.
func (w word) output() bool {
	return len(w) == 2 && w[0].text == "" && w[0].placeholder == 'O' && w[1].text == ""
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

// argv returns the program and its arguments, with what value gives for each placeholder; it asks at
// each place of a placeholder, in the order of words. If the command takes a shell, it returns nil, value is
// not asked, and the line of expand is to be given to the shell.
//
// What is returned does exactly what the shell would do with the line of expand, if the values are
// the same and there is a program (see process.LookPath). If not, give the line to the shell, which
// says what is wrong in its own words and with its own status.
func (c *Command) argv(value func(placeholder byte) (string, error)) (args []string, err error) {
	for _, w := range c.simple {
		text, err := w.fill(value)
		if err != nil {
			return nil, err
		}
		args = append(args, text)
	}
	return args, nil
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

const programLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

// plainLetters have no meaning for any shell.
const plainLetters = programLetters + "=,:@%#"

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
