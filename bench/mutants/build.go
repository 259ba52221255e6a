//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/translators"
)

// sources are the files that are changed, and the algorithm that uses each.
var sources = map[string]string{
	"translate/gpvw.go":                 "gpvw",
	"translate/gastinoddoux.go":         "gastin-oddoux",
	"translate/veryweak.go":             "gastin-oddoux",
	"translate/couvreur.go":             "couvreur",
	"translate/couvreur_expansions.go":  "couvreur",
	"translate/couvreur_obligations.go": "couvreur",
	"translate/couvreur_prepare.go":     "couvreur",
	"translate/couvreur_terms.go":       "couvreur",
	"translate/obligation.go":           "couvreur",
	"translate/pairs.go":                "couvreur",
	"translate/sets.go":                 "couvreur",
	"translate/subsets.go":              "couvreur",
	"translate/weak.go":                 "couvreur",
	"transform/reduce/backward.go":      "couvreur",
	"transform/reduce/deadends.go":      "couvreur",
	"ltl/rewrite.go":                    "couvreur",
	"ltl/simplify.go":                   "couvreur",
	"ltl/reduce.go":                     "small",
	"ltl/rules.go":                      "small",
	"ltl/implies.go":                    "small",
	"ltl/purity.go":                     "small",
	"transform/reduce/answered.go":      "small",
	"transform/reduce/delayed.go":       "small",
	"transform/reduce/partition.go":     "small",
	"transform/reduce/redirect.go":      "small",
	"transform/reduce/reduce.go":        "small",
	"transform/reduce/relation.go":      "small",
	"transform/reduce/residual.go":      "small",
	"transform/reduce/simplify.go":      "small",
	"transform/reduce/simulate.go":      "small",
	"transform/reduce/states.go":        "small",
	"transform/convert/clauses.go":      "buchi",
	"transform/convert/degeneralize.go": "buchi",
	"transform/convert/layering.go":     "buchi",
}

// A Mutant is a translator with one change.
type Mutant struct {
	Name    string `json:"name"`
	Command string `json:"command"` // in the folder of the list, for a shell
	Change  string `json:"change"`
}

// list is the file of a folder that names its mutants.
const list = "mutants.json"

// build makes n mutants of the module in a folder, and the list of them and of the seeded bugs. Which ones depends on
// the seed. A mutation that does not compile, or changes no output, is replaced by another.
func build(ctx context.Context, module, folder string, n int, seed uint64) error {
	all, err := candidates(module, seed)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	original := filepath.Join(folder, "original")
	if err := compile(ctx, module, original, target); err != nil {
		return err
	}
	made, err := seededBugs(ctx, module, folder)
	if err != nil {
		return err
	}
	n += len(made)
	screen, err := newScreen(ctx, original)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var workers errgroup.Group
	workers.SetLimit(2)
	for i, m := range all {
		mu.Lock()
		enough := len(made) >= n
		mu.Unlock()
		if enough || ctx.Err() != nil {
			break
		}
		workers.Go(func() error {
			name := fmt.Sprintf("m%04d", i)
			program := filepath.Join(folder, name)
			if err := m.compile(ctx, module, program); err != nil {
				return nil // it does not compile
			}
			if keep, err := screen.keeps(ctx, program, sources[m.File]); err != nil || !keep {
				return errors.Join(err, os.Remove(program))
			}
			mu.Lock()
			defer mu.Unlock()
			made = append(made, Mutant{name, "./" + name + " " + sources[m.File], m.String()})
			return nil
		})
	}
	if err := errors.Join(workers.Wait(), ctx.Err()); err != nil {
		return err
	}
	slices.SortFunc(made, func(a, b Mutant) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(made, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, list), append(text, '\n'), 0o644)
}

// candidates returns the mutations of all sources, in random order.
func candidates(module string, seed uint64) ([]*Mutation, error) {
	var all []*Mutation
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		some, err := mutations(filepath.Join(module, name), name)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// compile builds the mutant as an executable file.
func (m *Mutation) compile(ctx context.Context, module, program string) error {
	work, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	path := filepath.Join(module, m.File)
	changed, overlay := filepath.Join(work, "mutant.go"), filepath.Join(work, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(changed, m.text(), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		return err
	}
	return compile(ctx, module, program, "-overlay", overlay, target)
}

// seededBugs returns a mutant for each bug of package seeded. All are one program.
func seededBugs(ctx context.Context, module, folder string) (list []Mutant, err error) {
	if err := compile(ctx, module, filepath.Join(folder, "seeded"), "./internal/test/seeded/translator"); err != nil {
		return nil, err
	}
	for i, bug := range seeded.Bugs() {
		command := seeded.Variable + "=" + translators.Quote(bug.Name) + " ./seeded -"
		list = append(list, Mutant{fmt.Sprintf("s%02d", i), command, bug.Name})
	}
	return list, nil
}

// target is the program that mutants are made of.
const target = "./bench/mutants/target"

// compile builds a program, with the arguments of go build.
func compile(ctx context.Context, module, program string, args ...string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "go", append([]string{"build", "-o", program}, args...)...)
	c.Dir = module
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
