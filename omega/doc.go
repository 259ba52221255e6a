// Package omega implements ω-automata: finite automata that read infinite words.
//
// An automaton is read from text (package hoa), translated from a formula (package translate), or put
// together with a [Builder]. This one accepts the words in which a holds infinitely often:
//
//	alphabet := omega.NewAlphabet("a")
//	a := alphabet.Prop(0)
//	b := omega.NewBuilder(alphabet, omega.Buchi())
//	s := b.AddState()
//	b.AddStart(s)
//	b.AddEdge(s, a, b.Marks().Of(0), s)    // on a, with mark 0
//	b.AddEdge(s, alphabet.Not(a), 0, s)    // on !a, without a mark
//	automaton := b.Automaton()
//
// # Alphabet
//
// A letter gives each atomic proposition of the [Alphabet] a truth value. An edge carries a
// [Label], which is a set of letters: a Boolean function of the propositions. Labels are canonical.
// Two labels of one alphabet are equal as integers if and only if they are the same function. Up to
// six propositions a label is a truth table in a machine word. With more it is a node of a binary
// decision diagram. The alphabet hides the difference.
//
// # Acceptance
//
// Each edge carries a set of marks, numbered from 0. A run is an infinite path from an initial
// state. The [Acceptance] condition is a positive Boolean formula over Inf(i), "mark i is seen
// infinitely often", and Fin(i), "mark i is seen only finitely often". This is the acceptance of
// the Hanoi Omega-Automata format. A word is accepted if some run on it satisfies the condition.
//
//   - Marks are on edges. A reader of text copies the marks of a state to its outgoing edges.
//   - A missing edge rejects.
//   - There may be several initial states. Without one, the language is empty.
//
// # Sources
//
// Every algorithm reads automata through the interface [Source]: the initial states, and the edges
// of a state. An explicit [Automaton] is a Source. So is a product or a complement that computes
// the edges of a state on request. A search then computes only the states that it reaches.
//
// States are integers, numbered from 0 in the order in which the Source first mentions them. So an
// algorithm keeps what it knows about states in slices. [Explore] turns a Source into an Automaton.
//
// # Words
//
// A [Word] is a lasso: a prefix, then a cycle repeated forever. It is written as in Spot:
//
//	a&!b; b; cycle{!a; 1}
//
// Each letter is a Boolean formula, and stands for any valuation that satisfies it.
// [Automaton.Accepts] decides membership fast. [Automaton.Certify] asks package certify, which
// shares no code with it. Package runs says why a word is accepted or rejected.
//
// # Packages
//
// What can be done with automata is in packages of its own:
//
//   - reduce: smaller automata with the same language
//   - convert: other forms with the same language, such as Büchi acceptance or marks on states
//   - runs: runs on a word, and why there is no accepting one
//   - random: random automata; isomorphic: which of them are the same
//   - shrink: smaller automata for a failing case
//   - hierarchy, stutter: classes of languages
//
// Complements are in package complement, emptiness checks in package emptiness.
//
// # Goroutines
//
// No type is safe for use by several goroutines at once. Even the conjunction of two labels may add
// to the tables of their alphabet. Give each case its own alphabet, and share it among the automata
// of that case.
package omega
