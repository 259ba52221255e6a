package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/xcheck-ltl/xcheck/cross"
)

// Text writes the report that people read.
type Text struct {
	W       io.Writer
	Color   bool
	Verbose bool // also a line for each formula
	Quiet   bool // nothing but disagreements, failures, false properties and the closing line

	failed map[string]bool // translator and class already explained
}

// table prints rows below a header, without lines, and without space at the end
// of a line.
func (t *Text) table(header []string, rows [][]string, align []tw.Align) error {
	var b bytes.Buffer
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.Off},
			},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithPadding(tw.Padding{Left: "", Right: "  ", Overwrite: true}),
	)
	table.Options(tablewriter.WithAlignment(align), tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}))
	table.Header(header)
	if err := table.Bulk(rows); err != nil {
		return err
	}
	if err := table.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(t.W, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// Case prints what is worth knowing of one formula as soon as it is done: its
// disagreements, undecided checks, findings, and the first failure of each kind
// of each translator.
func (t *Text) Case(c *cross.Case) error {
	var b strings.Builder
	if t.Verbose {
		fmt.Fprintf(&b, "formula %d: %s\n", c.Index, c.Formula)
	}
	for _, e := range c.Errors {
		fmt.Fprintf(&b, "%s\n", t.paint(red, e))
	}
	t.failures(&b, c)
	for _, f := range c.Findings {
		// A false property decides the status.
		if !t.Quiet || f.Class == "property" {
			fmt.Fprintf(&b, "%s: %s: %s (formula %s)\n", t.paint(yellow, f.Class), f.Subject, f.Text, c.Formula)
		}
	}
	if !t.Quiet {
		for _, u := range c.Undecided {
			fmt.Fprintf(&b, "%s: %s: %s (formula %s)\n", t.paint(yellow, "undecided"), u.Check, u.Why, c.Formula)
		}
	}
	if _, err := io.WriteString(t.W, b.String()); err != nil {
		return err
	}
	for i := range c.Disagreements {
		if err := t.disagreement(c, &c.Disagreements[i]); err != nil {
			return err
		}
	}
	return nil
}

// failures explains the first failure of each class of each translator, and the
// first skip, and all of them if verbose.
func (t *Text) failures(b *strings.Builder, c *cross.Case) {
	if t.failed == nil {
		t.failed = map[string]bool{}
	}
	for _, r := range c.Results {
		if !r.Failed() && (r.Status != "skipped" || t.Quiet) {
			continue
		}
		key := r.Translator + "\x00" + r.Status
		if t.failed[key] && !t.Verbose {
			continue
		}
		t.failed[key] = true
		fmt.Fprintf(b, "%s: %s: %s\n", t.paint(yellow, r.Status), r.Subject, r.Detail)
		if r.Command != "" {
			fmt.Fprintf(b, "  command: %s\n", r.Command)
		}
		if text := strings.TrimSpace(r.Stderr); text != "" {
			lines := strings.Split(text, "\n")
			if n := len(lines) - 5; n > 0 && !t.Verbose {
				lines = lines[n:]
			}
			for _, line := range lines {
				fmt.Fprintf(b, "  stderr:  %s\n", line)
			}
		}
	}
}

func (t *Text) disagreement(c *cross.Case, d *cross.Disagreement) error {
	size := "at most " + count(d.Size, "letter")
	if d.Shortest {
		size = "shortest: " + count(d.Size, "letter")
	}
	about := "rejected by automata that should accept it"
	if d.Kind == "extra" {
		about = "accepted by automata that should reject it"
	}
	_, err := fmt.Fprintf(t.W, "\n%s\n  formula %d:  %s\n  word:       %s   (%s, %s)\n  the formula is %v on it\n",
		t.paint(red, "disagreement, "+d.Kind+" word"), c.Index, c.Formula, d.Word, size, about, d.Truth)
	if err != nil {
		return err
	}
	// What became of each translator, and of the reference, which has no results.
	status := map[cross.Subject]string{}
	var names []string
	for _, r := range c.Results {
		status[r.Subject] = r.Status
		names = append(names, r.Translator)
	}
	for _, a := range d.Accepts {
		names = append(names, a.Translator)
	}
	var rows [][]string
	done := map[string]bool{}
	for _, name := range names {
		if done[name] {
			continue
		}
		done[name] = true
		row := []string{"  ", name}
		wrong := []string{}
		for _, s := range []cross.Subject{{Translator: name}, {Translator: name, Negated: true}} {
			answer := status[s]
			for _, a := range d.Accepts {
				if a.Subject == s {
					answer = map[bool]string{true: "accepts", false: "rejects"}[a.Accepts]
					if !a.Right {
						wrong = append(wrong, map[bool]string{true: "negation", false: "formula"}[s.Negated])
					}
				}
			}
			row = append(row, answer)
		}
		last := ""
		if len(wrong) > 0 {
			last = t.paint(red, "wrong ("+strings.Join(wrong, ", ")+")")
		}
		rows = append(rows, append(row, last))
	}
	left := []tw.Align{tw.AlignLeft, tw.AlignLeft, tw.AlignLeft, tw.AlignLeft, tw.AlignLeft}
	return t.table([]string{"  ", "translator", "formula", "negation", ""}, rows, left)
}

// End prints the table of translators and the closing line.
func (t *Text) End(tally *Tally) error {
	if !t.Quiet {
		if err := t.translators(tally); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(t.W, t.closing(tally))
	return err
}

// statuses are the columns of the table that count calls, in order.
var statuses = []string{"ok", "skipped", "timeout", "crash", "exit", "no-output", "syntax", "unsupported", "too-big", "too-long",
	"aborted", "memory", "cpu-time"}

func (t *Text) translators(tally *Tally) error {
	// Columns of failures that nobody had are left out.
	var shown []string
	for _, s := range statuses {
		some := slices.ContainsFunc(tally.Translators, func(x *Totals) bool { return x.Statuses[s] > 0 })
		if some || s == "ok" {
			shown = append(shown, s)
		}
	}
	header := append([]string{"translator", "formulas"}, shown...)
	header = append(header, "wrong P", "wrong N", "findings", "states", "edges", "sets", "time (s)")
	align := []tw.Align{tw.AlignLeft}
	for range header[1:] {
		align = append(align, tw.AlignRight)
	}
	if _, err := fmt.Fprintln(t.W); err != nil {
		return err
	}
	var rows [][]string
	for _, x := range tally.Translators {
		row := []string{x.Name, strconv.Itoa(x.Formulas)}
		for _, s := range shown {
			row = append(row, strconv.Itoa(x.Statuses[s]))
		}
		row = append(row, strconv.Itoa(x.WrongP), strconv.Itoa(x.WrongN), strconv.Itoa(x.Findings),
			strconv.Itoa(x.States), strconv.Itoa(x.Edges), strconv.Itoa(x.Sets), fmt.Sprintf("%.2f", x.Seconds))
		rows = append(rows, row)
	}
	if err := t.table(header, rows, align); err != nil {
		return err
	}
	_, err := fmt.Fprintln(t.W, "(formulas and their negations; states, edges, sets and time are sums)")
	return err
}

// closing says in a line how the run ended.
func (t *Text) closing(tally *Tally) string {
	s := tally.Summary
	parts := []string{fmt.Sprintf("%s checked", count(s.Formulas-s.Unchecked, "formula"))}
	switch {
	case s.Disagreeing > 0:
		var wrong []string
		for _, x := range tally.Translators {
			if x.WrongP+x.WrongN > 0 {
				wrong = append(wrong, x.Name)
			}
		}
		parts[0] += ": " + t.paint(red, fmt.Sprintf("disagreement on %s", count(s.Disagreeing, "formula")))
		parts = append(parts, "wrong: "+strings.Join(wrong, ", "))
	case s.Formulas > s.Unchecked && s.Error == "":
		parts[0] += ": " + t.paint(green, "no disagreement")
	}
	if s.Unchecked > 0 {
		parts = append(parts, t.paint(yellow, count(s.Unchecked, "formula")+" not checked")+" (no automata to compare)")
	}
	if s.Failures > 0 {
		var who []string
		for _, x := range tally.Translators {
			if n := x.failed(); n > 0 {
				who = append(who, fmt.Sprintf("%s %d", x.Name, n))
			}
		}
		parts = append(parts, fmt.Sprintf("%s of translators (%s)", count(s.Failures, "failure"), strings.Join(who, ", ")))
	}
	if s.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", s.Skipped))
	}
	if s.Undecided > 0 {
		parts = append(parts, count(s.Undecided, "undecided check"))
	}
	if s.Findings > 0 {
		parts = append(parts, count(s.Findings, "finding"))
	}
	if s.Errors > 0 {
		parts = append(parts, t.paint(red, count(s.Errors, "internal error")+" of xcheck: please report"))
	}
	if s.Error != "" {
		parts = append(parts, t.paint(red, "ended by an error"))
	}
	if s.Interrupted {
		parts = append(parts, "interrupted")
	}
	return strings.Join(parts, "; ")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *Text) paint(color, text string) string {
	if !t.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}
