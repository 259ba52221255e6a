package main

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/internal/test/prose"
)

// allCommands returns the commands, without help, with their subcommands.
func allCommands() []*cobra.Command {
	list := (&app{}).root(nil).Commands()
	for _, c := range list {
		list = append(list, c.Commands()...)
	}
	return slices.DeleteFunc(list, func(c *cobra.Command) bool { return c.Name() == "help" })
}

// helpOf runs a command with --help or --help-all.
func helpOf(t *testing.T, c *cobra.Command, flag string) string {
	t.Helper()
	status, out, errs := invoke("", append(strings.Fields(c.CommandPath())[1:], flag)...)
	if status != 0 || errs != "" || !strings.Contains(out, "\nUsage:\n") || !strings.Contains(out, "--help") {
		t.Errorf("%s %s: status %d, %q, %q", c.CommandPath(), flag, status, out, errs)
	}
	return out
}

// TestHelp: the --help of every command is short, fits 80 columns and reads well. Its examples have
// flags that exist.
func TestHelp(t *testing.T) {
	t.Parallel()
	commands := allCommands()
	for _, c := range append(commands, commands[0].Root()) {
		short, all := helpOf(t, c, "--help"), helpOf(t, c, "--help-all")
		if more := short != all; more != help.HasMore(c) {
			t.Errorf("%s: --help-all shows more: %v", c.CommandPath(), more)
		}
		if n := strings.Count(short, "\n"); c.Name() == "run" && n > 60 {
			t.Errorf("%s --help has %d lines", c.CommandPath(), n)
		}
		for line := range strings.Lines(short + all) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > help.Width {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		testProse(t, c.CommandPath(), short+all)
		for _, sentence := range sentences(c.Long) {
			if n := len(strings.Fields(sentence)); n > 30 {
				t.Errorf("%s: %d words: %s", c.CommandPath(), n, sentence)
			}
		}
		if n := len(strings.Fields(c.Short)); n > 8 || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: %q has %d words", c.CommandPath(), c.Short, n)
		}
		examples := strings.Split(c.Example, "\n")
		if n := len(examples); c.Parent() == c.Root() && (n < 3 || n > 6) || c.Example == "" {
			t.Errorf("%s has %d examples", c.CommandPath(), n)
		}
		called := false
		for _, line := range examples {
			called = testExample(t, c, line) || called
		}
		if !called {
			t.Errorf("%s: no example calls it", c.CommandPath())
		}
	}
}

// TestHelpGroups: every flag has a short text and belongs to a group of its command's help.
func TestHelpGroups(t *testing.T) {
	var grouped []string
	for _, g := range helpPages().Commands {
		grouped = append(grouped, strings.Fields(g.Commands)...)
	}
	for _, c := range allCommands() {
		if i := slices.Index(grouped, c.Name()); i >= 0 && c.Parent() == c.Root() {
			grouped = slices.Delete(grouped, i, i+1)
		} else if c.Parent() == c.Root() {
			t.Errorf("%s is in no group of commands", c.Name())
		}
		groups := helpPages().Groups(c)
		var names []string
		for _, g := range groups {
			if g.Heading == "Flags" && len(groups) > 1 {
				t.Errorf("%s: no group has the flags %s", c.CommandPath(), g.Common)
			}
			names = append(names, strings.Fields(g.Common+" "+g.More)...)
		}
		for i, name := range names {
			if c.Flags().Lookup(name) == nil {
				t.Errorf("%s: a group has --%s, which is no flag", c.CommandPath(), name)
			}
			if slices.Contains(names[:i], name) {
				t.Errorf("%s: --%s is in two groups", c.CommandPath(), name)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if !slices.Contains(names, f.Name) {
				t.Errorf("%s: --%s is in no group", c.CommandPath(), f.Name)
			}
			value, text := pflag.UnquoteUsage(f)
			effect, _, _ := strings.Cut(text, ": ") // a list of names may follow
			if n := len(strings.Fields(effect)); n > 10 || n == 0 {
				t.Errorf("%s --%s: %d words: %s", c.CommandPath(), f.Name, n, text)
			}
			if first, _ := utf8.DecodeRuneInString(text); !unicode.IsLower(first) || strings.HasSuffix(text, ".") || strings.Contains(text, "default") {
				t.Errorf("%s --%s: %q: expected a verb or a noun first, no full stop, and no default", c.CommandPath(), f.Name, text)
			}
			if value != strings.ToUpper(value) && value != "A..B" && value != "I/N" && f.Value.Type() != "bool" {
				t.Errorf("%s --%s: the value is called %s", c.CommandPath(), f.Name, value)
			}
		})
	}
	if len(grouped) > 0 {
		t.Errorf("groups have %q, which are no commands", grouped)
	}
}

func testProse(t *testing.T, where, text string) {
	t.Helper()
	if found, instead := prose.Find(prose.Phrases(t, "../../.ci/phrases.yml"), text); found != "" {
		t.Errorf("%s: %q: write %q", where, found, instead)
	}
}

var sentenceEnd = lazy(`[.:?](\s|$)|\n\n|\n  `)

func sentences(text string) []string { return sentenceEnd().Split(text, -1) }

// testExample looks for the flags of the commands on a line. It reports whether one of these is c,
// or is below it.
func testExample(t *testing.T, c *cobra.Command, line string) (called bool) {
	t.Helper()
	commands, err := commandsOf(c.Root(), line)
	if err != nil {
		t.Errorf("%s: the example %s: %v", c.CommandPath(), line, err)
	}
	return slices.Contains(commands, c) || len(commands) > 0 && c.HasSubCommands()
}
