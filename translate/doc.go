// Package translate translates LTL formulas into generalized Büchi automata, by three constructions.
//
// The constructions share no code that translates, only tables of sets and of edges, so each one
// checks the others.
//
//	gpvw            tableau: Gerth, Peled, Vardi and Wolper, PSTV 1995
//	gastin-oddoux   very weak alternating automata: Gastin and Oddoux, CAV 2001
//	couvreur        decision diagrams: Couvreur, FM 1999
//
// gpvw and gastin-oddoux follow their papers. couvreur also reduces its automata, and is xcheck's
// reference.
//
// [With] takes the name of a construction, and [Of] uses couvreur. For another form of an
// automaton, such as Büchi acceptance or determinism, see complement.Form.
//
// # Example
//
// Each construction splits a formula into what must hold now and what must hold next. An
// alternative that postpones a promise gets no mark, so a run can't postpone it forever. For F a
// there are two alternatives:
//
//	F a   =   a now,  or  F a next (the promise of a is postponed)
//
// So gpvw makes an automaton with the states F a and 1 (true):
//
//	F a:  on a to 1, with the mark               on every letter to F a, without
//	1:    on every letter to 1, with the mark
//
// The file of each construction has its theory: gpvw.go, gastinoddoux.go and couvreur.go.
// couvreur_expansions.go is a part of couvreur. sere.go has regular expressions.
//
// # Past operators
//
// Past operators are replaced first: the formula becomes one of the future with additional
// propositions, which are projected away.
//
// # Regular expressions
//
// couvreur translates formulas of PSL: {r}, {r}<>->f and {r}[]->f. A regular expression becomes a
// nondeterministic automaton by partial derivatives, and its states become obligations, as formulas
// are: see couvreur.go. The other constructions refuse such formulas.
//
// # Independence
//
// xcheck's reference is one of these translations. The package therefore imports none of the
// packages that check automata (emptiness, complement, productcheck): if a check were wrong, a
// reference that it helped to build could be wrong in the same way, and the error would not show. A
// test keeps it so.
//
// # Cost
//
// The number of states is at most exponential in the size of the formula.
//
// Each translation is an [omega.Source], so its states are made on request. [Algorithm.Source]
// returns it. Reductions have a limit of steps.
package translate
