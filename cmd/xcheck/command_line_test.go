package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// run executes one command line and returns its exit status.
func run(args []string, in io.Reader, out, errw io.Writer) outcome.ExitStatus {
	return runAs("xcheck", args, in, out, errw)
}

// quoted is an argument in quotation marks.
var quoted = lazy(`'[^']*'|"[^"]*"`)

// commandsOf returns the commands of xcheck on a line of shell. An error names a command or a
// flag that does not exist.
func commandsOf(root *cobra.Command, line string) (commands []*cobra.Command, err error) {
	for _, part := range strings.Split(quoted().ReplaceAllString(line, "…"), "|") {
		words := strings.Fields(part)
		if len(words) < 2 || words[0] != "xcheck" || words[1] == "COMMAND" {
			continue
		}
		c, rest, err := root.Find(words[1:])
		if err != nil {
			return nil, err
		}
		if c == root && !strings.HasPrefix(words[1], "-") {
			return nil, fmt.Errorf("unknown command %s", words[1])
		}
		c.InitDefaultHelpFlag()
		for _, word := range rest {
			name, _, _ := strings.Cut(word, "=")
			long, isLong := strings.CutPrefix(name, "--")
			short := !isLong && len(name) == 2 && name[0] == '-' && unicode.IsLetter(rune(name[1]))
			if isLong && long != "" && c.Flag(long) == nil || short && c.Flags().ShorthandLookup(name[1:]) == nil {
				return nil, fmt.Errorf("%s has no flag %s", c.CommandPath(), name)
			}
		}
		commands = append(commands, c)
	}
	return commands, nil
}
