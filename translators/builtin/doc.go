// Package builtin translates LTL formulas to generalized Büchi automata by two
// constructions that have nothing in common: they share no code above the
// packages ltl and omega, so that each is a check of the other.
//
// # The tableau (gpvw)
//
// Gerth, Peled, Vardi and Wolper, "Simple On-the-fly Automatic Verification of
// Linear Temporal Logic" (PSTV 1995). A node of the tableau is a guess of which
// subformulas hold now. It has three sets: New, what is still to be taken
// apart; Old, what has been; and Next, what must hold after the next letter. A
// formula is moved from New to Old and replaced by what it demands, which for
// some is a choice that splits the node:
//
//	            now     next          or now
//	f & g       f, g
//	f | g       f                     g
//	X f                 f
//	F f                 F f           f
//	G f         f       G f
//	f U g       f       f U g         g
//	f W g       f       f W g         g
//	f R g       g       f R g         f, g
//	f M g       g       f M g         f, g
//
// When New is empty the node is complete: its literals say which letters may be
// read, its Next where the search goes on. A run could choose "F f next" for
// ever. So there is one acceptance set for each formula that promises
// something, with the nodes at which that is not put off: F f and f U g are not
// in Old, or what they promise (f or g) is; for f M g it is f.
//
// In the paper a node is a state, and the label is on the state. Here label and
// marks of a node are put on the edges that enter it. Its Old has then served
// its purpose: nodes with the same Next have the same successors, and are one
// state. So a state is a set of obligations, which starts as the formula alone,
// and an edge is a complete node of the tableau that starts with that set as
// New. A node is not split for a formula if it already has all that one of the
// branches demands (Daniele, Giunchiglia and Vardi, CAV 1999, do more of that),
// unless that branch puts off a promise. The formula is only brought into
// negation normal form, not simplified.
//
// # Very weak alternating automata (gastin-oddoux)
//
// Gastin and Oddoux, "Fast LTL to Büchi Automata Translation" (CAV 2001). A
// first automaton is alternating: its states are the temporal subformulas and
// literals; on a letter a state moves to a conjunction of states, a set, and it
// may choose among several sets. With one choice a set of states, and with ⊗
// for all unions of a choice of the one with a choice of the other, the choices
// Δ of a formula are
//
//	f & g       Δ(f) ⊗ Δ(g)
//	f | g       Δ(f) ∪ Δ(g)
//	X f         f as a disjunction of sets of states
//	F f         Δ(f) ∪ {F f}
//	G f         Δ(f) ⊗ {G f}
//	f U g       Δ(g) ∪ (Δ(f) ⊗ {f U g})
//	f W g       Δ(g) ∪ (Δ(f) ⊗ {f W g})
//	f R g       Δ(g) ⊗ (Δ(f) ∪ {f R g})
//	f M g       Δ(g) ⊗ (Δ(f) ∪ {f M g})
//
// A state leads to itself and to its proper subformulas only: the automaton is
// very weak. A run, which is a tree, accepts if no branch stays for ever in a
// state that promises something (F, U, M).
//
// The second automaton is a powerset of the first: a state, called a
// macrostate, is the set of states that a level of the tree consists of, and
// moves by the choices ⊗ of its members. There is one acceptance set T_f for
// each promise f. A move to a macrostate Y on a letter is in T_f if f is not in
// Y, or if f could have moved to some Z ⊆ Y without f on that letter: f has then
// no need to stay. All is simplified as it is made:
//
//   - A move is dropped if on the same letter there is one to a subset, which is
//     in all acceptance sets that the first is in. This is done in both automata
//     (there are no acceptance sets in the first).
//   - Macrostates with the same moves are one state.
//
// The paper does this with labels that are conjunctions, and compares them by
// inclusion. Here everything is meant letter by letter, as if each letter had
// moves of its own, and a label is merely the set of letters that have the same
// move. So a label loses just those letters on which another move is better:
// of the moves of F a, to stay is not one for letters with a, and the automaton
// is deterministic.
//
// # Cost
//
// Both automata have at most exponentially many states in the size of the
// formula. They are made on demand: each translation is an [omega.Source], and
// the subformulas of a set are bits in machine words.
package builtin
