package session

import (
	"flag"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

var update = flag.Bool("update", false, "write testdata/stored.txt")

// everything is a plan and its options in which nothing has its zero value, so that each field is in
// the text that is stored.
func everything(t *testing.T) (*Plan, *cross.Options) {
	t.Helper()
	c := &configs.Config{
		Formulas: configs.Formulas{Inline: []string{"Ga"}, Syntax: ltl.LBT, Patterns: []string{"dac"},
			Files: []configs.File{{Path: "f.csv", Syntax: ltl.Spin, Column: -2}}, AllowDups: true, Lenient: true,
			Random: &configs.Random{Number: 1, For: 2, Until: "06:00", Seeded: true, Deadline: time.Unix(3, 0), RandomOptions: ltl.RandomOptions{
				Seed: 4, Props: []string{"p"}, MinSize: 5, MaxSize: 6, Weights: map[ltl.Op]int{ltl.OpUntil: 7, ltl.OpNext: 8}, Past: true, Boolean: true,
				WeakFairness: true, Simplify: 9, KeepTrivial: true, KeepDuplicates: true}}},
		Checks:  configs.Checks{Timeouts: configs.TimeoutsIgnore, IgnoreExecutionFailures: true, NoComplement: true},
		Triage:  configs.Triage{Grind: true},
		History: configs.History{FailOnNew: true, Baseline: "monday"},
	}
	tools, err := Tools([]configs.Translator{{Name: "mine", Command: "mine", Mode: translators.Batch, Syntax: ltl.Wring, Processes: 10, Format: "lbtt",
		Limits: translators.Limits{Timeout: 11, CPU: 12, MaxOutput: 13, Memory: 14, AddressSpace: 15, OpenFiles: 16}, Env: map[string]string{"KEY": "secret"},
		CleanEnv: true, Reference: true, Without: ltl.PastOps, Relabel: true}, {Name: "ours", Builtin: "gpvw", Mode: translators.Stream}}, configs.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{Config: c, Tools: tools, StrictFailures: true, IgnoreFailures: true,
		Rerun: Rerun{Config: "n.toml", Tools: []string{"mine %s"}, References: []string{"right %f"}, Relabel: true, Timeout: "5s"}}
	return p, &cross.Options{Reference: translate.Of, Properties: true, AllPairs: true, NoComplement: true, NoChecks: true, Words: 17, Prove: "all", Exhaustive: 3,
		Products: cross.Products{Number: 18, States: 19, Density: 0.25, Seed: 20}, Statistics: cross.Statistics{Strength: true, Ambiguous: true, Automata: true},
		Limits: productcheck.Limits{Macrostates: 21, ProductStates: 22, Memory: 23, Time: 24, WordSteps: 25}, Complement: "rank", Emptiness: "generic"}
}

// TestStored compares the texts that a history has of a run with those that earlier versions have
// stored. If one changed, no earlier run would resume: do not update the file for another reason
// than a new field.
func TestStored(t *testing.T) {
	p, o := everything(t)
	configuration, err := p.configuration(o)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := p.settings(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Automata = &Automata{From: []string{"-F a.hoa"}, Complemented: true}
	ofAutomata, err := p.configuration(o)
	if err != nil {
		t.Fatal(err)
	}
	got := string(configuration) + "\n" + string(settings) + "\n" + string(ofAutomata) + "\n"
	const golden = "testdata/stored.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("what is stored (-want +got):\n%s", diff)
	}
	read, err := readSettings(&history.Info{Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read.Rerun, &p.Rerun) || read.Baseline != "monday" || read.rules().Timeouts != configs.TimeoutsIgnore {
		t.Errorf("settings read again: %+v", read)
	}
}

// TestStoredSeed: a seed that was drawn does not decide whether a run is the same.
func TestStoredSeed(t *testing.T) {
	text := func(seed uint64, seeded bool) string {
		p, o := everything(t)
		p.Config.Formulas.Random.Seed, p.Config.Formulas.Random.Seeded, o.Products.Seed = seed, seeded, seed
		text, err := p.configuration(o)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if text(1, false) != text(2, false) {
		t.Error("a seed that was drawn is stored with the configuration")
	}
	if text(1, true) == text(2, true) || text(1, true) == text(1, false) {
		t.Error("a seed that the user chose is not")
	}
}
