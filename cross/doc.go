// Package cross cross-checks translators on formulas, and tools on automata, and finds the
// causes of their failures.
//
// A case is one formula φ. Each translator i gives an automaton P_i for φ and
// N_i for ¬φ. If all are right, then for all i and j
//
//  1. P_i and N_j share no word,
//  2. every word is in P_i or in N_j,
//  3. P_i and P_j have the same language, and so do N_i and N_j.
//
// Checking every pair takes n² checks. Equality is transitive, so it is enough
// to compare every automaton with a pivot, and those that differ from it with
// each other: they fall into classes of equal languages, and only one automaton
// of each class is compared with the others. If P and N of the pivot are found to
// be complements of each other, each serves as the complement of the other, and
// the complement of every other automaton is needed once.
//
// The pivot is the reference: a translation made within the process, or the
// translator that is said to be one. Then a single translator can be checked, and
// also those that are all wrong in the same way are found. Without a reference,
// the automata that are easiest to complement are the pivot.
//
// The word that shows a disagreement is certified before it is reported: package certify
// computes the truth of φ on it and what each automaton, as it was read, says of it. It
// shares no code with the search that found the word. So it is known who is wrong, and no
// vote is taken. A word that fails its certification is an internal error of xcheck, and so
// is a word on which the reference is wrong. A share of the passed checks is decided again in
// another way ([Options].Audit); what contradicts them is an internal error, too.
//
// To the author of a translator that is wrong, a disagreement explains each automaton that
// is blamed ([Explanation]): a run on the word, what must hold along it, and where the two
// part; and the truth of the formula's parts along the word.
//
// A translator that is kept alive may be wrong on a formula only because of those
// before it. So before one of its automata is blamed, the translator is asked once
// more, in a process of its own, and the case is checked again if the answer is
// another one: then the blame is on what a fresh process gives, if on anything, and
// that the other was different is a finding, "unstable".
//
// Instead of languages, or besides, it may be compared what is left of state spaces in
// their products with the automata ([Products]): a space of n states takes time linear in
// n, and no complement. It can miss what words would find, and names the states that differ.
//
// Thousands of disagreements may have one cause. A [Grinder] makes a formula small by steps
// that keep the failure: the same translators, in the same way. A [Triage] does so for
// the failures of a run. Failures that shrink to the same formula, up to the names of
// propositions, negation and duality, have one [Cause]. Nearly always one of the
// formulas that remained before can remain of the next one, too, and then no translator is
// asked.
//
// A case may also be of an automaton A that is given to tools, each of which is to make
// another automaton of its language, or of the complement. Then A is the reference; what
// the tools make of it are P_i, or N_i. What a word shows is decided by membership in A
// instead of the semantics of φ, and all else is the same.
package cross
