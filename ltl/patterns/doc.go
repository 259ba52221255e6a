// Package patterns provides the LTL formulas that papers use to measure translators.
//
// There are two kinds. A list is a set of unrelated formulas that were published together, such as
// the specification patterns of Dwyer, Avrunin and Corbett (dac). Its formulas are numbered from 1
// in the order of publication. The propositions are p0, p1, …; controllers have the inputs
// i0, i1, … and the outputs o0, o1, …. A family has one formula for each value of one or two
// parameters. It shows how a translation grows, or proves a lower bound:
//
//	and-f 1    F p1
//	and-f 2    F p1 & F p2
//	and-f 3    F p1 & F p2 & F p3
//
// [Parse] reads a request, as a configuration or a command line has it:
//
//	dac              all formulas of the list
//	dac 1..10        its first ten formulas
//	go-theta 1..5    a family, for the values 1 to 5
//
// The names are the same as in Spot's genltl, so published benchmarks can be repeated.
//
// request.go reads requests, set.go has what a set is made of, lists.go the lists and families.go the
// families. The package imports ltl.
//
// # Families that need an explanation
//
// The rv-counter families (Rozier and Vardi) describe a binary counter of n bits. Each formula has
// exactly one model. It lists the numbers 0, 1, …, 2^n-1, 0, … one after the other. A number takes
// n letters, lowest bit first: b is the bit, and m marks the lowest one. In the families with a
// carry, c says that this bit is 1 now and 0 in the next number. A Büchi automaton needs n·2^n
// states.
//
// The families kv-psi, kr-nlogn and kr-n speak about blocks of n letters, each a or b. Blocks are
// separated by c. Then come d, one more block, and c forever. The formula says that the block after
// d also occurred before d. At d a deterministic automaton must remember the set of all blocks so
// far, so it needs at least 2^2^n states. The three families differ in how they compare blocks:
//
//   - kv-psi (Kupferman and Vardi) compares letter by letter with nested X. Its size is n².
//   - kr-nlogn (Kupferman and Rosenberg) writes each letter's number in binary before the letter:
//     0 is y, 1 is z, lowest bit first. Its size is n·log n.
//   - kr-n (same authors) uses 2n propositions a1, …, an and b1, …, bn. Its size is n.
package patterns
