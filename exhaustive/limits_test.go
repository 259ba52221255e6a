package exhaustive

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/imports"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// The package shares nothing with the searches.
func TestImports(t *testing.T) {
	if got := imports.Own(t); got != "certify exhaustive internal/budget internal/must internal/promela internal/recent internal/spelling ltl" {
		t.Errorf("exhaustive depends on %q: expected certify, what that needs, and budget", got)
	}
}

// large returns the comparison of a formula over some propositions with an automaton that takes
// long: many states, each with edges to many others.
func large(props, states int) *Question {
	q := &Question{Size: 100}
	s := ltl.NewStore()
	f := s.True()
	a := &certify.Automaton{States: states, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
	for i := range props {
		name := fmt.Sprintf("p%d", i)
		q.Props = append(q.Props, name)
		f = s.And(f, s.Finally(must.Get(s.Parse(name, ltl.Spot))))
	}
	a.Props = q.Props
	for i := range states {
		for k := range 10 {
			label := &certify.Label{Op: certify.Prop, Prop: (i + k) % props}
			a.AddEdge(i, label, []int{0}[:k%2], (i+k*k+1)%states)
		}
	}
	q.Formula, q.Automata = f, []Automaton{{a, false}}
	return q
}

// A limit of steps ends with a smaller size, and all words up to that are tried.
func TestSteps(t *testing.T) {
	last := -1
	for _, steps := range []int{100, 10_000, 300_000, 10_000_000} {
		q := large(2, 10)
		q.Steps = steps
		answer, err := Check(t.Context(), q)
		if err != nil || answer.Size < last || answer.Size == q.Size || answer.Words != Words(2, answer.Size) {
			t.Fatalf("%d steps: %+v, %v", steps, answer, err)
		}
		last = answer.Size
	}
	if last < 4 {
		t.Errorf("only words up to size %d", last)
	}
}

// A formula with deeply nested operators of the past takes little memory, even for one word.
func TestDeepPast(t *testing.T) {
	s := ltl.NewStore()
	f := must.Get(s.Parse(strings.Repeat("Y ", 8000)+"a", ltl.Spot))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	answer, err := Check(t.Context(), &Question{Props: []string{"a"}, Formula: f, Size: 6, Steps: 1 << 18})
	if err != nil || answer.Size != 0 {
		t.Errorf("%+v, %v", answer, err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d MiB", took>>20)
	}
}

// However large the question is, it ends when the context does. Large automata need a limit of
// steps.
func TestCancel(t *testing.T) {
	for _, q := range []*Question{large(1, 20_000), large(12, 10), large(40, 10), large(2, 500)} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		q.Steps = 1 << 17
		if len(q.Props) != 1 {
			q.Steps = 0
		}
		begin := time.Now()
		_, err := Check(ctx, q)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d propositions: %v", len(q.Props), err)
		}
		if took := time.Since(begin); took > time.Second { // on a busy machine
			t.Errorf("%d propositions: %v", len(q.Props), took)
		}
		cancel()
	}
}
