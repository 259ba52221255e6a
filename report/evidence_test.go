package report

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
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
		if _, err := failures.Add(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	causes, err := failures.Causes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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
