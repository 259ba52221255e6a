package help

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// PageName returns the name of a command's page of the manual: xcheck-bench-product.
func PageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Page returns a command's page of the manual, for man(1), with all flags. The version stands at
// its foot.
func (p *Pages) Page(c *cobra.Command, version string) string {
	m := &page{}
	name := PageName(c)
	m.line(".TH %s 1 \"\" %q", strings.ToUpper(name), version)
	m.section("Name")
	short := strings.ReplaceAll(lowerFirst(c.Short), "ω", "omega") // man -k shows escapes as they stand
	m.line(`%s \- %s`, roff(name), roff(short))
	m.section("Synopsis")
	use := strings.TrimPrefix(useLine(c), c.CommandPath())
	m.line(`\fB%s\fR%s`, roff(c.CommandPath()), roff(use))
	m.section("Description")
	m.text(about(c))
	if c.HasSubCommands() {
		m.section("Commands")
		for _, sub := range c.Commands() {
			if sub.Name() != "help" {
				m.item(`\fB`+roff(PageName(sub))+`\fR(1)`, sub.Short+".")
			}
		}
	}
	m.section("Options")
	groups := p.Groups(c)
	for _, g := range groups {
		if len(groups) > 1 {
			m.line(".SS %s", g.Heading)
		}
		for _, flag := range strings.Fields(g.Common + " " + g.More) {
			left, right := flagHelp(c.Flags().Lookup(flag))
			m.item(term(strings.TrimSpace(left)), right)
		}
	}
	if c.HasExample() {
		m.section("Examples")
		m.example(strings.Split(c.Example, "\n"))
	}
	m.section("Exit status")
	_, statuses, _ := strings.Cut(p.Status, "\n")
	m.example(strings.Split(strings.TrimSpace(statuses), "\n"))
	m.section("See also")
	m.line(`%s`, strings.Join(related(c), ", "))
	return m.b.String()
}

// related names the pages of a command's parent and siblings.
func related(c *cobra.Command) (pages []string) {
	if !c.HasParent() {
		return []string{`\fBltlcross\fR(1)`, `\fBltl2tgba\fR(1)`, `\fBautfilt\fR(1)`}
	}
	for _, x := range append([]*cobra.Command{c.Parent()}, c.Parent().Commands()...) {
		if x != c && x.Name() != "help" {
			pages = append(pages, `\fB`+roff(PageName(x))+`\fR(1)`)
		}
	}
	return pages
}

// A page is a page of the manual that is being written, in the macros of man(7).
type page struct{ b strings.Builder }

func (m *page) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func (m *page) section(title string) { m.line(".SH %s", strings.ToUpper(title)) }

func (m *page) item(term, text string) { m.line(".TP\n%s\n%s", term, roff(text)) }

// text writes paragraphs. Lines that start with a space stay lines of their own.
func (m *page) text(text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var list []string
		m.line(".PP")
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, " ") {
				list = append(list, line)
				continue
			}
			m.example(list)
			list = nil
			m.line("%s", roff(line))
		}
		m.example(list)
	}
}

// example writes lines as they are.
func (m *page) example(lines []string) {
	if len(lines) == 0 {
		return
	}
	m.line(".PP\n.EX")
	for _, line := range lines {
		m.line("%s", roff(line))
	}
	m.line(".EE")
}

// term writes a flag in bold and its value, which follows a space or [=, in italics.
func term(left string) string {
	name := strings.Index(left, "--")
	at := strings.IndexAny(left[name:], " [")
	if at < 0 {
		return `\fB` + roff(left) + `\fR`
	}
	if at += name; left[at] == '[' {
		at++ // before =
	}
	return `\fB` + roff(left[:at]) + `\fR` + roff(left[at:at+1]) + `\fI` + roff(left[at+1:]) + `\fR`
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

func lowerFirst(text string) string {
	return strings.ToLower(text[:1]) + text[1:]
}
