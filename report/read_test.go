package report_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// document returns what a run writes of these cases, and where the text of each ends.
func document(t *testing.T, summary *report.Summary, cases ...*outcome.Case) (text []byte, ends []int) {
	t.Helper()
	var b bytes.Buffer
	j := report.NewJSON(&b)
	for _, c := range cases {
		summary.Add(c)
		if err := j.Case(c, report.News{}); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, b.Len())
	}
	if err := j.End(summary); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), ends
}

// TestRead: what is read is what was written, and the report of it is that of the run; of a
// document that is cut off anywhere there are the cases that are complete.
func TestRead(t *testing.T) {
	tools, cases := twoCases(t)
	cases = append(cases, measured(), &outcome.Case{Index: 2, Formula: "}", Error: "unreadable"})
	for _, c := range cases[2].Results {
		c.Detail = "{"
	}
	summary := report.NewSummary(tools)
	text, ends := document(t, summary, cases...)
	for cut := range len(text) + 1 {
		// Every place about the end of a line, and some of the others.
		if near := text[max(0, cut-4):min(len(text), cut+4)]; cut%23 > 0 && cut < len(text) && !bytes.ContainsRune(near, '\n') {
			continue
		}
		var got []*outcome.Case
		rest, err := report.Read(iotest.HalfReader(bytes.NewReader(text[:cut])), func(c *outcome.Case) error {
			got = append(got, c)
			return nil
		})
		if cut == 0 {
			if err == nil || !strings.Contains(err.Error(), "found nothing") {
				t.Errorf("nothing: %v", err)
			}
			continue
		}
		want := 0
		for _, end := range ends {
			if end <= cut {
				want++
			}
		}
		// The line break behind the document's last brace does not matter.
		if err != nil || len(got) != want || rest.Cut != (cut < len(text)-1) {
			t.Fatalf("cut after %d of %d bytes: %d cases, want %d; %+v, %v", cut, len(text), len(got), want, rest, err)
		}
		if cut < len(text) {
			continue
		}
		if !reflect.DeepEqual(got[2:], cases[2:]) {
			t.Errorf("got\n%+v\nwant\n%+v", got[2], cases[2])
		}
		if !reflect.DeepEqual(*rest.Counts, summary.Counts) || !cmp.Equal(rest.Translators, summary.Translators, cmpopts.IgnoreUnexported(report.ToolStats{})) {
			t.Errorf("got %+v, %+v", rest.Counts, rest.Translators)
		}
	}
}

// TestReadErrors: what is wrong is said with its place.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[]`, `1:1: expected a document of xcheck run --json, found [`},
		{"\n x", `2:2: invalid character 'x' looking for beginning of value`},
		{`{"tool": [], "formula": []}`, `1:27: expected a document of xcheck run --json, but it has no cases`},
		{"{\"cases\": [\n{\"index\":0},\n{\"index\":x}\n]}", `3:10: invalid character 'x' looking for beginning of value`},
		{"{\"cases\": [\n{\"index\":0},\n{\"formula\":7}\n]}", `3:12: formula: expected a string, found number`},
		{"{\"cases\": [\n{\"index\":0},\n{\"results\":[{\"states\":\"many\"}]}\n]}", `3:28: results.states: expected a number, found string`},
		{"{\"cases\": [\n7]}", `2:1: expected an object, found number`},
		{"{\"cases\":\n {}}", `2:2: expected a list of cases, found {`},
		{"{\"cases\": [],\n\"summary\":[]}", `2:11: expected an object, found array`},
		{"{\"cases\": []\n\"summary\":[]}", `2:1: invalid character '"' after object key:value pair`},
		{"{\"cases\": []}\n{", `2:1: expected the end after the document`},
	} {
		_, err := report.Read(strings.NewReader(c.text), func(*outcome.Case) error { return nil })
		var at *report.FormatError
		if !errors.As(err, &at) || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	oops := errors.New("oops")
	if _, err := report.Read(io.MultiReader(strings.NewReader(`{"cases": [`), iotest.ErrReader(oops)), nil); !errors.Is(err, oops) {
		t.Errorf("reader: %v", err)
	}
	if _, err := report.Read(strings.NewReader(`{"cases": [{}]}`), func(*outcome.Case) error { return oops }); !errors.Is(err, oops) {
		t.Errorf("each: %v", err)
	}
}

// TestComplete: the totals of several documents are those of the runs together, and how they
// ended is the worst of it.
func TestComplete(t *testing.T) {
	tools, cases := twoCases(t)
	first := report.NewSummary(tools)
	first.Counts.Status = 1
	text, ends := document(t, first, cases...)
	// A run of another translator, which was skipped, and has no case.
	second := report.NewSummary(tools[:1])
	second.Translators[0].Name, second.Counts.Status = "other", 3
	rest, _ := document(t, second)
	for _, c := range []struct {
		documents [][]byte
		status    outcome.ExitStatus
		formulas  int
	}{
		{[][]byte{text}, 1, 2}, {[][]byte{rest}, 3, 0}, {[][]byte{text, rest}, 1, 2}, {[][]byte{rest, text}, 1, 2},
		{[][]byte{text[:ends[0]+5], rest, text}, 130, 3},
	} {
		summary := report.NewSummary(nil)
		for _, text := range c.documents {
			rest, err := report.Read(bytes.NewReader(text), func(c *outcome.Case) error {
				summary.Add(c)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			summary.Complete(rest)
		}
		if s := summary.Counts; s.Status != c.status || s.Formulas != c.formulas || s.Interrupted != (c.status == 130) {
			t.Errorf("got %+v, want status %d and %d formulas", s, c.status, c.formulas)
		}
		if c.formulas > 0 {
			if x := summary.Translators[len(summary.Translators)-1]; x.Command == "" {
				t.Errorf("nothing is known of %+v", x)
			}
		}
	}
}

// FuzzRead: no text makes Read panic, nor what is done with its cases.
func FuzzRead(f *testing.F) {
	f.Add(`{"cases": [{"results":[{"status":"exit"}],"findings":[{}],"disagreements":[{"blamed":[{}]}]}]}`)
	f.Add(`{"cases": [null, {"results":[{"strength":"weak"}]}], "summary": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		summary := report.NewSummary(nil)
		show := &report.Text{W: io.Discard, Verbose: true}
		csv := report.NewCSV(io.Discard, report.Columns{Strength: true, Products: 1, More: true}, false)
		report.Read(strings.NewReader(text), func(c *outcome.Case) error {
			return errors.Join(show.Case(c, summary.Add(c)), csv.Case(c, report.News{}))
		})
		show.End(summary)
	})
}

// TestReadLong: cases may be long, but not without a limit.
func TestReadLong(t *testing.T) {
	million := strings.Repeat("x", 1<<20)
	document := func(size, cases int) io.Reader { // a size in MiB
		parts := []io.Reader{strings.NewReader("{\"cases\":[\n")}
		for i := range cases {
			parts = append(parts, strings.NewReader(`,{"formula":"`[1-min(1, i):]))
			for range size {
				parts = append(parts, strings.NewReader(million))
			}
			parts = append(parts, strings.NewReader(`"}`))
		}
		return io.MultiReader(append(parts, strings.NewReader("]}"))...)
	}
	cases := 0
	count := func(*outcome.Case) error { cases++; return nil }
	if _, err := report.Read(document(3, 11), count); err != nil || cases != 11 {
		t.Errorf("%d cases, %v", cases, err)
	}
	if _, err := report.Read(document(33, 1), count); err == nil || err.Error() != "2:1: expected the end of a value within 33554432 bytes" {
		t.Errorf("got %v", err)
	}
}
