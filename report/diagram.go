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

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A diagram is an automaton that is wrong on a word, with a run on the word.
type diagram struct {
	automaton *omega.Automaton
	run       *outcome.Path // nil without a run to show
	missing   string        // the letter that the last state of a run that ends has no edge for

	steps  map[edgeAt][]int    // of the run, from 0, by the edge that they take
	states map[omega.State]int // states that the run is in, by when it is there first
	part   bool                // only these are drawn, and one node for the others, which are too many
}

// An edgeAt is an edge of an automaton: a state, and the place among its edges.
type edgeAt struct {
	state omega.State
	place int
}

// The maximum sizes of a graph that is drawn. A larger one would be unreadable.
const (
	drawnStates = 40
	drawnEdges  = 160
	wholeStates = 8 // of an automaton that is drawn with all its states at once
	wholeEdges  = 25
	drawnLabel  = 28 // letters of a line of a label
	drawnLines  = 4  // of a label
	drawnSteps  = 8  // at one edge
)

// newDiagram returns the diagram of an explanation on a word, or nil if the text of the automaton
// is missing or invalid.
func newDiagram(e *outcome.Explanation, word string) *diagram {
	if e.HOA == "" {
		return nil
	}
	a, _, err := hoa.ReadOne(context.Background(), []byte(e.HOA))
	if err != nil {
		return nil // of a document that somebody else has written
	}
	d := &diagram{automaton: a, run: e.Run, steps: map[edgeAt][]int{}, states: map[omega.State]int{}}
	if d.run != nil && !d.follow() { // the run is not one of this automaton
		return nil
	}
	if d.run != nil && d.run.End != nil {
		d.missing = letterAt(word, len(d.run.Prefix))
	}
	d.part = len(d.states) > 0 && (a.NumStates() > wholeStates || a.NumEdges() > wholeEdges) && len(d.states) < a.NumStates()
	return d
}

// letterAt returns a letter of a word, or "" if the text is no word.
func letterAt(text string, at int) string {
	w, err := omega.ParseWord(context.Background(), text)
	if err != nil {
		return ""
	}
	if n := len(w.Prefix); at >= n {
		at = n + (at-n)%len(w.Cycle)
	}
	return w.Alphabet.Text(w.At(at))
}

// follow finds the edges that the run takes, and reports whether there are such.
func (d *diagram) follow() bool {
	visit := func(s omega.State, at int) {
		if _, ok := d.states[s]; !ok { // the first visit counts
			d.states[s] = at
		}
	}
	n := len(d.run.Prefix) + len(d.run.Cycle)
	for i := range n {
		step := d.run.At(i)
		s := omega.State(step.State)
		if step.State < 0 || step.State >= d.automaton.NumStates() { // a document may say anything
			return false
		}
		// A run has no places of edges, but edges with the same label, marks and target are the same.
		k := slices.IndexFunc(d.automaton.Edges(s), func(e omega.Edge) bool {
			return int(e.Dst) == step.To && d.automaton.Alphabet().Text(e.Label) == step.Label &&
				slices.Equal(d.automaton.Marks().AppendTo([]int{}, e.Marks), step.Marks)
		})
		if k < 0 {
			return false
		}
		d.steps[edgeAt{s, k}] = append(d.steps[edgeAt{s, k}], i)
		visit(s, i)
		visit(omega.State(step.To), i+1)
	}
	if d.run.End != nil {
		if *d.run.End < 0 || *d.run.End >= d.automaton.NumStates() {
			return false
		}
		visit(omega.State(*d.run.End), n)
	}
	return true
}

// drawable reports whether the diagram, or the part of it that the run is in, is small
// enough for a picture.
func (d *diagram) drawable() bool {
	if !d.part {
		return d.automaton.NumStates() > 0 && d.automaton.NumStates() <= drawnStates && d.automaton.NumEdges() <= drawnEdges
	}
	edges := 0
	for s := range d.states {
		edges += len(d.automaton.Edges(s))
	}
	return len(d.states) > 0 && len(d.states) <= drawnStates && edges <= drawnEdges
}

// about describes the picture in words, for screen readers.
func (d *diagram) about() string {
	text := fmt.Sprintf("automaton with %s and %s", plural.Of(d.automaton.NumStates(), "state"), plural.Of(d.automaton.NumEdges(), "edge"))
	if d.part {
		text += fmt.Sprintf(", showing only %s of the run", plural.Of(len(d.states), "state"))
	}
	if d.run != nil {
		text += "; the run on the word is marked"
	}
	return text
}

// classes says how an edge is marked: whether it is in the prefix of the run or in its
// cycle, and by which steps.
func (d *diagram) classes(at edgeAt) string {
	var list []string
	for _, i := range d.steps[at] {
		list = append(list, partOf(d.run, i))
	}
	list = slices.Compact(list) // steps are in order
	for _, i := range d.steps[at] {
		list = append(list, "t"+strconv.Itoa(i+1))
	}
	return strings.Join(list, " ")
}

// partOf names the part of a run that step i is in.
func partOf(run *outcome.Path, i int) string {
	if i < len(run.Prefix) {
		return "prefix"
	}
	return "cycle"
}

// stepMark stands before the numbers of the steps that take an edge.
const stepMark = "▸"

// numbers returns the first steps that take an edge, with a star for steps of the cycle.
func (d *diagram) numbers(at edgeAt, most int) string {
	var list []string
	for _, i := range d.steps[at] {
		if len(list) == most {
			list = append(list, "…")
			break
		}
		list = append(list, starred(i, i >= len(d.run.Prefix)))
	}
	return strings.Join(list, " ")
}

// marks returns the marks of an edge as in HOA, such as {0 2}, or "".
func (d *diagram) marks(e omega.Edge) string {
	return marksText(d.automaton.Marks().AppendTo(nil, e.Marks))
}

func marksText(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	return plural.Marks(marks)
}

// dot returns the graph in the language of Graphviz, named as given. Its edges and states
// have the classes that the page knows: run, prefix, cycle, and a tN for each step N.
func (d *diagram) dot(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\nrankdir=LR; bgcolor=transparent; nodesep=0.3; ranksep=0.35; pad=0.06\n", name)
	b.WriteString("node [shape=ellipse, width=0.35, height=0.32, margin=\"0.06,0.03\", fontname=Courier, fontsize=11]\n")
	b.WriteString("edge [fontname=Courier, fontsize=10, arrowsize=0.6]\n")
	branches := map[omega.State]bool{}
	for i, s := range d.automaton.Initial() {
		if !d.draws(s) {
			continue
		}
		fmt.Fprintf(&b, "i%d [shape=none, label=\"\", width=0.05, height=0.05, class=start]\ni%d -> %s [class=start]\n", i, i, d.target(&b, s, branches))
	}
	for s := range omega.State(d.automaton.NumStates()) {
		if d.draws(s) {
			d.state(&b, s, branches)
		}
	}
	if d.run != nil && d.run.End != nil {
		fmt.Fprintf(&b, "stuck [shape=none, label=\"✗\", width=0.2, height=0.2, class=\"stuck\"]\n%d -> stuck [class=\"stuck t%d\", style=dashed, label=%s]\n",
			*d.run.End, len(d.run.Prefix)+1, dotQuote(line(d.missing, drawnLabel)+"\n"+stepMark+strconv.Itoa(len(d.run.Prefix)+1)))
	}
	b.WriteString("}\n")
	return b.String()
}

func (d *diagram) draws(s omega.State) bool {
	_, ok := d.states[s]
	return ok || !d.part
}

func (d *diagram) state(b *strings.Builder, s omega.State, branches map[omega.State]bool) {
	a := d.automaton
	label, class := strconv.Itoa(int(s)), "state"
	if a.StateNames != nil && a.StateNames[s] != "" {
		label += "\n" + wrapped(a.StateNames[s], " ")
	}
	if _, ok := d.states[s]; ok {
		class += " run"
	}
	if d.run != nil && d.run.End != nil && *d.run.End == int(s) {
		class += " end"
	}
	shape := ""
	if strings.Contains(label, "\n") {
		shape = ", shape=box, style=rounded" // an ellipse around several lines is too large
	}
	fmt.Fprintf(b, "%d [label=%s, class=\"%s\"%s]\n", s, dotQuote(label), class, shape)
	left := 0
	for i, e := range a.Edges(s) {
		if e.Dst >= 0 && !d.draws(e.Dst) { // a negative destination is a set of states
			left++
			continue
		}
		text := wrapped(a.Alphabet().Text(e.Label), " | ")
		if marks := d.marks(e); marks != "" {
			text += "\n" + marks
		}
		at := edgeAt{s, i}
		if steps := d.numbers(at, drawnSteps); steps != "" {
			text += "\n" + stepMark + steps
		}
		weight := ""
		if len(d.steps[at]) > 0 {
			weight = ", weight=2" // Graphviz draws the run straighter
		}
		fmt.Fprintf(b, "%d -> %s [label=%s, class=\"%s\"%s]\n", s, d.target(b, e.Dst, branches), dotQuote(text), d.classes(at), weight)
	}
	// Edges that leave the part of the run go to one node, so that the state does not seem to lack them.
	if left > 0 {
		fmt.Fprintf(b, "o%d [shape=none, label=%s, class=others]\n%d -> o%d [style=dashed, class=others]\n", s, dotQuote(plural.Of(left, "edge")), s, s)
	}
}

// target returns the node of a destination. A set of states has one of its own.
func (d *diagram) target(b *strings.Builder, s omega.State, branches map[omega.State]bool) string {
	if s >= 0 {
		return strconv.Itoa(int(s))
	}
	name := fmt.Sprintf("u%d", -int(s))
	if !branches[s] {
		branches[s] = true
		fmt.Fprintf(b, "%s [shape=point, class=branch]\n", name)
		for _, t := range d.automaton.Universal(s) {
			fmt.Fprintf(b, "%s -> %d [style=dashed, class=branch]\n", name, t)
		}
	}
	return name
}

// wrapped breaks a text into a few lines of bounded length, after separators. With the separator "&
// ", request & !grant & acknowledge & done becomes
//
//	request & !grant &
//	acknowledge & done
func wrapped(text, separator string) string {
	text = line(text, 1<<16) // most of it will be cut off anyway
	var lines []string
	current := ""
	for i, part := range strings.Split(text, separator) {
		switch {
		case i == 0:
			current = part
		case len(current)+len(separator)+len(part) <= drawnLabel:
			current += separator + part
		default:
			lines = append(lines, current+strings.TrimRight(separator, " "))
			current = part
		}
	}
	lines = append(lines, current)
	if len(lines) > drawnLines {
		lines = append(lines[:drawnLines-1], "…")
	}
	for i := range lines {
		lines[i] = line(lines[i], drawnLabel+2) // a part without a separator may be longer
	}
	return strings.Join(lines, "\n")
}

// dotQuote writes a text as a label, in which every character stands for itself.
func dotQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "&", "&amp;").Replace(text) + `"`
}

// A diagramRow is an edge in the table that replaces a picture.
type diagramRow struct {
	From, Label, To, Marks, Steps, Class string
}

// rows lists the edges; those that the run takes come first, and the list is bounded.
func (d *diagram) rows() (list []diagramRow, left int) {
	var others []diagramRow
	for s := range omega.State(d.automaton.NumStates()) {
		from := strconv.Itoa(int(s))
		if d.automaton.StateNames != nil && d.automaton.StateNames[s] != "" {
			from += " " + line(d.automaton.StateNames[s], drawnLabel)
		}
		if slices.Contains(d.automaton.Initial(), s) {
			from = "→ " + from
		}
		for i, e := range d.automaton.Edges(s) {
			var to []string
			for _, t := range d.automaton.Universal(e.Dst) {
				to = append(to, strconv.Itoa(int(t)))
			}
			at := edgeAt{s, i}
			row := diagramRow{from, d.automaton.Alphabet().Text(e.Label), strings.Join(to, " & "), d.marks(e), d.numbers(at, drawnSteps), d.classes(at)}
			if row.Steps != "" {
				list = append(list, row)
			} else {
				others = append(others, row)
			}
		}
	}
	list = append(list, others...)
	left = max(0, len(list)-drawnEdges)
	return list[:len(list)-left], left
}

// graphvizTime is how long all pictures of a page may take.
const graphvizTime = 60 * time.Second

// draw has Graphviz draw graphs, and returns a picture for each, or "". The error says why pictures
// are missing.
func draw(ctx context.Context, program string, graphs []string, labels []string) (pictures []string, err error) {
	pictures = make([]string, len(graphs))
	if len(graphs) == 0 {
		return pictures, nil
	}
	ctx, cancel := context.WithTimeout(ctx, graphvizTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-Tsvg")
	cmd.Stdin = strings.NewReader(strings.Join(graphs, "")) // one process draws all graphs
	cmd.WaitDelay = time.Second                             // a child of it may keep the pipes open
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
	case drawn == len(graphs): // whatever it complained about
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

// readPictures reads pictures as Graphviz writes them, one behind the other, and puts each in its
// place. It returns how many there are.
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
		i, err := strconv.Atoi(strings.TrimPrefix(name, "g")) // the graphs are called g0, g1, …
		if err != nil || i < 0 || i >= len(pictures) {
			return n, fmt.Errorf("unexpected picture %.20q", name)
		}
		// Nothing is taken as it stands. Only shapes, their places and their text come into the
		// page, written anew: there are no links, scripts, styles or ids. Colours come from the
		// page's style, which knows the classes.
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

// picture returns an svg of Graphviz for the page: in the size of its text, with a label for screen readers.
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
		if n, ok := strings.CutPrefix(c, "t"); ok && n != "" && strings.Trim(n, "0123456789") == "" { // tN is step N
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
