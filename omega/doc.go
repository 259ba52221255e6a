// Package omega implements ω-automata: finite automata that read infinite
// words.
//
// # Alphabet
//
// The letters of a word are valuations of a list of atomic propositions, the
// [Alphabet]. An edge of an automaton is labelled by a set of letters, given
// as a Boolean function of the propositions, a [Label]. Labels of one alphabet
// are canonical: two of them are equal as integers if and only if they are
// equal as functions. The alphabet hides how a function is stored: a truth
// table in one machine word for at most six propositions, a node of a binary
// decision diagram for more.
//
// # Acceptance
//
// Each edge carries a set of marks, numbered from 0. A run is an infinite path
// from an initial state; it is accepting if the set of marks that it sees
// infinitely often satisfies the [Acceptance] condition, a positive Boolean
// formula over Inf(i) ("mark i infinitely often") and Fin(i) ("mark i only
// finitely often"), as in the Hanoi Omega-Automata format. Acceptance is on
// edges everywhere: a state's marks are those of all its outgoing edges. A
// missing edge rejects. An automaton without an initial state has the empty
// language; of several initial states a run chooses one.
//
// # Automata made on demand
//
// Every algorithm reads an automaton through [Source]: its initial states and
// the edges of a state. The explicit [Automaton] is a Source; so is a product
// or a complement that computes the edges of a state when it is asked for
// them. States are small integers, numbered densely from 0 in the order in
// which the Source first mentions them.
//
// # Words
//
// A [Word] is a lasso u·v^ω, written as in Spot: `a&!b; b; cycle{!a; 1}`. Each
// letter is a Boolean formula that stands for any valuation that satisfies it.
// [Automaton.Accepts] decides membership quickly. What is to be printed is certified by
// [Automaton.Certify]. [Automaton.Explain] says why a word is accepted or not: by an accepting run, by
// where all runs get stuck, or by where they stay and what of the condition they violate.
// [Automaton.VerifyExplanation] checks that from the definitions.
//
// None of the types may be used by several goroutines at once, since even
// conjoining two labels may add to the tables of their alphabet. Automata of
// one case share one alphabet, and the whole of it is dropped with the case.
package omega
