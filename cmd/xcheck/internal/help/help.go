// Package help writes the help of commands: flags in groups, the common ones for --help and all of
// them for --help-all, on lines of at most 80 columns.
package help

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Width is the width of help, in columns.
const Width = 80

// A Group is a group of flags in the help of a command. The names are separated by spaces, in the
// order in which help shows the flags.
type Group struct {
	Heading string
	Common  string // what --help shows
	More    string // what --help-all shows as well
}

// A CommandGroup is a group of commands in the help of the program. The names are separated by
// spaces.
type CommandGroup struct{ Heading, Commands string }

// Pages are the help of a program.
type Pages struct {
	Flags    map[string][]Group // of commands; those that are not there have one group
	Commands []CommandGroup
	Status   string // what exit statuses mean
}

// table returns the groups of a command in the table.
func (p *Pages) table(c *cobra.Command) []Group {
	if c.Parent() != c.Root() {
		return nil // history compare is not compare
	}
	return p.Flags[c.Name()]
}

// Groups returns the groups of a command's flags. What is in no group of the table comes last.
func (p *Pages) Groups(c *cobra.Command) []Group {
	groups := slices.Clone(p.table(c))
	var rest []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		in := func(g Group) bool { return slices.Contains(strings.Fields(g.Common+" "+g.More), f.Name) }
		if !f.Hidden && f.Name != "help" && !slices.ContainsFunc(groups, in) {
			rest = append(rest, f.Name)
		}
	})
	if len(groups) == 0 {
		rest = append(rest, "help") // tables list it themselves
	}
	if len(rest) > 0 {
		groups = append(groups, Group{"Flags", strings.Join(rest, " "), ""})
	}
	return groups
}

// Add gives a command and its subcommands their help.
func (p *Pages) Add(c *cobra.Command) {
	c.Flags().BoolP("help", "h", false, "print this help")
	c.Flags().SortFlags = false
	c.Flags().Var(&helpAll{c: c}, "help-all", "print help with all flags")
	all := c.Flags().Lookup("help-all")
	all.NoOptDefVal = "true"
	all.Hidden = !slices.ContainsFunc(p.table(c), func(g Group) bool { return g.More != "" })
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		io.WriteString(c.OutOrStdout(), p.text(c, c.Flags().Changed("help-all")))
	})
	for _, sub := range c.Commands() {
		p.Add(sub)
	}
}

// HasMore reports whether --help-all shows more flags of a command than --help.
func HasMore(c *cobra.Command) bool {
	all := c.Flags().Lookup("help-all")
	return all != nil && !all.Hidden
}

// helpAll is the value of --help-all, which asks for help as --help does.
type helpAll struct{ c *cobra.Command }

func (h *helpAll) Set(text string) error { return h.c.Flags().Set("help", text) }
func (h *helpAll) String() string        { return "false" }
func (h *helpAll) Type() string          { return "bool" }

// text returns the help of a command, with all flags or only the common ones.
func (p *Pages) text(c *cobra.Command, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n%s\n", Paragraphs(about(c)), Line("  "+useLine(c), 4))
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasSubCommands() {
		p.writeCommands(&b, c)
	}
	p.writeFlags(&b, c, all)
	switch {
	case !c.HasParent():
		b.WriteString("\n" + p.Status)
		b.WriteString("\nUse \"xcheck COMMAND --help\" to see the flags of a command.\n")
	case c.HasSubCommands():
		fmt.Fprintf(&b, "\nUse \"%s COMMAND --help\" to see the flags of a command.\n", c.CommandPath())
	case HasMore(c) && !all:
		fmt.Fprintf(&b, "\nUse \"%s --help-all\" to see all flags.\n", c.CommandPath())
	}
	return b.String()
}

// about returns what a command does.
func about(c *cobra.Command) string {
	if c.Long == "" {
		return c.Short + "."
	}
	return c.Long
}

// useLine returns how a command is called.
func useLine(c *cobra.Command) string {
	if c.HasSubCommands() {
		return c.CommandPath() + " COMMAND [flags] [arguments]"
	}
	return c.UseLine()
}

// writeCommands lists the subcommands of a command, and the commands of xcheck in groups.
func (p *Pages) writeCommands(b *strings.Builder, c *cobra.Command) {
	width := 0 // the same in all groups
	for _, sub := range c.Commands() {
		width = max(width, len(sub.Name()))
	}
	line := func(sub *cobra.Command) { fmt.Fprintf(b, "  %-*s %s\n", width+1, sub.Name(), sub.Short) }
	if c.HasParent() {
		b.WriteString("\nCommands:\n")
		for _, sub := range c.Commands() {
			line(sub)
		}
		return
	}
	for _, g := range p.Commands {
		fmt.Fprintf(b, "\n%s:\n", g.Heading)
		for _, name := range strings.Fields(g.Commands) {
			if sub, _, err := c.Find([]string{name}); err == nil {
				line(sub)
			}
		}
	}
}

// writeFlags lists the flags of a command in their groups.
func (p *Pages) writeFlags(b *strings.Builder, c *cobra.Command, all bool) {
	type line struct{ left, right string }
	lines := map[string][]line{}
	width := 0 // of the left column; the text of a wider flag stands below it
	groups := p.Groups(c)
	for _, g := range groups {
		names := g.Common
		if all {
			names += " " + g.More
		}
		for _, name := range strings.Fields(names) {
			f := c.Flags().Lookup(name)
			left, right := flagHelp(f)
			lines[g.Heading] = append(lines[g.Heading], line{left, right})
			if n := utf8.RuneCountInString(left); n <= maxFlagWidth {
				width = max(width, n)
			}
		}
	}
	for _, g := range groups {
		if len(lines[g.Heading]) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s:\n", g.Heading)
		for _, l := range lines[g.Heading] {
			if utf8.RuneCountInString(l.left) > width {
				fmt.Fprintf(b, "%s\n%*s", l.left, width+2, "")
			} else {
				fmt.Fprintf(b, "%-*s", width+2, l.left)
			}
			text := Line(strings.Repeat(" ", width+2)+l.right, width+2) // filled as if the left column were blank
			b.WriteString(text[width+2:] + "\n")
		}
	}
}

// maxFlagWidth is how wide the column of flags may be.
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
	case d == "", isBool, d == "0" && f.Value.Type() != "uint64": // 0 is often no limit, but a seed is a number
	default:
		right += " (default " + d + ")"
	}
	return left, right
}

// listItem is the start of a line such as "  name    text".
var listItem = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^  \S+ +`) })

// Paragraphs fills the paragraphs of a text.
func Paragraphs(text string) string {
	var lines []string
	open := false // the last line is one of a paragraph
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		// A line that starts with a space stays a line of its own.
		prose := line != "" && line[0] != ' '
		if prose && open {
			lines[len(lines)-1] += " " + line
		} else {
			lines = append(lines, line)
		}
		open = prose && !strings.HasSuffix(line, ":")
	}
	for i, line := range lines {
		lines[i] = Line(line, len(listItem().FindString(line)))
	}
	return strings.Join(lines, "\n")
}

// Line breaks a line that is too long. Further lines are indented.
func Line(line string, indent int) string {
	if utf8.RuneCountInString(line) <= Width {
		return line
	}
	var b strings.Builder
	rest := []rune(line)
	for len(rest) > Width {
		at := Width
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

// PageName returns the name of a command's page of the manual: xcheck-history-list.
func PageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Page returns a command's page of the manual, for man(1): its help with all flags, in sections whose
// lines stay as they are. The version stands at its foot.
func (p *Pages) Page(c *cobra.Command, version string) string {
	var b strings.Builder
	name := PageName(c)
	short := strings.ReplaceAll(strings.ToLower(c.Short[:1])+c.Short[1:], "ω", "omega") // man -k shows escapes as they stand
	fmt.Fprintf(&b, ".TH %s 1 \"\" %q\n", strings.ToUpper(name), version)               // without a date, pages are reproducible
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(short))
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text == "" {
			return
		}
		fmt.Fprintf(&b, ".SH %s\n.EX\n", title)
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString(roff(line) + "\n")
		}
		b.WriteString(".EE\n")
	}
	section("SYNOPSIS", useLine(c))
	section("DESCRIPTION", Paragraphs(about(c)))
	var commands, flags strings.Builder
	if c.HasSubCommands() {
		p.writeCommands(&commands, c)
	}
	section("COMMANDS", commands.String())
	p.writeFlags(&flags, c, true)
	section("OPTIONS", flags.String())
	section("EXAMPLES", c.Example)
	_, statuses, _ := strings.Cut(p.Status, "\n")
	section("EXIT STATUS", statuses)
	if c.HasParent() {
		section("SEE ALSO", PageName(c.Parent())+"(1)")
	}
	return b.String()
}

var escapes = strings.NewReplacer(`\`, `\e`, "…", `\&...`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// roff escapes a line of text. Not all programs that read pages expect UTF-8.
func roff(line string) string {
	var b strings.Builder
	for _, c := range escapes.Replace(line) {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, c)
		}
	}
	if strings.HasPrefix(line, ".") {
		return `\&` + b.String()
	}
	return b.String()
}
