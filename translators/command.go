package translators

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Command is a template of a command line, as ltlcross takes it:
//
//	{name} ltl2tgba -H %f > %O
//
// The name in braces is optional. The formula stands where %f (Spot's syntax),
// %s (Spin's), %l (LBT's) or %w (Wring's) is, as one argument in quotes of the
// shell; %F, %S, %L and %W are the name of a file that holds it. %O is the name of
// a file for the output, which is standard output if %O is not used. %% is a
// percent sign.
type Command struct {
	name, text string
	parts      []part
}

// part is a piece of a template: some text and the placeholder behind it.
type part struct {
	text        string
	placeholder byte // 0 at the end
}

// A CommandError says what is wrong with a template.
type CommandError struct {
	Text   string
	Offset int // in bytes
	Reason string
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("command %q: at %d: %s", e.Text, e.Offset+1, e.Reason)
}

// syntaxes are the placeholders of a formula, in lower case.
var syntaxes = map[byte]ltl.Syntax{'f': ltl.Spot, 's': ltl.Spin, 'l': ltl.LBT, 'w': ltl.Wring}

// ParseCommand reads a template. The error is a *CommandError.
func ParseCommand(text string) (*Command, error) {
	fail := func(at int, reason string) (*Command, error) { return nil, &CommandError{text, at, reason} }
	if i := strings.IndexByte(text, 0); i >= 0 {
		return fail(i, "a NUL character")
	}
	c := &Command{text: text}
	rest := strings.TrimLeft(text, " \t\n")
	if strings.HasPrefix(rest, "{") {
		at := len(text) - len(rest)
		// Braces may be nested in a name.
		end, depth := -1, 0
		for i := at; i < len(text) && end < 0; i++ {
			switch text[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			return fail(at, "the name's '{' is not closed")
		}
		c.name = text[at+1 : end]
		rest = strings.TrimLeft(text[end+1:], " \t\n")
	}
	if strings.TrimSpace(rest) == "" {
		return fail(len(text), "expected a command")
	}
	base := len(text) - len(rest)
	formula := false
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		if rest[i] != '%' {
			b.WriteByte(rest[i])
			continue
		}
		i++
		if i == len(rest) {
			return fail(base+i-1, "'%' at the end: write %% for a percent sign")
		}
		switch p := rest[i]; p {
		case '%':
			b.WriteByte('%')
		case 'f', 's', 'l', 'w', 'F', 'S', 'L', 'W', 'O':
			formula = formula || p != 'O'
			c.parts = append(c.parts, part{b.String(), p})
			b.Reset()
		default:
			p, _ := utf8.DecodeRuneInString(rest[i:])
			return fail(base+i-1, fmt.Sprintf("unknown placeholder %%%c: there are %%f %%s %%l %%w %%F %%S %%L %%W %%O and %%%%", p))
		}
	}
	if !formula {
		return fail(len(text), "expected one of %f %s %l %w %F %S %L %W, where the formula goes")
	}
	c.parts = append(c.parts, part{text: b.String()})
	if c.name == "" {
		c.name = strings.TrimSpace(rest)
	}
	return c, nil
}

// Name returns the name in braces, or the command itself.
func (c *Command) Name() string { return c.name }

// Program returns the first word of the command, which is a program in most
// cases; "" if it takes a shell to understand it.
func (c *Command) Program() string {
	text := strings.TrimLeft(c.parts[0].text, " \t\n")
	end := strings.IndexAny(text, " \t\n")
	if end < 0 || strings.Trim(text[:end], programLetters) != "" {
		return ""
	}
	return text[:end]
}

// Text returns the template as it was written.
func (c *Command) Text() string { return c.text }

// Syntaxes returns the syntaxes in which the command takes the formula.
func (c *Command) Syntaxes() []ltl.Syntax {
	var list []ltl.Syntax
	for _, p := range "fslw" {
		if c.uses(byte(p)) || c.uses(byte(p)-'a'+'A') {
			list = append(list, syntaxes[byte(p)])
		}
	}
	return list
}

// uses reports whether a placeholder occurs.
func (c *Command) uses(placeholder byte) bool {
	for _, p := range c.parts {
		if p.placeholder == placeholder {
			return true
		}
	}
	return false
}

// files reports whether the command needs files.
func (c *Command) files() bool {
	for _, p := range c.parts {
		if 'A' <= p.placeholder && p.placeholder <= 'Z' {
			return true
		}
	}
	return false
}

// expand returns the command line, with what value gives for each placeholder.
func (c *Command) expand(value func(placeholder byte) (string, error)) (string, error) {
	var b strings.Builder
	for _, p := range c.parts {
		b.WriteString(p.text)
		if p.placeholder == 0 {
			break
		}
		text, err := value(p.placeholder)
		if err != nil {
			return "", err
		}
		b.WriteString(Quote(text))
	}
	return b.String(), nil
}

// Quote returns text as one word of the shell.
func Quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
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
	words[""] = true
	return words
}()
