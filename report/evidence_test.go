package report

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"maps"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// wrongCase is a case in which translators are wrong, each on words of its own, for the formula.
func wrongCase(index int, words map[string]string) *outcome.Case {
	c := &outcome.Case{Index: index, Formula: fmt.Sprintf("p%d", index)}
	for _, name := range slices.Sorted(maps.Keys(words)) {
		s := outcome.Subject{Translator: name}
		c.Results = append(c.Results, outcome.Result{Subject: s, Status: "ok"})
		c.Disagreements = append(c.Disagreements, outcome.Disagreement{Word: words[name], Kind: "extra", Blamed: []outcome.Subject{s}})
	}
	return c
}

// problemsOf returns the problems of cases, in lines: translators, class, and the number of
// formulas.
func problemsOf(t *testing.T, cases ...*outcome.Case) (lines []string) {
	t.Helper()
	var e evidence
	failures := triage.New(triage.Options{})
	for _, c := range cases {
		e.add(c)
		must.Get(failures.Add(t.Context(), c))
	}
	causes := must.Get(failures.Causes(t.Context()))
	seen := map[int]bool{}
	for _, p := range e.problems(causes) {
		slices.Sort(p.Translators)
		lines = append(lines, fmt.Sprintf("%s: %s (%d)", strings.Join(p.Translators, ", "), p.Class, p.Formulas))
		for _, i := range p.Causes {
			seen[i] = true
		}
	}
	if len(seen) != len(causes) {
		t.Errorf("%d causes of %d are in a problem", len(seen), len(causes))
	}
	return lines
}

// TestEvidence: translators that fail alike share a problem, others do not.
func TestEvidence(t *testing.T) {
	failed := func(index int, details map[string]string) *outcome.Case {
		c := &outcome.Case{Index: index, Formula: "a"}
		for _, name := range []string{"a", "b", "c"} {
			if d, ok := details[name]; ok {
				c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: name}, Status: "exit", Failure: outcome.ParseClass("exit 1: …"), Detail: d})
			}
		}
		return c
	}
	for _, c := range []struct {
		name  string
		cases []*outcome.Case
		want  []string
	}{
		{"the same words", []*outcome.Case{wrongCase(0, map[string]string{"a": "u", "b": "u"}), wrongCase(1, map[string]string{"a": "v", "b": "v"})},
			[]string{"a, b: extra words (2)"}},
		{"other words", []*outcome.Case{wrongCase(0, map[string]string{"a": "u", "b": "v"}), wrongCase(1, map[string]string{"a": "v", "b": "u"})},
			[]string{"a: extra words (2)", "b: extra words (2)"}},
		{"half of the formulas", []*outcome.Case{wrongCase(0, map[string]string{"a": "u", "b": "u"}), wrongCase(1, map[string]string{"a": "u"})},
			[]string{"a, b: extra words (2)"}},
		{"a third of the formulas", []*outcome.Case{wrongCase(0, map[string]string{"a": "u", "b": "u"}), wrongCase(1, map[string]string{"a": "u"}), wrongCase(2, map[string]string{"b": "u"})},
			[]string{"a: extra words (2)", "b: extra words (2)"}},
		{"other formulas", []*outcome.Case{wrongCase(0, map[string]string{"a": "u"}), wrongCase(1, map[string]string{"b": "u"})},
			[]string{"a: extra words (1)", "b: extra words (1)"}},
		{"the same messages", []*outcome.Case{failed(0, map[string]string{"a": "x", "b": "x", "c": "y"})},
			[]string{"a, b: exit 1: … (1)", "c: exit 1: … (1)"}},
		{"nothing", []*outcome.Case{{Formula: "a"}}, nil},
	} {
		if got := problemsOf(t, c.cases...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestProblemsOrder: problems do not depend on the order of the cases.
func TestProblemsOrder(t *testing.T) {
	for seed := range uint64(campaign.Inputs(t, 50)) {
		r := rand.New(rand.NewPCG(seed, 0))
		var cases []*outcome.Case
		for i := range 1 + r.IntN(8) {
			words := map[string]string{}
			for _, name := range []string{"a", "b", "c", "d"} {
				if r.IntN(2) == 0 {
					words[name] = string("uv"[r.IntN(2)])
				}
			}
			cases = append(cases, wrongCase(i, words))
		}
		want := problemsOf(t, cases...)
		r.Shuffle(len(cases), func(i, k int) { cases[i], cases[k] = cases[k], cases[i] })
		got := problemsOf(t, cases...)
		slices.Sort(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("seed %d: got %q, and %q in another order", seed, got, want)
		}
	}
}

// TestAlike compares alike with what it means, on random occurrences.
func TestAlike(t *testing.T) {
	for seed := range uint64(campaign.Inputs(t, 1000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		draw := func() (*occurrences, map[int32]uint32) {
			s, set := &occurrences{}, map[int32]uint32{}
			for i := range int32(12) {
				if r.IntN(3) > 0 {
					set[i] = r.Uint32N(2)
					s.list = append(s.list, occurrence{i, set[i]})
				}
			}
			return s, set
		}
		a, inA := draw()
		b, inB := draw()
		same, all := 0, len(inB)
		for i, how := range inA {
			other, both := inB[i]
			switch {
			case !both:
				all++
			case other == how:
				same++
			}
		}
		want := len(inA) > 0 && len(inB) > 0 && 2*same >= all
		if got := a.alike(b); got != want || b.alike(a) != want {
			t.Errorf("seed %d: %v and %v: got %v, want %v", seed, a.list, b.list, got, want)
		}
	}
}

// TestFormats: each format writes something of a run that checked one formula, and gives the error
// of a writer that fails.
func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats() {
		if seen[f.Name] || FormatOf(f.Name).Title != f.Title {
			t.Errorf("%s: two formats have this name", f.Name)
		}
		seen[f.Name] = true
		summary := NewSummary(nil)
		c := &outcome.Case{Formula: "Ga", Checked: true, Results: []outcome.Result{{Status: "ok", Proved: true, Subject: outcome.Subject{Translator: "mine"}}}}
		var b bytes.Buffer
		for _, late := range []bool{false, true} {
			b.Reset()
			s := f.New(&b, Options{Late: late})
			if err := s.Case(c, summary.Add(c)); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			if err := s.End(summary); err != nil || !strings.Contains(b.String(), "mine") || strings.Contains(b.String(), `\u00a0`) { // our own texts are not escaped
				t.Errorf("%s: a report names all translators, without failures too, and without \\u00a0: %v, %q", f.Name, err, b.String())
			}
		}
		broken := f.New(brokenWriter{}, Options{})
		if broken.Case(c, summary.Add(c)) == nil && broken.End(summary) == nil {
			t.Errorf("%s: no error of a writer that fails", f.Name)
		}
	}
	if FormatOf("pdf") != nil {
		t.Error("a format that does not exist")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }

// TestWorkedTexts runs the examples of texts in comments.
func TestWorkedTexts(t *testing.T) {
	const guard = "request & !grant & acknowledge & done"
	broken := wrapped(guard, " & ")
	for _, test := range []struct{ got, want string }{
		{share(1, 3), "33.3 %"}, {share(99_999, 100_000), "99.9 %"}, {share(0, 3), "0 %"}, {share(3, 3), "100 %"},
		{percent(1.123), "+12.3 %"}, {percent(20), "× 20"},
		{shortList([]string{"a", "b", "c", "d", "e", "f"}), "a, b, c, d, 2 more"},
		{strings.Join(tallied{"crash": 2, "timeout": 1}.most(), ", "), "2× crash, timeout"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
	for value, want := range map[any]string{true: "1", 0.1: "0.1", seconds(1.0 / 3): "0.333333", nil: ""} {
		if got, _ := cell(value); got != want {
			t.Errorf("%v is %q", value, got)
		}
	}
	if strings.Count(broken, "\n") != 1 || strings.Join(strings.Fields(broken), " ") != guard {
		t.Errorf("%q", broken)
	}
	worked.Shows(t, "diagram.go", guard+" becomes "+broken)
}

// TestWorkedPlots runs the examples in comments on plots and curves.
func TestWorkedPlots(t *testing.T) {
	for number, want := range map[float64]int{1: 0, 2: 30, 10: 100, 1000: 300, 1003: 300} {
		if got := cellOf(number); got != want {
			t.Errorf("%g is in cell %d", number, got)
		}
	}
	if got := fmt.Sprintf("%.3f", numberOf(30)); got != "1.995" {
		t.Error(got)
	}
	for i := range 43 {
		if cellOf(float64(i)) == cellOf(float64(i+1)) {
			t.Errorf("%d and %d share a cell", i, i+1)
		}
	}
	if step := countStep(73); step != 10 {
		t.Errorf("step %d", step)
	}
	if a := axisOf(slices.Values([]float64{1, 100})); math.Abs(a.low+0.1) > 1e-9 || math.Abs(a.high-2.1) > 1e-9 {
		t.Errorf("axis %+v", a)
	}

	c := &cactusCurve{steps: map[int]int{}}
	for _, states := range []float64{5, 1, 1} {
		c.add(call{ok: true, values: []float64{states}}, 0)
	}
	if c.made != 3 || c.steps[cellOf(1)] != 2 || c.steps[cellOf(5)] != 1 {
		t.Errorf("%+v", c)
	}

	for tools, want := range map[int]int{6: 4000, 12: 2000} {
		if got := (&inputSample{tools: make([]string, tools)}).most(); got != want {
			t.Errorf("%d translators: %d inputs", tools, got)
		}
	}
	points := (&tried{inputs: 500}).points()
	if n := len(points); n != 125 || points[0].Inputs != 4 || points[n-1].Inputs != 500 {
		t.Errorf("%d points: %v", n, points)
	}
}

// TestWorkedGroups runs the example in the comment on groups of failures.
func TestWorkedGroups(t *testing.T) {
	var g groups
	for i, said := range []string{"assertion failed", "assertion failed", "out of memory"} {
		r := &outcome.Result{Subject: outcome.Subject{Translator: "mine"}, Status: outcome.Crash}
		r.Failure = outcome.Class{Status: outcome.Crash, Said: said}
		if first := g.failure(i, outcome.NewCase(i, "a", nil), r); first != (i != 1) {
			t.Errorf("call %d: first is %v", i, first)
		}
	}
}

// TestOneRecord: the record of a failure goes through a history, and each report shows the same facts of it.
func TestOneRecord(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	cause := causeOf(c)
	cause.Key, cause.Original, cause.Index, cause.Ground = "words | a U b", "X(a U b)", 7, true
	ctx := context.Background()
	store := must.Get(history.Open(ctx, filepath.Join(t.TempDir(), "history.db")))
	defer store.Close()
	summary := NewSummary(nil)
	for night := range 2 { // the failure is known in the second one
		run := must.Get(store.Begin(ctx, &history.Plan{Name: fmt.Sprint("night-", night+1), Configuration: []byte("{}"), Shard: 1, Shards: 1, Tools: []history.Tool{{Name: "mine"}}}))
		again := func(x *outcome.Cause) string { return x.Command }
		summary.Regression = must.Get(run.Compare(ctx, []*outcome.Cause{cause}, again, &history.Decided{}))
		must.Do(run.End(1, true, []byte("{}")))
	}
	summary.Causes = []*outcome.Cause{cause}
	lines := must.Get(store.Timelines(ctx))
	if len(lines) != 1 || len(lines[0].Occurrences) != 2 {
		t.Fatalf("timelines: %+v", lines)
	}

	page, _ := written(t, absent, summary, c)
	reports := map[string]string{"HTML": html.UnescapeString(page)}
	for _, name := range []string{"text", "json", "markdown", "junit"} {
		var b bytes.Buffer
		must.Do(FormatOf(name).New(&b, Options{}).End(summary))
		reports[name] = html.UnescapeString(b.String())
	}
	site := &Site{Noun: "formula", Graphviz: absent, Runs: []SiteRun{{RunID: lines[0].Occurrences[0].RunID}, {RunID: lines[0].Occurrences[1].RunID}},
		Causes: []*SiteCause{{Timeline: lines[0], Cause: cause}}}
	must.Do(site.Write(ctx, func(name string, page []byte) error {
		if name != SiteIndex {
			reports["site"] = html.UnescapeString(string(page))
		}
		return nil
	}))
	reports["history"] = string(must.Get(jsonLine(lines)))
	for name, text := range reports {
		facts := []string{"mine", "extra words", "a U b", "cycle{!a&!b}", "xcheck run --only mine -f 'a U b'", "known", "night-1"}
		if name != "history" { // what the run that explains it has
			facts = append(facts, "X(a U b)")
		}
		switch name {
		case "json", "history":
			facts = append(facts, `"state":"known"`)
		default:
			facts = append(facts, "shortest: 1 letter", "the word does not satisfy the formula")
		}
		for _, fact := range facts {
			if !strings.Contains(text, fact) {
				t.Errorf("%s does not have %q:\n%s", name, fact, text)
			}
		}
	}
}

// TestFold: a command in a narrow terminal has the same words for the shell, and no line is wider.
func TestFold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(from ...string) (text string) {
		for range r.IntN(40) {
			text += from[r.IntN(len(from))]
		}
		return text
	}
	for range 300 {
		command, width := "printf '[%s]'", 24+r.IntN(50)
		for range 2 + r.IntN(3) {
			quoted := "'" + text("a", "U", "(", "&", "!", "日", `"`, `\`, "$", " ", ". ") + "'"
			command += " " + []string{quoted, quoted + `\'` + quoted, "x" + text("a", "/", "=", "日", `\"`) + quoted, `"` + text("a", "'", " ", `\"`) + `"`}[r.IntN(4)]
		}
		folded := (&Text{Width: width}).shell(command, 13)
		for i, line := range strings.Split(folded, "\n") {
			if n := table.Columns(line); i == 0 && n > width-13 || n > width {
				t.Errorf("%d columns instead of %d: %s", n, width, line)
			}
		}
		want, got := must.Get(exec.Command("sh", "-c", command).Output()), must.Get(exec.Command("sh", "-c", folded).Output())
		if string(got) != string(want) {
			t.Errorf("%s\nbecomes\n%s\nwhich is %s instead of %s", command, folded, got, want)
		}
	}
}
