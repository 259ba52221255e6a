package session

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// automataFrom makes the automata of a file the input of a plan.
func automataFrom(p *Plan, in io.Reader) {
	p.Config.Formulas = configs.Formulas{Files: []configs.File{{Path: "a.hoa"}}}
	p.Automata = &Automata{From: []string{"a.hoa"}, Open: func(name string) (Inputs, error) {
		return AutomataFile(name, io.NopCloser(in), hoa.NewReader(context.Background(), in)), nil
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
		if err := p.Choose(&Choice{Commands: c.tools}); err != nil {
			t.Fatal(err)
		}
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
