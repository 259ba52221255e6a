package report

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// terminal measures texts in columns of a terminal, in the same way for users of all languages:
// 日本 takes four.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// A Table is made once, by what it is about, and printed by each format.
type Table struct {
	Header []string
	Rows   [][]string
	Right  []int  // columns that are aligned right, the others left
	Note   string // for below the table
}

// NewTable returns a table whose header is the first row.
func NewTable(rows [][]string, right ...int) Table {
	if len(rows) == 0 {
		return Table{}
	}
	return Table{Header: rows[0], Rows: rows[1:], Right: right}
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

// markdown returns the table, without its note, as lines of Markdown. The cells are Markdown without
// a "|" of their own.
func (x Table) markdown() string {
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
	twwidth.SetCondition(terminal) // also forgets the widths of earlier cells, which nothing else does
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

// width returns how many columns of a terminal the table takes, if none is left out.
func (x Table) width() int {
	total := 2 * (len(x.Header) - 1)
	for i, name := range x.Header {
		widest := terminal.StringWidth(name)
		for _, row := range x.Rows {
			widest = max(widest, terminal.StringWidth(row[i]))
		}
		total += widest
	}
	return total
}

// from lists the columns of a header from column i on.
func from(i int, header []string) []int {
	var list []int
	for ; i < len(header); i++ {
		list = append(list, i)
	}
	return list
}
