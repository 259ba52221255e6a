package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
	mdtext "github.com/yuin/goldmark/text"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// TestMarkdown: groups of failures in all states, as the summary of a job.
func TestMarkdown(t *testing.T) {
	golden(t, "states.md", []byte(markdown(t, fiveStates(t))))
	if err := report.WriteMarkdown(full{}, fiveStates(t)); !errors.Is(err, errFull) {
		t.Errorf("full disk: %v", err)
	}
}

func markdown(t *testing.T, summary *report.Summary) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(report.WriteMarkdown(&b, summary))
	return b.String()
}

// TestMarkdownHead: the first line says how the run ended.
func TestMarkdownHead(t *testing.T) {
	for _, c := range []struct {
		change func(*report.Summary)
		want   string
	}{
		{func(*report.Summary) {}, "FAIL: 2 formulas checked, disagreement on 1 formula"},
		{func(x *report.Summary) { x.Regression.Groups = x.Regression.Groups[1:] }, "FAIL: 2 formulas checked, disagreement on 1 formula"},
		{func(x *report.Summary) { x.Regression.Groups = x.Regression.Groups[2:] }, "FAIL: 2 formulas checked, disagreement on 1 formula"},
		{func(x *report.Summary) { x.Regression = nil }, "FAIL: 2 formulas checked, disagreement on 1 formula"},
		{func(x *report.Summary) { x.Regression, x.Counts.Errors = nil, 2 }, "ERROR: 2 formulas checked, disagreement on 1 formula"},
		{func(x *report.Summary) { x.Regression, x.Counts.Error = nil, "disk full" }, "ERROR: 2 formulas checked, disagreement on 1 formula"},
		{func(x *report.Summary) { x.Regression, x.Counts.Disagreeing, x.Counts.FalseProps = nil, 0, 1 }, "FAIL: false properties (liar: unnamed)"},
		{func(x *report.Summary) { x.Regression, x.Counts.Disagreeing, x.Counts.FalseProps = nil, 0, 0 }, "FAIL: 4 failed calls (broken: 4× exit)"},
		{func(x *report.Summary) { *x = *report.NewSummary(nil); x.Counts.Formulas, x.Counts.Passed = 1, 1 }, "PASS: 1 formula checked, no disagreement"},
		{func(x *report.Summary) { *x = *report.NewSummary(nil) }, "INCOMPLETE: nothing was checked"},
		{func(x *report.Summary) { *x = *report.NewSummary(nil); x.Counts.Interrupted = true }, "INTERRUPTED: 0 formulas checked"},
		{func(x *report.Summary) { *x = *report.NewSummary(nil); x.NoChecks = true }, "DONE: 0 formulas translated, nothing checked"},
	} {
		summary := fiveStates(t)
		c.change(summary)
		if got, _, _ := strings.Cut(markdown(t, summary), "\n"); !strings.HasSuffix(got, " xcheck: "+c.want) || strings.Contains(got, "✅") != (strings.HasPrefix(c.want, "PASS") || strings.HasPrefix(c.want, "DONE")) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// github reads Markdown much as GitHub does, and renders the HTML that is in it.
var github = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(render.WithUnsafe()))

// skeleton is what a page consists of, but for its text.
func skeleton(page string) (list []string) {
	source := []byte(page)
	ast.Walk(github.Parser().Parse(mdtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		kind := n.Kind().String()
		switch n := n.(type) {
		case *ast.Text, *ast.String:
			return ast.WalkContinue, nil
		case *ast.RawHTML:
			if kind = string(n.Segments.Value(source)); strings.Contains(kind, "span") {
				return ast.WalkContinue, nil // it is about a sign
			}
		}
		if entering {
			kind = "<" + kind
		}
		list = append(list, kind)
		return ast.WalkContinue, nil
	})
	return list
}

// rendered is a page in HTML, and visible the text of that.
func rendered(t *testing.T, page string) (source, visible string) {
	t.Helper()
	var b bytes.Buffer
	must.Do(github.Convert([]byte(page), &b))
	return b.String(), html.UnescapeString(regexp.MustCompile(`</?[a-z][^>]*>`).ReplaceAllString(b.String(), ""))
}

// mention is what GitHub takes for a name or for a number of an issue, within one piece of text.
var mention = regexp.MustCompile(`@[a-z]|#[0-9]`)

// numbered returns texts that are all different, and not empty.
func numbered(suffix func() string) func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("x%d%s", n, suffix())
	}
}

// TestMarkdownHostile: tables stay tables, whatever is in them, fences and details end where
// they should, nothing is a link or a mention, and the text is what it was.
func TestMarkdownHostile(t *testing.T) {
	want := skeleton(markdown(t, hostile(numbered(func() string { return "" }))))
	tables := 0
	for _, kind := range want {
		if kind == "<TableRow" {
			tables++
		}
		if kind == "<Link" || kind == "<AutoLink" || kind == "<Image" {
			t.Errorf("%s in %v", kind, want)
		}
	}
	if tables != 20+3 { // of failures, and of translators
		t.Fatalf("%d rows of tables in %v", tables, want)
	}
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 40 {
		page := markdown(t, hostile(numbered(func() string {
			text := ""
			for range r.IntN(3) + 1 {
				text += hostileTexts[r.IntN(len(hostileTexts)-min(i%4, 1))]
			}
			return text
		})))
		if got := skeleton(page); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v\nwant %v\n%s", seed, got, want, page)
		}
	}
	for _, hostileText := range hostileTexts {
		summary := fiveStates(t)
		summary.Regression.Groups[0].Formula = "start" + hostileText + "end"
		shown := strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return ' '
			}
			return r
		}, "start"+hostileText+"end")
		if len(shown) > 80 {
			continue // it is cut off
		}
		page := markdown(t, summary)
		source, visible := rendered(t, page)
		if got := strings.Count(visible, shown); got != 3 { // in the table, the headline of the details, and there
			t.Errorf("%q: seen %d times\n%s", hostileText, got, page)
		}
		if found := mention.FindString(html.UnescapeString(source)); found != "" {
			t.Errorf("%q: %s in\n%s", hostileText, found, source)
		}
	}
}

// TestMarkdownFence: a command stands as it is, also one with backticks and lines.
func TestMarkdownFence(t *testing.T) {
	for _, command := range []string{"x", "a `b` ``c``", "```\nx\n```", "printf 'HOA: v1\n--END--' | x", "`````````` x", "~~~\n</details>"} {
		summary := fiveStates(t)
		summary.Regression.Groups[0].Command = command
		source := []byte(markdown(t, summary))
		var blocks []string
		ast.Walk(github.Parser().Parse(mdtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if b, ok := n.(*ast.FencedCodeBlock); ok && entering {
				blocks = append(blocks, string(b.Lines().Value(source)))
			}
			return ast.WalkContinue, nil
		})
		if len(blocks) != 3 || blocks[0] != command+"\n" {
			t.Errorf("%q: got %q", command, blocks)
		}
	}
}

// TestMarkdownBound: a page never gets too large for a summary, and says what it leaves out.
func TestMarkdownBound(t *testing.T) {
	summary := fiveStates(t)
	for i := range 3000 {
		g := summary.Regression.Groups[2]
		g.Command = strings.Repeat("x", 1000+i)
		summary.Regression.Groups = append(summary.Regression.Groups, g)
	}
	page := markdown(t, summary)
	left := regexp.MustCompile(`\n([0-9]+) failures not shown: the page is full. See the other reports.\n$`).FindStringSubmatch(page)
	shown := strings.Count(page, "</details>")
	if len(page) > 1<<20 || len(page) < 900_000 || left == nil || left[1] != fmt.Sprint(3004-shown) || shown != strings.Count(page, "<details>") {
		t.Errorf("%d bytes, %d failures shown, left out: %v", len(page), shown, left)
	}
	if !strings.Contains(page, "\n2986 more: see the JSON report.\n") {
		t.Error("the table has a row for each of 3000")
	}
}

// FuzzMarkdown: no text changes what a page consists of.
func FuzzMarkdown(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	want := skeleton(markdown(&testing.T{}, hostile(numbered(func() string { return "" }))))
	f.Fuzz(func(t *testing.T, text string) {
		page := markdown(t, hostile(numbered(func() string { return text })))
		if strings.Contains(page, "the page is full") {
			return // TestMarkdownBound is about such pages
		}
		if got := skeleton(page); !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v\n%s", got, want, page)
		}
	})
}

// latex returns the table of cases.
func latex(t *testing.T, summary *report.Summary, cases ...*outcome.Case) string {
	t.Helper()
	var b bytes.Buffer
	l := report.NewLaTeX(&b)
	for _, c := range cases {
		must.Do(l.Case(c, summary.Add(c)))
	}
	must.Do(l.End(summary))
	return b.String()
}

// TestLaTeX: the table has the totals, and shares of the automata that were made.
func TestLaTeX(t *testing.T) {
	tools, cases := twoCases(t)
	cases[0].Results[0].Deterministic = true
	golden(t, "two.tex", []byte(latex(t, report.NewSummary(tools), cases...)))
}

// TestLaTeXNames: the name of a translator is printed literally, on one line.
func TestLaTeXNames(t *testing.T) {
	for name, want := range map[string]string{
		`a_b`:             `a\_b`,
		`100%`:            `100\%`,
		`a & b # c $d`:    `a \& b \# c \$d`,
		`{x}`:             `\{x\}`,
		`~/bin/t ^`:       `\textasciitilde{}/bin/t \textasciicircum{}`,
		`a\b{`:            `a\textbackslash{}b\{`,
		"[h] two\nlines":  `[h] two lines`,
		`ltl2tgba -B ≤ é`: `ltl2tgba -B ≤ é`,
	} {
		c := &outcome.Case{Formula: "a", Results: []outcome.Result{{Status: "ok", Subject: outcome.Subject{Translator: name}}}}
		if got := latex(t, report.NewSummary(nil), c); !strings.Contains(got, "\n\\texttt{"+want+"} & 1 & 0 ") {
			t.Errorf("%q: want %s in\n%s", name, want, got)
		}
	}
}
