// Package builtin translates LTL formulas to generalized Büchi automata by three
// constructions that have nothing in common: they share no code above the
// packages ltl and omega, so that each is a check of the others. The first two are
// as their papers have them; the third one, couvreur, is to give small automata.
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
// # Decision diagrams (couvreur)
//
// Couvreur, "On-the-fly Verification of Linear Temporal Logic" (FM 1999). A formula
// is expanded into a Boolean function: of the letter, of promises that are put off,
// and of formulas that must hold next. With p(f) for "the promise of f is put off" and
// x(f) for "f must hold next", the expansion ⟦f⟧ is
//
//	X f         x(f)
//	F f         ⟦f⟧ | p(f) & x(F f)
//	G f         ⟦f⟧ & x(G f)
//	f U g       ⟦g⟧ | ⟦f⟧ & p(g) & x(f U g)
//	f W g       ⟦g⟧ | ⟦f⟧ & x(f W g)
//	f R g       ⟦g⟧ & (⟦f⟧ | x(f R g))
//	f M g       ⟦g⟧ & (⟦f⟧ | p(f) & x(f M g))
//
// and that of a literal the literal. It is monotone in p and x. So it is kept as a
// decision diagram over the propositions, with at each leaf the prime implicants of
// what is left: sets of promises and formulas, called terms, none of which implies
// another. (Those that are known to, since G f implies f U g if f implies g, and so
// on, are left out; see ltl.Implication.) Equal expansions are one node, and a state
// is an expansion. It has an edge for each term of a leaf, on the letters that lead to
// the leaf, to the expansion of the conjunction of the term's formulas; and that is
// in the acceptance set of each promise that the term does not put off. As in gpvw a
// run could put off a promise for ever. Untils with the same right side share one.
//
// Letter by letter there are only terms that are needed, so that the automaton is
// deterministic where the formula leaves no choice, and GF a & GF b has one state.
// From the ninth proposition on, literals are parts of terms, since a diagram may have
// exponentially many leaves.
//
// Before, the formula is simplified by ltl.Store.Reduce, and prepared such that
// choices are made late. Afterwards, what Translate returns is reduced by omega.Shrink
// (simulation in both directions). If the formula is an obligation, that is a Boolean
// combination of properties of which every violation or every success is seen after
// finite time, there is a least deterministic automaton, and a weak one. It is taken if
// it has no more states (Dax, Eisinger and Klaedtke, "Mechanizing the powerset
// construction for restricted classes of ω-automata", ATVA 2007, with the minimization
// of Löding, "Efficient minimization of deterministic weak ω-automata", 2001). Whether
// the formula is one is seen from its operators, or decided by comparing languages. The
// search is given up past four times as many sets as there are states to be beaten.
//
// # Cost
//
// All automata have at most exponentially many states in the size of the formula,
// couvreur's before it is reduced as well, since those with the same terms are one.
// They are made on demand: each translation is an [omega.Source], and the subformulas
// of a set are bits in machine words. Reducing is bounded by numbers of steps.
package builtin
