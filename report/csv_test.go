package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// recordedColumns are those of ltlcross 2.12, as the corpus has recorded them: those in
// brackets depend on options.
const recordedColumns = `formula, tool, exit_status, exit_code, time, states, edges, transitions, acc, scc, [nonacc_scc, terminal_scc, weak_scc, strong_scc], nondet_states, nondet_aut,
[terminal_aut, weak_aut, strong_aut], [ambiguous_aut], complete_aut, product_states, product_transitions, product_scc, [automaton]`

// TestRecordedColumns: the copy in this file is that of the corpus.
func TestRecordedColumns(t *testing.T) {
	if !strings.Contains(corpus.Text(t, "README.md"), recordedColumns) {
		t.Errorf("the corpus does not have\n%s", recordedColumns)
	}
}

// wantColumns are the columns that ltlcross writes with these options.
func wantColumns(c report.Columns) (list []string) {
	for _, part := range regexp.MustCompile(`\[[^]]*\]|[^[]+`).FindAllString(recordedColumns, -1) {
		optional := part[0] == '['
		names := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(", []\n", r) })
		if optional {
			wanted := map[string]bool{"nonacc_scc": c.Strength, "terminal_aut": c.Strength, "ambiguous_aut": c.Ambiguous, "automaton": c.Automata}
			if yes, ok := wanted[names[0]]; !ok {
				panic(names[0])
			} else if !yes {
				continue
			}
		}
		for _, name := range names {
			switch {
			case strings.HasPrefix(name, "product_"):
				continue // below, all at once
			case c.OmitMissing && strings.HasPrefix(name, "exit_"):
				continue
			case name == "automaton":
				list = append(list, wantProducts(c)...)
			}
			list = append(list, name)
		}
	}
	if !c.Automata {
		list = append(list, wantProducts(c)...)
	}
	return list
}

func wantProducts(c report.Columns) []string {
	times := min(c.Products, 1)
	if c.Each {
		times = c.Products
	}
	return slices.Repeat([]string{"product_states", "product_transitions", "product_scc"}, times)
}

// TestColumns: the header is ltlcross's, whatever the options, quoted as it does; and so
// are the fields of the JSON document. Our own columns come behind.
func TestColumns(t *testing.T) {
	seen := map[string]bool{}
	for i := range 1 << 5 {
		for _, products := range []int{0, 1, 3} {
			c := report.Columns{Strength: i&1 != 0, Ambiguous: i&2 != 0, Automata: i&4 != 0, OmitMissing: i&8 != 0, Products: products, Each: i&16 != 0}
			want := wantColumns(c)
			seen[strings.Join(want, ",")] = true
			var b bytes.Buffer
			if err := report.NewCSV(&b, c, false).End(nil); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != `"`+strings.Join(want, `","`)+"\"\n" {
				t.Errorf("%+v:\ngot  %s\nwant %s", c, got, want)
			}
			b.Reset()
			if err := report.NewLTLCross(&b, c).End(nil); err != nil {
				t.Fatal(err)
			}
			var document struct{ Fields []string }
			if err := json.Unmarshal(b.Bytes(), &document); err != nil || !slices.Equal(document.Fields, want) {
				t.Errorf("%+v: %v\ngot  %q\nwant %q", c, err, document.Fields, want)
			}
			c.More = true
			b.Reset()
			if err := report.NewCSV(&b, c, false).End(nil); err != nil {
				t.Fatal(err)
			}
			if more, err := csv.NewReader(&b).Read(); err != nil || len(more) <= len(want) || !slices.Equal(more[:len(want)], want) {
				t.Errorf("%+v: %v\ngot  %q\nwant %q and more", c, err, more, want)
			}
		}
	}
	if len(seen) != 48 { // four options, and the columns of products never, once or three times
		t.Errorf("%d different headers", len(seen))
	}
}

// measured is a case with what statistics are about: an automaton of everything, one of
// which nothing but the sizes is known, and failed calls.
func measured() *outcome.Case {
	p := func(name string) outcome.Subject { return outcome.Subject{Translator: name} }
	n := func(name string) outcome.Subject {
		return outcome.Subject{Translator: name, Polarity: outcome.Negation}
	}
	yes := true
	return &outcome.Case{Index: 7, Formula: `G"a b"`, Results: []outcome.Result{
		{Subject: p(`all "of" it`), Status: "ok", Seconds: 0.01252945, States: 3, Edges: 5, Transitions: 1 << 40, Sets: 1, Components: 3, Nondet: 1, NondetEdges: 2,
			Complete: true, Strength: &outcome.Strength{Class: "weak", Nonaccepting: 1, Weak: 2}, Ambiguous: &yes, Automaton: `HOA: v1 AP: 1 "a b"`, Props: 1,
			ProductStates: []int{400, 200, 201}, ProductTransitions: []float64{6276, 2073, 2081}, ProductSCC: []int{2, 1, 2}, Acceptance: "Buchi"},
		{Subject: n(`all "of" it`), Status: "timeout", ExitCode: -1, Seconds: 2},
		{Subject: p("some"), Status: "skipped"},
		{Subject: n("some"), Status: "ok", Seconds: 1e-05, States: 1, Edges: 1, Transitions: 1e30, Deterministic: true},
		{Subject: p("none"), Status: "exit", ExitCode: 3},
		{Subject: n("none"), Status: "crash", ExitCode: 11},
	}, Disagreements: []outcome.Disagreement{{Blamed: []outcome.Subject{n("some")}}}}
}

// TestCSV: lines in ltlcross's order and form. What is not known is missing.
func TestCSV(t *testing.T) {
	for _, c := range []struct {
		columns report.Columns
		want    string
	}{
		{report.Columns{}, `
"G(""a b"")","all ""of"" it","ok",0,0.0125294,3,5,1099511627776,1,3,1,1,1
"G(""a b"")","none","exit code",3,0,,,,,,,,
"!(G(""a b""))","all ""of"" it","timeout",-1,2,,,,,,,,
"!(G(""a b""))","some","ok",0,1e-05,1,1,1e+30,0,0,0,0,0
"!(G(""a b""))","none","signal",11,0,,,,,,,,
`},
		{report.Columns{OmitMissing: true, Strength: true, Ambiguous: true, Automata: true, Products: 3}, `
"G(""a b"")","all ""of"" it",0.0125294,3,5,1099511627776,1,3,1,0,2,0,1,1,0,1,0,1,1,267,3476.6666666666665,1.6666666666666667,"HOA: v1 AP: 1 ""a b"""
"!(G(""a b""))","some",1e-05,1,1,1e+30,0,0,,,,,0,0,,,,,0,,,,""
`},
		{report.Columns{OmitMissing: true, Products: 2, Each: true, More: true}, `
"G(""a b"")","all ""of"" it",0.0125294,3,5,1099511627776,1,3,1,1,1,400,6276,2,200,2073,1,7,0,0,"ok",0,0,1,0,0,2,0,0,0,0,0,"Buchi"
"!(G(""a b""))","some",1e-05,1,1,1e+30,0,0,0,0,0,,,,,,,7,1,1,"ok",0,0,0,0,0,0,0,1,0,0,0,""
`},
	} {
		var b bytes.Buffer
		if err := report.NewCSV(&b, c.columns, true).Case(measured(), report.News{}); err != nil {
			t.Fatal(err)
		}
		if got := "\n" + b.String(); got != c.want {
			t.Errorf("%+v: got%swant%s", c.columns, got, c.want)
		}
	}
	if got, want := (report.Columns{More: true}).Have(measured()), (report.Columns{Strength: true, Ambiguous: true, Automata: true, Products: 3, More: true}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// TestLTLCross: the document has the lines of the CSV.
func TestLTLCross(t *testing.T) {
	var b bytes.Buffer
	l := report.NewLTLCross(&b, report.Columns{Ambiguous: true})
	for range 2 {
		if err := l.Case(measured(), report.News{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.End(nil); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tool, Formula []string
		Inputs        []int
		Results       [][]any
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	if want := []string{`all "of" it`, "none", "some"}; !slices.Equal(got.Tool, want) || !slices.Equal(got.Inputs, []int{0, 1}) {
		t.Errorf("got %q, %d", got.Tool, got.Inputs)
	}
	if want := slices.Repeat([]string{`G("a b")`, `!(G("a b"))`}, 2); !slices.Equal(got.Formula, want) {
		t.Errorf("got %q", got.Formula)
	}
	var lines []string
	for _, r := range got.Results[5:] {
		lines = append(lines, fmt.Sprint(r))
	}
	if want := []string{"[2 0 ok 0 0.0125294 3 5 1.099511627776e+12 1 3 1 1 1 1]", "[2 1 exit code 3 0 <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil>]",
		"[3 0 timeout -1 2 <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil>]", "[3 2 ok 0 1e-05 1 1 1e+30 0 0 0 0 <nil> 0]",
		"[3 1 signal 11 0 <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil>]"}; !slices.Equal(lines, want) {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}
