// Package reduce makes automata smaller without changing their language.
//
//   - [Reduce] removes useless states and marks, and merges states that are bisimilar or simulate
//     each other.
//   - [Backward] also uses simulation backwards. The result may be less deterministic.
//   - [StateBased] is Reduce for automata with marks on states.
//   - [Parity] is for deterministic automata with a parity condition.
//   - [WithoutDeadEnds] only removes states from which no infinite run starts.
//   - [NewPreorder] returns the simulations themselves.
//
// # Simulation
//
// State q simulates p if each edge of p has an answer: on each of its letters, an edge of q with
// marks at least as good, to a state that simulates where the first one leads. Here 1 simulates 0,
// because the edge on true answers the one on a:
//
//	0 --a {0}--> 1
//	1 --t {0}--> 1
//
// Then an edge to 0 is superfluous if there is one to 1 with the same letters and marks. States
// that simulate each other become one.
//
// These simulations are matrices of all pairs of states. To prove inclusion, package simulation
// plays a game between two automata instead, which is slower but knows fair simulation and
// lookahead.
package reduce
