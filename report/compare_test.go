package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// byName returns these measures.
func byName(t *testing.T, names ...string) (list []report.Measure) {
	t.Helper()
	for _, name := range names {
		i := slices.IndexFunc(report.Measures, func(m report.Measure) bool { return m.Name == name })
		if i < 0 {
			t.Fatalf("no measure %s", name)
		}
		list = append(list, report.Measures[i])
	}
	return list
}

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

// TestComparison: the counts are those of a recount, be they made from cases or from a
// CSV that was written of them; of one document, or of two that are joined.
func TestComparison(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	measures := []string{"states", "acc", "time", "product_states"}
	for range 20 {
		cases := campaigns(r, 60, "x", "y", "z")
		fromCases, fromCSV := report.NewComparison(byName(t, measures...)), report.NewComparison(byName(t, measures...))
		var b bytes.Buffer
		w := report.NewCSV(&b, report.Columns{Products: 2, Each: r.IntN(2) == 0}, false)
		for _, c := range cases {
			if err := errors.Join(fromCases.Case(c), w.Case(c, report.News{})); err != nil {
				t.Fatal(err)
			}
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
	c := report.NewComparison(byName(t, "states"))
	c.Joined = true
	for _, document := range []struct {
		name  string
		cases []*outcome.Case
	}{{"old", older}, {"new", append(newer, newer...)}} {
		c.From(document.name)
		for _, x := range document.cases {
			if err := c.Case(x); err != nil {
				t.Fatal(err)
			}
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
		x := report.NewComparison(byName(t, "states"))
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
		c := report.NewComparison(report.Measures)
		c.Plot = true
		c.CSV(strings.NewReader(text))
		for _, p := range c.Pairs() {
			var b bytes.Buffer
			if err := p.Scatter().Write(&b); err != nil {
				t.Fatal(err)
			}
			if err := xml.Unmarshal(b.Bytes(), new(picture)); err != nil || strings.Contains(b.String(), "NaN") {
				t.Fatalf("%v\n%s", err, &b)
			}
		}
		report.WriteComparison(io.Discard, c.Pairs())
	})
}

// TestJoinedTexts: formulas of different documents are the same as formulas, not as texts:
// ltlcross writes all parentheses, and no double negation.
func TestJoinedTexts(t *testing.T) {
	const header = "formula,tool,states\n"
	c := report.NewComparison(byName(t, "states"))
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
		x.Results = append(x.Results, outcome.Result{Subject: outcome.Subject{Translator: name}, Status: outcome.OK, States: i + 1})
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
		c := report.NewComparison(report.Measures[:1])
		c.Joined = test.joined
		c.From("r.json")
		c.Rows(test.rows...)
		if err := c.Case(x); err != nil {
			t.Fatal(err)
		}
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
	c := report.NewComparison(byName(t, "states", "acc"))
	for _, x := range []*outcome.Case{sized("a", 2, 4), sized("b", 3, 3), {Formula: "c", Results: []outcome.Result{
		{Subject: outcome.Subject{Translator: "a<b>"}, Status: "ok", States: 1}, {Subject: outcome.Subject{Translator: "c\x00&d"}, Status: "exit"}}}} {
		if err := c.Case(x); err != nil {
			t.Fatal(err)
		}
	}
	want := `"measure","row","column","inputs","only_row","only_column","smaller","equal","larger","sum_row","sum_column","ratio","ratio_inputs"
"states","a<b>","c` + "\x00" + `&d",2,1,0,1,1,0,5,7,0.7071067811865476,2
"acc","a<b>","c` + "\x00" + `&d",2,1,0,0,2,0,0,0,,0
`
	var b bytes.Buffer
	if err := report.WriteComparisonCSV(&b, c.Pairs()); err != nil || b.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &b, want)
	}
}
