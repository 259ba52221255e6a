package report

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/plural"
)

// graphvizTime is how long all pictures of a page may take.
const graphvizTime = 60 * time.Second

// draw has Graphviz draw graphs, and returns a picture for each, "" for those that there is
// none of. One process draws all: it reads one graph behind the other. The error says why
// pictures are missing.
func draw(ctx context.Context, program string, graphs []string, labels []string) (pictures []string, err error) {
	pictures = make([]string, len(graphs))
	if len(graphs) == 0 {
		return pictures, nil
	}
	ctx, cancel := context.WithTimeout(ctx, graphvizTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-Tsvg")
	cmd.Stdin = strings.NewReader(strings.Join(graphs, ""))
	cmd.WaitDelay = time.Second
	var stderr boundedText
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return pictures, err
	}
	if err := cmd.Start(); err != nil {
		return pictures, err
	}
	drawn, bad := readPictures(out, pictures, labels)
	if bad != nil {
		cancel() // what comes is not read
	}
	err = cmd.Wait()
	switch {
	case drawn == len(graphs):
		return pictures, nil
	case bad != nil:
		err = bad
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("it took longer than %v", graphvizTime)
	case err == nil:
		err = fmt.Errorf("%d of %s missing", len(graphs)-drawn, plural.Of(len(graphs), "picture"))
	}
	if text := line(stderr.String(), 200); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return pictures, err
}

// boundedText keeps the begin of what is written.
type boundedText struct{ strings.Builder }

func (b *boundedText) Write(p []byte) (int, error) {
	b.Builder.Write(p[:min(len(p), max(0, 4096-b.Len()))])
	return len(p), nil
}

// graphName is the name of a graph by its number.
func graphName(i int) string { return "g" + strconv.Itoa(i) }

// readPictures reads pictures as Graphviz writes them, one behind the other, and puts each
// in its place. It returns how many there are.
//
// Of a picture nothing is taken as it stands. Only shapes, their places and their text come
// into the page, written anew: there are no links, scripts, styles or ids, and no colours but
// those of the page's style, which knows the classes.
func readPictures(r io.Reader, pictures, labels []string) (n int, err error) {
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local != "svg" {
			return n, fmt.Errorf("expected svg, found %s", start.Name.Local)
		}
		p := &picture{}
		if err := p.read(d, start); err != nil {
			return n, err
		}
		i, err := strconv.Atoi(strings.TrimPrefix(p.name, "g"))
		if err != nil || i < 0 || i >= len(pictures) {
			return n, fmt.Errorf("unexpected picture %.20q", p.name)
		}
		pictures[i] = p.text(labels[i])
		n++
	}
}

// A picture is written anew from one of Graphviz.
type picture struct {
	name   string // of the graph
	width  float64
	height float64
	box    string
	b      strings.Builder
}

// pointsToPixels makes letters of 11 points as large as those around it.
const pointsToPixels = 1.25

func (p *picture) text(label string) string {
	return fmt.Sprintf(`<svg role="img" aria-label="%s" viewBox="%s" width="%.0f" height="%.0f">%s</svg>`,
		escape(label), p.box, p.width*pointsToPixels, p.height*pointsToPixels, p.b.String())
}

// shapes are the elements that come into the page, with their attributes.
var shapes = map[string][]string{
	"path": {"d"}, "polygon": {"points"}, "polyline": {"points"}, "ellipse": {"cx", "cy", "rx", "ry"}, "text": {"x", "y", "text-anchor"},
}

// read reads the elements within svg.
func (p *picture) read(d *xml.Decoder, start xml.StartElement) error {
	p.box = attribute(start, "viewBox")
	var err error
	if p.width, err = strconv.ParseFloat(strings.TrimSuffix(attribute(start, "width"), "pt"), 64); err != nil {
		return err
	}
	if p.height, err = strconv.ParseFloat(strings.TrimSuffix(attribute(start, "height"), "pt"), 64); err != nil {
		return err
	}
	var open []string // the class of each g: graph, node or edge
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.EndElement:
			switch x.Name.Local {
			case "svg":
				return nil
			case "g":
				p.b.WriteString("</g>")
				open = open[:len(open)-1]
			}
		case xml.StartElement:
			name := x.Name.Local
			attributes, shown := shapes[name]
			switch {
			case name == "g":
				class := attribute(x, "class")
				open = append(open, strings.SplitN(class+" ", " ", 2)[0])
				p.group(x, class)
			case name == "title" && p.name == "":
				if p.name, err = inner(d); err != nil {
					return err
				}
			case name == "title":
				if err := d.Skip(); err != nil {
					return err
				}
			case !shown || len(open) == 0 || open[len(open)-1] == "graph": // the background
				if err := d.Skip(); err != nil {
					return err
				}
			default:
				if err := p.shape(d, x, attributes); err != nil {
					return err
				}
			}
		}
	}
}

// group writes the start of a group, with the steps of the run as an attribute.
func (p *picture) group(x xml.StartElement, class string) {
	var classes, steps []string
	for _, c := range strings.Fields(class) {
		if n, ok := strings.CutPrefix(c, "t"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			steps = append(steps, n)
		} else {
			classes = append(classes, c)
		}
	}
	p.b.WriteString("<g")
	for _, a := range [][2]string{{"class", strings.Join(classes, " ")}, {"data-steps", strings.Join(steps, " ")}, {"transform", attribute(x, "transform")}} {
		if a[1] != "" {
			fmt.Fprintf(&p.b, ` %s="%s"`, a[0], a[1])
		}
	}
	p.b.WriteByte('>')
}

// shape writes an element that has no others in it.
func (p *picture) shape(d *xml.Decoder, x xml.StartElement, attributes []string) error {
	text, err := inner(d)
	if err != nil {
		return err
	}
	name := x.Name.Local
	p.b.WriteString("<" + name)
	for _, a := range attributes {
		fmt.Fprintf(&p.b, ` %s="%s"`, a, attribute(x, a))
	}
	if dash := attribute(x, "stroke-dasharray"); dash != "" && dash != "none" {
		p.b.WriteString(` class="dashed"`)
	}
	if strings.HasPrefix(text, stepMark) {
		p.b.WriteString(` class="steps"`)
	}
	if name != "text" {
		p.b.WriteString("/>")
		return nil
	}
	p.b.WriteString(">" + escape(text) + "</text>")
	return nil
}

// inner returns the text up to the end of an element.
func inner(d *xml.Decoder) (string, error) {
	var b strings.Builder
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch x := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			b.Write(x)
		}
	}
	return b.String(), nil
}

// attribute returns the value of one, if it is made of what numbers, places and classes are
// made of.
func attribute(x xml.StartElement, name string) string {
	i := slices.IndexFunc(x.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return ""
	}
	value := x.Attr[i].Value
	if strings.ContainsFunc(value, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(" -.,()\n", r))
	}) {
		return ""
	}
	return value
}
