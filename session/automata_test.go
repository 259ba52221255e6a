package session

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// automataFrom makes the automata of a file the input of a plan.
func automataFrom(p *Plan, in io.Reader) {
	p.Config.Formulas = configs.Formulas{Files: []configs.File{{Path: "a.hoa"}}}
	p.Automata = &Automata{From: []string{"a.hoa"}, Open: func(name string) (Inputs, error) {
		return AutomataFile(name, io.NopCloser(in), hoa.NewReader(in)), nil
	}}
}

// TestAutomata gives the automata of a file to tools of which one is wrong. A shard has its part of
// them. For each way to fail, the smallest automaton is written.
func TestAutomata(t *testing.T) {
	text := all + "\nno automaton\n" + none + "\n" + all + "\n"
	for _, c := range []struct {
		name  string
		tools []string
		shard Shard
		cases []int
		want  outcome.ExitStatus
		small string
	}{
		{"right", []string{"{same} cat"}, Shard{}, []int{0, 1, 2, 3}, outcome.ExitBroken, ""},
		{"a shard", []string{"{same} cat"}, Shard{1, 2}, []int{0, 2}, outcome.ExitPassed, ""},
		{"wrong", []string{"{same} cat", "{none} echo '" + none + "'"}, Shard{1, 3}, []int{0, 3}, outcome.ExitFailed, "\n/* none: missing word cycle{1} (shrunk from a.hoa:1, 1 states and 1 edges) */\nHOA: v1\n"},
	} {
		p := &Plan{Config: configs.Default(), Shard: c.shard, Smallest: filepath.Join(t.TempDir(), "small.hoa")}
		in := strings.NewReader(text)
		automataFrom(p, in)
		must.Do(p.Choose(&Choice{Commands: c.tools}))
		var sink recorder
		result, err := Run(context.Background(), p, &sink)
		if err != nil || result.Status != c.want || !result.Summary.Automata || !slices.Equal(sink.indexes(), c.cases) {
			t.Errorf("%s: %v, %+v, cases %v", c.name, err, result, sink.indexes())
		}
		small, err := os.ReadFile(p.Smallest)
		if err != nil || !strings.HasPrefix(string(small), c.small) || c.small == "" && len(small) > 0 {
			t.Errorf("%s: shrunk: %q, %v", c.name, small, err)
		}
	}
	p := planOf(t, []string{right})
	p.Automata, p.Config.Formulas = &Automata{}, configs.Formulas{}
	if _, err := Run(context.Background(), p); errorText(err) != "no automata" {
		t.Errorf("no automata: %v", err)
	}
}

// TestFileName: names for files of translators' names.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"ltl3ba":              "ltl3ba",
		"ltl2tgba -D %f > %O": "ltl2tgba-D-f-O",
		"../../etc/passwd":    "etc-passwd",
		"...":                 "translator",
		"  a  b ":             "a-b",
		"Büchi":               "B-chi",
		"äöü":                 "translator",
		"v1.2":                "v1.2",
		"a/b\\c:d":            "a-b-c-d",
		"":                    "translator",
	} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := fileName(strings.Repeat("long ", 100)); len(got) > 40 {
		t.Errorf("%q", got)
	}
}

// planOfAutomata returns a plan that gives automata to a right and a wrong tool.
func planOfAutomata(t *testing.T, history string, automata ...string) *Plan {
	t.Helper()
	p := &Plan{Config: configs.Default()}
	automataFrom(p, strings.NewReader(strings.Join(automata, "\n")))
	must.Do(p.Choose(&Choice{Commands: []string{"{same} cat", "{none} echo '" + none + "'"}}))
	if p.Tools[0].Limits.Memory == 0 {
		t.Error("a tool may take all memory")
	}
	p.Config.History.File, p.Config.Limits.Jobs = history, 1
	return p
}

// TestAutomataResume: a run of automata resumes with the same automata, and never in a history of formulas.
func TestAutomataResume(t *testing.T) {
	file, automata := filepath.Join(t.TempDir(), "h.db"), []string{all, none, all, none}
	var whole recorder
	must.Get(Run(context.Background(), planOfAutomata(t, "", automata...), &whole))
	ctx, cancel := context.WithCancel(context.Background())
	result, err := Run(ctx, planOfAutomata(t, file, automata...), &recorder{each: func() error { cancel(); return nil }})
	if err != nil || result.Status != outcome.ExitInterrupted {
		t.Fatalf("%v, %+v", err, result)
	}
	changed := planOfAutomata(t, file, none, none, none, none)
	changed.Resume = true
	if result, err := Run(context.Background(), changed); result == nil || result.Status != outcome.ExitBroken || !strings.Contains(errorText(err), "automaton 0 of run 1 was") {
		t.Errorf("other automata: %v, %+v", err, result)
	}
	again := planOfAutomata(t, file, automata...)
	again.Resume = true
	var notes []string
	again.Note = func(text string) { notes = append(notes, text) }
	var second recorder
	result, err = Run(context.Background(), again, &second)
	if err != nil || result.Status != outcome.ExitFailed || !reflect.DeepEqual(comparable(second.cases), comparable(whole.cases)) {
		t.Errorf("resumed: %v, %+v", err, result)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "resuming run 1 of ") || !strings.Contains(notes[0], "automat") {
		t.Errorf("notes %q", notes)
	}
	formulas := planOf(t, []string{right}, tautologies[0])
	formulas.Config.History.File = file
	if result, err := Run(context.Background(), formulas); result != nil || !strings.HasSuffix(errorText(err), "has runs of automata: use another file for runs of formulas") {
		t.Errorf("formulas in a history of automata: %v", err)
	}
}

// TestAutomataMerge: shards of automata are merged.
func TestAutomataMerge(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i := 1; i <= 2; i++ {
		p := planOfAutomata(t, filepath.Join(dir, string(rune('0'+i))+".db"), all, none, all)
		p.Shard, p.Config.History.Name = Shard{i, 2}, "x"
		must.Get(Run(context.Background(), p))
		files = append(files, p.Config.History.File)
	}
	merged, err := Merge(context.Background(), filepath.Join(dir, "all.db"), files...)
	if err != nil || len(merged.Unions) != 1 || merged.Unions[0].Cases != 3 || *merged.Unions[0].Status != int(outcome.ExitFailed) {
		t.Errorf("%v, %+v", err, merged)
	}
	formulas := planOf(t, []string{right}, tautologies[0])
	formulas.Config.History.File = filepath.Join(dir, "formulas.db")
	must.Get(Run(context.Background(), formulas))
	if _, err := Merge(context.Background(), filepath.Join(dir, "mixed.db"), files[0], formulas.Config.History.File); err == nil {
		t.Error("runs of formulas and of automata are merged")
	}
}

// TestAutomataIdentity: a second bug of a tool for automata is new while the first is known, and the first
// is known on other automata.
func TestAutomataIdentity(t *testing.T) {
	const (
		inf   = `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} --END--`
		other = `HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [!0] 1 {0} State: 1 [0] 0 --END--`
		both  = `HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 State: 1 [!0] 1 --END--`
		fin   = "s/1 Inf(0)/1 Fin(0)/; s/acc-name: Buchi/acc-name: co-Buchi/"
		start = "/^Start: 1/d"
	)
	file := filepath.Join(t.TempDir(), "h.db")
	for night, x := range []struct {
		command  string
		automata []string
		want     string
	}{
		{"sed '" + fin + "'", []string{inf}, "1 new"},
		{"sed '" + fin + "'", []string{other, all}, "1 known"},
		{"sed '" + fin + "; " + start + "'", []string{other, both}, "1 known, 1 new"},
		{"sed '" + start + "'", []string{other, all}, "1 known, 1 fixed"},
		{"sed '/^/!d'", []string{both, inf}, "1 fixed"},
		{"cat >&2; echo no room >&2; exit 3", []string{all}, "1 new"},
		{"cat >&2; echo no memory >&2; exit 3", []string{all}, "1 new, 1 fixed"},
	} {
		p := planOfAutomata(t, file, x.automata...)
		must.Do(p.Choose(&Choice{Commands: []string{"{tool} " + x.command}}))
		p.Config.History.FailOnNew = true
		result := must.Get(Run(t.Context(), p))
		line := result.Summary.Verdict().Line()
		if !strings.Contains(line, "groups of failures: "+x.want) || (result.Status == outcome.ExitFailed) != strings.Contains(x.want, "new") {
			t.Errorf("night %d: %d, %s; want %s", night, result.Status, line, x.want)
		}
	}
}
