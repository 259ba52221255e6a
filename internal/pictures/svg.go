package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// A theme has the colors of a terminal.
type theme struct {
	name                    string
	paper, border, ink      string
	red, green, yellow, dim string
}

var themes = []theme{
	{name: "light", paper: "#ffffff", border: "#d0d7de", ink: "#1f2328", red: "#cf222e", green: "#1a7f37", yellow: "#9a6700", dim: "#59636e"},
	{name: "dark", paper: "#0d1117", border: "#30363d", ink: "#e6edf3", red: "#ff7b72", green: "#3fb950", yellow: "#d29922", dim: "#9198a1"},
}

// Sizes in pixels. Most monospaced fonts are 0.6 times as wide as they are high; the width of
// each line is stated, so that others fit as well.
const (
	fontSize   = 14
	charWidth  = 8.4
	lineHeight = 20
	margin     = 16
)

// A span is text of one color.
type span struct{ text, color string }

// writeSVG draws the lines of a screen. It knows the escape sequences that xcheck writes: red,
// green, yellow, and back. Others are an error.
func writeSVG(w io.Writer, screen string, t theme) error {
	lines := strings.Split(screen, "\n")
	var drawn [][]span
	columns := 0
	for _, line := range lines {
		spans, err := parseColors(line, t)
		if err != nil {
			return err
		}
		drawn = append(drawn, spans)
		columns = max(columns, width(spans))
	}
	if len(drawn[0]) > 0 {
		drawn[0][0].color = t.dim // the command
	}
	b := bufio.NewWriter(w)
	wide, high := 2*margin+charWidth*float64(columns), 2*margin+lineHeight*len(lines)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1f\" height=\"%d\" viewBox=\"0 0 %.1f %d\">\n", wide, high, wide, high)
	fmt.Fprintf(b, "<!-- Made by go run ./internal/pictures. -->\n")
	fmt.Fprintf(b, "<rect x=\"0.5\" y=\"0.5\" width=\"%.1f\" height=\"%d\" rx=\"8\" fill=\"%s\" stroke=\"%s\"/>\n", wide-1, high-1, t.paper, t.border)
	fmt.Fprintf(b, "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace\" font-size=\"%d\" fill=\"%s\">\n", fontSize, t.ink)
	for i, spans := range drawn {
		column := 0
		for _, s := range spans {
			n := utf8.RuneCountInString(s.text)
			blank := n - utf8.RuneCountInString(strings.TrimLeft(s.text, " "))
			if text := strings.Trim(s.text, " "); text != "" {
				long := charWidth * float64(utf8.RuneCountInString(text))
				color := ""
				if s.color != "" {
					color = fmt.Sprintf(" fill=%q", s.color)
				}
				fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" xml:space=\"preserve\"%s>%s</text>\n",
					margin+charWidth*float64(column+blank), margin+fontSize+lineHeight*i, long, color, html.EscapeString(text))
			}
			column += n
		}
	}
	fmt.Fprintf(b, "</g>\n</svg>\n")
	return b.Flush()
}

func width(spans []span) (n int) {
	for _, s := range spans {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// parseColors splits a line where its color changes: "a \x1b[31mb\x1b[0m" is "a " and a red "b".
func parseColors(line string, t theme) (spans []span, err error) {
	colors := map[string]string{"0": "", "31": t.red, "32": t.green, "33": t.yellow}
	color := ""
	for i, part := range strings.Split(line, "\x1b[") {
		text := part
		if i > 0 {
			code, rest, ok := strings.Cut(part, "m")
			next, known := colors[code]
			if !ok || !known {
				return nil, fmt.Errorf("unknown escape sequence in %q", line)
			}
			color, text = next, rest
		}
		if text != "" {
			spans = append(spans, span{text, color})
		}
	}
	return spans, nil
}
