// Package triage groups the failures of a run by cause.
//
// It sees translators only from outside. Two failures have one cause if the same translator fails in
// the same way, and both formulas shrink to the same one. Names of propositions and the order of
// operands do not count. Failures that are not shrunk are kept by samples.
//
// A formula shrinks in three rounds:
//
//  1. Subformulas become their operands, and propositions are merged. Nothing new enters the
//     formula. Some of the remaining operators are part of the cause: without them, the
//     translator is right on an equivalent formula, such as b M (a | b) for a U b. These stay.
//  2. Other operators become simpler ones, and subformulas become constants.
//  3. Different ways can end at different formulas. So all small formulas with these operators
//     are tried in order, and the first that fails is taken.
//
// A formula with propositions never becomes one without, because constants have other
// failures.
//
// Few formulas need this. If a formula can shrink to that of a known cause (see [ltl.Embeds]),
// no translator is called.
package triage
