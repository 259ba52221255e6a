// Package patterns has the formulas of linear temporal logic that the literature
// measures translators with.
//
// There are two kinds. A list is a number of unrelated formulas that somebody has
// published together, such as the specification patterns of Dwyer, Avrunin and
// Corbett (dac). Its formulas are counted from 1, in the order of the publication,
// and its propositions are p0, p1, … in each formula. A family is a formula for
// each value of one or two parameters, such as F p1 & … & F pn (and-f), made to
// show how a translation grows, or to prove a bound. Its propositions have the
// letters of the publication.
//
// Names are those of the prefixes and families of Spot's genltl, so that a
// benchmark that was described with them can be repeated. A Request is what is
// asked for in a configuration or on a command line: "dac", "dac 1..10", "go-theta
// 1..5".
//
// # Families with a meaning that is not plain
//
// The formulas rv-counter, rv-counter-carry, rv-counter-linear and
// rv-counter-carry-linear (Rozier and Vardi) have exactly one model: the numbers 0,
// 1, …, 2^n-1, 0, … one behind the other, each as n bits b, the lowest one first,
// the position of which is marked with m. With a carry, the proposition c says that
// the bit was 1 and is 0 in the next number, because all bits before it are 1 as
// well. So a Büchi automaton needs n·2^n states.
//
// The formulas kv-psi, kr-nlogn and kr-n say that a word after d has occurred before
// d: blocks of n letters, each a or b, are written between marks c, then comes d, one
// more block, and c for ever. A deterministic automaton must remember at d the set of
// all blocks it has seen, so it has at least 2^2^n states. Kupferman and Vardi
// compare the letters of two blocks one by one with nested X, which takes a formula
// of size n². Kupferman and Rosenberg write before each letter its number in its
// block, in binary (0 is y, 1 is z, the lowest bit first), which takes n·log n, or
// use letters a1, …, an and b1, …, bn, which takes a formula of size n over 2n
// propositions.
package patterns
