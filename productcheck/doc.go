// Package productcheck decides whether two ω-automata have a word in common,
// without building their product (Gillard 2019, chapters 4 and 5).
//
// A [Product] is a Source: its states are pairs of states, numbered when they
// are first met, its edges are made when the search asks for them, and its
// marks are those of both sides, as many as there are. So every emptiness check
// of a single Source is one on pairs as well; [Intersect] uses emptiness.Check,
// which is Couvreur's algorithm where no Fin occurs and the generic one where it
// does, and then splits the accepting run of the product into one of each side.
//
// An automaton that takes part in several products is best given as an [Indexed] or
// a [Language], which keep the index of its edges.
//
// Since either side may be made on demand too (a complement, say), only the
// states that the other side can reach are ever computed.
package productcheck
