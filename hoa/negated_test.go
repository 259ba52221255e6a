package hoa_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestNegatedMarks: an edge has the fresh mark of a negated one if it does not have that mark,
// whether it is written on the edge or on its state.
func TestNegatedMarks(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		sets, states := 1+r.IntN(150), 1+r.IntN(5)
		negated := r.Perm(sets)[:1+r.IntN(sets)]
		var condition []string
		for _, i := range negated {
			condition = append(condition, fmt.Sprintf("Inf(!%d)", i))
		}
		some := func() (list []int) {
			for range r.IntN(1 + r.IntN(2*sets)) {
				list = append(list, r.IntN(sets))
			}
			return list
		}
		var text strings.Builder
		fmt.Fprintf(&text, "HOA: v1.1\nStates: %d\nStart: 0\nAP: 0\nAcceptance: %d %s\n--BODY--\n", states, sets, strings.Join(condition, "&"))
		given := make([][]int, states)
		for s := range states {
			own, marks := some(), some()
			given[s] = append(own, marks...)
			fmt.Fprintf(&text, "State: %d {%s}\n[t] %d {%s}\n", s, strings.Trim(fmt.Sprint(own), "[]"), r.IntN(states), strings.Trim(fmt.Sprint(marks), "[]"))
		}
		text.WriteString("--END--\n")
		a, _, err := hoa.ReadOne(context.Background(), []byte(text.String()))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &text)
		}
		for s, list := range given {
			edge := a.Edges(omega.State(s))[0]
			for i := range sets {
				if got, want := a.Marks().Has(edge.Marks, i), slices.Contains(list, i); got != want {
					t.Fatalf("seed %d: state %d has mark %d: %v, want %v\n%s", seed, s, i, got, want, &text)
				}
			}
			for k, i := range negated {
				if got, want := a.Marks().Has(edge.Marks, sets+k), !slices.Contains(list, i); got != want {
					t.Fatalf("seed %d: state %d lacks mark %d: %v, want %v\n%s", seed, s, i, got, want, &text)
				}
			}
		}
	}
}

// TestManyNegatedMarks: reading edges without many negated marks ends when the context does.
func TestManyNegatedMarks(t *testing.T) {
	const n = 60000
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1.1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: %d Inf(!0)", n)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&text, "&Inf(!%d)", i)
	}
	text.WriteString("\n--BODY--\nState: 0\n")
	for i := range n {
		fmt.Fprintf(&text, "[t] 0 {%d}\n", i)
	}
	text.WriteString("--END--\n")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _, err := hoa.ReadOne(ctx, []byte(text.String()))
	if !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, new(*hoa.LimitError)) {
		t.Errorf("got %v", err)
	}
}
