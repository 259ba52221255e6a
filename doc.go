// Package xcheck compares ω-automata with each other and with formulas of linear temporal logic
// (LTL).
//
// This program says whether two files in the HOA format hold equivalent automata, and if not, why. Its
// function automaton opens a file and calls [ReadHOA]:
//
//	a, b := automaton("a.hoa"), automaton("b.hoa")
//	c, err := xcheck.Compare(ctx, a, b)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(c)
//
// It prints, for automata of F G a and G F a:
//
//	subset
//	only in B: cycle{!a; a}
//
// So B accepts all words of A. It also accepts the word in which a is false and true in turn, and
// no shorter word is only in B. [Explain] says why A rejects it.
//
// # Functions
//
//   - [ParseLTL], [ParseWord] and [ReadHOA] read formulas, words and automata. [WriteHOA] writes an
//     automaton.
//   - [Translate] makes an automaton of a formula, and [Complement] one of the words that another
//     rejects.
//   - [Eval] says whether a formula holds on a word, and [Accepts] whether an automaton accepts it.
//     [Explain] says why.
//   - [Empty], [Intersect] and [Difference] look for a shortest word in a set of words. [Compare]
//     looks for the differences of two automata.
//
// Automata may have different alphabets. A proposition that only one of them has may be true or
// false in the other.
//
// All functions return an error for an argument that is nil, and for a zero automaton or word. (The
// zero ltl.Formula is the constant 0.) So do functions of the packages below, if they return an
// error. Others take a nil automaton for one without states and ignore a nil callback, and there is
// nothing in a state or mark that an automaton does not have. Only labels must be of the alphabet,
// and the states of a Builder must be added: it panics where they are not. Types that functions
// return, such as productcheck.Language, have no useful zero value, unless their comment says so.
//
// Every word that is returned was confirmed by package certify, which is small and shares no code
// with the searches.
//
// # Limits
//
// Functions with a context end with its error when it is done. They also have a limit of memory,
// and those that search have the default [omega.Limits] for an answer. Past a limit they fail with an
// [omega.LimitError] or, if it is a limit of time, with an error that is [context.DeadlineExceeded].
// A [Checker] has other limits.
//
// # Goroutines
//
// Any number of goroutines may call the functions of this package with the same formulas, words and
// automata. Methods of words, automata and alphabets are for one goroutine at a time, because
// operations on labels add to the tables of an alphabet. Use [omega.Automaton.Clone] for another
// goroutine.
//
// # Packages below
//
// Formulas and automata:
//
//   - ltl: formulas in other syntaxes, normal forms, smaller formulas
//   - ltl/random: random formulas that cross the thresholds of translators
//   - ltl/patterns: the formulas of the literature
//   - omega: automata and words; omega.Builder makes an automaton in a program
//   - omega/random, omega/isomorphic: random automata, and what can be said of automata
//   - hoa: other formats, and streams of automata
//   - translate: three translations of formulas
//
// Questions about languages:
//
//   - productcheck: many questions about the same automata, with what was computed kept
//   - complement: the constructions; complement.Form also makes automata deterministic
//   - properties: what the header of an automaton declares, decided
//   - certify: membership and truth once more, in the simplest way, and the check of proofs
//   - prove: proofs that automata accept the words of a formula
//
// Checking translators, as the command xcheck does:
//
//   - xchecktest: a test of a translator that is a Go function
//   - cross: one formula and many translators, and why an automaton is wrong
//   - translators: external programs and their failures
//   - session, configs: whole runs, the files that they read, and those that
//     configure them
//   - outcome, report: results, and how they are printed
package xcheck
