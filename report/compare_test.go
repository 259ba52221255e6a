package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// campaigns returns random cases of some tools that fail now and then.
func campaigns(r *rand.Rand, n int, tools ...string) (list []*outcome.Case) {
	for i := range n {
		c := &outcome.Case{Index: i, Formula: fmt.Sprintf("a%d U \"b\"", i)}
		for _, tool := range tools {
			for _, negated := range []bool{false, true} {
				x := outcome.Result{Subject: outcome.Subject{Translator: tool, Polarity: outcome.Polarity(negated)}, Status: outcome.Status([]string{"ok", "ok", "ok", "timeout", "skipped"}[r.IntN(5)])}
				if x.Status == "ok" {
					x.States, x.Edges, x.Transitions = 1+r.IntN(5), r.IntN(9), float64(r.IntN(9))
					x.Sets, x.Seconds = r.IntN(3), math.Round(1e4*r.ExpFloat64())/1e4
					if r.IntN(4) > 0 {
						x.ProductStates = []int{r.IntN(9), 1 + r.IntN(9)}
						x.ProductTransitions, x.ProductSCC = []float64{1, 2}, []int{1, 1}
					}
				}
				c.Results = append(c.Results, x)
			}
		}
		list = append(list, c)
	}
	return list
}

// recount is a Pair, counted over from a table of all results.
func recount(cases []*outcome.Case, measure, row, column string) *report.Pair {
	p := &report.Pair{Measure: measure, Row: row, Column: column}
	value := func(r outcome.Result) (float64, bool) {
		switch measure {
		case "states":
			return float64(r.States), true
		case "acc":
			return float64(r.Sets), true
		case "time":
			return r.Seconds, true
		case "product_states":
			if len(r.ProductStates) == 0 {
				return 0, false
			}
			return float64(r.ProductStates[0]+r.ProductStates[1]) / 2, true
		}
		panic(measure)
	}
	product := 1.0
	for _, c := range cases {
		for _, x := range c.Results {
			for _, y := range c.Results {
				if x.Translator != row || y.Translator != column || x.Polarity != y.Polarity {
					continue
				}
				if x.Status != y.Status && x.Status == "ok" {
					p.OnlyRow++
				}
				if x.Status != y.Status && y.Status == "ok" {
					p.OnlyColumn++
				}
				v, okX := value(x)
				w, okY := value(y)
				if x.Status != "ok" || y.Status != "ok" || !okX || !okY {
					continue
				}
				p.Inputs++
				p.SumRow += v
				p.SumColumn += w
				switch {
				case v < w:
					p.Smaller++
				case v == w:
					p.Equal++
				default:
					p.Larger++
				}
				if v*w > 0 {
					p.RatioInputs++
					product *= v / w
				}
			}
		}
	}
	if p.RatioInputs > 0 {
		p.Ratio = math.Pow(product, 1/float64(p.RatioInputs))
	}
	return p
}

// same reports whether two pairs are the same up to rounding.
func same(p, q *report.Pair) bool {
	close := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*(math.Abs(x)+math.Abs(y)) }
	return p.Measure == q.Measure && p.Row == q.Row && p.Column == q.Column && p.Inputs == q.Inputs && p.OnlyRow == q.OnlyRow && p.OnlyColumn == q.OnlyColumn &&
		p.Smaller == q.Smaller && p.Equal == q.Equal && p.Larger == q.Larger && p.RatioInputs == q.RatioInputs &&
		close(p.SumRow, q.SumRow) && close(p.SumColumn, q.SumColumn) && close(p.Ratio, q.Ratio)
}

// TestComparison: the counts equal a recount, whether they come from cases or from the CSV
// of these cases, and from one document or from two joined ones.
func TestComparison(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	measures := []string{"states", "acc", "time", "product_states"}
	for range 20 {
		cases := campaigns(r, 60, "x", "y", "z")
		fromCases, fromCSV := report.NewComparison(measures...), report.NewComparison(measures...)
		var b bytes.Buffer
		w := report.NewCSV(&b, report.Columns{Products: 2, Each: r.IntN(2) == 0}, false)
		for _, c := range cases {
			must.Do(errors.Join(fromCases.Case(c), w.Case(c, report.News{})))
		}
		if cut, err := fromCSV.CSV(iotest.OneByteReader(&b)); err != nil || cut {
			t.Fatal(cut, err)
		}
		for k, c := range []*report.Comparison{fromCases, fromCSV} {
			pairs := c.Pairs()
			if len(pairs) != 3*len(measures) {
				t.Fatalf("%d pairs", len(pairs))
			}
			met := map[string]bool{}
			for i, p := range pairs {
				want := recount(cases, measures[i/3], p.Row, p.Column)
				if k == 0 && p.Row+p.Column != []string{"xy", "xz", "yz"}[i%3] {
					t.Errorf("pair %d is of %s and %s", i, p.Row, p.Column)
				}
				if k == 1 { // the CSV has no lines of skipped calls, so it does not say who alone was ok
					want.OnlyRow, want.OnlyColumn = p.OnlyRow, p.OnlyColumn
				}
				if !same(p, want) {
					t.Errorf("seed %d:\ngot  %+v\nwant %+v", seed, p, want)
				}
				met[p.Measure+min(p.Row, p.Column)+max(p.Row, p.Column)] = true
			}
			if len(met) != len(pairs) {
				t.Errorf("seed %d: %d different pairs", seed, len(met))
			}
		}
	}
}

// TestJoined: tools of several documents are compared on the inputs that both have.
func TestJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	older, newer := campaigns(r, 50, "x", "y"), campaigns(r, 80, "x")
	c := report.NewComparison("states")
	c.Joined = true
	for _, document := range []struct {
		name  string
		cases []*outcome.Case
	}{{"old", older}, {"new", append(newer, newer...)}} {
		c.From(document.name)
		for _, x := range document.cases {
			must.Do(c.Case(x))
		}
	}
	var both []*outcome.Case
	for i, x := range older {
		y := *x
		for k, z := range slices.Concat(x.Results, newer[i].Results) {
			z.Translator = []string{"old: x", "old: x", "old: y", "old: y", "new: x", "new: x"}[k]
			if k == 0 {
				y.Results = nil
			}
			y.Results = append(y.Results, z)
		}
		both = append(both, &y)
	}
	pairs := c.Pairs()
	for i, tools := range [][2]string{{"old: x", "old: y"}, {"old: x", "new: x"}, {"old: y", "new: x"}} {
		if want := recount(both, "states", tools[0], tools[1]); len(pairs) != 3 || !same(pairs[i], want) {
			t.Errorf("got  %+v\nwant %+v", pairs[i], want)
		}
	}
}

// TestReadCSV: what ltlcross writes, what ends in the midst, and what is wrong.
func TestReadCSV(t *testing.T) {
	const header = `"formula","tool","exit_status","exit_code","time","states","edges"` + "\n"
	for _, c := range []struct {
		text, want string // smaller, equal, larger of states; or the error
	}{
		{header + "\"Ga\",\"x\",\"ok\",0,0.1,3,4\n\"Ga\",\"y\",\"ok\",0,0.1,2,4\n", "0 0 1 false"},
		// The same formula twice, and one that only the first could translate.
		{header + "\"Ga\",\"x\",\"ok\",0,0.1,3,4\n\"Ga\",\"y\",\"ok\",0,0.1,3,4\n\"Ga\",\"x\",\"ok\",0,0.1,1,4\n\"Ga\",\"y\",\"ok\",0,0.1,3,4\n" +
			"Fa,x,ok,0,0.1,3,4\nFa,y,timeout,-1,0.1,,\n", "1 1 0 false"},
		// --omit-missing
		{"formula,tool,time,states\nGa,x,1,3\nGa,y,2,3\nFa,y,1,3\n", "0 1 0 false"},
		// Cut off within a number, a text, and a field too early.
		{header + "Ga,x,ok,0,0.1,3,4\nGa,y,ok,0,0.1,2,4\nFa,x,ok,0,0.1,3,4\nFa,y,ok,0,0.1", "0 0 1 true"},
		{header + "Ga,x,ok,0,0.1,3,4\nGa,y,ok,0,0.1,2,4\n\"F", "0 0 1 true"},
		{"", "1:1: expected the names of ltlcross's columns, found nothing"},
		{"a,b\n", "1:1: expected the names of ltlcross's columns, found neither formula nor tool"},
		{header + "Ga,x,ok,0,0.1,3,4\nGa,x,ok,0,0.1\nGa,x,ok,0,0.1,3,4\n", "3:1: wrong number of fields"},
		{header + "Ga,x,ok,0,0.1,3,4\nGa,x,ok,0,0.1,many,4\n", `3:15: expected a number, found "many"`},
		{header + "Ga,x\"y,ok,0,0.1,3,4\nGa,x,ok,0,0.1,3,4\n", `2:5: bare " in non-quoted-field`},
	} {
		x := report.NewComparison("states")
		cut, err := x.CSV(strings.NewReader(c.text))
		got := ""
		if err != nil {
			got = err.Error()
		} else if pairs := x.Pairs(); len(pairs) == 1 {
			got = fmt.Sprint(pairs[0].Smaller, pairs[0].Equal, pairs[0].Larger, cut)
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// FuzzReadCSV: no text makes a comparison panic, nor its picture.
func FuzzReadCSV(f *testing.F) {
	f.Add("\"formula\",\"tool\",\"states\"\n\"a\",x,1\na,y,2\na,x,-1e300\na,y,1e-300")
	f.Fuzz(func(t *testing.T, text string) {
		c := report.NewComparison(report.MeasureNames()...)
		c.Plot = true
		c.CSV(strings.NewReader(text))
		for _, p := range c.Pairs() {
			var b bytes.Buffer
			must.Do(p.WriteScatter(&b))
			if err := xml.Unmarshal(b.Bytes(), new(picture)); err != nil || strings.Contains(b.String(), "NaN") {
				t.Fatalf("%v\n%s", err, &b)
			}
		}
		c.Write(io.Discard, c.Pairs(), 80)
	})
}

// TestJoinedTexts: formulas of different documents are the same as formulas, not as texts:
// ltlcross writes all parentheses, and no double negation.
func TestJoinedTexts(t *testing.T) {
	const header = "formula,tool,states\n"
	c := report.NewComparison("states")
	c.Joined = true
	for _, document := range []struct{ name, text string }{
		{"ours", header + "a U b,x,1\n!(a U b),x,2\n!c,x,3\n!(!c),x,4\n[],x,5\nGd,x,6\n"},
		{"theirs", header + "(a) U (b),y,1\n!((a) U (b)),y,2\n!(c),y,3\nc,y,4\n[],y,6\nFd,y,7\n"},
	} {
		c.From(document.name)
		if _, err := c.CSV(strings.NewReader(document.text)); err != nil {
			t.Fatal(err)
		}
	}
	if p := c.Pairs(); len(p) != 1 || p[0].Inputs != 5 || p[0].Equal != 4 || p[0].Smaller != 1 {
		t.Errorf("got %+v, want 5 inputs, 4 of them equal and one smaller", *p[0])
	}
}

// TestComparisonOpens: a comparison opens on the translators that are not built in, unless one is
// chosen as a row.
func TestComparisonOpens(t *testing.T) {
	x := &outcome.Case{Formula: "a"}
	for i, name := range []string{"gpvw", "mine", "couvreur", "yours"} {
		x.Results = append(x.Results, outcome.Result{Subject: outcome.Subject{Translator: name}, Status: outcome.OK, Sizes: omega.Sizes{States: i + 1}})
	}
	for _, test := range []struct {
		joined bool
		rows   []string
		want   string
	}{
		{false, nil, "mine/yours mine/gpvw mine/couvreur yours/gpvw yours/couvreur gpvw/couvreur"},
		{true, nil, "r.json: mine/r.json: yours r.json: mine/r.json: gpvw r.json: mine/r.json: couvreur " +
			"r.json: yours/r.json: gpvw r.json: yours/r.json: couvreur r.json: gpvw/r.json: couvreur"},
		{false, []string{"couvreur"}, "couvreur/mine couvreur/yours couvreur/gpvw mine/yours mine/gpvw yours/gpvw"},
	} {
		c := report.NewComparison("states")
		c.Joined = test.joined
		c.From("r.json")
		c.Rows(test.rows...)
		must.Do(c.Case(x))
		var got []string
		for _, p := range c.Pairs() {
			got = append(got, p.Row+"/"+p.Column)
			if less := p.SumRow < p.SumColumn; less != (p.Smaller == 1) || p.Inputs != 1 {
				t.Errorf("%s and %s: %+v", p.Row, p.Column, p)
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("got %s\nwant %s", text, test.want)
		}
	}
}

// TestComparisonCSV: a line for each pair. A ratio that is not known is an empty cell.
func TestComparisonCSV(t *testing.T) {
	c := report.NewComparison("states", "acc")
	for _, x := range []*outcome.Case{sized("a", 2, 4), sized("b", 3, 3), {Formula: "c", Results: []outcome.Result{
		{Subject: outcome.Subject{Translator: "a<b>"}, Status: "ok", Sizes: omega.Sizes{States: 1}}, {Subject: outcome.Subject{Translator: "c\x00&d"}, Status: "exit"}}}} {
		must.Do(c.Case(x))
	}
	want := `"measure","row","column","inputs","only_row","only_column","smaller","equal","larger","sum_row","sum_column","ratio","ratio_inputs"
"states","a<b>","c` + "\x00" + `&d",2,1,0,1,1,0,5,7,0.7071067811865476,2
"acc","a<b>","c` + "\x00" + `&d",2,1,0,0,2,0,0,0,,0
`
	var b bytes.Buffer
	if err := c.WriteCSV(&b, c.Pairs()); err != nil || b.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &b, want)
	}
}

// recordedColumns are the columns of ltlcross 2.12, as recorded in the corpus. The columns
// in brackets depend on options.
const recordedColumns = `formula, tool, exit_status, exit_code, time, states, edges, transitions, acc, scc, [nonacc_scc, terminal_scc, weak_scc, strong_scc], nondet_states, nondet_aut,
[terminal_aut, weak_aut, strong_aut], [ambiguous_aut], complete_aut, product_states, product_transitions, product_scc, [automaton]`

// TestRecordedColumns: the columns in this file equal the columns recorded in the corpus.
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
			must.Do(report.NewCSV(&b, c, false).End(nil))
			if got := b.String(); got != `"`+strings.Join(want, `","`)+"\"\n" {
				t.Errorf("%+v:\ngot  %s\nwant %s", c, got, want)
			}
			b.Reset()
			must.Do(report.NewLTLCross(&b, c).End(nil))
			var document struct{ Fields []string }
			if err := json.Unmarshal(b.Bytes(), &document); err != nil || !slices.Equal(document.Fields, want) {
				t.Errorf("%+v: %v\ngot  %q\nwant %q", c, err, document.Fields, want)
			}
			c.More = true
			b.Reset()
			must.Do(report.NewCSV(&b, c, false).End(nil))
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
		{Subject: p(`all "of" it`), Status: "ok", Seconds: 0.01252945,
			Sizes: omega.Sizes{Props: 1, States: 3, Edges: 5, Components: 3, NondetStates: 1, NondetEdges: 2, Totals: omega.Totals{Transitions: 1 << 40, Sets: 1}},
			Shape: omega.Shape{Complete: true, Acceptance: "Buchi"}, Strength: &omega.Strength{Class: "weak", Nonaccepting: 1, Weak: 2}, Ambiguous: &yes, Automaton: `HOA: v1 AP: 1 "a b"`,
			ProductStates: []int{400, 200, 201}, ProductTransitions: []float64{6276, 2073, 2081}, ProductSCC: []int{2, 1, 2}},
		{Subject: n(`all "of" it`), Status: "timeout", ExitCode: -1, Seconds: 2},
		{Subject: p("some"), Status: "skipped"},
		{Subject: n("some"), Status: "ok", Seconds: 1e-05, Sizes: omega.Sizes{States: 1, Edges: 1, Totals: omega.Totals{Transitions: 1e30}}, Shape: omega.Shape{Deterministic: true}},
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
		must.Do(report.NewCSV(&b, c.columns, true).Case(measured(), report.News{}))
		if got := "\n" + b.String(); got != c.want {
			t.Errorf("%+v: got%swant%s", c.columns, got, c.want)
		}
	}
	listed := &outcome.Case{CSV: &outcome.Listing{Strength: true, Automata: true, Products: 3, Each: true}}
	if got, want := (report.Columns{More: true}).Have(listed), (report.Columns{Strength: true, Automata: true, Products: 3, Each: true, More: true}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// TestLTLCross: the document has the lines of the CSV.
func TestLTLCross(t *testing.T) {
	var b bytes.Buffer
	l := report.NewLTLCross(&b, report.Columns{Ambiguous: true})
	for range 2 {
		must.Do(l.Case(measured(), report.News{}))
	}
	must.Do(l.End(nil))
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
