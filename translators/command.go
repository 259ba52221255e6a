package translators

import (
	"fmt"
	"strings"

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
