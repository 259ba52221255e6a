// Package builtin translates LTL formulas to generalized Büchi automata, by
// constructions that have nothing in common: they share no code above the packages
// ltl and omega (but cgh and tight, which are variants of one), so that each is a
// check of the others. The first two are as their papers have them; the third one,
// couvreur, is to give small automata, and is xcheck's reference; the last two are for
// shortest runs. All take operators of the past: the first three by way of a formula
// of the future with more propositions, which are then projected away.
//
// [Options] bring what they make into another form: Büchi acceptance, marks on
// states, deterministic with parity acceptance, complete.
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
// # Valuations (cgh)
//
// Clarke, Grumberg and Hamaguchi, "Another Look at LTL Model Checking" (FMSD 1997),
// with operators of the past as in Schuppan and Biere, "Shortest Counterexamples for
// Symbolic Model Checking of LTL with Past" (2005), Table 1. All operators are
// expressed by !, &, xor, X, U, Y and S. A state says of each temporal subformula
// whether it is true, so that there is exactly one run on each word, and a step must
// satisfy
//
//	f U g now  =  g now | f now & (f U g) next
//	X f now    =  f next
//	Y f next   =  f now                                     Y f is false at first
//	f S g next =  g next | f next & (f S g) now             f S g is g at first
//
// with an acceptance set for each f U g: the steps at which it is false, or g is true.
// The states of the paper are valuations of all subformulas, propositions included.
// Here the letter is on the edge, and a state has a variable only for what can't
// be told from the letter and the next state. Before position i these are: whether
// f U g is true at i, whether f is for each X f, whether the whole formula is; Y f at
// i; and Y(f S g) at i, which is the truth of f S g at i-1. Boolean connectives are
// computed from these, as sets of letters. Only guesses that leave a letter for
// the step, and as far as can be told one for the step after it, are made.
//
// The automaton is tight (Definition 2 of Schuppan and Biere) for formulas of the
// future: each lasso u·v^ω that it accepts, it accepts by a run that is in a state
// after u and back in it after v. For then a state is a function of the suffix that
// is still to be read (Proposition 1). Tableaux are not: for p & X G q on cycle{p&q}
// they go from p & X G q to G q and stay there. With past it is not, since the first
// rounds of v may differ: a run may need up to |u| + (h+1)·|v| letters until it is in
// its loop, where h is the nesting of past operators (Proposition 2; for that a
// state may tell Y f from f, as here for f S g).
//
// # Valuations, virtually unrolled (tight)
//
// Table 2 of the same paper, the automaton B_SB. It is tight for all formulas. A
// subformula f has h(f)+1 variables, its generations: the truth of f in each round of
// the cycle until it does not change any more, and in the last one for all rounds that
// follow. They are all tracked in one round. On the stem there is generation 0
// alone. At some point (lb) the loop begins, with a guess of all other
// generations; from then on each one has to satisfy the equations above. Each step
// may be guessed to be the end of a round (le): then what comes next of generation
// i is generation i+1, and of the last one the last one. Generation 0 of Y f and f S g
// is open after the end of a round, and so is generation 0 of f U g. The acceptance
// sets are those of the last generations, and one for the ends of rounds, which must
// come again and again. Whatever is guessed, at each position the generation whose
// turn it is (the number of rounds that have ended) satisfies the equations of cgh:
// so the language is right. On a lasso the guess can be right, and then the first
// state of the loop is the same after each round.
//
// What is kept of B_SB is less than all of it:
//
//   - Variables are as in cgh. That of f S g is its truth at the position before, also
//     in each generation. That is enough: if the operands don't change from round
//     h-1 on, f S g at the end of a round does not, either, since a round leaves it as
//     it was or makes it what it makes it always.
//   - lb is a variable of the state, le is not, but a choice of the edge. On the stem
//     the variables of other generations than 0 are left out.
//   - At the first position Y f is false, and f S g is g. So these are replaced where
//     they are not under an operator of the future. If there are no others then,
//     there is one generation, no lb and no le, and the automaton is that of cgh.
//   - A run on a lasso with the right guesses is enough, for the language too, since
//     ω-regular languages with the same lassos are the same. In it, what can only
//     become true as time passes (O f, and g S O f, Y O f, …) does not become false
//     from one generation to the next, and what can only become false (F f, H f, …)
//     does not become true, and neither changes in the last generation. Other guesses
//     are not made.
//
// The two share all but the number of generations. Their tightness can't be kept by
// algorithms that reduce automata, but for quotients, which map a run to a run of the
// same type.
//
// # Cost
//
// All automata have at most exponentially many states in the size of the formula,
// couvreur's before it is reduced as well, since those with the same terms are one;
// those of tight in the square of it. They are made on demand: each translation is
// an [omega.Source], and the subformulas of a set are bits in machine words. Reducing
// is bounded by numbers of steps. The automata of cgh and tight reach the bound: they
// are for products with something small, which lead to few of the states.
package builtin
