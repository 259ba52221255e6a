package translate_test

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/imports"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translate"
)

// TestFormSizes compares the states of our automata in some forms with other tools'
// automata, for the formulas of the published pattern sets. Together they must not
// be more than one and a half times as many.
func TestFormSizes(t *testing.T) {
	type record struct {
		Formula, Tool, Output, Status string
		Negated                       bool
	}
	buchi := complement.Form{Buchi: true, StateBased: true}
	forms := map[string]complement.Form{
		"ltl2tgba-B": buchi, "ltl2ba": buchi, "ltl3ba-H3": buchi, "ltl2tgba-DP": {Deterministic: true},
	}
	type question struct {
		formula string
		complement.Form
	}
	known := make(map[question]int)
	states := func(rec record) int {
		s := ltl.NewStore()
		f := must.Get(s.Parse(rec.Formula, ltl.Spot))
		if rec.Negated {
			f = s.Not(f)
		}
		q := question{f.String(), forms[rec.Tool]}
		if n, ok := known[q]; ok {
			return n
		}
		a, err := translate.Of(t.Context(), s, f)
		if err != nil {
			t.Fatal(err)
		}
		if a, err = q.Apply(t.Context(), a, omega.Limits{}); err != nil {
			t.Fatal(err)
		}
		known[q] = max(1, a.NumStates()) // others print a state where none is needed
		return known[q]
	}
	theirs, ours := make(map[string]int), make(map[string]int)
	for rec := range campaign.Sample(corpus.Records[record](t, "recorded.jsonl.gz"), 8) {
		if _, ok := forms[rec.Tool]; !ok || rec.Status != "ok" {
			continue
		}
		a := must.Get(hoa.NewReader(strings.NewReader(rec.Output)).Next(t.Context()))
		theirs[rec.Tool] += a.NumStates()
		ours[rec.Tool] += states(rec)
	}
	for tool := range forms {
		t.Logf("%-12s %5d states, here %5d (%.2f times)", tool, theirs[tool], ours[tool], float64(ours[tool])/float64(theirs[tool]))
		if theirs[tool] == 0 || 2*ours[tool] > 3*theirs[tool] {
			t.Errorf("%s: %d states, here %d", tool, theirs[tool], ours[tool])
		}
	}
}

// TestIndependence fails if the package needs one that checks automata: see the package comment.
func TestIndependence(t *testing.T) {
	own := imports.Own(t)
	for name := range strings.FieldsSeq(own) {
		switch top, _, _ := strings.Cut(name, "/"); top {
		case "complement", "cross", "emptiness", "productcheck", "properties", "witness":
			t.Errorf("translate needs %s", name)
		}
	}
	if !strings.Contains(own, "omega") || !strings.Contains(own, "ltl") {
		t.Errorf("only %s", own)
	}
}
