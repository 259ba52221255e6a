package session

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// planOfAutomata returns a plan that gives automata to a right and a wrong tool.
func planOfAutomata(t *testing.T, history string, automata ...string) *Plan {
	t.Helper()
	p := &Plan{Config: Schema().Default()}
	in := strings.NewReader(strings.Join(automata, "\n"))
	automataFrom(p, in)
	if err := p.Choose(&Choice{Commands: []string{"{same} cat", "{none} echo '" + none + "'"}}); err != nil {
		t.Fatal(err)
	}
	p.Config.History.File, p.Config.Limits.Jobs = history, 1
	return p
}

// TestAutomataResume: a run of automata resumes as one of formulas does, but only with the same
// automata, and never in a history of formulas.
func TestAutomataResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.db")
	automata := []string{all, none, all, none}
	var whole recorder
	if _, err := Run(context.Background(), planOfAutomata(t, "", automata...), &whole); err != nil {
		t.Fatal(err)
	}
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
		if _, err := Run(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		files = append(files, p.Config.History.File)
	}
	merged, err := Merge(context.Background(), filepath.Join(dir, "all.db"), files...)
	if err != nil || len(merged.Unions) != 1 || merged.Unions[0].Cases != 3 || *merged.Unions[0].Status != int(outcome.ExitFailed) {
		t.Errorf("%v, %+v", err, merged)
	}
	formulas := planOf(t, []string{right}, tautologies[0])
	formulas.Config.History.File = filepath.Join(dir, "formulas.db")
	if _, err := Run(context.Background(), formulas); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(context.Background(), filepath.Join(dir, "mixed.db"), files[0], formulas.Config.History.File); err == nil {
		t.Error("runs of formulas and of automata are merged")
	}
}
