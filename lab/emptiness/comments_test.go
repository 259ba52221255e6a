package emptiness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
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

// TestCommentChecks: the examples in comments on checks. They tell which edges are asked for, and
// which run is found.
func TestCommentChecks(t *testing.T) {
	const triangle, pair = "0→1; 1→2 {0}; 2→0; 2→2", "0→1; 1→2; 2→1"
	for _, test := range []struct {
		by               Algorithm
		condition, edges string
		asked            int
		run              string // "" for an empty language
	}{
		{ByHPY, "Inf(0)", triangle, 6, "(0 1 2)"},
		{ByCVWY, "Inf(0)", triangle, 7, "0 (1 2 0)"},
		{BySECouvreur, "Inf(0)", pair, 6, ""},
		{ByTauriainen, "Inf(0) & Inf(1)", "0→1 {0}; 1→0 {1}", 5, "(0 1)"},
		{ByGV, "Inf(0)", "0→1; 1→2 {0}; 2→1", 3, "0 (1 2)"},
		{ByWeak, "Inf(0)", "0→1; 1→2 {0}; 2→1 {0}", 3, "0 (1 2)"},
		{ByTerminal, "Inf(0)", "0→1 {0}; 1→1 {0}", 1, "0 (1)"},
		{ByGMZ, "Inf(0)", "0→1; 1→2; 0→0 {0}", 3, "(0)"},
	} {
		r, err := test.by.Check(context.Background(), sample.Drawn(t, test.condition, test.edges), Limits{})
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
	if _, err := ByTerminal.Check(context.Background(), sample.Drawn(t, "Inf(0)", "0→1 {0}; 1→1"), Limits{}); err == nil {
		t.Error("terminal: no error")
	}
}

// TestCommentTables: the examples that tell what a search knows of the states.
func TestCommentTables(t *testing.T) {
	ctx := context.Background()
	src := sample.Drawn(t, "Inf(0)", "0→1; 1→2; 2→1")
	l := &lowlinks{Explorer: product.NewExplorer(ctx, src, Limits{})}
	if _, _, err := l.search(); err != nil || !slices.Equal(l.low[:3], []int32{1, 2, 2}) {
		t.Errorf("low links %v, %v", l.low[:3], err)
	}
	c := &carrying{Explorer: product.NewExplorer(ctx, sample.Drawn(t, "Inf(0) & Inf(1)", "0→1 {0}; 1→0 {1}"), Limits{})}
	if r, err := c.search(); err != nil || r == nil || c.known[0] != c.Marks.Of(0, 1) {
		t.Errorf("marks of state 0: %v, %v", c.known[0], err)
	}
	m := Minimizer{Algorithm: ByGMZMin, Fresh: true}
	var lengths []int
	m.Found = func(r *Run) { lengths = append(lengths, r.Size()) }
	if r, err := m.Run(ctx, sample.Drawn(t, "Inf(0)", "0→1; 1→2; 0→2; 2→3; 3→3 {0}")); err != nil || !slices.Equal(lengths, []int{4, 3}) || path(r.Run) != "0 2 (3)" {
		t.Errorf("%v: runs of %v edges", err, lengths)
	}
	m = Minimizer{Algorithm: ByL2S}
	if r, err := m.Run(ctx, sample.Drawn(t, "Inf(0)", "0→1; 1→2 {0}; 2→1")); err != nil || path(r.Run) != "0 (1 2)" {
		t.Errorf("l2s: %v", err)
	}
}
