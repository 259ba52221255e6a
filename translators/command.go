package translators

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Command is a template of a command line, as ltlcross takes it:
//
//	{name} ltl2tgba -H %f > %O
//
// The name in braces is optional. The placeholders are
//
//	%f %s %l %w    the formula in the syntax of Spot, Spin, LBT or Wring, quoted for the shell
//	%F %S %L %W    a file that holds it
//	%O             a file for the output; without %O, that is standard output
//	%D %H %N %T    the same as %O, from older versions of ltlcross
//	%%             a percent sign
//
// Do not put quotes around %f, %s, %l and %w. Letters in brackets, as in %[MW]f, name
// operators to rewrite away: F, G, M, R and W, e for <->, i for -> and ^ for xor.
//
// {options} behind the name stands for the options that a [Tool] draws for the formula.
//
// Without a placeholder for the formula, the modes Stream and Batch use standard input.
type Command struct {
	name, text string
	parts      []part
	line       *shellLine // the parts as a shell reads them
	simple     []word     // the program and its arguments; nil if it takes a shell
	printed    bool       // simple, and its output is redirected to %O: it is read from standard output
	without    ltl.OpSet
	automata   bool   // it takes automata: see ParseAutomatonCommand
	unnamed    string // what %M is of an automaton without a name
	options    string // what stands at OptionsPlace
}

// part is a piece of a template: some text and the placeholder behind it.
type part struct {
	text        string
	placeholder byte // 0 at the end
	at, end     int  // where the placeholder is in the template
}

// A CommandError reports what is wrong with a template, and where.
type CommandError struct {
	Text   string
	Offset int // in bytes
	Reason string
	// NoFormula says that the command is complete but for a place for the formula.
	NoFormula bool
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("command %q: at %d: %s", e.Text, e.Offset+1, e.Reason)
}

// syntaxes are the placeholders of a formula, in lower case.
var syntaxes = map[byte]ltl.Syntax{'f': ltl.Spot, 's': ltl.Spin, 'l': ltl.LBT, 'w': ltl.Wring}

// placeholderOf is the other way.
var placeholderOf = [...]byte{ltl.Spot: 'f', ltl.Spin: 's', ltl.LBT: 'l', ltl.Wring: 'w'}

// rewritten are the letters between the brackets of a placeholder. They are the same as in
// Spot's ltlfilt --unabbreviate.
var rewritten = map[byte]ltl.Op{
	'e': ltl.OpEquiv, 'i': ltl.OpImplies, '^': ltl.OpXor, 'F': ltl.OpFinally, 'G': ltl.OpGlobally,
	'M': ltl.OpStrongRelease, 'R': ltl.OpRelease, 'W': ltl.OpWeakUntil,
}

// ParseCommand reads a template for a mode. The error is a *CommandError.
func ParseCommand(text string, mode Mode) (*Command, error) {
	return (&Command{text: text}).ready(mode)
}

// ready returns the command, ready for use in a mode.
func (c *Command) ready(mode Mode) (*Command, error) {
	for _, step := range []func() *CommandError{c.parse, func() *CommandError { return c.suit(mode) }, c.misquoted} {
		if bad := step(); bad != nil {
			return nil, bad
		}
	}
	c.simple, c.printed = c.line.simple()
	return c, nil
}

func (c *Command) fail(at int, format string, args ...any) *CommandError {
	return &CommandError{Text: c.text, Offset: at, Reason: fmt.Sprintf(format, args...)}
}

// parse splits the text into a name and parts.
func (c *Command) parse() *CommandError {
	if i := strings.IndexByte(c.text, 0); i >= 0 { // no argument of a program can have one
		return c.fail(i, "a NUL character")
	}
	at := len(c.text) - len(strings.TrimLeft(c.text, blanks))
	if strings.HasPrefix(c.text[at:], "{") {
		end := closing(c.text[at:])
		if end < 0 {
			return c.fail(at, "the name's '{' is not closed")
		}
		c.name = strings.TrimSpace(c.text[at+1 : at+end])
		at += end + 1
	}
	line := strings.TrimLeft(c.text[at:], blanks)
	if strings.TrimSpace(line) == "" {
		return c.fail(len(c.text), "expected a command")
	}
	if c.name == "" { // it names itself
		c.name = strings.TrimSpace(line)
	}
	// Options that have no place of their own go behind the first word, which is the program.
	var b strings.Builder
	start, behind := len(c.text)-len(line), -1
	if c.options != "" && !strings.Contains(line, OptionsPlace) {
		behind = start + firstWord(line)
	}
	for i := start; i < len(c.text); {
		if i == behind {
			b.WriteString(" " + c.options)
			behind = -1
		}
		if strings.HasPrefix(c.text[i:], OptionsPlace) {
			b.WriteString(c.options)
			i += len(OptionsPlace)
			continue
		}
		if c.text[i] != '%' {
			b.WriteByte(c.text[i])
			i++
			continue
		}
		p, end, err := c.placeholder(i)
		if err != nil {
			return err
		}
		if p == '%' {
			b.WriteByte('%')
		} else {
			c.parts = append(c.parts, part{b.String(), p, i, end})
			b.Reset()
		}
		i = end
	}
	// The program was all that there is.
	if behind == len(c.text) {
		b.WriteString(" " + c.options)
	}
	c.parts = append(c.parts, part{text: b.String()})
	c.line = readShell(c.parts)
	return nil
}

const blanks = " \t\n"

// SplitName splits a template into the name in braces and the rest, without blanks around
// them. If there is no closing brace, there is no name.
func SplitName(text string) (name, line string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		if end := closing(text); end > 0 {
			return strings.TrimSpace(text[1:end]), strings.TrimSpace(text[end+1:])
		}
	}
	return "", text
}

// closing returns the index of the '}' for the '{' at the start, or -1. Braces may
// be nested in a name.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// placeholder returns the one at a percent sign, and where it ends.
func (c *Command) placeholder(at int) (p byte, end int, bad *CommandError) {
	bracketed, others := "fslwFSLW", "ODHNT%"
	expected, known := "expected one of f s l w F S L W after the brackets", "%f %s %l %w %F %S %L %W %O %%"
	if c.automata {
		bracketed, others = "M", "HSLO%"
		expected, known = "expected M after the brackets", "%H %S %L %M %O %%"
	}
	// What brackets mean depends on the input: operators of formulas, or a name for automata.
	i, unnamed := at+1, ""
	brackets := strings.HasPrefix(c.text[i:], "[")
	if brackets {
		n := strings.IndexByte(c.text[i:], ']')
		if n < 0 {
			return 0, 0, c.fail(i, "the '[' of a placeholder is not closed")
		}
		if unnamed = c.text[i+1 : i+n]; !c.automata {
			if bad := c.rewrite(unnamed, i+1); bad != nil {
				return 0, 0, bad
			}
		}
		i += n + 1
	}
	switch {
	case brackets && (i == len(c.text) || strings.IndexByte(bracketed, c.text[i]) < 0):
		return 0, 0, c.fail(i, "%s", expected)
	case i == len(c.text):
		return 0, 0, c.fail(at, "'%%' at the end: write %%%% for a percent sign")
	case strings.IndexByte(bracketed+others, c.text[i]) < 0:
		r, _ := utf8.DecodeRuneInString(c.text[i:])
		return 0, 0, c.fail(at, "unknown placeholder %%%c: expected one of %s", r, known)
	case brackets && c.unnamed != "" && c.unnamed != unnamed:
		return 0, 0, c.fail(at, "the command uses both %s and %s for an automaton without a name: use one", c.unnamed, unnamed)
	}
	if brackets && c.automata {
		c.unnamed = unnamed
	}
	// Older versions of ltlcross tell formats apart by these. Here the output tells its format.
	if p = c.text[i]; !c.automata && strings.IndexByte("DHNT", p) >= 0 {
		p = 'O'
	}
	return p, i + 1, nil
}

// rewrite notes operators to rewrite away: the letters between brackets, which start at at.
func (c *Command) rewrite(letters string, at int) *CommandError {
	for i := range len(letters) {
		op, ok := rewritten[letters[i]]
		if !ok {
			r, _ := utf8.DecodeRuneInString(letters[i:])
			return c.fail(at+i, "unknown operator %c: between brackets, expected letters of e (<->), i (->), ^ (xor), F, G, M, R and W", r)
		}
		c.without = c.without.With(op)
	}
	return nil
}

// lower is the bit that tells lower case from upper case.
const lower = 0x20

// suit checks that the placeholders fit a mode.
func (c *Command) suit(mode Mode) *CommandError {
	for _, p := range c.parts[:len(c.parts)-1] {
		switch {
		case mode != Stream: // all placeholders are for one process, with one input
		case p.placeholder == 'O':
			return c.fail(p.at, "stream mode reads automata from standard output: remove the output file, or use spawn mode")
		case p.placeholder == 'M':
			return c.fail(p.at, "a process in stream mode gets many automata: remove %%M, or use spawn mode")
		case c.automata:
			return c.fail(p.at, "stream mode writes automata to standard input: remove %%%c, or use spawn mode", p.placeholder)
		default:
			return c.fail(p.at, "stream mode writes formulas to standard input: remove %%%c, or use spawn mode", p.placeholder)
		}
	}
	if mode == Spawn && len(c.inputs()) == 0 && !c.automata {
		err := c.fail(len(c.text), "expected one of %%f %%s %%l %%w %%F %%S %%L %%W, where the formula goes; "+
			"or, for a tool that reads standard input, --stream, or mode = \"stream\" or \"batch\" in a configuration")
		err.NoFormula = true
		return err
	}
	return nil
}

// Name returns the name in braces, or the command itself if there is none.
func (c *Command) Name() string { return c.name }

// Program returns the first word of the command, which usually is the program. It returns ""
// if only a shell can parse the command.
func (c *Command) Program() string {
	call := c.line.first()
	if call == nil || len(call.Assigns) > 0 || strings.Trim(call.Args[0].Lit(), programLetters) != "" {
		return ""
	}
	return call.Args[0].Lit()
}

// Without returns all operators that placeholders want rewritten away.
func (c *Command) Without() ltl.OpSet { return c.without }

// Text returns the template as written.
func (c *Command) Text() string {
	if c == nil {
		return ""
	}
	return c.text
}

// inputs returns the placeholders, in lower case, of the formula or the automaton.
// There is none if that is on standard input.
func (c *Command) inputs() []byte {
	all := "fslw"
	if c.automata {
		all = "hsl"
	}
	var list []byte
	for _, p := range []byte(all) {
		if c.uses(p) || c.uses(p&^lower) {
			list = append(list, p)
		}
	}
	return list
}

// Syntaxes returns the syntaxes of the placeholders for the formula. There are none if
// formulas go to standard input.
func (c *Command) Syntaxes() []ltl.Syntax {
	var list []ltl.Syntax
	if !c.automata {
		for _, p := range c.inputs() {
			list = append(list, syntaxes[p])
		}
	}
	return list
}

// uses reports whether a placeholder occurs.
func (c *Command) uses(placeholder byte) bool {
	return slices.ContainsFunc(c.parts, func(p part) bool { return p.placeholder == placeholder })
}

// expand returns the command line, with what value gives for each placeholder. It
// asks once for each that is in the template.
func (c *Command) expand(value func(placeholder byte) (string, error)) (string, error) {
	return word(c.parts).fill(func(placeholder byte) (string, error) {
		text, err := value(placeholder)
		return Quote(text), err
	})
}

// Quote returns text as one quoted word for the shell.
func Quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// misquoted looks for a mistake in the quotes of the shell that makes every call fail. It
// returns nil if there is none, or if it takes a shell to know.
//
// A formula is put into the line as one word in single quotes:
//
//	mytool %f          mytool 'a U b'
//	mytool '%f'        mytool ''a U b''      three words: the quotes close each other
//	mytool "%f"        mytool "'a U b'"      the tool gets the single quotes as well
//	sh -c "mytool %f"  sh -c "mytool 'a U b'"  right: another shell takes them off
func (c *Command) misquoted() (bad *CommandError) {
	// look finds the placeholders in a quoted text; blank is set if a blank is between the quote and it.
	look := func(text string, quote byte, blank bool) bool {
		for _, r := range text {
			blank = blank || strings.ContainsRune(blanks, r)
			i, ok := mark(r)
			if !ok || bad != nil || inFile(c.parts[i].placeholder) { // the names of files do no harm in quotes
				continue
			}
			p := c.parts[i]
			switch written := c.text[p.at:p.end]; {
			case quote == '\'':
				bad = c.fail(p.at, "%s is inside single quotes, but its value is already quoted: %s", written, c.unquote(p, quote))
			// After a blank, as in wrapper "mytool %f", the quotes may hold a command for another shell.
			case !blank && !readAgain(c.parts):
				bad = c.fail(p.at, "%s is inside double quotes, but its value is already quoted, so the tool would get the quotes: %s", written, c.unquote(p, quote))
			}
		}
		return blank
	}
	syntax.Walk(c.line.file, func(node syntax.Node) bool {
		switch x := node.(type) {
		case *syntax.ParamExp: // quotes mean something else in ${x:-'…'}
			return false
		case *syntax.SglQuoted:
			look(x.Value, '\'', false)
		case *syntax.DblQuoted:
			blank := false
			for _, p := range x.Parts {
				if lit, ok := p.(*syntax.Lit); ok {
					blank = look(lit.Value, '"', blank)
				}
			}
		}
		return bad == nil
	})
	var failed syntax.ParseError
	if errors.As(c.line.err, &failed) && bad == nil {
		for quote, name := range map[string]string{"`'`": "single quote", "`\"`": "double quote", "\"`\"": "backquote"} {
			if strings.HasSuffix(failed.Text, "without closing quote "+quote) {
				return c.fail(len(c.text), "missing %s: the last one is not closed", name)
			}
		}
	}
	return bad
}

// unquote says what to write instead of a placeholder in quotes.
func (c *Command) unquote(p part, quote byte) string {
	written := c.text[p.at:p.end]
	if p.at > 0 && p.end < len(c.text) && c.text[p.at-1] == quote && c.text[p.end] == quote {
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
