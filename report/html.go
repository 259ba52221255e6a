package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// An htmlPage writes a run as one self-contained page: what is new, the groups of failures with
// automata and runs, translators, plots, and earlier runs. See docs/reports.md.
//
// End writes the page. Until then, it keeps a digest of the cases, of a size that does not grow with their number.
type htmlPage struct {
	// Graphviz is the program that draws automata; "" means dot. Without it, automata are
	// tables, and Note, if set, is told why.
	Graphviz string
	Note     func(text string)

	w      io.Writer
	digest *digest
}

// newHTML returns an htmlPage that writes to w.
func newHTML(w io.Writer) *htmlPage { return &htmlPage{w: guard.Writer(w), digest: newDigest()} }

//go:embed page/frame.html
var frameText string

//go:embed page/page.html
var pageText string

//go:embed page/page.css
var pageStyle string

//go:embed page/common.js
var commonScript string

//go:embed page/page.js
var pageOwnScript string

var pageScript = commonScript + pageOwnScript

// pageTemplate returns the template of the page. It is parsed when the first page is written, as
// xcheck is also started for every formula, as a translator.
var pageTemplate = sync.OnceValue(func() *template.Template { return parseTemplates(frameText, pageText) })

func parseTemplates(texts ...string) *template.Template {
	functions := template.FuncMap{
		"join":    func(list []string) string { return strings.Join(list, ", ") },
		"letters": func(text string) []string { return strings.Split(text, "") },
		"starred": starred, "sum": sum, "percent": percent, "runTitle": runTitle, "day": day,
		"failureName": failureName, "shares": shares, "count": plural.Of, "plural": plural.Word,
	}
	t := template.New("page").Funcs(functions)
	for _, text := range texts {
		template.Must(t.Parse(text))
	}
	return t
}

// shares returns a text in which no line breaks before a % sign.
func shares(text string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(text), " %", "&nbsp;%"))
}

// Bounds of a page.
const (
	pageGroups  = 2000
	pageOpen    = 40       // groups whose details are there without scripts
	pagePack    = 50       // groups whose details are packed together
	pageDetails = 32 << 20 // bytes of details of all groups
	pagePairs   = 60       // rows of the table that compares translators
	pageNews    = 12       // rows of the table of what is new
)

// A frame is what all pages have: page/frame.html.
type frame struct {
	Mark   template.HTML // "" for none
	Title  string
	Style  template.CSS
	Script template.JS
	Policy string
}

func newFrame(script string) frame {
	// The browser asks for nothing, and runs no other script.
	policy := fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '%s'; script-src '%s'", hashOf(pageStyle), hashOf(script))
	return frame{Style: template.CSS(pageStyle), Script: template.JS(script), Policy: policy}
}

type page struct {
	frame
	Word    string // of the verdict
	Verdict string // what matters most
	Rest    []string
	Level   string // "good", "bad" or "poor": how the verdict looks
	Tiles   []tile
	Banner  []string // hints that come before blame

	Facts      facts
	Noun       string
	Plural     string
	Regression *outcome.Regression
	Standing   []outcome.State // of its groups
	News       []*pageGroup
	AllNews    int // how many there are
	FailOnNew  bool
	Table      table.Table
	Tools      []*ToolStats

	Sections []pageSection
	Groups   []*pageGroup    // of all sections
	Packs    []template.HTML // details of groups without them
	LeftOut  int
	Undrawn  string

	Open     []openCheck // undecided checks
	OpenLeft int
	Failing  []failingFormula
	Seeded   bool // the formulas have different seeds
	More     int

	Pairs     []*Pair
	PairsLeft int
	Plots     template.JS
	Power     string

	Provenance []facts // of each process
}

// A pageSection is a list of groups.
type pageSection struct {
	ID, Title string
	Folded    bool
	Groups    []*pageGroup
}

// sections divides the groups: minor findings never count, so they do not stand among failures.
func (p *page) sections(passed bool) {
	i := slices.IndexFunc(p.Groups, func(g *pageGroup) bool { return g.Level == minor })
	if i < 0 {
		i = len(p.Groups)
	}
	title := "Failures"
	switch met := slices.ContainsFunc(p.Groups[:i], func(g *pageGroup) bool { return g.Level != past }); {
	case !met:
		title = "Failures of earlier runs"
	case passed:
		title = "Failures that do not count"
	}
	for _, x := range []pageSection{{"failures", title, false, p.Groups[:i]}, {"minor", "Minor findings", true, p.Groups[i:]}} {
		if len(x.Groups) > 0 {
			p.Sections = append(p.Sections, x)
		}
	}
}

// Case adds a case.
func (h *htmlPage) Case(c *outcome.Case, _ News) error { return h.digest.add(c) }

// End writes the page. Graphviz may take a minute.
func (h *htmlPage) End(t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	p := &page{
		frame: newFrame(pageScript),
		Noun:  t.noun(), Plural: t.plural(),
		Regression: t.Regression, Tools: t.Translators,
		Failing: h.digest.failing, More: h.digest.more, Open: t.open, OpenLeft: t.Counts.Undecided - len(t.open),
		Power: t.power(),
	}
	p.Seeded = slices.ContainsFunc(p.Failing, func(f failingFormula) bool { return plural.Seed(f.Seed) != plural.Seed(p.Failing[0].Seed) })
	h.summary(p, t)
	for i := range t.Provenance {
		p.Provenance = append(p.Provenance, t.Provenance[i].facts())
	}
	if t.Regression != nil {
		p.Standing = slices.DeleteFunc(slices.Clone(outcome.States()), func(s outcome.State) bool { return t.Regression.Count(s) == 0 })
	}
	// A page can be scrolled, but a table that fits is easier to read.
	p.Table = t.table(maxPageWidth, true)
	if err := h.groups(p, t); err != nil {
		return err
	}
	if err := h.plots(p); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, p); err != nil {
		return err
	}
	_, err := io.WriteString(h.w, screen.Escape(b.String()))
	// The page is complete without pictures, so this is no error.
	if p.Undrawn != "" && h.Note != nil {
		h.Note(p.Undrawn)
	}
	return err
}

// hashOf is how a policy names a text that it allows.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (h *htmlPage) summary(p *page, t *Summary) {
	s := &t.Counts
	v := t.Verdict()
	p.Word, p.Verdict, _ = strings.Cut(v.Clauses[0], ": ")
	p.Rest, p.Tiles, p.Banner, p.FailOnNew = v.Clauses[1:], t.tiles(), t.hints(), t.Counts.FailOnNew
	switch {
	case v.Status == outcome.ExitFailed || s.Errors > 0 || s.Disagreeing > 0 && v.Status != outcome.ExitPassed:
		p.Level = "bad"
	case v.Status != outcome.ExitPassed || t.unchecked() && !t.NoChecks:
		p.Level = "poor" // nothing is wrong, but something was not checked
	default:
		p.Level = "good"
	}
	p.Title = t.title()
	seed := t.Counts.Seed
	if r := t.Regression; r != nil {
		p.Facts.add("run", strings.TrimPrefix(runWithDay(&r.RunID), "run "))
		seed = cmp.Or(seed, r.Seed)
		if r.Baseline != nil {
			p.Facts.add("compared with", runWithDay(r.Baseline))
		}
	}
	p.Facts.add("seed", plural.Seed(seed))
	p.Facts.add("exit status", strconv.Itoa(int(v.Status)))
	p.Facts.add("error", s.Error)
}

// groups puts the groups of failures into the page, with pictures of their automata.
func (h *htmlPage) groups(p *page, t *Summary) error {
	for _, f := range t.failures() {
		g := newPageGroup(f)
		g.Others = h.digest.numbers(f)
		p.Groups = append(p.Groups, g)
	}
	p.LeftOut = max(0, len(p.Groups)-pageGroups)
	p.Groups = p.Groups[:len(p.Groups)-p.LeftOut]
	p.Undrawn = drawGroups(context.Background(), h.Graphviz, p.Groups)
	size := 0
	var later []string
	p.sections(t.Verdict().Status == outcome.ExitPassed)
	for i, g := range p.Groups {
		if news(&g.Group) {
			if p.AllNews++; p.AllNews <= pageNews {
				p.News = append(p.News, g)
			}
		}
		// Details are made here and not by the page, to know their size, which is bounded.
		var b bytes.Buffer
		if err := pageTemplate().ExecuteTemplate(&b, "details", g); err != nil {
			return err
		}
		if size += b.Len(); size > pageDetails {
			g.Details = `<p class="note">The page is full. See the JSON report for details.</p>`
			continue
		}
		// Without scripts, only these groups can be opened.
		if i < pageOpen {
			g.Details = template.HTML(b.String())
			continue
		}
		g.Later = fmt.Sprintf("%d.%d", len(later)/pagePack, len(later)%pagePack)
		later = append(later, b.String())
	}
	for list := range slices.Chunk(later, pagePack) {
		text, err := pack(list)
		if err != nil {
			return err
		}
		p.Packs = append(p.Packs, text)
	}
	return nil
}

// pack returns texts as JSON, compressed, in base64. What groups show is much alike.
func pack(texts []string) (template.HTML, error) {
	var b bytes.Buffer
	to64 := base64.NewEncoder(base64.StdEncoding, &b)
	w := gzip.NewWriter(to64)
	err := cmp.Or(json.NewEncoder(w).Encode(texts), w.Close(), to64.Close())
	return template.HTML(b.String()), err
}

// inScript returns a value as JSON that may stand in a script element. Nothing in it ends the
// element, or opens a comment (and only within one another script could be begun): in JSON, < is
// only in strings.
func inScript(value any) (template.JS, error) {
	text, err := jsonLine(value)
	return template.JS(strings.NewReplacer("</", `<\/`, "<!", `\u003c!`).Replace(strings.TrimSpace(string(text)))), err
}

// drawGroups has a program draw all automata of groups. It returns why some are not drawn, or "".
func drawGroups(ctx context.Context, program string, groups []*pageGroup) (undrawn string) {
	var all []*pageRun
	for _, g := range groups {
		for _, w := range g.Words {
			all = append(all, w.Runs...)
		}
	}
	var graphs, labels []string
	var places []*template.HTML // of the pictures
	add := func(d *diagram, place *template.HTML) {
		places = append(places, place)
		graphs = append(graphs, d.dot(fmt.Sprintf("g%d", len(graphs))))
		labels = append(labels, d.about())
	}
	for _, r := range all {
		if d := r.diagram; d != nil && d.drawable() {
			add(d, &r.Picture)
			if whole := *d; d.part {
				if whole.part = false; whole.drawable() {
					add(&whole, &r.Whole)
				}
			}
		}
	}
	var pictures []string
	path, err := exec.LookPath(cmp.Or(program, "dot"))
	if err == nil {
		pictures, err = draw(ctx, path, graphs, labels)
	}
	if err != nil && len(graphs) > 0 {
		undrawn = fmt.Sprintf("automata are shown as tables: cannot run Graphviz: %v", err)
		if errors.Is(err, exec.ErrNotFound) {
			undrawn = fmt.Sprintf("automata are shown as tables: for pictures, install Graphviz, so that %s is on PATH", cmp.Or(program, "dot"))
		}
	}
	for i, picture := range pictures {
		*places[i] = template.HTML(picture)
	}
	for _, r := range all {
		r.complete() // a table takes the place of a missing picture
	}
	return undrawn
}

// plots puts the points of scatter plots into the page, and how translators compare.
func (h *htmlPage) plots(p *page) error {
	pairs := h.digest.plain.Pairs()
	known := slices.DeleteFunc(slices.Clone(pairs), func(x *Pair) bool { return x.Inputs == 0 })
	s := &h.digest.sample
	// A tool that made no automaton has no points.
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(x *Pair) bool {
		return !slices.Contains(s.tools, x.Row) || !slices.Contains(s.tools, x.Column)
	})
	if len(pairs) == 0 || len(known) == 0 {
		return nil
	}
	p.PairsLeft = max(0, len(known)-pagePairs)
	p.Pairs = known[:len(known)-p.PairsLeft]
	type point struct {
		Text   string     `json:"f"`
		Values []*float64 `json:"v"` // null where it is not known
	}
	data := struct {
		Tools    []string `json:"tools"`
		Measures []string `json:"measures"`
		All      int      `json:"all"`
		Points   []point  `json:"points"`
		Pairs    []*Pair  `json:"pairs"`
		Noun     string   `json:"noun"`
	}{Tools: s.tools, All: s.all, Pairs: pairs, Noun: p.Noun}
	for _, m := range s.measures {
		data.Measures = append(data.Measures, m.Name)
	}
	for _, x := range s.list() {
		values := make([]*float64, len(s.tools)*len(s.measures))
		for i := range x.values {
			if v := x.values[i]; !math.IsNaN(v) {
				values[i] = &v
			}
		}
		data.Points = append(data.Points, point{x.text, values})
	}
	var err error
	p.Plots, err = inScript(data)
	return err
}

// A pageGroup is a failure on a page, with what shows it.
type pageGroup struct {
	*failure
	Facts    facts
	On       string // the input that shows it, if that is another than the smallest
	Others   string // all inputs that show it, by their numbers
	Words    []*pageWord
	Calls    []pageCall
	Findings []string
	// WordsLeft is how many more there are.
	WordsLeft int

	Details template.HTML // the rest of the group; or
	Later   string        // where that is, to be there when it is opened: "1.7" is text 7 of pack 1
}

// A pageCall is one that failed, or one whose automaton is wrong: it has no status.
type pageCall struct {
	Name, Status, Detail, Command, Stderr string
}

// How much of a group is shown.
const (
	groupWords = 2 // disagreements, whose words are shown
	groupRuns  = 2
	groupSteps = 60
	callText   = 16 << 10 // bytes of standard error: the last ones
)

// newPageGroup returns a failure with the evidence of this run, if it has met the failure.
func newPageGroup(f *failure) *pageGroup {
	g := &pageGroup{failure: f}
	_, g.Facts = f.facts()
	c, x := f.shown(), f.calls
	switch {
	case f.Level == past:
	case x != nil && x.Finding:
		g.Findings = []string{x.Detail}
	case x != nil && x.example == nil:
		g.Calls = []pageCall{{x.Translator, x.Class, x.Detail, "", tail(x.Stderr)}}
	default:
		if g.fill(c); c.Title() != screen.TitleOf(f.Formula) {
			g.On = line(c.Title(), digestText)
		}
	}
	return g
}

// runWithSeed says which run it was, and with which seed.
func runWithSeed(n *outcome.RunID) string {
	if n == nil || n.Seed == nil {
		return runName(n)
	}
	return runName(n) + ", seed " + plural.Seed(n.Seed)
}

func tail(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text) - callText; n > 0 {
		text = "…" + strings.ToValidUTF8(text[n:], "")
	}
	return text
}

// fill adds what a case says of the translators: words, calls that failed, findings.
func (g *pageGroup) fill(c *outcome.Case) {
	if g.Class.Words {
		list := slices.DeleteFunc(slices.Clone(c.Disagreements), func(d outcome.Disagreement) bool { return !slices.ContainsFunc(d.Blamed, g.has) })
		rank := func(d *outcome.Disagreement) (n int) { // what the group is named after comes first
			if d.Word != g.Word {
				n += 2
			}
			if !g.Class.Shows(d.Kind) {
				n++
			}
			return n
		}
		slices.SortStableFunc(list, func(d, e outcome.Disagreement) int { return cmp.Compare(rank(&d), rank(&e)) })
		shown := 0 // disagreements
		for _, list := range byWord(list) {
			if shown >= groupWords {
				g.WordsLeft++
				continue
			}
			g.Words = append(g.Words, newPageWord(c, list, g.has))
			shown += len(list)
		}
		for _, r := range c.Results {
			if g.has(r.Subject) && r.Command != "" && isBlamed(list, r.Subject) {
				g.Calls = append(g.Calls, pageCall{subjectName(r.Subject, c), "", "", r.Command, ""})
			}
		}
		return
	}
	for i := range c.Results {
		r := &c.Results[i]
		if g.has(r.Subject) && r.Failed() {
			g.Calls = append(g.Calls, pageCall{subjectName(r.Subject, c), string(r.Status), r.Detail, r.Command, tail(r.Stderr)})
		}
	}
	for _, f := range c.Findings {
		if g.has(f.Subject) && f.Class == outcome.FalseProperty {
			g.Findings = append(g.Findings, subjectName(f.Subject, c)+": "+f.Text)
		}
	}
}

// subjectName says whose automaton it is, and of what.
func subjectName(s outcome.Subject, c *outcome.Case) string { return nameOf(s, c.Automaton != nil) }

// nameOf is subjectName for a case that is of an automaton or not.
func nameOf(s outcome.Subject, automaton bool) string {
	if automaton && s.Polarity == outcome.Negation {
		return s.Translator + " (complement)"
	}
	return s.String()
}

// A pageWord is a word on which automata are wrong.
type pageWord struct {
	Title, Word, About, Truth string
	General                   []string // the word in general, for each kind
	Prefix                    string   // as of a disagreement
	Settled                   string   // what Prefix is: "bad prefix: …"
	Automaton                 bool     // the input is an automaton, and has no negation
	Reference                 string   // whose automata are compared with all others
	Answers                   []*answer
	Runs                      []*pageRun
	RunsLeft                  int
	Table                     *outcome.TruthTable
}

// A pageRun explains an answer.
type pageRun struct {
	*outcome.Explanation
	Names   string
	Right   bool // it is the answer of an automaton on the other side
	Steps   []pageStep
	LeftOut int
	// Some step has a name, marks, or says what must hold from there.
	Named, Marked, Obliged bool

	Picture   template.HTML
	Whole     template.HTML // the picture of all states, if Picture has only some
	Edges     []diagramRow  // where there is no picture
	EdgesLeft int
	Part      string // what is not drawn
	Missing   string // why there is no picture, nor edges
	Condition string

	diagram *diagram
}

type pageStep struct {
	N                                                     int
	At, Letter, Edge, Marks, Name, Obligation, Group, End string
}

// newPageWord returns a word with the disagreements that it shows.
func newPageWord(c *outcome.Case, list []outcome.Disagreement, of func(outcome.Subject) bool) *pageWord {
	d, about := together(list)
	w := &pageWord{Title: titleOf(c, list), Word: d.Word, About: about, General: general(list), Prefix: d.Prefix, Settled: settled(d), Reference: c.Reference, Answers: answersOf(c.Results, d), Table: d.Table}
	if w.Automaton = c.Automaton != nil; w.Automaton {
		w.Truth = fmt.Sprintf("the input %s it", says(d.Truth))
	} else {
		w.Truth = satisfies(d.Truth, ofNegation(list))
	}
	for i := range d.Explanations {
		e := &d.Explanations[i]
		// An explanation that names no automata may be of any.
		if len(e.Automata) > 0 && !slices.ContainsFunc(e.Automata, of) {
			continue
		}
		if len(w.Runs) == groupRuns {
			w.RunsLeft++
			continue
		}
		w.Runs = append(w.Runs, newPageRun(c, d, e))
	}
	// A rightly accepting run means something only beside a wrong one.
	if d.Opposite != nil && len(w.Runs) > 0 {
		r := newPageRun(c, d, d.Opposite)
		r.Right = true
		w.Runs = append(w.Runs, r)
	}
	return w
}

func newPageRun(c *outcome.Case, d *outcome.Disagreement, e *outcome.Explanation) *pageRun {
	r := &pageRun{Explanation: e, diagram: newDiagram(e, d.Word)}
	var names []string
	for _, s := range e.Automata {
		names = append(names, subjectName(s, c))
	}
	r.Names = strings.Join(names, "; ")
	if e.Run != nil {
		r.steps()
	}
	return r
}

// steps lists the steps of the run, or some of many.
func (r *pageRun) steps() {
	run := r.Run
	n := len(run.Prefix) + len(run.Cycle)
	for i := range n {
		if n > groupSteps && i >= groupSteps/2 && i < n-groupSteps/2 {
			r.LeftOut++ // the middle: both the start and the cycle tell more
			continue
		}
		s := run.At(i)
		step := pageStep{N: i + 1, At: starred(i, i >= len(run.Prefix)), Letter: s.Letter, Edge: fmt.Sprintf("%d → %d", s.State, s.To),
			Marks: marksText(s.Marks), Name: s.Named(), Obligation: s.Obligation, Group: partOf(run, i)}
		r.Steps = append(r.Steps, step)
	}
	if run.End != nil {
		letter := ""
		if r.diagram != nil {
			letter = r.diagram.missing
		}
		r.Steps = append(r.Steps, pageStep{N: n + 1, At: strconv.Itoa(n + 1), Letter: letter, Edge: fmt.Sprintf("%d stuck", *run.End), Obligation: run.Obligation, Group: "stuck"})
	}
	for _, s := range r.Steps {
		r.Named, r.Marked, r.Obliged = r.Named || s.Name != "", r.Marked || s.Marks != "", r.Obliged || s.Obligation != ""
	}
}

// complete says what there is instead of a picture, and what is not in it.
func (r *pageRun) complete() {
	d := r.diagram
	if d == nil {
		r.Missing = "The automaton is too large to show."
		if r.HOA != "" {
			r.Missing = "The stored automaton is not the one that this run used."
		}
		return
	}
	if d.automaton.NumStates() == 0 {
		r.Missing = "The automaton has no states."
		return
	}
	r.Condition = d.automaton.Acceptance().String()
	r.Part = d.about()
	if r.Picture == "" {
		r.Edges, r.EdgesLeft = d.rows()
	}
}

// percent returns a ratio as a difference: "+12.3 %", or "× 20" for a large one.
func percent(ratio float64) string {
	p := 100 * (ratio - 1)
	if math.Abs(p) >= 1000 {
		return fmt.Sprintf("× %.3g", ratio)
	}
	text := strings.Replace(fmt.Sprintf("%+.1f %%", p), "-", "−", 1)
	if strings.Trim(text, "+−0. %") == "" {
		return ""
	}
	return text
}

// runTitle names a run: by its name if it has one, and else by its number.
func runTitle(n *outcome.RunID) string {
	if n.Name != "" {
		return line(n.Name, 60)
	}
	return "run " + strconv.FormatInt(n.Run, 10)
}

// day is when a run began.
func day(n *outcome.RunID) string {
	if n.Started.IsZero() {
		return ""
	}
	return n.Started.Format("2006-01-02 15:04")
}

func runWithDay(n *outcome.RunID) string { return strings.TrimSuffix(runTitle(n)+", "+day(n), ", ") }
