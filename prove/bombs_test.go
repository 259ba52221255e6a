package prove_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/prove"
)

// bomb returns an automaton of one state, with one edge for each label.
func bomb(aliases string, labels ...string) string {
	return fmt.Sprintf("HOA: v1 States: 1 Start: 0 AP: 3 \"a\" \"b\" \"c\" Acceptance: 1 Inf(0)\n%s--BODY-- State: 0\n[%s] 0 {0}\n--END--",
		aliases, strings.Join(labels, "] 0 {0}\n["))
}

// doubled returns aliases each of which has the one before it twice, as by "@%[1]d & @%[1]d".
func doubled(n int, format string) string {
	var b strings.Builder
	b.WriteString("Alias: @0 0\n")
	for i := range n {
		fmt.Fprintf(&b, "Alias: @%d "+format+"\n", i+1, i)
	}
	return b.String()
}

// Automata that take for ever if a search or a printer does not keep to its effort, or to its context.
// A loop that does not runs into the time limit of go test.
func TestBombs(t *testing.T) {
	var many []string
	for i := range 20000 {
		many = append(many, []string{"0 & 1", "0 & !1", "!0 & 2", "!0 & !2"}[i%4])
	}
	var chain strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&chain, "State: %d [0] %d [!0] %d\n", i, i+1, i+1)
	}
	for name, text := range map[string]string{
		"a conjunction of 2^40 parts":      bomb(doubled(40, "@%[2]d & @%[2]d"), "@40"),
		"a disjunction of 2^40 parts":      bomb(doubled(40, "@%[2]d | @%[2]d"), "@40"),
		"parts of which none is the other": bomb(doubled(40, "(1 & @%[2]d) | (2 & !@%[2]d)"), "@40", "!@40"),
		"an edge many times":               bomb("", many...),
		"a chain of guesses": "HOA: v1 States: 20001 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--\n" + chain.String() +
			"State: 20000 [0] 20000 {0} --END--",
	} {
		t.Run(name, func(t *testing.T) {
			a, _, err := hoa.ReadOne(context.Background(), []byte(text))
			must.Do(err)
			for _, formula := range []string{"G a", "a U b", "1"} {
				s := ltl.NewStore()
				ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
				defer cancel()
				proof, err := prove.New(s, must.Get(s.Parse(formula, ltl.Spot))).Prove(ctx, true, a.Plain())
				if err == nil {
					err = prove.Write(ctx, io.Discard, proof)
				}
				known := []error{nil, prove.ErrLost, certify.ErrLarge, certify.ErrTooMuch, context.DeadlineExceeded}
				found := false
				for _, k := range known {
					found = found || errors.Is(err, k)
				}
				if !found {
					t.Errorf("%s: %v", formula, err)
				}
			}
		})
	}
}
