package translators

import (
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strings"
)

// An OptionGroup has options of a tool that exclude each other. Each is a piece of a command line:
// a word or several, such as "-x gf-guarantee=0".
type OptionGroup []string

// maxAlternatives is how many alternatives a group may have.
const maxAlternatives = 1000

// ParseOptionGroup reads the alternatives of a group, separated by bars. What is in braces stands
// for one of several texts, as in a shell:
//
//	-B|-D                     -B, -D
//	-x gf-guarantee={0,1}     -x gf-guarantee=0, -x gf-guarantee=1
//	--{low,high}{,er}         --low, --lower, --high, --higher
//
// The error is a *CommandError.
func ParseOptionGroup(text string) (group OptionGroup, err error) {
	fail := func(at int, format string, args ...any) (OptionGroup, error) {
		return nil, &CommandError{Text: text, Offset: at, Reason: fmt.Sprintf(format, args...)}
	}
	start := 0
	for _, alternative := range strings.Split(text, "|") {
		blank := len(alternative) - len(strings.TrimLeft(alternative, blanks))
		if blank == len(alternative) {
			return fail(start, "expected an option")
		}
		list := []string{""}
		for at := blank; at < len(alternative); {
			switch c := alternative[at]; c {
			case '}':
				return fail(start+at, "expected '{' before '}'")
			case '{':
				n := strings.IndexAny(alternative[at+1:], "{}")
				if n < 0 || alternative[at+1+n] == '{' {
					return fail(start+at, "expected '}' after '{', before the next '{', '|' or the end")
				}
				list = expanded(list, strings.Split(alternative[at+1:at+1+n], ","))
				at += n + 2
			default:
				n := strings.IndexAny(alternative[at:], "{}")
				if n < 0 {
					n = len(alternative) - at
				}
				list = expanded(list, []string{alternative[at : at+n]})
				at += n
			}
			// Ten braces are a thousand alternatives already.
			if len(group)+len(list) > maxAlternatives {
				return fail(start, "expected at most %d alternatives", maxAlternatives)
			}
		}
		for _, option := range list {
			if option = strings.TrimSpace(option); !isWords(option) {
				return fail(start+blank, "expected words of a command line: %q has an operator of the shell, a line break or an open quote", option)
			}
			group = append(group, option)
		}
		start += len(alternative) + 1
	}
	return group, nil
}

// expanded returns each text of a list with each of some ends.
func expanded(list, ends []string) (longer []string) {
	for _, text := range list {
		for _, end := range ends {
			longer = append(longer, text+end)
		}
		if len(longer) > maxAlternatives {
			break
		}
	}
	return longer
}

// isWords reports whether a text is one or more words for the shell.
func isWords(text string) bool {
	line := readShell([]part{{text: "x " + text}})
	stmt, call := line.command()
	substitutes := strings.Contains(text, "`") || strings.Contains(text, "$(")
	return call != nil && len(call.Args) > 1 && !stmt.Semicolon.IsValid() && len(stmt.Redirs)+len(stmt.Comments)+len(line.file.Last) == 0 &&
		!substitutes && !strings.Contains(text, "\x00") && !strings.HasSuffix(text, "\\")
}

// Draw returns the tool as it translates a formula: with one alternative or none of each group of
// its options, each as likely. What is drawn depends on the text of the formula, the name of the
// tool and the groups. A tool without groups is returned unchanged. The error is a *CommandError.
func (t *Tool) Draw(formula string) (*Tool, error) {
	if len(t.Options) == 0 {
		return t, nil
	}
	// The formula and the tool choose. So a formula that fails also fails alone, and in later runs.
	h := fnv.New64a()
	io.WriteString(h, t.Name+"\x00"+formula)
	r := rand.New(rand.NewPCG(h.Sum64(), 0))
	var drawn []string
	for _, group := range t.Options {
		if k := r.IntN(len(group) + 1); k < len(group) {
			drawn = append(drawn, group[k])
		}
	}
	return t.With(drawn)
}

// With returns the tool without groups, with the given options in all its commands. They
// stand in the place of {options} in the command, or else behind the first word. If the tool has groups,
// no process of it is kept alive. The error is a *CommandError.
func (t *Tool) With(options []string) (*Tool, error) {
	with := *t
	with.Options, with.Drawn, with.single = nil, options, t.single || len(t.Options) > 0
	var err error
	with.Command, err = t.Command.with(options, t.Mode)
	return &with, err
}

// OptionsPlace stands in a command for the options that are drawn.
const OptionsPlace = "{options}"

func (c *Command) with(options []string, mode Mode) (*Command, error) {
	return (&Command{text: c.text, automata: c.automata, options: strings.Join(options, " ")}).ready(mode)
}

// firstWord returns the length of the first word of a line for the shell, with the assignments before it.
func firstWord(line string) int {
	if call := readShell([]part{{text: line}}).first(); call != nil {
		return int(call.Args[0].End().Offset())
	}
	if n := strings.IndexAny(line, blanks); n >= 0 {
		return n
	}
	return len(line)
}
