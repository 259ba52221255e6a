package emptiness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
)

// path writes a run as its states, with the cycle in brackets.
func path(r *Run) string {
	var b strings.Builder
	for _, s := range r.Prefix {
		fmt.Fprintf(&b, "%d ", s.From)
	}
	b.WriteString("(")
	for i, s := range r.Cycle {
		if i > 0 {
			b.WriteString(" ")
		}
		fmt.Fprint(&b, s.From)
	}
	return b.String() + ")"
}

// TestCommentChecks: the examples in comments on Check. They tell which edges are asked for, and
// which run is found.
func TestCommentChecks(t *testing.T) {
	for _, test := range []struct {
		condition, edges string
		asked            int
		run              string // "" for an empty language
	}{
		{"Inf(0)", "0→1; 1→2 {0}; 2→0", 3, "(0 1 2)"},
		{"Fin(0) & Inf(1)", "0→1 {0}; 1→0 {1}; 1→1 {1}", 3, "0 (1)"},
		{"Inf(0) & Inf(1)", "0→0; 0→1 {0}; 1→0; 1→1 {1}", 4, "(0 1 1)"},
	} {
		r, err := Check(t.Context(), sample.Drawn(t, test.condition, test.edges), omega.Limits{})
		if err != nil || r.Edges != test.asked || path(r.Run) != test.run {
			t.Errorf("%s: %v: %d edges, run %s; want %d, %s", test.edges, err, r.Edges, path(r.Run), test.asked, test.run)
		}
	}
}

// TestCommentTables: the examples that tell what a search knows of the states.
func TestCommentTables(t *testing.T) {
	ctx := context.Background()
	s := &search{Explorer: NewExplorer(ctx, sample.Drawn(t, "Inf(0)", "0→1; 1→2 {0}; 2→0"), omega.Limits{})}
	if _, err := s.any(); err != nil || s.Result.Roots != 3 {
		t.Errorf("%d components on the path, %v", s.Result.Roots, err)
	}
	survey, err := TakeSurvey(ctx, sample.Drawn(t, "Inf(0)", "0→1; 0→2; 1→1; 2→2 {0}"), omega.Limits{})
	if err != nil || !slices.Equal(survey.NonEmpty[:3], []bool{true, false, true}) {
		t.Errorf("survey %v, %v", survey, err)
	}
	_, with, _ := CheckSplits(ctx, sample.Drawn(t, "Fin(0) & Inf(1)", "0→1 {0,1}; 1→0 {0}"), true)
	_, without, _ := CheckSplits(ctx, sample.Drawn(t, "Fin(0) & Inf(1)", "0→1 {0,1}; 1→0 {0}"), false)
	if with != 1 || without != 2 {
		t.Errorf("%d and %d splits", with, without)
	}
	h := newHunt(ctx, sample.Drawn(t, "Inf(0)", "0→1; 1→2; 0→3; 3→0 {0}"), &Minimizer{})
	if r, black, err := h.First(); err != nil || r == nil || !black[1] || !black[2] || black[0] {
		t.Errorf("run %v, %v", r, err)
	}
}

// TestCommentMinimizers: the examples of searches for shortest runs, with the lengths of all runs
// found.
func TestCommentMinimizers(t *testing.T) {
	const shortcut, pivots = "0→1; 1→2; 0→2; 2→3; 3→3 {0}", "0→1 {0}; 0→4; 1→2; 2→3; 3→0; 4→0 {0}"
	for _, test := range []struct {
		m       Minimizer
		edges   string
		lengths []int
		run     string
	}{
		{Minimizer{}, shortcut, []int{3}, "0 2 (3)"},
		{Minimizer{Without: All}, pivots, []int{4, 2}, "(0 4)"},
	} {
		var lengths []int
		test.m.Found = func(r *Run) { lengths = append(lengths, r.Size()) }
		r, err := test.m.Run(context.Background(), sample.Drawn(t, "Inf(0)", test.edges))
		if err != nil || !slices.Equal(lengths, test.lengths) || path(r.Run) != test.run {
			t.Errorf("%+v: %s: runs of %v edges, the last one %s, %v", test.m, test.edges, lengths, path(r.Run), err)
		}
	}
}

// TestCommentConditions: the examples of what is asked about conditions.
func TestCommentConditions(t *testing.T) {
	hunts := func(condition string) *Hunt {
		return newHunt(context.Background(), sample.Drawn(t, condition, "0→0"), &Minimizer{})
	}
	for _, test := range []struct {
		condition string
		marks     []int
		none      bool
	}{
		{"Inf(0) & (Inf(1) | Inf(2))", []int{0}, false},
		{"Fin(0) & Inf(1) | Fin(2) & Inf(3)", []int{1, 3}, false},
		{"Fin(0) | Inf(1)", nil, true},
	} {
		h := hunts(test.condition)
		if hit, none := h.hitting(h.cond); none != test.none || !none && hit != h.Marks.Of(test.marks...) {
			t.Errorf("%s: hit by %v, none: %v", test.condition, hit, none)
		}
	}
	if !distributes(must.Get(omega.ParseCondition("Inf(0) | Inf(1)"))) || distributes(must.Get(omega.ParseCondition("Inf(0) & Inf(1)"))) {
		t.Error("distributes")
	}
	if h := hunts("Fin(0) & Inf(1)"); !h.Hopeless(h.Marks.Of(0)) || h.Hopeless(h.Marks.Of(1)) {
		t.Error("hopeless")
	}
	x := NewExplorer(context.Background(), sample.Drawn(t, "Inf(0) & Inf(1) | Inf(2)", "0→0"), omega.Limits{})
	if need, ok := x.needed(x.Cond, x.Marks.Of(0, 1, 2)); !ok || !slices.Equal(need, []int{2}) {
		t.Errorf("needed: %v", need)
	}
}
