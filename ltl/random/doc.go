// Package random draws formulas on which translators go wrong.
//
// [ltl.Generator] draws every operator and every size of a range alike. Most of its formulas are
// small, or trivial inside, and few have a condition such as GFa. The formulas of this package
// cross the thresholds where translators change their ways. They have 1 to 10 propositions, sizes
// from 1 up to a long tail, and all classes of the hierarchy of Manna and Pnueli. Parts are
// fairness, specification patterns, and subformulas that occur twice.
//
// Four formulas in a row share a style, which leaves out some operators and favors others
// (swarm testing: Groce, Zhang, Eide, Chen, Regehr 2012): a bug in one operator often shows only
// where another is missing.
//
// No formula can be made much smaller by simple rewriting, and none is like one of the last
// 262,144 up to names, negation and rewriting. Some formulas, on purpose, have constants.
package random
