package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// seededReport is what the tests read of the JSON of a run.
type seededReport struct {
	Causes  []seededCause
	Summary struct {
		Formulas, Disagreements, Failures, Findings, Undecided int
		Errors                                                 int `json:"internal_errors"`
	}
}

type seededCause struct {
	Translators                    []string
	Class, Formula, Word, Original string
	Ground, Shortest               bool
	Formulas                       int
}

// TestSeeded runs translators with one bug each beside one that has none, in one run:
// there are as many causes as bugs, each is shown by a formula of at most five operators, and a wrong
// language by a shortest word. With XCHECK_CAMPAIGN=20000 there are so many random formulas, with a new seed.
func TestSeeded(t *testing.T) {
	campaign.Only(t)
	number, seed := campaign.Seeded(t, 18, 1)
	var names []string
	for _, b := range seeded.Bugs() {
		names = append(names, b.Name)
	}
	if len(names) != 20 {
		t.Errorf("%d bugs", len(names))
	}
	t.Run("bugs", func(t *testing.T) {
		r := runSeeded(t, append(names, seeded.None.Name), number, seed, outcome.ExitFailed)
		t.Logf("%d formulas, %d disagreements, %d failures, %d findings, %d undecided", r.Summary.Formulas,
			r.Summary.Disagreements, r.Summary.Failures, r.Summary.Findings, r.Summary.Undecided)
		found := map[string]int{}
		for _, c := range r.Causes {
			t.Logf("%-38s %-28s %-16s %-24s %d formulas, such as %s", c.Translators, c.Class, c.Formula, c.Word, c.Formulas, c.Original)
			found[c.Translators[0]]++
			f, err := ltl.NewStore().Parse(c.Formula, ltl.Spot)
			if err != nil {
				t.Error(err)
				continue
			}
			words := strings.Contains(c.Class, " words")
			if n := operators(f); n > 5 || !c.Ground || len(c.Translators) != 1 || words != (c.Word != "") || words && !c.Shortest {
				t.Errorf("%d operators: %+v", n, c)
			}
		}
		for _, b := range seeded.Bugs() {
			if found[b.Name] != 1 {
				t.Errorf("%s: %d causes", b.Name, found[b.Name])
			}
			i := slices.IndexFunc(r.Causes, func(c seededCause) bool { return c.Translators[0] == b.Name })
			if i >= 0 && b.Class != "" && !strings.HasPrefix(r.Causes[i].Class, b.Class) {
				t.Errorf("%s: class %s, want %s", b.Name, r.Causes[i].Class, b.Class)
			}
		}
		if len(r.Causes) != len(names) {
			t.Errorf("%d causes of %d bugs", len(r.Causes), len(names))
		}
	})
	t.Run("none", func(t *testing.T) {
		r := runSeeded(t, []string{seeded.None.Name, seeded.None.Name}, number, seed, outcome.ExitPassed)
		if s := r.Summary; len(r.Causes)+s.Disagreements+s.Failures+s.Findings+s.Undecided+s.Errors > 0 {
			t.Errorf("%+v", r)
		}
	})
}

// operators counts the operators of a formula: nodes that are no leaves.
func operators(f *ltl.Formula) int {
	n := 0
	for _, g := range []*ltl.Formula{f.Left(), f.Right()} {
		if g != nil {
			n += operators(g)
		}
	}
	return n + min(1, f.Op().Arity())
}

// runSeeded runs translators with these bugs on random formulas, and on a few on which
// the rarer bugs show.
func runSeeded(t *testing.T, bugs []string, number int, seed uint64, want outcome.ExitStatus) (r seededReport) {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if campaign.Long() {
		self = filepath.Join(dir, "translator")
		err = exec.Command("go", "build", "-o", self, "github.com/xcheck-ltl/xcheck/internal/test/seeded/translator").Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	var config strings.Builder
	fmt.Fprintf(&config, "[formulas]\ninline = ['X(a) U (b & F(c U (a U b)))', 'b & FG(a) & c', 'c U 1 xor 0', '1 & F 0', '!(a U X b)', '(b M a) W (c -> !c)']\n"+
		"[formulas.random]\nnumber = %d\nseed = %d\npropositions = ['a', 'b', 'c']\nsize = '1..12'\nkeep-trivial = true\n[triage]\ngrind = true\ngrind-calls = 0\n", number, seed)
	for i, bug := range bugs {
		name := bug
		if slices.Contains(bugs[:i], bug) {
			name = fmt.Sprint(bug, " ", i+1)
		}
		fmt.Fprintf(&config, "[[translators]]\nname = '%s'\ncommand = '''%s -'''\nmode = 'stream'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n",
			name, translators.Quote(self), seeded.Variable, bug)
	}
	file, document := filepath.Join(dir, "bugs.toml"), filepath.Join(dir, "result.json")
	must.Do(os.WriteFile(file, []byte(config.String()), 0o666))
	var out, errs bytes.Buffer
	if s := run([]string{"run", "-c", file, "-q", "--json=" + document}, nil, &out, &errs); s != want {
		t.Fatalf("status %d, want %d: %s", s, want, errs.String())
	}
	readJSON(t, document, &r)
	return r
}
