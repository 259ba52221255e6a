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
// and, of the past, with the letters of NuSMV (Spot has none),
//
//	Y a      there is a position before, and a holds there
//	Z a      a holds at the position before, if there is one
//	O a      a holds now or at some earlier position
//	H a      a holds now and at all earlier positions
//	a S b    b holds now or at some earlier position, and a at all since then
//	a T b    b holds at all positions up to now, or at all since one where a does too
//
// They add nothing to what can be said at the first position, but formulas may
// be exponentially shorter (Laroussinie, Markey and Schnoebelen 2002).
//
// U and M are least fixpoints, R and W greatest ones, and there are dualities
// between them: !(a U b) is !a R !b, !(a W b) is !a M !b, and !(a S b) is !a T !b.
//
// Formulas are made by a [Store], each only once: equal formulas are the same
// pointer, which makes comparing and memoizing cheap. They never change. The
// constructors do not simplify anything, so that a formula is what was written;
// only nested conjunctions and disjunctions have one shape, whichever way they
// were nested.
//
// [Store.Parse] and [Formula.Format] read and write the syntaxes of Spot, Spin,
// LBT and Wring, and Formula.Text writes symbols too. [Formula.Holds] evaluates a formula on a lasso word, directly
// from the semantics above: it is the judge of every disagreement that xcheck
// reports, so it shares nothing with the translations to automata. [Formula.Truths] has
// the truth of all subformulas everywhere, and [Store.Progress] what is left of a formula
// after a letter.
//
// [Store.Shrink] lists formulas that are a step smaller than a given one, and
// [Store.Smallest] goes down these steps from a formula on which some tool is
// wrong to one that shows the same with nothing superfluous.
package ltl
