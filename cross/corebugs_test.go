package cross

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/campaign"
)

// A coreBug is a mistake in the code that certify does not trust: in a file of this module,
// old becomes new.
type coreBug struct {
	name, file, old, new string
	quick                bool // it is tried without a campaign, too
}

var coreBugs = []coreBug{
	// Components.
	{name: "components: a complete one stays open", file: "omega/scc.go",
		old: "low[t] = closed", new: "low[t] = min(low[t], closed)"},
	{name: "components: marks of edges between roots are lost", file: "emptiness/check.go",
		old: "s.marks.Union(s.roots[top].marks, s.roots[top].arc)", new: "s.roots[top].marks"},

	// Conjunction of labels.
	{name: "labels: domain of too few letters", file: "productcheck/side.go", quick: true,
		old: "1<<(1<<a.Len()) - 1", new: "1<<a.Len() - 1"},
	{name: "labels: signed comparison", file: "omega/alphabet.go",
		old: "return l&m != 0", new: "return int64(l&m) > 0"},
	{name: "labels: a cube meets everything", file: "omega/diagram.go",
		old: "if f.cube && g.cube ||", new: "if f.cube || g.cube ||"},

	// Acceptance.
	{name: "acceptance: cycles without marks are forgotten", file: "emptiness/check.go", quick: true,
		old: "all != r.marks || !r.closed", new: "all != r.marks"},
	{name: "acceptance: the dual keeps its operators", file: "omega/acceptance.go",
		old: "c.rebuild(true,", new: "c.rebuild(false,"},
	{name: "acceptance: marks of the product overlap", file: "productcheck/product.go",
		old: "shift:  l.Sets,", new: "shift:  r.Sets,"},

	// Reduction.
	{name: "reduction: live states in the wrong order", file: "omega/reduce.go",
		old: "cmp.Compare(c.Of[s], c.Of[t])", new: "cmp.Compare(c.Of[t], c.Of[s])"},
	{name: "reduction: quotient without marks", file: "omega/partition.go",
		old: "uint64(e.Marks)", new: "0"},
	{name: "reduction: the better edge goes", file: "omega/simulate.go",
		old: "!s.simulates(p, q) || !s.better", new: "!s.simulates(q, p) || !s.better"},
	{name: "reduction: simulation ignores marks under Fin", file: "omega/simulate.go",
		old: "(l&^m)&d.inf|(m&^l)&d.fin == 0", new: "(l&^m)&d.inf == 0"},

	// Index.
	{name: "index: rows of the wrong length", file: "productcheck/pairs.go",
		old: "slot := &t.slots[int(l)*t.right+int(r)]", new: "slot := &t.slots[int(l)*t.left+int(r)]"},
	{name: "index: subsumption turned round", file: "productcheck/pruned.go",
		old: "if p.right.Weaker(r, old) {\n\t\t\treturn true", new: "if p.right.Weaker(old, r) {\n\t\t\treturn true"},

	// Complement.
	{name: "complement: rejecting sink", file: "complement/deterministic.go",
		old: "if !c.acceptance.Condition.Eval(c.marks, 0) {", new: "if c.acceptance.Condition.Eval(c.marks, 0) {"},
	{name: "complement: first mark lost", file: "complement/macrostates.go",
		old: "if mark >= 0 {", new: "if mark > 0 {"},
	{name: "complement: trees are good too early", file: "complement/trees.go",
		old: "case v.own == 0:", new: "case v.own <= 1:"},
	{name: "complement: states of one component exclude each other", file: "complement/subsets.go",
		old: "if s.part[q] < s.part[p] {", new: "if s.part[q] <= s.part[p] {"},
}

// TestSeededCore runs TestTrust in builds each of which has one of the bugs. xcheck may end
// in internal errors then. But it blames nobody who is right, and with audit = 1 it misses
// nothing. In a campaign all bugs are tried, on the whole corpus; otherwise, the quick ones.
func TestSeededCore(t *testing.T) {
	for _, b := range coreBugs {
		overlay := b.overlay(t)
		if !b.quick && !campaign.Long() {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			trust := trustWith(t, overlay)
			t.Logf("%+v", trust)
			if trust.Cases.FalseAlarms+trust.Checks.FalseAlarms+trust.Cases.Hidden > 0 {
				t.Errorf("false alarms, or hidden disagreements: %+v", trust)
			}
			if trust.Cases.Errors+trust.Checks.Errors+trust.Checks.Hidden == 0 {
				t.Errorf("the bug has no effect: %+v", trust)
			}
		})
	}
}

// overlay writes what makes the go command build with the bug, and returns the name of the
// file.
func (b *coreBug) overlay(t *testing.T) string {
	t.Helper()
	name, err := filepath.Abs(filepath.Join("..", filepath.FromSlash(b.file)))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), b.old); n != 1 {
		t.Fatalf("%s: %q occurs %d times; update the table coreBugs so that it occurs once", b.file, b.old, n)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	wrong := write("wrong.go", strings.Replace(string(source), b.old, b.new, 1))
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{name: wrong}})
	if err != nil {
		t.Fatal(err)
	}
	return write("overlay.json", string(text))
}

// trustWith runs TestTrust in a build with an overlay.
func trustWith(t *testing.T, overlay string) (trust trustCounts) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	counts := filepath.Join(t.TempDir(), "counts.json")
	c := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-timeout=25m", "-run=^TestTrust$", ".")
	c.Env = append(os.Environ(), seededCore+"="+counts)
	output, err := c.CombinedOutput()
	text, missing := os.ReadFile(counts)
	if missing != nil {
		t.Fatalf("go test: %v\n%s", err, output)
	}
	if err := json.Unmarshal(text, &trust); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Logf("%s", output[:min(len(output), 5000)])
	}
	return trust
}
