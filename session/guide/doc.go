// Package guide makes formulas of those that showed something new.
//
// After an opening of random formulas, most formulas are changed copies of earlier ones that showed
// something new. There a translator printed an automaton of a new kind, or failed in a new way. This
// is coverage-guided testing, as in AFL, with what is printed instead of branches.
//
// What is made depends only on the seed and the answers of the translators, and not on which of
// them came first: a formula depends on the answers for formulas that are well before it, and waits
// for them.
package guide
