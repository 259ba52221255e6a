// Package cross cross-checks LTL translators on formulas, and tools on automata. It names who is
// wrong, and finds the causes of the failures.
//
// # One case
//
// A case is one formula. Each translator gives an automaton for the formula and an automaton for its
// negation. If all translators are right, then
//
//  1. no automaton for the formula shares a word with one for the negation,
//  2. together, each such pair accepts every word,
//  3. all automata for the formula have the same language, and so have all for the negation.
//
// Take F a, and a translator whose automaton for F a accepts only words with a at the start. Neither
// this automaton nor a right one for the negation accepts cycle{!a; a}, so check 2 fails. The
// formula holds on that word. So the automaton for the formula is wrong: the word is missing.
//
// [Run] checks a sequence of formulas; each result is an [outcome.Case].
//
// # Few checks
//
// Checking every pair takes n² checks. Equality is transitive, so cross compares each automaton
// with a pivot, and those that differ from it with each other. This sorts them into classes of
// equal languages. If the two automata of the pivot are complements, each serves as the complement
// of the other. Then n correct translators need about 2n checks.
//
// The pivot is the reference: a built-in translation, or the translator that the user names. A
// reference lets cross check a single translator, and translators that are all wrong in the same
// way. Without one, the pivot is the automata that are cheapest to complement. If all automata have
// proofs, there are no checks, and no built-in translation is made.
//
// # Blame
//
// A disagreement is a word. Package certify computes whether the formula holds on the word, and
// whether each automaton accepts it. So cross knows who is wrong, and takes no vote. The following
// are internal errors of xcheck, and never a translator's fault:
//
//   - a word that fails its certification,
//   - a word on which the reference is wrong,
//   - a proof that is refused; see [Options].Prove,
//   - a passed check that a short word contradicts. All automata are evaluated on all words up to a
//     size, without any search; see [Options].Exhaustive.
//
// Package explain shows the run of a wrong automaton on the word, what must hold along it, and
// where they part.
//
// A translator that is kept alive may be wrong because of earlier formulas. So cross asks it again,
// in a fresh process, before it blames it. If the second answer differs, that answer is checked, and
// the first one is a finding, "unstable".
//
// # Causes
//
// Thousands of disagreements may have one cause. A [Grinder] shrinks a formula as long as the same
// translators fail in the same way. Package triage does that for all failures of a run, and groups
// those that shrink to the same formula.
//
// # Variants
//
//   - A case can be an automaton A instead of a formula. The tools make other automata of the same
//     language, or of the complement. Then A is the reference, and membership in A replaces the
//     truth of the formula.
//   - [Products] compares what remains of state spaces in their products with the automata. It
//     takes linear time and no complements, but it can miss a disagreement.
package cross
