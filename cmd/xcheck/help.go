package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help, in columns.
const helpWidth = 80

// A flagGroup is a group of flags in the help of a command. The names are separated by spaces,
// in the order in which help shows the flags.
type flagGroup struct {
	heading string
	common  string // what --help shows
	more    string // what --help-all shows as well
}

// flagGroups has the groups of the commands with many flags. Other commands have one group.
var flagGroups = map[string][]flagGroup{
	"run": {
		{"Formulas", "formula file patterns number size seed",
			"ap past weights boolean weak-fairness simplify keep-trivial keep-duplicates syntax lbt-input lenient allow-dups"},
		{"Translators", "translator no-builtin list-translators", "reference no-reference no-found only ignore-missing relabel"},
		{"Checks", "grind stop-on-error", "strict-failures ignore-failures ignore-execution-failures fail-on-timeout " +
			"all-pairs complement no-complement no-checks products states density"},
		{"Limits", "timeout jobs", "max-time max-case-time max-memory max-macrostates grind-calls"},
		{"Reports", "html junit json csv", "markdown save-bogus save-automata strength ambiguous automata omit-missing csv-more"},
		{"Nights", "config history resume until fail-on-new", "for shard name baseline"},
		{"Output", "quiet verbose help", "color progress help-all"},
	},
	"aut": {
		{"Automata", "file number acceptance ap seed",
			"states density acc-probability ba colored deterministic state-based-acceptance functions unique"},
		{"Tools", "tool stream batch language-complemented", "language-preserved ignore-missing"},
		{"Checks", "grind stop-on-error", "strict-failures ignore-failures ignore-execution-failures fail-on-timeout " +
			"all-pairs complement emptiness no-checks"},
		{"Limits", "timeout max-time jobs", "max-case-time max-memory max-macrostates max-product-states max-word-steps"},
		{"Reports", "json csv save-bogus", ""},
		{"Output", "quiet verbose help", "color progress help-all"},
	},
	"grind": {
		{"Formulas", "formula file patterns config", "syntax"},
		{"Translators", "translator reference no-builtin", "no-reference no-found ignore-missing"},
		{"Lists", "list mutations max-count sort", "to full-parentheses format zero-terminated-output"},
		{"Steps", "", "ap-to-const remove-one-ap remove-multop-operands remove-ops split-ops rewrite-ops subformulas to-const lower-ops everywhere"},
		{"Limits", "timeout max-calls jobs", "complement max-time max-case-time max-memory max-macrostates"},
		{"Output", "json verbose help", "help-all"},
	},
	"random": {
		{"Formulas", "number seed size ap past weights",
			"boolean weak-fairness simplify keep-trivial keep-duplicates dump-weights"},
		{"Automata", "automata acceptance states deterministic",
			"density acc-probability ba colored state-based-acceptance functions unique"},
		{"Output", "to format json help", "full-parentheses zero-terminated-output max-time max-memory help-all"},
	},
	"report": {
		{"Results", "history run fail-on-new", ""},
		{"Comparison", "compare measure svg by-file", "x y"},
		{"Output", "format json quiet verbose help", "color strength ambiguous automata omit-missing csv-more max-time max-memory help-all"},
	},
}

// groupsOf returns the groups of a command's flags. What is in no group of the table comes last.
func groupsOf(c *cobra.Command) []flagGroup {
	groups := slices.Clone(flagGroups[c.Name()])
	if c.Parent() != c.Root() {
		groups = nil // bench translate is not translate
	}
	var rest []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		in := func(g flagGroup) bool { return slices.Contains(strings.Fields(g.common+" "+g.more), f.Name) }
		if !f.Hidden && f.Name != "help" && !slices.ContainsFunc(groups, in) {
			rest = append(rest, f.Name)
		}
	})
	if len(groups) == 0 {
		rest = append(rest, "help")
	}
	if len(rest) > 0 {
		groups = append(groups, flagGroup{"Flags", strings.Join(rest, " "), ""})
	}
	return groups
}

// commandGroups are the commands as the help of xcheck lists them.
var commandGroups = []struct{ heading, commands string }{
	{"Check", "run aut grind"},
	{"Automata", "accepts empty intersect compare complement convert lint"},
	{"Formulas", "translate eval random patterns"},
	{"Results", "report history merge bench"},
}

const statusHelp = `Exit status:
  0    success: no disagreement, equal, empty, true
  1    disagreement, false property, different, non-empty, false
  2    error: wrong usage, unreadable input, internal error
  3    run and aut: a translator failed, or a check is undecided
  130  interrupted
`

// addHelp gives a command and its subcommands their help.
func addHelp(c *cobra.Command) {
	c.Flags().BoolP("help", "h", false, "print this help")
	c.Flags().SortFlags = false
	for _, g := range groupsOf(c) {
		if g.more != "" && c.Flags().Lookup("help-all") == nil {
			c.Flags().Var(&helpAll{c: c}, "help-all", "print help with all flags")
			c.Flags().Lookup("help-all").NoOptDefVal = "true"
		}
	}
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		io.WriteString(c.OutOrStdout(), helpText(c, c.Flags().Changed("help-all")))
	})
	for _, sub := range c.Commands() {
		addHelp(sub)
	}
}

// helpAll is the value of --help-all, which asks for help as --help does.
type helpAll struct{ c *cobra.Command }

func (h *helpAll) Set(text string) error { return h.c.Flags().Set("help", text) }
func (h *helpAll) String() string        { return "false" }
func (h *helpAll) Type() string          { return "bool" }

// helpText returns the help of a command, with all flags or only the common ones.
func helpText(c *cobra.Command, all bool) string {
	var b strings.Builder
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	use := c.UseLine()
	if c.HasSubCommands() {
		use = c.CommandPath() + " COMMAND [flags] [arguments]"
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n%s\n", wrapped(about), wrapLine("  "+use, 4))
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasSubCommands() {
		writeCommands(&b, c)
	}
	writeFlags(&b, c, all)
	switch {
	case !c.HasParent():
		b.WriteString("\n" + statusHelp)
		b.WriteString("\nUse \"xcheck COMMAND --help\" to see the flags of a command.\n")
	case c.HasSubCommands():
		fmt.Fprintf(&b, "\nUse \"%s COMMAND --help\" to see the flags of a command.\n", c.CommandPath())
	case c.Flags().Lookup("help-all") != nil && !all:
		fmt.Fprintf(&b, "\nUse \"%s --help-all\" to see all flags.\n", c.CommandPath())
	}
	return b.String()
}

// writeCommands lists the subcommands of a command, and the commands of xcheck in groups.
func writeCommands(b *strings.Builder, c *cobra.Command) {
	line := func(sub *cobra.Command) { fmt.Fprintf(b, "  %-11s %s\n", sub.Name(), sub.Short) }
	if c.HasParent() {
		b.WriteString("\nCommands:\n")
		for _, sub := range c.Commands() {
			line(sub)
		}
		return
	}
	for _, g := range commandGroups {
		fmt.Fprintf(b, "\n%s:\n", g.heading)
		for _, name := range strings.Fields(g.commands) {
			if sub, _, err := c.Find([]string{name}); err == nil {
				line(sub)
			}
		}
	}
}

// writeFlags lists the flags of a command in their groups.
func writeFlags(b *strings.Builder, c *cobra.Command, all bool) {
	type line struct{ left, right string }
	lines := map[string][]line{}
	width := 0
	groups := groupsOf(c)
	for _, g := range groups {
		names := g.common
		if all {
			names += " " + g.more
		}
		for _, name := range strings.Fields(names) {
			f := c.Flags().Lookup(name)
			left, right := flagHelp(f)
			lines[g.heading] = append(lines[g.heading], line{left, right})
			if n := utf8.RuneCountInString(left); n <= maxFlagWidth {
				width = max(width, n)
			}
		}
	}
	for _, g := range groups {
		if len(lines[g.heading]) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s:\n", g.heading)
		for _, l := range lines[g.heading] {
			if utf8.RuneCountInString(l.left) > width {
				fmt.Fprintf(b, "%s\n%*s", l.left, width+2, "")
			} else {
				fmt.Fprintf(b, "%-*s", width+2, l.left)
			}
			text := wrapLine(strings.Repeat(" ", width+2)+l.right, width+2)
			b.WriteString(text[width+2:] + "\n")
		}
	}
}

// maxFlagWidth is how wide the column of flags may be. The text of a wider one stands below it.
const maxFlagWidth = 30

// flagHelp returns a flag as help shows it, and its text with the default.
func flagHelp(f *pflag.Flag) (left, right string) {
	left = "      --" + f.Name
	if f.Shorthand != "" {
		left = "  -" + f.Shorthand + ", --" + f.Name
	}
	value, right := pflag.UnquoteUsage(f)
	isBool := f.Value.Type() == "bool"
	switch {
	case isBool:
	case f.NoOptDefVal != "":
		left += "[=" + value + "]"
	default:
		left += " " + value
	}
	switch d := strings.Trim(f.DefValue, "[]"); {
	case d == "", isBool, d == "0" && f.Value.Type() != "uint64":
	default:
		right += " (default " + d + ")"
	}
	return left, right
}

// listItem is the start of a line such as "  name    text".
var listItem = regexp.MustCompile(`^  \S+ +`)

// wrapped fills the paragraphs of a text. A line that starts with a space stays a line of its own.
func wrapped(text string) string {
	var lines []string
	open := false // the last line is one of a paragraph
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		prose := line != "" && line[0] != ' '
		if prose && open {
			lines[len(lines)-1] += " " + line
		} else {
			lines = append(lines, line)
		}
		open = prose && !strings.HasSuffix(line, ":")
	}
	for i, line := range lines {
		lines[i] = wrapLine(line, len(listItem.FindString(line)))
	}
	return strings.Join(lines, "\n")
}

// wrapLine breaks a line that is too long. Further lines are indented.
func wrapLine(line string, indent int) string {
	if utf8.RuneCountInString(line) <= helpWidth {
		return line
	}
	var b strings.Builder
	rest := []rune(line)
	for len(rest) > helpWidth {
		at := helpWidth
		for at > indent && rest[at] != ' ' {
			at--
		}
		if at <= indent {
			break // a single word
		}
		b.WriteString(strings.TrimRight(string(rest[:at]), " ") + "\n")
		rest = append([]rune(strings.Repeat(" ", indent)), []rune(strings.TrimLeft(string(rest[at:]), " "))...)
	}
	return b.String() + string(rest)
}
