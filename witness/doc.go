// Package witness finds shortest words: of all lassos u·v^ω that some automata
// accept and others reject, one with the fewest letters in u and v together, and
// with the proof that no shorter one exists.
//
// A shortest accepting run (package emptiness) need not give a shortest word: a
// run may have to go through the letters of v several times until it is back in
// a state in which it was, or unwind v before it enters its own cycle, unless the
// automaton is tight (Schuppan and Biere 2005). And of an automaton that shall
// reject the word, all runs count, so that there is no run to minimize at all. So
// words are searched, not runs: all of them, by increasing size. What makes that
// feasible is that few of them differ in what they do to the automata.
//
//   - A letter is what it does: the edges that it takes. Valuations that take the
//     same ones are one letter, represented by the valuation with the fewest
//     propositions set. A letter is left out if another one takes more edges of
//     the automata that shall accept, and fewer of those that shall reject.
//   - A prefix u is the set of states that each automaton may be in after it. It
//     is left out if one that is not longer leads an accepting side to more
//     states and a rejecting one to fewer.
//   - A loop v is its transition profile: from which state it leads to which, and
//     through which sets of marks (Büchi 1962; the classes of words in Ramsey-based
//     complementation). The profile of v·a follows from that of v, so loops that
//     have the profile of one that is not longer are left out with all that they
//     could be extended to. The profile says from which states v^ω is accepted; of
//     the loops found, those are kept that are accepted from the largest sets of
//     states of the sides that shall accept, and the smallest of those that shall
//     reject.
//
// A prefix that leads to the sets S and a loop that is accepted from the sets Q
// make a word that is accepted by each side where S and Q meet. The sizes are
// gone through one by one: when one is found, it was shown that no smaller one
// exists. All that is left out is left out for another one that is no longer,
// sets no more propositions, and does the same, so the word found is also one
// with the fewest propositions set among the shortest, and among those one with
// the shortest prefix.
//
// The number of profiles is exponential in the number of states at worst, which
// is why a search has limits. Then the answer is how many letters a word has at
// least.
//
// Whether an automaton is tight is decided by the same search, see [NotTight].
package witness
