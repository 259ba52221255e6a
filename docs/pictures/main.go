// Command pictures makes the pictures of the README and docs/, in light and in dark colors. From
// the root of the repository,
//
//	go run ./docs/pictures
//
// writes SVG files to docs/pictures:
//
//   - disagreement: it builds xcheck, runs docs/pictures/mytool, a translator with a bug, and draws
//     what a terminal shows;
//   - architecture: the packages, as they import each other;
//   - pairs: a search on pairs of states of two automata;
//   - checks and lasso, from the files of that name here, in the language of dot.
//
// The last three kinds need dot of Graphviz.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// command is what the picture shows above its output.
const command = `xcheck run --no-builtin -f 'G(req -> F ack)' -t '{mine} ./mytool %f'`

// times is the table of translators, with the line in parentheses below it. It is not part of
// the picture, since its times differ from run to run.
var times = regexp.MustCompile(`(?m)^translator .*time \(s\).*\n(.*\n)*?\(.*\n`)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pictures: ")
	folder := filepath.Join("docs", "pictures")
	pictures, err := draw(folder)
	if err != nil {
		log.Fatal(err)
	}
	graphs, err := graphs(".")
	if err != nil {
		log.Fatal(err)
	}
	for name, graph := range graphs {
		for _, t := range themes {
			svg, err := t.layOut(graph)
			if err != nil {
				log.Fatalf("%s: %v", name, err)
			}
			pictures[filepath.Join(folder, name+"-"+t.name+".svg")] = svg
		}
	}
	for name, svg := range pictures {
		if err := os.WriteFile(name, svg, 0o666); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name)
	}
}

// draw runs the command in the folder, and returns the SVG files by name.
func draw(folder string) (map[string][]byte, error) {
	bin, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	build := exec.Command("go", "build", "-o", bin, "github.com/xcheck-ltl/xcheck/cmd/xcheck")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	run := exec.Command("sh", "-c", command+" --color=always")
	run.Dir = folder
	run.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	run.Stderr = os.Stderr
	output, err := run.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		return nil, fmt.Errorf("%s: expected exit status 1, found %v", command, err)
	}
	if !times.Match(output) {
		return nil, fmt.Errorf("%s: no table with times, which the picture leaves out: change the pattern for it\n%s", command, output)
	}
	screen := "$ " + command + "\n" + strings.TrimSpace(times.ReplaceAllString(string(output), ""))
	pictures := map[string][]byte{}
	for _, t := range themes {
		var b bytes.Buffer
		if err := writeSVG(&b, screen, t); err != nil {
			return nil, err
		}
		pictures[filepath.Join(folder, "disagreement-"+t.name+".svg")] = b.Bytes()
	}
	return pictures, nil
}

// A theme has the colors of a terminal, and of a box in a graph.
type theme struct {
	name                    string
	paper, border, ink      string
	red, green, yellow, dim string
	box                     string
}

var themes = []theme{
	{name: "light", paper: "#ffffff", border: "#d0d7de", ink: "#1f2328", red: "#cf222e", green: "#1a7f37", yellow: "#9a6700", dim: "#59636e", box: "#eef4fb"},
	{name: "dark", paper: "#0d1117", border: "#30363d", ink: "#e6edf3", red: "#ff7b72", green: "#3fb950", yellow: "#d29922", dim: "#9198a1", box: "#1b2838"},
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
		width := 0
		for _, s := range spans {
			width += utf8.RuneCountInString(s.text)
		}
		columns = max(columns, width)
	}
	if len(drawn[0]) > 0 {
		drawn[0][0].color = t.dim // the command
	}
	b := bufio.NewWriter(w)
	wide, high := 2*margin+charWidth*float64(columns), 2*margin+lineHeight*len(lines)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1f\" height=\"%d\" viewBox=\"0 0 %.1f %d\">\n", wide, high, wide, high)
	fmt.Fprintf(b, "<!-- Made by go run ./docs/pictures. -->\n")
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
