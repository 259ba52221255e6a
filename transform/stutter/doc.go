// Package stutter adds and removes repetitions of letters.
//
// Two words are stutter-equivalent if they differ only in how often each letter is repeated before
// the next one comes (Lamport 1983; Peled, Wilke and Wolper 1998). A language is stutter-invariant
// if with a word it has all equivalent ones. For that, neither removing a repetition of a letter
// nor adding one may lead out of it.
//
// [Closure] and [SelfLoops] return the words that removing and adding lead to. They are the closure
// and the self-loopization of Michaud and Duret-Lutz 2015, "Practical stutter-invariance checks for
// ω-regular languages". Package productcheck decides stutter-invariance with them.
package stutter
