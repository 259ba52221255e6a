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
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// writeMarkdown writes a run as a page of GitHub flavored Markdown, for the summary of a job. It
// has the result, what is new, the translators, and the failures with the commands that reproduce
// them.
//
// All text of a run is escaped, so it can't break a table or mention a user. The page has at most a
// million bytes, because GitHub's limit is 1 MiB, and says what is left out.
func writeMarkdown(w io.Writer, t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	m := &markdown{summary: t}
	m.head()
	for _, line := range t.hints() {
		m.add("\n> **Note:** " + plain(line) + "\n")
	}
	list := t.serious()
	m.records(list)
	m.undecided()
	if t.Regression != nil {
		m.changes(t.Regression)
	}
	m.translators()
	m.failures(list)
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

// marks show at a glance how a run ended.
var marks = map[outcome.ExitStatus]string{outcome.ExitPassed: "✅", outcome.ExitFailed: "❌", outcome.ExitBroken: "❌"}

func (m *markdown) head() {
	t := m.summary
	s := &t.Counts
	v := t.Verdict()
	m.add("## " + cmp.Or(marks[v.Status], "⚠️") + " xcheck: " + plain(v.Clauses[0]) + "\n\n")
	var counts []string
	for _, x := range t.tiles() {
		counts = append(counts, "**"+plain(x.Value)+"** "+x.Name)
	}
	m.add(strings.Join(counts, " · ") + "\n")
	if len(v.Clauses) > 1 {
		m.add("\n")
	}
	for _, text := range v.Clauses[1:] {
		m.add("- " + plain(line(text, 1000)) + "\n")
	}
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

// records writes the table of failures. A full page loses its end, so what counts most comes first.
func (m *markdown) records(list []*failure) {
	if len(list) == 0 {
		return
	}
	shown := list[:min(len(list), maxRows)]
	x := m.summary.recordTable(shown, func(f *failure) []string {
		state := string(f.State)
		if news(&f.Group) {
			state = "**" + state + "**"
		}
		return []string{state, code(f.Who(), 60), code(f.Name(), 80), formulasOf(&f.Group), plain(runName(f.First)), plain(runName(f.Last)),
			code(screen.TitleOf(f.Formula)+f.with(), 80), code(f.Word, 80)}
	})
	title := "Failures"
	if m.summary.Verdict().Status == outcome.ExitPassed {
		title = "Failures that do not count"
	}
	if more := len(list) - len(shown) + m.table(title, x); more > 0 {
		m.add(fmt.Sprintf("\n%d more: see the JSON report.\n", more))
	}
}

// undecided writes the checks that are undecided, each with its limit.
func (m *markdown) undecided() {
	list := m.summary.open
	if len(list) == 0 {
		return
	}
	x := table.Table{Header: []string{m.summary.noun(), "check", "limit"}}
	for i := range list[:min(len(list), maxRows)] {
		x.Rows = append(x.Rows, []string{code(list[i].Input, 80), plain(line(list[i].Title(), 120)), plain(line(list[i].Why, 120))})
	}
	if more := m.summary.Counts.Undecided - len(x.Rows) + m.table("Undecided checks", x); more > 0 {
		m.add(fmt.Sprintf("\n%d more: see the JSON report.\n", more))
	}
}

// table writes a section that is a table, and returns how many rows did not fit.
func (m *markdown) table(title string, x table.Table) (left int) {
	lines := slices.Collect(strings.Lines(x.Markdown()))
	if !m.add("\n### " + title + "\n\n" + lines[0] + lines[1]) {
		return len(lines) - 2
	}
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
	x := m.summary.table(maxPageWidth, true)
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
func (m *markdown) failures(list []*failure) {
	head := "\n### How to reproduce\n"
	for _, f := range list {
		if f.Level == past {
			continue
		}
		if m.add(head + m.failure(f)) {
			head = ""
		} else {
			m.left++
		}
	}
}

func (m *markdown) failure(f *failure) string {
	var b strings.Builder
	b.WriteString("\n<details>\n<summary>")
	if f.State != "" {
		fmt.Fprintf(&b, "%s: ", f.State)
	}
	fmt.Fprintf(&b, "%s: %s on %s</summary>\n\n", code(f.Who(), 60), plain(line(f.Name(), 80)), code(f.Input(), 80))
	list, about := f.facts()
	writeFacts(&b, append(list, about...))
	if f.Command != "" {
		b.WriteString("\n" + fence(f.Command))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// writeFacts writes facts as a list.
func writeFacts(b *strings.Builder, list []fact) {
	for _, f := range list {
		text := plain(line(f.Text, 2000))
		if f.Code {
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
