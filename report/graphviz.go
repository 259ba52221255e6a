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

// readPictures reads pictures as Graphviz writes them, one behind the other, and puts each
// in its place. It returns how many there are.
//
// Of a picture nothing is taken as it stands. Only shapes, their places and their text come
// into the page, written anew: there are no links, scripts, styles or ids. Colours come from
// the page's style, which knows the classes.
func readPictures(r io.Reader, pictures, labels []string) (n int, err error) {
	d := xml.NewDecoder(r)
	for {
		var svg element
		if err := d.Decode(&svg); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		if svg.XMLName.Local != "svg" {
			return n, fmt.Errorf("expected svg, found %s", svg.XMLName.Local)
		}
		name := svg.title()
		i, err := strconv.Atoi(strings.TrimPrefix(name, "g"))
		if err != nil || i < 0 || i >= len(pictures) {
			return n, fmt.Errorf("unexpected picture %.20q", name)
		}
		if pictures[i], err = svg.picture(labels[i]); err != nil {
			return n, err
		}
		n++
	}
}

// An element is one of a picture of Graphviz.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

// title returns the first title within an element: the name of the graph.
func (e *element) title() (text string) {
	for i := range e.Elements {
		switch x := &e.Elements[i]; x.XMLName.Local {
		case "title":
			text = x.Text
		case "g":
			text = x.title()
		}
		if text != "" {
			break
		}
	}
	return text
}

// pointsToPixels makes letters of 11 points as large as those around it.
const pointsToPixels = 1.25

func (e *element) picture(label string) (string, error) {
	var size [2]float64
	for i, name := range []string{"width", "height"} {
		var err error
		if size[i], err = strconv.ParseFloat(strings.TrimSuffix(e.attribute(name), "pt"), 64); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg role="img" aria-label="%s" viewBox="%s" width="%.0f" height="%.0f">`,
		escape(label), e.attribute("viewBox"), size[0]*pointsToPixels, size[1]*pointsToPixels)
	e.write(&b)
	b.WriteString("</svg>")
	return b.String(), nil
}

// shapes are the elements that come into the page, with their attributes.
var shapes = map[string][]string{
	"path": {"d"}, "polygon": {"points"}, "polyline": {"points"}, "ellipse": {"cx", "cy", "rx", "ry"}, "text": {"x", "y", "text-anchor"},
}

// write writes the groups in an element and, but for the background, the shapes in a group.
func (e *element) write(b *strings.Builder) {
	kind, _, _ := strings.Cut(e.attribute("class"), " ")
	for i := range e.Elements {
		x := &e.Elements[i]
		attributes, shown := shapes[x.XMLName.Local]
		switch {
		case x.XMLName.Local == "g":
			x.open(b)
			x.write(b)
			b.WriteString("</g>")
		case shown && e.XMLName.Local == "g" && kind != "graph":
			x.shape(b, attributes)
		}
	}
}

// open writes the start of a group, with the steps of the run as an attribute.
func (e *element) open(b *strings.Builder) {
	var classes, steps []string
	for _, c := range strings.Fields(e.attribute("class")) {
		if n, ok := strings.CutPrefix(c, "t"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			steps = append(steps, n)
		} else {
			classes = append(classes, c)
		}
	}
	b.WriteString("<g")
	for _, a := range [][2]string{{"class", strings.Join(classes, " ")}, {"data-steps", strings.Join(steps, " ")}, {"transform", e.attribute("transform")}} {
		if a[1] != "" {
			fmt.Fprintf(b, ` %s="%s"`, a[0], a[1])
		}
	}
	b.WriteByte('>')
}

// shape writes an element that has no others in it.
func (e *element) shape(b *strings.Builder, attributes []string) {
	name := e.XMLName.Local
	b.WriteString("<" + name)
	for _, a := range attributes {
		fmt.Fprintf(b, ` %s="%s"`, a, e.attribute(a))
	}
	if dash := e.attribute("stroke-dasharray"); dash != "" && dash != "none" {
		b.WriteString(` class="dashed"`)
	}
	if strings.HasPrefix(e.Text, stepMark) {
		b.WriteString(` class="steps"`)
	}
	if name != "text" {
		b.WriteString("/>")
		return
	}
	b.WriteString(">" + escape(e.Text) + "</text>")
}

// attribute returns the value of one, if it is made of what numbers, places and classes are
// made of.
func (e *element) attribute(name string) string {
	i := slices.IndexFunc(e.Attrs, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return ""
	}
	value := e.Attrs[i].Value
	if strings.ContainsFunc(value, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(" -.,()\n", r))
	}) {
		return ""
	}
	return value
}
