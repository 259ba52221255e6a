package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// WriteMarkdown writes a run as a page of GitHub flavored Markdown, for the summary of a job. It
// has the result, what is new, the translators, and the failures with the commands that reproduce
// them.
//
// All text of a run is escaped, so it can't break a table or mention a user. The page has at most a
// million bytes, because GitHub's limit is 1 MiB, and says what is left out.
func WriteMarkdown(w io.Writer, t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	m := &markdown{summary: t}
	m.head()
	for _, line := range t.each((*ToolStats).common) {
		m.add("\nNote: " + plain(line) + "\n")
	}
	// A full page loses its end, so known failures come after new ones.
	if t.Regression == nil || len(t.Problems()) < len(t.Causes) {
		m.problems() // otherwise each is one of the groups
	}
	if t.Regression != nil {
		m.groups(t.Regression.Groups)
		m.changes(t.Regression)
	}
	m.translators()
	m.failures()
	m.power()
	m.provenance()
	b := bufio.NewWriter(guard.Writer(w))
	b.WriteString(m.text.String())
	if m.left > 0 {
		fmt.Fprintf(b, "\n%s not shown: the page is full. See the other reports.\n", plural.Of(m.left, "failure"))
	}
	return b.Flush()
}

// maxMarkdown is how long a page may be, with the line on what is left out.
const maxMarkdown = 1_000_000

type markdown struct {
	summary *Summary
	text    strings.Builder
	left    int // failures that did not fit
}

// add adds a block that is useful as a whole only, if it fits.
func (m *markdown) add(block string) bool {
	if m.text.Len()+len(block) > maxMarkdown-100 {
		return false
	}
	m.text.WriteString(block)
	return true
}

func (m *markdown) head() {
	t := m.summary
	s := &t.Counts
	v := t.Verdict()
	end := v.Clauses[0]
	// With --fail-on-new, the first clause says it.
	if r := t.Regression; r != nil && !s.FailOnNew {
		switch n := r.Count(outcome.StateNew, outcome.StateBackAgain); {
		case n == 1:
			end += "; 1 new group of failures"
		case n > 1:
			end += fmt.Sprintf("; %d new groups of failures", n)
		case len(r.Groups) > 0:
			end += "; no new failures"
		}
	}
	m.add("## xcheck: " + plain(end) + "\n\n" + plain(line(v.Line(), 4000)) + "\n")
	if s.Error != "" {
		m.add("\n" + plain(line(s.Error, 1000)) + "\n")
	}
	var about []string
	if r := t.Regression; r != nil {
		about = append(about, plain(runName(&r.RunID)))
	}
	if s.Seed != nil {
		about = append(about, "seed "+strconv.FormatUint(*s.Seed, 10))
	}
	if len(about) > 0 {
		m.add("\n" + strings.Join(about, ", ") + "\n")
	}
}

func (m *markdown) problems() {
	list := m.summary.Problems()
	var rows []record
	for i := range list[:min(len(list), maxRows)] {
		rows = append(rows, m.summary.record(&list[i]))
	}
	m.records(plural.Of(len(list), "problem"), rows, len(list)-len(rows))
}

// groups writes the table of what became of failures, what is news first.
func (m *markdown) groups(list []outcome.Group) {
	shown, more := byState(list, outcome.States, maxRows)
	var rows []record
	for _, g := range shown {
		rows = append(rows, record{*g, strings.Join(g.Translators, ", "), nil})
	}
	m.records("Failures", rows, more)
}

// records writes a table of failures, and how many more there are.
func (m *markdown) records(title string, list []record, more int) {
	if len(list) == 0 {
		return
	}
	x := m.summary.recordTable(list, func(r *record) []string {
		state := string(r.State)
		if news(&r.Group) {
			state = "**" + state + "**"
		}
		formula := outcome.TitleOf(r.Formula)
		if r.cause != nil {
			formula += r.cause.with()
		}
		return []string{state, code(r.who, 60), code(ClassName(r.Class), 80), formulasOf(&r.Group), plain(runName(r.First)), plain(runName(r.Last)),
			code(formula, 80), code(r.Word, 80)}
	})
	if more += m.table(title, x); more > 0 {
		m.add(fmt.Sprintf("\n%d more: see the JSON report.\n", more))
	}
}

// table writes a section that is a table, and returns how many rows did not fit.
func (m *markdown) table(title string, x Table) (left int) {
	lines := slices.Collect(strings.Lines(x.markdown()))
	m.add("\n### " + title + "\n\n" + lines[0] + lines[1])
	for _, row := range lines[2:] {
		if !m.add(row) { // the page is full
			left++
		}
	}
	return left
}

// changes writes which measures have changed.
func (m *markdown) changes(r *outcome.Regression) {
	lines := sentences(r)
	if len(lines) == 0 {
		return
	}
	if r.Baseline != nil {
		m.add("\n### Compared with " + plain(runName(r.Baseline)) + "\n\n")
	} else {
		m.add("\n### Notes\n\n")
	}
	for _, text := range lines {
		m.add("- " + plain(line(text, 400)) + "\n")
	}
}

func (m *markdown) translators() {
	x := m.summary.table(maxPageWidth)
	for i, row := range x.Rows {
		row[0] = code(row[0], 60)
		if version := m.summary.Translators[i].Version; version != "" {
			row[0] += "<br>" + code(version, 60)
		}
	}
	m.table("Translators", x)
	m.add("\n" + plain(x.Note) + "\n")
}

// power writes what the run has tried.
func (m *markdown) power() {
	if text := m.summary.power(); text != "" {
		m.add("\n### Power\n\n" + plain(text) + "\n")
	}
}

// provenance writes where the results come from.
func (m *markdown) provenance() {
	head := "\n### Provenance\n"
	for i := range m.summary.Provenance {
		var b strings.Builder
		b.WriteString(head + "\n")
		if n := len(m.summary.Provenance); n > 1 {
			fmt.Fprintf(&b, "Process %d of %d:\n\n", i+1, n) // or the lists would be one
		}
		writeFacts(&b, m.summary.Provenance[i].facts())
		if !m.add(b.String()) {
			return
		}
		head = ""
	}
}

// failures writes what is known of the failures of this run, each folded up.
func (m *markdown) failures() {
	list := m.summary.failures()
	head := "\n### How to reproduce\n"
	shown, _ := byState(list, append([]outcome.State{""}, outcome.States[:3]...), len(list))
	for _, g := range shown {
		if !m.add(head + m.failure(g)) {
			m.left++
		}
		head = ""
	}
}

func (m *markdown) failure(g *outcome.Group) string {
	var b strings.Builder
	b.WriteString("\n<details>\n<summary>")
	if g.State != "" {
		fmt.Fprintf(&b, "%s: ", g.State)
	}
	fmt.Fprintf(&b, "%s: %s on %s</summary>\n\n", code(strings.Join(g.Translators, ", "), 60), plain(line(ClassName(g.Class), 80)), code(input(g.Formula, g.Polarity), 80))
	writeFacts(&b, m.summary.facts(g))
	if g.Command != "" {
		b.WriteString("\n" + fence(g.Command))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// writeFacts writes facts as a list.
func writeFacts(b *strings.Builder, list []fact) {
	for _, f := range list {
		text := plain(line(f.Text, 2000))
		if f.code {
			text = code(f.Text, 2000)
		}
		fmt.Fprintf(b, "- %s: %s\n", f.Name, text)
	}
}

// code returns the start of a text as code, on one line, in HTML: backticks can't have all
// texts in a table.
func code(text string, most int) string {
	if text = line(text, most); text == "" {
		return ""
	}
	return "<code>" + plain(text) + "</code>"
}

// plain escapes text so that it means nothing in Markdown, nor in what GitHub makes of the finished
// page.
func plain(text string) string {
	var b strings.Builder
	// An invalid byte has no RuneLen.
	text = strings.ToValidUTF8(text, string(unicode.ReplacementChar))
	digits := 0 // at the start: with what is behind them, they could begin a list
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case i == 0 && strings.ContainsRune("-+=", r), i == digits && digits > 0 && strings.ContainsRune(".)", r):
			fmt.Fprintf(&b, "&#%d;", r) // a list, or the line below a heading
		case r == ':' && next == ' ', r == '.' && !unicode.IsLetter(next):
			b.WriteRune(r) // not of an address, nor of the name of a picture
		// A name after an at sign is a mention, a number after a hash an issue, unless these signs
		// stand alone in an element.
		case r == '@' || r == '#':
			fmt.Fprintf(&b, "<span>&#%d;</span>", r)
		case r >= utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" ,;(){}=+-/%'\"!", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

// fence returns a text as a block of code.
func fence(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(excerpt(text))
	longest, ticks := 2, 0 // a fence has three backticks, and more than any run in the text
	text = strings.Map(func(r rune) rune {
		if ticks++; r != '`' {
			ticks = 0
		}
		longest = max(longest, ticks)
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	marks := strings.Repeat("`", longest+1)
	return marks + "sh\n" + strings.TrimSuffix(text, "\n") + "\n" + marks + "\n"
}
