// Package productcheck decides whether two ω-automata accept a common word, without building their
// product (Gillard 2019, chapters 4 and 5).
//
// [Intersect] takes two automata. A [Decider] also takes complements: this call decides whether x
// is included in y, and returns a word of x that y rejects if it is not.
//
//	d := new(productcheck.Decider)
//	answer, err := d.Decide(ctx, x.In(), y.Out())
//
// Here x and y are of type [Language], which keeps its results for further checks: the reduced
// automaton, its complements, and the index of its edges.
//
// # Example
//
// Two automata have a common word if there is a word on which both have an accepting run. Both runs
// read the same letters, so they are one path through pairs of states. Take the words in which a is
// true infinitely often, and the word in which it is true at every second letter:
//
//	left:   State: 0  [!a] 0       [a] 1        right:  State: 0  [a] 1 {0}
//	        State: 1  [!a] 0 {0}   [a] 1 {0}            State: 1  [!a] 0 {0}
//
// The search begins with the pair of initial states, (0,0), and asks for its edges. A left edge and
// a right one make an edge of the pair if their labels share a letter. Here only those on a do. The
// edge leads to the pair of their destinations. It has the marks of both, where the right mark 0
// counts as mark 1:
//
//	(0,0) on a to (1,1), marks [1]
//
// In (1,1), the left side can read both letters, and the right side only !a:
//
//	(1,1) on !a to (0,0), marks [0 1]
//
// This edge leads back to a pair on the path, and closes a cycle that has both marks, so that both
// conditions hold. The word cycle{a; !a} is in both languages, and the search ends. It has seen two
// of four pairs. Without such a cycle, it would end when it has seen all pairs that can be reached.
// It stores pairs and no product, and asks only whether labels meet.
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
