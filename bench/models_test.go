package bench

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestModels: the models of each table have names of their own. Written in HOA and read again, they
// have the same states, edges and shortest runs.
func TestModels(t *testing.T) {
	name := regexp.MustCompile(`^[a-zA-Z0-9-]+$`)
	var inputs []Input
	for _, in := range Inputs() {
		if in.Name != "ring" && in.Name != "dijkstra-starves" { // large
			inputs = append(inputs, in)
		}
	}
	specifications := slices.DeleteFunc(Specifications(), func(x Specification) bool { return x.Name == "dme6-nv" })
	for _, of := range []interface {
		Models(context.Context, func(Model) error) error
	}{
		MinimalOptions{Inputs: inputs, Random: DefaultGraphs, Each: 1},
		EmptinessOptions{Families: GraphFamilies()[4:], Each: 1},
		TightOptions{Specifications: specifications, Each: 1},
	} {
		seen := map[string]bool{}
		if err := of.Models(t.Context(), func(m Model) error {
			if seen[m.Name] || !name.MatchString(m.Name) || m.About == "" {
				t.Errorf("%T: model %q (%s)", of, m.Name, m.About)
			}
			seen[m.Name] = true
			a, err := omega.Explore(t.Context(), m.Source, 0)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := hoa.Write(t.Context(), &text, a); err != nil {
				return err
			}
			b, _, err := hoa.ReadOne(t.Context(), text.Bytes())
			if err != nil {
				return err
			}
			if a.NumStates() != b.NumStates() || a.NumEdges() != b.NumEdges() || shortest(t, a) != shortest(t, b) {
				t.Errorf("%s: %d states, %d edges, run of %d; read again %d, %d, %d", m.Name,
					a.NumStates(), a.NumEdges(), shortest(t, a), b.NumStates(), b.NumEdges(), shortest(t, b))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(seen) < 6 {
			t.Errorf("%T: only %d models", of, len(seen))
		}
	}
}

// shortest returns the length of a shortest run, or 0 for an empty automaton.
func shortest(t *testing.T, a *omega.Automaton) int {
	t.Helper()
	r, err := emptiness.ShortestRun(t.Context(), a, emptiness.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Empty() {
		return 0
	}
	return r.Run.Size()
}
