package cross

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// recorded returns cases with the outputs of some real translators, each of which declares
// properties, a formula each.
func recorded(t testing.TB, o Options) (list []*caseRun) {
	names := []string{"ltl2tgba", "ltl2tgba-B", "ltl2tgba-DG"}
	type key struct {
		formula, tool string
		negated       bool
	}
	texts := make(map[key]string)
	var formulas []string
	for c := range corpus.Records[map[string]any](t, "recorded.jsonl.gz") {
		k := key{c["formula"].(string), c["tool"].(string), c["negated"].(bool)}
		if texts[k] = c["output"].(string); k.tool == names[0] && !k.negated {
			formulas = append(formulas, k.formula)
		}
	}
	o.Tools = tools(names...)
	r := fake(&o, nil, nil)
	for i, f := range formulas {
		x := &caseRun{run: r, index: i, store: ltl.NewStore()}
		x.formula = x.store.Import(parse(t, f))
		var err error
		if x.calls, err = x.newCalls(); err != nil {
			t.Fatal(err)
		}
		for k := range x.calls {
			c := &x.calls[k]
			a, _, err := hoa.ReadOne(context.Background(), []byte(texts[key{f, c.Translator, bool(c.Polarity)}]))
			if err != nil {
				t.Fatal(err)
			}
			c.out = &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
		}
		list = append(list, x)
	}
	return list
}

// TestRecordedProperties: what real translators declare is found true in a run, and what is made
// false is found, of that output only.
func TestRecordedProperties(t *testing.T) {
	lies := 0
	for i, x := range recorded(t, Options{Properties: true, Reference: translate.Of}) {
		if i%12 > 5 && !campaign.Whole() {
			continue
		}
		lie := ""
		if i%3 == 0 {
			out := x.calls[i%6].out
			name := []string{"stutter-invariant", "unambiguous", "terminal", "complete", "!very-weak"}[i%5]
			liar := *out.Automaton
			liar.Declared = omega.Declared{Properties: []string{name}}
			lie = name
			out.Automaton = &liar
		}
		c, err := x.check(t.Context())
		if err != nil || len(c.Disagreements)+len(c.Undecided)+len(c.Errors) > 0 {
			t.Fatalf("%s: %+v, %v", x.formula, c, err)
		}
		for _, f := range c.Findings {
			if f.Class != "property" || f.Property != outcome.Property(lie) || f.Subject != x.calls[i%6].Subject {
				t.Errorf("%s: %+v", x.formula, f)
			}
			lies++
		}
	}
	if lies < 10 {
		t.Errorf("%d lies", lies)
	}
}
