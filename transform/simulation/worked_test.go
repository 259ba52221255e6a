package simulation_test

import (
	"maps"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/transform/simulation"
)

// TestWorked checks the examples in the comment of won and in the package documentation.
func TestWorked(t *testing.T) {
	a := worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 0 {0}")
	b, err := worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 0 {0}").Over(t.Context(), a.Alphabet())
	if err != nil {
		t.Fatal(err)
	}
	claims, won := simulation.Claims(a, b, simulation.Fair, 1)
	if want := map[simulation.Claim]int32{{P: 0, Q: 0}: 1, {P: 0, Q: 1}: 0}; !won || !maps.Equal(claims, want) {
		t.Errorf("%t, %v", won, claims)
	}
	b, err = worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 0").Over(t.Context(), a.Alphabet())
	if err != nil {
		t.Fatal(err)
	}
	if claims, won := simulation.Claims(a, b, simulation.Fair, 1); won || len(claims) > 0 {
		t.Errorf("without the mark: %v", claims)
	}
	worked.Shows(t, "solve.go", "Spoiler: State: 0 [t] 0 {0} Duplicator: State: 0 [t] 1 State: 1 [t] 0 {0}")

	a = worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 0 {0}")
	b, err = worked.Automaton(t, "1 Inf(0)", "State: 0 [t] 1 [t] 2 State: 1 [a] 0 {0} State: 2 [!a] 0 {0}").Over(t.Context(), a.Alphabet())
	if err != nil {
		t.Fatal(err)
	}
	if k, err := simulation.Proves(t.Context(), a, b, simulation.Fair, 3, 1<<16); k != 2 || err != nil {
		t.Errorf("lookahead %d, %v", k, err)
	}
}
