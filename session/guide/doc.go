// Package guide makes formulas of those that showed something new.
//
// After an opening of random formulas, most formulas are changed copies of earlier ones: of those
// on which a translator printed an automaton of a kind, or failed in a way, that it had not shown
// before (coverage-guided testing, as in AFL, with what is printed instead of branches).
//
// What is made depends only on the seed and the answers of the translators, and not on which of
// them came first: a formula depends on the answers for formulas that are at least lag before it,
// and waits for them.
package guide
