package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// A help is the help of a command. It is about
//
//	Prints random formulas.         <- about
//
//	Usage:                          <- a section
//	  xcheck random [flags]
//
//	Formulas:                       <- a section with flags
//	  -n, --number N    print N formulas
type help struct {
	command  []string // such as xcheck, bench, emptiness
	about    string
	sections []section
}

// A section is a heading with its lines.
type section struct {
	heading string
	lines   []string
}

// An item is a flag or a command, and what it does.
type item struct{ name, text string }

var (
	headingLine = regexp.MustCompile(`^(\S.*):$`)
	flagLine    = regexp.MustCompile(`^ {2,6}(-.*?)(?: {2,}(.*))?$`)
	commandLine = regexp.MustCompile(`^  ([a-z][a-z-]*) +(\S.*)$`)
	// flagName is the long name of a flag.
	flagName = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// parseHelp takes the help of a command apart. The sections begin with Usage.
func parseHelp(command []string, text string) *help {
	h := &help{command: command}
	about, rest, _ := strings.Cut(text, "\nUsage:\n")
	h.about = strings.TrimSpace(about)
	blank := true
	for line := range strings.Lines("Usage:\n" + rest) {
		line = strings.TrimRight(line, "\n")
		m := headingLine.FindStringSubmatch(line)
		switch {
		case blank && m != nil:
			h.sections = append(h.sections, section{heading: m[1]})
		case blank && strings.HasPrefix(line, "Use \""): // the hint at the end
			return h
		case line != "":
			last := &h.sections[len(h.sections)-1]
			last.lines = append(last.lines, line)
		}
		blank = line == ""
	}
	return h
}

// items returns the flags or commands of a section, each with its text on one line. A section of
// other lines has none.
func (s *section) items(first *regexp.Regexp) []item {
	var items []item
	for _, line := range s.lines {
		m := first.FindStringSubmatch(line)
		switch {
		case m != nil:
			items = append(items, item{m[1], m[2]})
		case len(items) == 0:
			return nil
		default:
			last := &items[len(items)-1]
			last.text = strings.TrimSpace(last.text + " " + strings.TrimSpace(line))
		}
	}
	return items
}

// isCode reports whether a section shows command lines and statuses as they are.
func (s *section) isCode() bool {
	return s.heading == "Usage" || s.heading == "Examples" || s.heading == "Exit status"
}

// commands returns the names of the commands below a command.
func (h *help) commands() []string {
	var names []string
	for _, s := range h.sections {
		if s.isCode() {
			continue
		}
		for _, c := range s.items(commandLine) {
			names = append(names, c.name)
		}
	}
	return names
}

// eachCommand calls do with the help of a command and of all commands below it.
func eachCommand(ask func(...string) (string, error), command []string, do func(*help) error) error {
	text, err := ask(command...)
	if err != nil {
		return err
	}
	h := parseHelp(append([]string{"xcheck"}, command...), text)
	if err := do(h); err != nil {
		return err
	}
	for _, name := range h.commands() {
		if err := eachCommand(ask, append(command[:len(command):len(command)], name), do); err != nil {
			return err
		}
	}
	return nil
}

// file returns the name of the page of a command, without .md: that of its manual page.
func (h *help) file() string { return strings.Join(h.command, "-") }

// page returns the page of a command, in Markdown. Each flag is an anchor: xcheck-run.html#--grind.
func (h *help) page(number int) string {
	var b strings.Builder
	name := strings.Join(h.command, " ")
	fmt.Fprintf(&b, "---\nmade: Help\nweight: %d\nabout: The help of %s, with all flags.\n---\n# %s\n\n", number, name, name)
	for _, block := range blocks(h.about) {
		if strings.HasPrefix(block, " ") {
			fmt.Fprintf(&b, "<pre>%s</pre>\n\n", html.EscapeString(block))
		} else {
			fmt.Fprintf(&b, "<p>%s</p>\n\n", html.EscapeString(strings.ReplaceAll(block, "\n", " ")))
		}
	}
	for _, s := range h.sections {
		fmt.Fprintf(&b, "## %s\n\n", s.heading)
		switch flags, commands := s.items(flagLine), s.items(commandLine); {
		case s.isCode() || len(flags)+len(commands) == 0:
			fmt.Fprintf(&b, "```text\n%s\n```\n\n", unindent(s.lines))
		case len(flags) > 0:
			b.WriteString("<dl>\n")
			for _, f := range flags {
				fmt.Fprintf(&b, "<dt id=%q>%s</dt><dd>%s</dd>\n", flagName.FindString(f.name), html.EscapeString(f.name), html.EscapeString(f.text))
			}
			b.WriteString("</dl>\n\n")
		default:
			b.WriteString("<dl>\n")
			for _, c := range commands {
				fmt.Fprintf(&b, "<dt><a href=\"%s-%s.html\">%s</a></dt><dd>%s</dd>\n", h.file(), c.name, c.name, html.EscapeString(c.text))
			}
			b.WriteString("</dl>\n\n")
		}
	}
	return b.String()
}

// blocks returns the paragraphs of a text, and its indented lines.
func blocks(text string) []string {
	var all []string
	open := false // the last block is not yet complete
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			open = false
			continue
		}
		if open && strings.HasPrefix(line, " ") == strings.HasPrefix(all[len(all)-1], " ") {
			all[len(all)-1] += "\n" + line
		} else {
			all = append(all, line)
		}
		open = true
	}
	return all
}

// unindent returns lines without the two spaces before them.
func unindent(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimPrefix(line, "  ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
