// Package guide varies the formulas that showed something new.
//
// The first formulas are random. Later ones are mostly changed copies of formulas that showed
// something new: a translator printed an automaton of a new kind, or failed in a new way. This is
// coverage-guided testing, as in AFL, with what is printed instead of branches.
//
// The formulas depend only on the seed and the answers of the translators, and not on which answer
// came first. A formula depends on the answers for formulas well before it, and waits for them.
package guide
