package cross

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// A coreBug is a mistake in the code that certify does not trust: in the one file of this module
// that has the text old, it becomes new.
type coreBug struct {
	name, old, new string
	short          bool // a short word refutes a check that has passed
}

var coreBugs = []coreBug{
	// Components.
	{name: "components: a complete one stays open",
		old: "low[t] = closed", new: "low[t] = min(low[t], closed)"},
	{name: "components: marks of edges between roots are lost",
		old: "s.Marks.Union(s.roots[top].marks, s.roots[top].arc)", new: "s.roots[top].marks"},

	// Conjunction of labels.
	{name: "labels: domain of too few letters",
		old: "1<<(1<<a.Len()) - 1", new: "1<<a.Len() - 1"},
	{name: "labels: signed comparison",
		old: "if a.dd == nil {\n\t\treturn l&m != 0", new: "if a.dd == nil {\n\t\treturn int64(l&m) > 0"},
	{name: "labels: a cube meets everything",
		old: "if f.cube && g.cube ||", new: "if f.cube || g.cube ||"},

	// Acceptance.
	{name: "acceptance: cycles without marks are forgotten",
		old: "all != r.marks || !r.closed", new: "all != r.marks"},
	{name: "acceptance: the dual keeps its operators",
		old: "c.rebuild(true,", new: "c.rebuild(false,"},
	{name: "acceptance: marks of the product overlap",
		old: "right, t.sets, nil", new: "right, right.sets, nil"},

	// Reduction.
	{name: "reduction: live states in the wrong order",
		old: "states := range c.Members() { // edges lead", new: "states := range slices.Backward(c.Members()) { // edges lead"},
	{name: "reduction: quotient without marks",
		old: "uint64(e.Marks)", new: "0", short: true},
	{name: "reduction: the better edge goes",
		old: "!s.simulates(p, q) || !s.marks.Better", new: "!s.simulates(q, p) || !s.marks.Better"},
	{name: "reduction: simulation ignores marks under Fin",
		old: "(l&^m)&d.inf|(m&^l)&d.fin == 0", new: "(l&^m)&d.inf == 0"},

	// Index.
	{name: "index: rows of the wrong length",
		old: "slot := &t.slots[int(l)*t.right+int(r)]", new: "slot := &t.slots[int(l)*t.left+int(r)]", short: true},
	{name: "index: subsumption turned round",
		old: "if p.right.Weaker(r, old) {\n\t\t\treturn true", new: "if p.right.Weaker(old, r) {\n\t\t\treturn true"},

	// Simulation.
	{name: "simulation: rounds without a mark are not counted",
		old: "case o.priority == 1:\n\t\t\tm++", new: "case o.priority == 1:"},
	{name: "simulation: only the first move of the other player counts",
		old: "m := g.least(x.group, &x.demands[i])", new: "m := g.least(x.group, &x.demands[0*i])"},

	// Complement.
	{name: "complement: rejecting sink",
		old: "if !c.acceptance.Condition.Eval(c.marks, 0) {", new: "if c.acceptance.Condition.Eval(c.marks, 0) {", short: true},
	{name: "complement: first mark lost",
		old: "if mark >= 0 {", new: "if mark > 0 {", short: true},
	{name: "complement: trees are good too early",
		old: "case v.own == 0:", new: "case v.own <= 1:", short: true},
	{name: "complement: states of one component exclude each other",
		old: "if s.part[q] < s.part[p] {", new: "if s.part[q] <= s.part[p] {"},
}

// TestSeededCore runs TestTrust in builds each of which has one of the bugs. xcheck may end
// in internal errors then. But it blames nobody who is right, and it proves nothing that is
// wrong. Without a campaign there are no builds: the texts of the bugs must be in the code.
func TestSeededCore(t *testing.T) {
	sources := moduleSources(t)
	for _, b := range coreBugs {
		overlay := b.overlay(t, sources)
		if os.Getenv("XCHECK_CAMPAIGN") == "" {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			trust := trustWith(t, overlay)
			t.Logf("%+v", trust)
			if trust.Cases.FalseAlarms+trust.Checks.FalseAlarms+trust.Short.FalseAlarms+trust.Cases.Hidden > 0 {
				t.Errorf("false alarms, or hidden disagreements: %+v", trust)
			}
			if b.short && trust.ShortAlone == 0 {
				t.Errorf("no short word refutes a check that has passed: %+v", trust)
			}
			if trust.Cases.Errors+trust.Checks.Errors+trust.Checks.Hidden+trust.Unproved == 0 {
				t.Errorf("the bug has no effect: %+v", trust)
			}
		})
	}
}

// moduleSources returns the files of this module that are no tests, by absolute names.
func moduleSources(t *testing.T) map[string]string {
	t.Helper()
	root := must.Get(filepath.Abs(".."))
	sources := map[string]string{}
	err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if name == filepath.Join(root, "lab") {
			return fs.SkipDir // a module of its own
		}
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		sources[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// overlay writes what makes the go command build with the bug, and returns the name of the file.
func (b *coreBug) overlay(t *testing.T, sources map[string]string) string {
	t.Helper()
	var name string
	n := 0
	for file, text := range sources {
		if k := strings.Count(text, b.old); k > 0 {
			name, n = file, n+k
		}
	}
	if n != 1 {
		t.Fatalf("%s: %q occurs %d times; update the table coreBugs so that it occurs once", b.name, b.old, n)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		must.Do(os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	wrong := write("wrong.go", strings.Replace(sources[name], b.old, b.new, 1))
	text := must.Get(json.Marshal(map[string]any{"Replace": map[string]string{name: wrong}}))
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
	if !campaign.Long() {
		c.Env = append(c.Env, "XCHECK_CAMPAIGN=") // a part of the corpus
	}
	output, err := c.CombinedOutput()
	text, missing := os.ReadFile(counts)
	if missing != nil {
		t.Fatalf("go test: %v\n%s", err, output)
	}
	must.Do(json.Unmarshal(text, &trust))
	if err != nil {
		t.Logf("%s", output[:min(len(output), 5000)])
	}
	return trust
}
