// Package ltl implements formulas of linear temporal logic.
//
// A formula is true or false at a position of an infinite word of valuations of
// its propositions. Besides the Boolean operators there are
//
//	X a      a holds at the next position
//	F a      a holds now or at some later position
//	G a      a holds now and at all later positions
//	a U b    b holds at some position, and a at all before it
//	a W b    the same, or a holds for ever
//	a R b    b holds up to and including the first position where a does, or for ever
//	a M b    the same, and a does hold at some position
//
// U and M are least fixpoints, R and W greatest ones, and there are dualities
// between them: !(a U b) is !a R !b, and !(a W b) is !a M !b.
//
// Formulas are made by a [Store], each only once: equal formulas are the same
// pointer, which makes comparing and memoizing cheap. They never change. The
// constructors do not simplify anything, so that a formula is what was written;
// only nested conjunctions and disjunctions have one shape, whichever way they
// were nested.
//
// [Store.Parse] and [Formula.Format] read and write the syntaxes of Spot, Spin,
// LBT and Wring. [Formula.Holds] evaluates a formula on a lasso word, directly
// from the semantics above: it is the judge of every disagreement that xcheck
// reports, so it shares nothing with the translations to automata.
package ltl
