//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Hard mutants are those that some trial found, and some other did not, or not soon.
func TestHardOnly(t *testing.T) {
	e := &experiment{
		mutants:    []Mutant{{Name: "easy"}, {Name: "late"}, {Name: "missed"}, {Name: "never"}, {Name: "unknown"}},
		generators: []generator{{name: "g"}},
		raw:        filepath.Join(t.TempDir(), "raw.csv"),
	}
	for mutant, trials := range [][2]trial{
		{{Found: true, Formulas: 3}, {Found: true, Formulas: 15}},
		{{Found: true, Formulas: 3}, {Found: true, Formulas: 16}},
		{{Found: true, Formulas: 3}, {Formulas: 2}},
		{{Formulas: 100}, {Formulas: 100}},
	} {
		for _, x := range trials {
			x.mutant = mutant
			e.trials = append(e.trials, x)
		}
	}
	if err := e.writeRaw(); err != nil {
		t.Fatal(err)
	}
	if err := e.hardOnly(e.raw); err != nil {
		t.Fatal(err)
	}
	if len(e.mutants) != 2 || e.mutants[0].Name != "late" || e.mutants[1].Name != "missed" {
		t.Errorf("kept %v", e.mutants)
	}
	if err := os.WriteFile(e.raw, []byte("a,b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := e.hardOnly(e.raw); err == nil {
		t.Error("other columns are no error")
	}
}
