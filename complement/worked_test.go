package complement

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorked checks the worked examples in the comments of the constructions: each line of an edge
// is one of the complement that the construction makes, and they leave three macrostates.
func TestWorked(t *testing.T) {
	without := Algorithms()
	for _, w := range []struct {
		file, algorithm Algorithm
		text            string // the states of the automaton
	}{
		{"deterministic.go", "deterministic", "State: 0 [0] 1 {0} State: 1 [t] 0"},
		{"alternating.go", "dualization", "State: 0 [t] 0 [0] 1&2 State: 1 [0] 1 {0} State: 2 [0] 2 {0} [!0] 1"},
		{"breakpoint.go", "breakpoint", "State: 0 [t] 0 [!0] 1 State: 1 [!0] 1 {0} [0] 2 State: 2 [0] 2 {0}"},
		{"ncsb.go", "ncsb", "State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} [!0] 1"},
		{"ncsb.go", "ncsb-lazy", "State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} [!0] 1"},
		{"ncsb.go", "ncsb-joint", "State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} [!0] 1"},
		{"blocks.go", "modular", "State: 0 [t] 0 [!0] 1 [0] 2 State: 1 [!0] 1 {0} State: 2 [0] 2 {0} [!0] 2"},
		{"blocks.go", "determinization-scc", "State: 0 [t] 0 [!0] 1 [0] 2 State: 1 [!0] 1 {0} State: 2 [0] 2 {0} [!0] 2"},
		{"trees.go", "determinization", "State: 0 [t] 0 [!0] 1 State: 1 [!0] 1 {0} [0] 0"},
		{"ranks.go", "ranks", "State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} [!0] 1"},
	} {
		a := must.First(hoa.ReadOne(context.Background(), []byte(`HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- `+w.text+" --END--")))
		row := must.Get(find(w.algorithm))
		without = slices.DeleteFunc(without, func(a Algorithm) bool { return a == w.algorithm })
		c := must.Get(row.build(t.Context(), prepared(t, a), newAllowance(t.Context(), omega.Limits{Macrostates: 100})))
		comment := must.Get(os.ReadFile(string(w.file)))
		edges := edges(t, c)
		shown := map[string]bool{}
		for line := range strings.Lines(string(comment)) {
			if from, _, _ := strings.Cut(line, " on "); strings.HasPrefix(line, "//\t(") {
				if shown[from] = true; !strings.Contains(edges, line) {
					t.Errorf("%s: %s has no edge %q, but\n%s", w.file, w.algorithm, line, edges)
				}
			}
		}
		if len(shown) < 3 {
			t.Errorf("%s: %d macrostates are shown, of %s\n%s", w.file, len(shown), w.algorithm, edges)
		}
	}
	if len(without) > 0 {
		t.Errorf("no worked example for %v", without)
	}
}

// prepared is Prepare without reducing the automaton.
func prepared(t *testing.T, a *omega.Automaton) *Subject {
	if a.IsDeterministic() {
		return &Subject{a: a}
	}
	if a.Alternating() {
		return must.Get(Prepare(t.Context(), a, omega.Limits{}))
	}
	return must.Get(classify(t.Context(), a))
}

// edges returns a line for each edge of a complement.
func edges(t *testing.T, c omega.Source) string {
	whole := must.Get(omega.Explore(t.Context(), c, omega.NoLimits()))
	var b strings.Builder
	for s := range omega.State(whole.NumStates()) {
		for _, e := range whole.Edges(s) {
			fmt.Fprintf(&b, "//\t%s on %s to %s", name(c, s), c.Alphabet().Text(e.Label), name(c, e.Dst))
			if marks := c.Marks().AppendTo(nil, e.Marks); len(marks) > 0 {
				fmt.Fprintf(&b, ", mark %s", strings.Trim(fmt.Sprint(marks), "[]"))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// name returns the text of a macrostate.
func name(s omega.Source, q omega.State) string {
	switch c := s.(type) {
	case *completed:
		if q == c.sink {
			return "(sink)"
		}
		return fmt.Sprintf("(%d)", q)
	case *universal:
		key := c.table.At(int32(q))
		return "(" + members(key[1:1+key[0]]) + ")"
	case *macrostates:
		words := c.table.At(int32(q))
		text := "(" + members(c.subsets.sets.At(words[0]))
		rest := words[1:]
		for _, b := range c.blocks {
			n := rest[0]
			text += partName(b, rest[1:1+n])
			rest = rest[1+n:]
		}
		return text + ")"
	default:
		panic(fmt.Sprintf("%T", c))
	}
}

// partName returns the text of a block's part.
func partName(b block, part []int32) (text string) {
	switch b := b.(type) {
	case *breakpoint:
		return ", " + members(part)
	case *ncsb:
		in := map[uint8][]int32{}
		for _, w := range part {
			in[uint8(w&7)] = append(in[uint8(w&7)], w>>3)
		}
		return fmt.Sprintf(", C %s, S %s, B %s", members(slices.Concat(in[0], in[inC], in[inB])), members(in[inS]), members(in[inB]))
	case *trees:
		n := part[0]
		nodes := make([][]int32, n)
		for k := int(n); k < len(part); k += 2 {
			nodes[part[k+1]] = append(nodes[part[k+1]], part[k])
		}
		for i, states := range nodes {
			text += fmt.Sprintf(", %d hosts %s", i, members(states))
			if i > 0 {
				text += fmt.Sprintf(" below %d", part[i])
			}
		}
		return text
	case *ranks:
		if len(part) == 0 {
			return ""
		}
		var due []int32
		for k := 2; k < len(part); k += 2 {
			text += fmt.Sprintf(", %d has rank %d", part[k], part[k+1]>>1)
			if part[k+1]&1 != 0 {
				due = append(due, part[k])
			}
		}
		return fmt.Sprintf(", r %d, i %d%s, due %s", part[0], part[1], text, members(due))
	default:
		panic(fmt.Sprintf("partName has no case for %T", b))
	}
}

func members(states []int32) string {
	return "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(states), " ", ","), "[]") + "}"
}

// TestWorkedForms checks the examples in the comments of conversions.
func TestWorkedForms(t *testing.T) {
	worked.Check(t, "buchi.go", "2 Fin(0)&Inf(1)", "State: 0 [a] 0 {1} [!a] 0 {0}",
		"State: 0 [a] 0 [a] 1 [!a] 0 [!a] 1 State: 1 [a] 1 {0}",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return Buchi(ctx, a, omega.Limits{})
		})
	worked.Check(t, "parity.go", "1 Inf(0)", "State: 0 [t] 0 [a] 1 State: 1 [a] 1 {0}",
		"State: 0 [!a] 0 {0} [a] 1 {0} State: 1 [!a] 0 {0} [a] 1",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return deterministicParity(ctx, a, omega.Limits{})
		})
	worked.Check(t, "parity.go", "2 Inf(0)&Inf(1)", "State: 0 [a] 0 {0} [!a] 0 {1}",
		"State: 0 [!a] 0 [a] 1 State: 1 [!a] 0 {0} [a] 1",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return toBuchi(ctx, a, false, omega.Limits{})
		})
}

// TestWorkedConditions checks the examples in the comments of disjuncts and clauses.
func TestWorkedConditions(t *testing.T) {
	a := worked.Automaton(t, "3 Inf(0) & (Fin(1) | Inf(2))", "State: 0 [t] 0")
	c := &copies{a: a, allowance: newAllowance(t.Context(), omega.Limits{})}
	list, err := c.disjuncts(a.Acceptance().Condition)
	if err != nil || len(list) != 2 || !slices.Equal(list[0].fin, []int{1}) || list[0].rest.String() != "Inf(0)" ||
		len(list[1].fin) != 0 || list[1].rest.String() != "Inf(0) & Inf(2)" {
		t.Errorf("disjuncts %v (%v)", list, err)
	}
	a = worked.Automaton(t, "3 Inf(0) | (Inf(1) & Inf(2))", "State: 0 [t] 0")
	clauses, err := c.clauses(a.Acceptance().Condition)
	if err != nil || fmt.Sprint(clauses) != "[[0 1] [0 2]]" {
		t.Errorf("clauses %v (%v)", clauses, err)
	}
}

// TestRows looks for what is missing in the table of constructions, and in the manual.
func TestRows(t *testing.T) {
	manual := must.Get(os.ReadFile("../docs/complement.md"))
	turns := map[turn]int{}
	seen := map[Algorithm]bool{}
	for _, c := range constructions {
		if c.name == "" || c.class == "" || c.source == "" || seen[c.name] {
			t.Errorf("%q: a field is empty, or the name is not new", c.name)
		}
		seen[c.name] = true
		if other, err := find(c.instead); err != nil || other.name == c.name {
			t.Errorf("%s: instead: %s (%v)", c.name, c.instead, err)
		}
		turns[c.turn]++
		documented := false
		for line := range strings.Lines(string(manual)) {
			cells := strings.Split(line, "|")
			documented = documented || len(cells) == 6 && cells[1] == " `"+string(c.name)+"` " &&
				strings.Contains(cells[2], c.class) && strings.Contains(cells[3], c.source)
		}
		if !documented {
			t.Errorf("%s: docs/complement.md does not have it, with %q and %q", c.name, c.class, c.source)
		}
	}
	for n := turn(1); int(n) <= len(turns)-2; n++ { // besides alone and never
		if turns[n] != 1 {
			t.Errorf("%d constructions have turn %d", turns[n], n)
		}
	}
}
