package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Texts of flags that several commands have.
const (
	colorHelp    = "color the output: auto, always or never"
	progressHelp = "show progress: auto, always or never"
	syntaxHelp   = "read formulas in `SYNTAX`: spot, spin, lbt or wring"
	seedHelp     = "seed the random generator with `N`"
	quietHelp    = "print only problems, and nothing after success"
)

// exclusive makes it an error to give more than one of some flags.
func exclusive(c *cobra.Command, names ...string) {
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		var given []string
		for _, name := range names {
			if c.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("%s cannot be combined", strings.Join(given, " and "))
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// atLeast is the error of a flag whose value is too small.
func atLeast(name string, got, least int) error {
	if got >= least {
		return nil
	}
	return fmt.Errorf("--%s %d: expected at least %d", name, got, least)
}

// startFlags choose the initial states of two automata.
type startFlags struct{ a, b []int }

func (s *startFlags) add(c *cobra.Command) {
	c.Flags().IntSliceVar(&s.a, "start-a", nil, "start A in the state `N`")
	c.Flags().IntSliceVar(&s.b, "start-b", nil, "start B in the state `N`")
}

// apply returns the automata with the initial states that were asked for.
func (s *startFlags) apply(a, b *omega.Automaton) (x, y *omega.Automaton, err error) {
	if x, err = startingAt(a, s.a); err != nil {
		return nil, nil, fmt.Errorf("--start-a: %w", err)
	}
	if y, err = startingAt(b, s.b); err != nil {
		return nil, nil, fmt.Errorf("--start-b: %w", err)
	}
	return x, y, nil
}

// startingAt returns a with other initial states, if there are any.
func startingAt(a *omega.Automaton, list []int) (*omega.Automaton, error) {
	if len(list) == 0 {
		return a, nil
	}
	states := make([]omega.State, len(list))
	for i, n := range list {
		if n < 0 || n >= a.NumStates() {
			return nil, fmt.Errorf("no state %d: the automaton has %d states, numbered from 0", n, a.NumStates())
		}
		states[i] = omega.State(n)
	}
	return a.From(states...)
}

// create begins the file of --json=FILE. It is replaced when the command ends, also if no answer
// has come: what an earlier command has left in it is none of this one's.
func (a *app) create() (err error) {
	if a.json != "" && a.json != "-" {
		a.file, err = wholefile.Create(a.json)
	}
	return err
}

// answer prints the answer of a command: text, or value as one line of JSON.
func (a *app) answer(text string, value any) error {
	if a.json == "" {
		_, err := fmt.Fprintln(a.out, text)
		return err
	}
	line, err := report.Document(value)
	if err != nil {
		return err
	}
	if a.json == "-" {
		_, err = a.out.Write(line)
		return err
	}
	_, err = a.file.Write(line)
	return err
}

// plainWord matches a word that a shell needs no quotes for.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+=:,./\w@%]+$`) })

// commandLine returns the line for a shell that runs xcheck with some arguments.
func commandLine(args []string) string {
	words := []string{"xcheck"}
	for _, word := range args {
		words = append(words, shellWord(word))
	}
	return strings.Join(words, " ")
}

// shellWord returns a word for a shell, in quotes if it needs them.
func shellWord(word string) string {
	if plainWord().MatchString(word) {
		return word
	}
	return translators.Quote(word)
}
