// Package table makes the tables of texts and of Markdown.
package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// Terminal measures texts in columns of a terminal, in the same way for users of all languages:
// 日本 takes four.
var Terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// painted matches where a color begins or ends.
var painted = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Columns returns how many columns of a terminal a text takes.
func Columns(text string) int { return Terminal.StringWidth(painted.ReplaceAllString(text, "")) }

// A Table is made once, by what it is about, and printed by each format.
type Table struct {
	Header []string
	Rows   [][]string
	Right  []int      // columns that are aligned right, the others left
	Note   string     // for below the table
	Marks  [][]string // of cells, for a page: "best", "bad", "poor" or ""
}

// New returns a table whose header is the first row.
func New(rows [][]string, right ...int) Table {
	if len(rows) == 0 {
		return Table{}
	}
	return Table{Header: rows[0], Rows: rows[1:], Right: slices.DeleteFunc(slices.Clone(right), func(i int) bool { return i < 0 || i >= len(rows[0]) })}
}

// String returns the table, without its note, as lines for a terminal. A cell is as wide as the
// widest of its column, with two spaces between cells and none at the end of a line. Columns in
// which nothing stands below the header are left out. With column 1 on the right:
//
//	tool      calls
//	couvreur     20
func (x Table) String() string {
	hide := tw.On
	if len(x.Rows) == 0 { // the header stays alone
		hide = tw.Off
	}
	text := x.render(renderer.NewBlueprint(tw.Rendition{
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
	}), tablewriter.WithBehavior(tw.Behavior{TrimSpace: tw.Off, AutoHide: hide}))
	var b strings.Builder
	for line := range strings.Lines(text) {
		// A cell has a space on each side.
		b.WriteString(strings.TrimRight(strings.TrimPrefix(line, " "), " \n") + "\n")
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// Markdown returns the table, without its note, as lines of Markdown. The cells are Markdown without
// a "|" of their own.
func (x Table) Markdown() string {
	// Columns as narrow as their mark: filled up to the longest cell, a page would soon be too long.
	widths := tw.NewMapper[int, int]()
	for i := range x.Header {
		widths.Set(i, len("--:"))
	}
	return x.render(renderer.NewMarkdown(), tablewriter.WithColumnWidths(widths))
}

// render returns the table with its texts unchanged: tablewriter would write names in capitals,
// wrap cells and cut spaces off.
func (x Table) render(to tw.Renderer, more tablewriter.Option) string {
	align := slices.Repeat([]tw.Align{tw.AlignLeft}, len(x.Header))
	for _, i := range x.Right {
		if 0 <= i && i < len(align) {
			align[i] = tw.AlignRight
		}
	}
	config := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Padding:    tw.CellPadding{Global: tw.PaddingDefault},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	twwidth.SetCondition(Terminal) // also forgets the widths of earlier cells, which nothing else does
	var b strings.Builder
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(to),
		tablewriter.WithHeaderConfig(config),
		tablewriter.WithRowConfig(config),
		tablewriter.WithTrimSpace(tw.Off),
		more,
	)
	table.Header(x.Header)
	must.Do(table.Bulk(x.Rows)) // strings are cells
	must.Do(table.Render())     // a Builder takes all
	return b.String()
}

// widths returns how many columns of a terminal each column takes; 0 for one with nothing below its header.
func (x Table) widths() []int {
	list := make([]int, len(x.Header))
	for i, name := range x.Header {
		some := len(x.Rows) == 0
		for _, row := range x.Rows {
			cell := strings.Join(row[min(i, len(row)):min(i+1, len(row))], "") // a row may be short
			some = some || cell != ""
			for _, line := range strings.Split(cell, "\n") {
				list[i] = max(list[i], Columns(line))
			}
		}
		if list[i] = max(list[i], Columns(name)); !some {
			list[i] = 0
		}
	}
	return list
}

// Width returns how many columns of a terminal the table takes.
func (x Table) Width() int { return widthOf(x.widths()) }

func widthOf(widths []int) int {
	total := -2
	for _, n := range widths {
		if n > 0 {
			total += n + 2
		}
	}
	return max(0, total)
}

// Fit returns the table with at most so many columns of a terminal, if that is possible and most is not 0:
// the widest texts go on in further rows. With 24:
//
//	tool  detail
//	mine  exit status 1: no
//	      room for Fa
func (x Table) Fit(most int) Table {
	if most <= 0 {
		return x
	}
	widths := x.widths()
	least := slices.Repeat([]int{10}, len(widths))
	for _, i := range x.Right { // only the words of the header stand below each other
		least[i] = Table{Header: make([]string, len(widths)), Rows: x.Rows}.widths()[i]
		for _, word := range strings.Fields(x.Header[i]) {
			least[i] = max(least[i], Columns(word))
		}
	}
	for widthOf(widths) > most {
		at := -1
		for i, n := range widths {
			if n > least[i] && (at < 0 || n > widths[at]) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		widths[at]--
	}
	fitted := Table{Right: x.Right, Note: x.Note}
	for _, row := range append([][]string{x.Header}, x.Rows...) {
		cells, height := make([][]string, len(row)), 1
		for i, cell := range row[:min(len(row), len(widths))] {
			cells[i] = Wrap(cell, cmp.Or(widths[i], Columns(cell)), "") // a column that is left out has only a header
			height = max(height, len(cells[i]))
		}
		for k := range height {
			next := make([]string, len(row))
			for i := range row {
				if k < len(cells[i]) {
					next[i] = cells[i][k]
				}
			}
			fitted.Rows = append(fitted.Rows, next)
		}
	}
	fitted.Header, fitted.Rows = fitted.Rows[0], fitted.Rows[1:]
	return fitted
}

// Wrap breaks a text into lines of so many columns, at spaces where there are any. The lines after the
// first begin with an indent.
func Wrap(text string, width int, indent string) (lines []string) {
	for _, line := range strings.Split(text, "\n") {
		start := len(line) - len(strings.TrimLeft(line, " "))
		for Columns(line) > max(width, len(indent)+1) {
			if plain := painted.ReplaceAllString(line, ""); plain != line { // no line is broken within a color
				line = plain
				continue
			}
			cut := len(Terminal.Truncate(line, max(1, width), ""))
			if at := strings.LastIndexByte(line[:min(len(line), cut+1)], ' '); at > start {
				cut = at
			} else if cut == 0 {
				break
			}
			lines = append(lines, strings.TrimRight(line[:cut], " "))
			line = indent + strings.TrimLeft(line[cut:], " ")
			start = len(indent)
		}
		lines = append(lines, line)
	}
	return lines
}

// From lists the columns of a header from column i on.
func From(i int, header []string) (list []int) {
	for ; i < len(header); i++ {
		list = append(list, i)
	}
	return list
}
