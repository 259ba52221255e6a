package report

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// An HTML writes a run as one self-contained page: what is new, the groups of failures with
// automata and runs, translators, plots, and curves over earlier runs. See docs/reports.md.
//
// End writes the page. Until then, HTML keeps a digest of the cases. Its size does not grow
// with their number.
type HTML struct {
	// Graphviz is the program that draws automata; "" means dot. Without it, automata are
	// tables, and Note, if set, is told why.
	Graphviz string
	Note     func(text string)

	w      io.Writer
	digest *digest
}

// NewHTML returns an HTML that writes to w.
func NewHTML(w io.Writer) *HTML { return &HTML{w: guard.Writer(w), digest: newDigest()} }

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
		"starred": starred, "short": short, "percent": percent, "runTitle": runTitle, "day": day, "seed": seedText,
		"failureName": failureName, "count": plural.Of, "plural": plural.Word,
	}
	t := template.New("page").Funcs(functions)
	for _, text := range texts {
		template.Must(t.Parse(text))
	}
	return t
}

// Bounds of a page.
const (
	pageGroups  = 2000
	pageOpen    = 40       // groups whose details are there without scripts
	pageDetails = 32 << 20 // bytes of details of all groups
	pagePairs   = 60       // rows of the table that compares translators
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
	return frame{Style: template.CSS(pageStyle), Script: template.JS(script), Policy: policy(script)}
}

type page struct {
	frame
	Verdict string // what matters most
	Rest    string // of how it ended
	Level   string // "good", "bad" or "poor": how the verdict looks

	Facts      facts
	Noun       string
	Plural     string
	Regression *outcome.Regression
	Standing   []outcome.State // of its groups
	News       []*pageGroup
	Table      table
	Tools      []*ToolStats

	Groups      []*pageGroup
	LeftOut     int
	Undrawn     string
	Translators []string // of groups
	Kinds       []string

	Failing []failingFormula
	More    int

	SumsOnly  string // which cases the history has no more of than sums
	Pairs     []*Pair
	PairsLeft int
	Plots     template.JS
	Power     *powerPart
	Trend     *trendTable

	Provenance []facts // of each process
}

// Case adds a case.
func (h *HTML) Case(c *outcome.Case, _ News) error { return h.digest.add(c) }

// End writes the page. Graphviz may take a minute.
func (h *HTML) End(t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	p := &page{
		frame: newFrame(pageScript),
		Noun:  t.noun(), Plural: t.plural(),
		Regression: t.Regression, Tools: t.Translators,
		Failing: h.digest.failing, More: h.digest.more,
		Power: newPowerPart(t), Trend: newTrendTable(t.Trend, t.plural()),
	}
	h.summary(p, t)
	for i := range t.Provenance {
		p.Provenance = append(p.Provenance, t.Provenance[i].facts())
	}
	for _, state := range outcome.States {
		if t.Regression != nil && t.Regression.Count(state) > 0 {
			p.Standing = append(p.Standing, state)
		}
	}
	p.Table = t.table(maxPageWidth)
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
	_, err := h.w.Write(b.Bytes())
	if p.Undrawn != "" && h.Note != nil {
		h.Note(p.Undrawn)
	}
	return err
}

// policy returns the policy of a page with the style and this script: the browser asks for nothing
// and runs no other script.
func policy(script string) string {
	return fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '%s'; script-src '%s'", hashOf(pageStyle), hashOf(script))
}

// hashOf is how a policy names a text that it allows.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (h *HTML) summary(p *page, t *Summary) {
	s := &t.Counts
	v := t.Verdict()
	p.Verdict, p.Rest = v.Clauses[0], strings.Join(v.Clauses[1:], "; ")
	switch {
	case v.Status == outcome.ExitFailed || s.Errors > 0 || s.Disagreeing > 0 && v.Status != outcome.ExitPassed:
		p.Level = "bad"
	case v.Status != outcome.ExitPassed || t.unchecked() && !t.NoChecks:
		p.Level = "poor"
	default:
		p.Level = "good"
	}
	p.Title = "xcheck"
	seeds := h.digest.seeds
	if r := t.Regression; r != nil {
		p.Title += ": " + runTitle(&r.RunID)
		p.Facts.add("run", runWithDay(&r.RunID))
		if r.Seed != nil && !slices.Contains(seeds, *r.Seed) {
			seeds = append([]uint64{*r.Seed}, seeds...)
		}
		if r.Baseline != nil {
			p.Facts.add("compared with", runWithDay(r.Baseline))
		}
	}
	var list []string
	for _, seed := range seeds {
		list = append(list, fmt.Sprint(seed))
	}
	slices.Sort(list)
	p.Facts.add(map[bool]string{true: "seed", false: "seeds"}[len(list) == 1], strings.Join(list, ", "))
	p.Facts.add("exit status", fmt.Sprintf("%d: %s", v.Status, v.Status.Meaning()))
	if n := s.Proved + s.Unproved; n > 0 {
		p.Facts.add("proved", fmt.Sprintf("%d of %s", s.Proved, plural.Of(n, "automaton")))
	}
	p.Facts.add("error", s.Error)
	for _, note := range t.each((*ToolStats).common) {
		p.Facts.add("note", note)
	}
	if t.compacted != nil && t.compacted.Sums.Cases > 0 {
		p.SumsOnly = plural.Of(t.compacted.Sums.Cases, t.noun()) + " without a failure"
		p.Facts.add("only sums kept", "of "+p.SumsOnly)
	}
}

// groups puts the groups of failures into the page, with pictures of their automata.
func (h *HTML) groups(p *page, t *Summary) error {
	p.Groups = h.digest.groups(t)
	p.LeftOut = max(0, len(p.Groups)-pageGroups)
	p.Groups = p.Groups[:len(p.Groups)-p.LeftOut]
	p.Undrawn = drawGroups(context.Background(), h.Graphviz, p.Groups)
	size := 0
	for i, g := range p.Groups {
		g.ID = fmt.Sprintf("group-%d", i+1)
		if (g.State == outcome.StateNew || g.State == outcome.StateBackAgain) && len(p.News) < 12 {
			p.News = append(p.News, g)
		}
		p.Translators = append(p.Translators, g.Translators...)
		p.Kinds = append(p.Kinds, g.Kind)
		var b bytes.Buffer
		if err := pageTemplate().ExecuteTemplate(&b, "details", g); err != nil {
			return err
		}
		if size += b.Len(); size > pageDetails {
			g.Details = `<p class="note">The page is full. See the JSON report for details.</p>`
			continue
		}
		if i < pageOpen {
			g.Details = template.HTML(b.String())
			continue
		}
		text, err := inScript(b.String())
		if err != nil {
			return err
		}
		g.Later = text
	}
	for _, list := range []*[]string{&p.Translators, &p.Kinds} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return nil
}

// inScript returns a value as JSON that may stand in a script element. Nothing in it ends the
// element, or opens a comment (and only within one another script could be begun): in JSON, < is
// only in strings.
func inScript(value any) (template.JS, error) {
	text, err := Line(value)
	return template.JS(strings.NewReplacer("</", `<\/`, "<!", `\u003c!`).Replace(strings.TrimSpace(string(text)))), err
}

// drawGroups has a program draw all automata of groups. It returns why some are not drawn, or "".
func drawGroups(ctx context.Context, program string, groups []*pageGroup) (undrawn string) {
	var all, runs []*pageRun // runs are those with a diagram
	for _, g := range groups {
		for _, w := range g.Words {
			all = append(all, w.Runs...)
		}
	}
	var graphs, labels []string
	for _, r := range all {
		if r.diagram != nil && r.diagram.drawable() {
			runs = append(runs, r)
			graphs = append(graphs, r.diagram.dot(fmt.Sprintf("g%d", len(graphs))))
			labels = append(labels, r.diagram.about())
		}
	}
	var pictures []string
	path, err := exec.LookPath(cmp.Or(program, "dot"))
	if err == nil {
		pictures, err = draw(ctx, path, graphs, labels)
	}
	if err != nil && len(graphs) > 0 {
		undrawn = fmt.Sprintf("automata are shown as tables: cannot run Graphviz: %v", err)
	}
	for i, picture := range pictures {
		runs[i].Picture = template.HTML(picture)
	}
	for _, r := range all {
		r.complete()
	}
	return undrawn
}

// plots puts the points of scatter plots into the page, and how translators compare.
func (h *HTML) plots(p *page) error {
	pairs := h.digest.plain.Pairs()
	known := slices.DeleteFunc(slices.Clone(pairs), func(x *Pair) bool { return x.Inputs == 0 })
	s := &h.digest.sample
	if len(s.tools) < 2 || len(known) == 0 {
		return nil
	}
	p.PairsLeft = max(0, len(known)-pagePairs)
	p.Pairs = known[:len(known)-p.PairsLeft]
	type point struct {
		Text   string     `json:"f"`
		Values []*float32 `json:"v"` // null where it is not known
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
		values := make([]*float32, len(s.tools)*len(s.measures))
		for i := range x.values {
			if v := x.values[i]; !math.IsNaN(float64(v)) {
				values[i] = &v
			}
		}
		data.Points = append(data.Points, point{x.text, values})
	}
	var err error
	p.Plots, err = inScript(data)
	return err
}
