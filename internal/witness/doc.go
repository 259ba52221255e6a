// Package witness finds shortest words: lassos that some automata accept and others reject, with
// the fewest letters in prefix and cycle together. It proves that no shorter word exists.
//
// [Shortest] takes a list of [Side], each an automaton that must accept or reject. For a word of
// G F a that is not one of F G a, the answer is
//
//	cycle{!a; a}
//
// # Why words, and not runs
//
// A shortest accepting run (package emptiness) need not have a shortest word. A run may need
// several rounds of the cycle until it returns to a state, unless the automaton is tight (Schuppan
// and Biere 2005). And an automaton rejects a word with all of its runs, so there is no single run
// to minimize.
//
// So the search goes through words, by increasing size. It is feasible because most words have the
// same effect on the automata. One candidate replaces another if it is no longer, helps every accepting
// side at least as much, and helps no rejecting side more:
//
//   - A letter counts only by the edges that it takes.
//   - A prefix counts only by the states that it leads to.
//   - A cycle counts only by its transition profile: from which state to which it leads, and
//     through which marks (Büchi 1962, as in Ramsey-based complementation). Cycles with the same
//     profile have the same extensions, so the search extends only one of them.
//
// A prefix leads to a set S of states, and a cycle is accepted from a set Q of states. A side
// accepts the word if S and Q meet. The search tries sizes in order, so the first word found is a
// shortest one. Among the shortest words, it sets the fewest propositions, and then has the
// shortest prefix.
//
// # Limits
//
// The number of profiles can be exponential in the number of states. At a limit, the result gives a
// lower bound on the size instead.
//
// [NotTight] uses the same search to decide whether an automaton is tight.
package witness
