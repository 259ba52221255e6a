package emptiness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
)

// drawn returns the automaton with edges such as "0→1 {0}", from the initial state 0.
func drawn(t *testing.T, condition, edges string) *omega.Automaton {
	t.Helper()
	c := parsed(condition)
	alphabet := omega.NewAlphabet()
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: c.Used(), Condition: c})
	b.AddStart(0)
	for _, text := range strings.Split(edges, "; ") {
		var from, to omega.State
		way, list, _ := strings.Cut(text, " {")
		if _, err := fmt.Sscanf(way, "%d→%d", &from, &to); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var marks []int
		for _, m := range strings.FieldsFunc(list, func(c rune) bool { return c < '0' || c > '9' }) {
			marks = append(marks, int(m[0]-'0'))
		}
		b.AddStates(int(max(from, to)) + 1)
		b.AddEdge(from, alphabet.True(), b.Marks().Of(marks...), to)
	}
	return b.Automaton()
}

func parsed(condition string) *omega.Condition {
	return must.Get(omega.ParseCondition(condition))
}

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

// TestCommentChecks: the examples in comments on checks. They tell which edges are asked for, and
// which run is found.
func TestCommentChecks(t *testing.T) {
	const triangle, pair = "0→1; 1→2 {0}; 2→0; 2→2", "0→1; 1→2; 2→1"
	for _, test := range []struct {
		by               Algorithm
		condition, edges string
		asked            int
		run              string // empty if there is none
	}{
		{ByHPY, "Inf(0)", triangle, 6, "(0 1 2)"},
		{ByCVWY, "Inf(0)", triangle, 7, "0 (1 2 0)"},
		{ByCouvreur, "Inf(0)", "0→1; 1→2 {0}; 2→0", 3, "(0 1 2)"},
		{BySECouvreur, "Inf(0)", pair, 6, ""},
		{ByTauriainen, "Inf(0) & Inf(1)", "0→1 {0}; 1→0 {1}", 5, "(0 1)"},
		{ByGV, "Inf(0)", "0→1; 1→2 {0}; 2→1", 3, "0 (1 2)"},
		{ByWeak, "Inf(0)", "0→1; 1→2 {0}; 2→1 {0}", 3, "0 (1 2)"},
		{ByTerminal, "Inf(0)", "0→1 {0}; 1→1 {0}", 1, "0 (1)"},
		{ByGeneric, "Fin(0) & Inf(1)", "0→1 {0}; 1→0 {1}; 1→1 {1}", 3, "0 (1)"},
		{ByGeneric, "Inf(0) & Inf(1)", "0→0; 0→1 {0}; 1→0; 1→1 {1}", 4, "(0 1 1)"},
		{ByGMZ, "Inf(0)", "0→1; 1→2; 0→0 {0}", 3, "(0)"},
	} {
		r, err := test.by.Check(context.Background(), drawn(t, test.condition, test.edges), Limits{})
		if err != nil {
			t.Errorf("%s: %s: %v", test.by, test.edges, err)
			continue
		}
		run := ""
		if r.Run != nil {
			run = path(r.Run)
		}
		if r.Edges != test.asked || run != test.run {
			t.Errorf("%s: %s: %d edges, run %s; want %d, %s", test.by, test.edges, r.Edges, run, test.asked, test.run)
		}
	}
	if _, err := ByTerminal.Check(context.Background(), drawn(t, "Inf(0)", "0→1 {0}; 1→1"), Limits{}); err == nil {
		t.Error("terminal: no error")
	}
}

// TestCommentTables: the examples that tell what a search knows of the states.
func TestCommentTables(t *testing.T) {
	ctx := context.Background()
	src := drawn(t, "Inf(0)", "0→1; 1→2; 2→1")
	l := &lowlinks{Explorer: NewExplorer(ctx, src, Limits{})}
	if _, _, err := l.search(); err != nil || !slices.Equal(l.low[:3], []int32{1, 2, 2}) {
		t.Errorf("low links %v, %v", l.low[:3], err)
	}
	c := &carrying{Explorer: NewExplorer(ctx, drawn(t, "Inf(0) & Inf(1)", "0→1 {0}; 1→0 {1}"), Limits{})}
	if r, err := c.search(); err != nil || r == nil || c.known[0] != c.Marks.Of(0, 1) {
		t.Errorf("marks of state 0: %v, %v", c.known[0], err)
	}
	s := &search{Explorer: NewExplorer(ctx, drawn(t, "Inf(0)", "0→1; 1→2 {0}; 2→0"), Limits{})}
	if _, err := s.any(); err != nil || s.Result.Roots != 3 {
		t.Errorf("%d components on the path, %v", s.Result.Roots, err)
	}
	survey, err := TakeSurvey(ctx, drawn(t, "Inf(0)", "0→1; 0→2; 1→1; 2→2 {0}"), Limits{})
	if err != nil || !slices.Equal(survey.NonEmpty[:3], []bool{true, false, true}) {
		t.Errorf("survey %v, %v", survey, err)
	}
	_, with, _ := CheckSplits(ctx, drawn(t, "Fin(0) & Inf(1)", "0→1 {0,1}; 1→0 {0}"), true)
	_, without, _ := CheckSplits(ctx, drawn(t, "Fin(0) & Inf(1)", "0→1 {0,1}; 1→0 {0}"), false)
	if with != 1 || without != 2 {
		t.Errorf("%d and %d splits", with, without)
	}
	h := newHunt(ctx, drawn(t, "Inf(0)", "0→1; 1→2; 0→0 {0}"), &Minimizer{})
	if c, r, err := h.colour(false); err != nil || r == nil || !c.is(1, black) || !c.is(2, black) || c.is(0, black) {
		t.Errorf("colours %v, %v", c.colouring, err)
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
		{Minimizer{Algorithm: ByGMZMin, Fresh: true}, shortcut, []int{4, 3}, "0 2 (3)"},
		{Minimizer{Algorithm: ByGMMin}, shortcut, []int{4, 3}, "0 2 (3)"},
		{Minimizer{Algorithm: ByGMMin, Without: All}, pivots, []int{4, 2}, "(0 4)"},
		{Minimizer{Algorithm: ByGMMin, Without: All, Forward: true}, "0→1; 0→2; 2→3; 3→3 {0}", []int{3}, "0 2 (3)"},
		{Minimizer{Algorithm: ByL2S}, "0→1; 1→2 {0}; 2→1", []int{3}, "0 (1 2)"},
	} {
		var lengths []int
		test.m.Found = func(r *Run) { lengths = append(lengths, r.Size()) }
		r, err := test.m.Run(context.Background(), drawn(t, "Inf(0)", test.edges))
		if err != nil || !slices.Equal(lengths, test.lengths) || path(r.Run) != test.run {
			t.Errorf("%s: %s: runs of %v edges, the last one %s, %v", test.m.Algorithm, test.edges, lengths, path(r.Run), err)
		}
	}
}

// TestCommentConditions: the examples of what is asked about conditions.
func TestCommentConditions(t *testing.T) {
	hunts := func(condition string) *Hunt {
		return newHunt(context.Background(), drawn(t, condition, "0→0"), &Minimizer{})
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
	if !distributes(parsed("Inf(0) | Inf(1)")) || distributes(parsed("Inf(0) & Inf(1)")) {
		t.Error("distributes")
	}
	if h := hunts("Fin(0) & Inf(1)"); !h.Hopeless(h.Marks.Of(0)) || h.Hopeless(h.Marks.Of(1)) {
		t.Error("hopeless")
	}
	x := NewExplorer(context.Background(), drawn(t, "Inf(0) & Inf(1) | Inf(2)", "0→0"), Limits{})
	if need, ok := x.needed(x.Cond, x.Marks.Of(0, 1, 2)); !ok || !slices.Equal(need, []int{2}) {
		t.Errorf("needed: %v", need)
	}
}
