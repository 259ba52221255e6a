// Package complement makes, from an ω-automaton, one that accepts exactly the
// words that it rejects.
//
// The result is a Source: its states, called macrostates, are made when they
// are asked for. A product check with another automaton thus computes only those
// that the other automaton can reach, mostly a small part.
//
// # From the automaton to the class
//
// [Prepare] reduces the automaton. A deterministic one has one run at most on a
// word: once it is completed by a sink, negating the acceptance condition
// complements it ([Deterministic]). An alternating one whose components are weak
// is dualized, and the dual is freed from alternation ([Nondeterministic]). Any
// other is brought to Büchi acceptance ([Buchi]).
//
// # Components and blocks
//
// An accepting run of a Büchi automaton stays in one strongly connected component
// from some time on. A word is rejected if, for each component, no run that stays
// in it is accepting; how hard that is to see depends on the component:
//
//   - All its cycles are accepting: no run may stay. It is enough to look, again
//     and again, whether all runs that were inside have left (a breakpoint).
//   - It is deterministic: each run that comes in has one continuation inside, so
//     that it can be guessed when it has seen its last mark (NCSB).
//   - It is neither: runs split again and again. Either all are followed, in a tree
//     that remembers which came together (Safra), or a ranking is guessed that
//     witnesses that all are rejecting (Kupferman and Vardi).
//
// So components are shared out to blocks, each with a construction of its own, and
// a macrostate consists of the set of states that can be reached, and of a part
// for each block. A construction in the list of [Algorithms] is a rule for which
// block each component goes to; the older ones put all components into one.
//
// States that another one simulates are left out of sets and trees, and sets in
// which every state is simulated by some state of another are recognised by
// [Complement.Weaker], so that a product check need not look at both.
//
// [Subject.Candidates] orders the constructions by what may be expected of them.
// None is best for all automata, so [Whole], and productcheck.Decider, go on
// to the next when one has made many macrostates.
//
// # Other forms
//
// What complements is also good for automata that keep their language: [ToBuchi]
// gives them Büchi acceptance, and [Parity] makes them deterministic, since a
// complement by trees or breakpoints alone is deterministic, and is complemented
// again by negating its condition.
package complement
