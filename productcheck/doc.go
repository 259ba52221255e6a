// Package productcheck decides whether two ω-automata accept a common word, without building their
// product (Gillard 2019, chapters 4 and 5).
//
// [Intersect] takes two automata. A [Decider] also takes complements: this call decides whether x
// is included in y, and returns a word of x that y rejects if it is not.
//
//	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
//	answer, err := d.Decide(ctx, x, true, y, false)
//
// Here x and y are of type [Language], which keeps what it has computed for further checks: the
// reduced automaton, its complements, and the index of its edges.
//
// # How it works
//
// A [Product] is an [omega.Source] whose states are pairs of states. It makes the edges of a pair
// when the search requests them, and carries the marks of both sides. So every emptiness check for
// one automaton also works for pairs. [Intersect] uses emptiness.Check and splits the accepting run
// of the product into one run of each side.
//
// Either side may be made on request too, such as a complement. Then only the macrostates that the
// other side can reach are computed.
//
// A check ends with a [Decision]: empty, a word, or undecided with the limit that was hit. The word
// may not be the shortest one; [Decider.Shortest] finds that.
package productcheck
