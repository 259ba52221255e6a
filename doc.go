// Package xcheck compares ω-automata with each other and with formulas of linear temporal logic
// (LTL).
//
// This program says whether two files in the HOA format hold equivalent automata, and if not, why:
//
//	left, err1 := os.Open("a.hoa")
//	right, err2 := os.Open("b.hoa")
//	a, err3 := xcheck.ReadHOA(left)
//	b, err4 := xcheck.ReadHOA(right)
//	c, err5 := xcheck.Compare(ctx, a, b)
//	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
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
// false in the other. All functions return an error for an argument that is nil or has the zero
// value.
//
// Every word that is returned was confirmed by package certify, which is small and shares no code
// with the searches.
//
// # Limits
//
// Functions with a context end with its error when it is done. They also have a limit of memory,
// and those that search have the limits of [productcheck.DefaultLimits] for an answer. Past a limit
// they fail with an error that says so. A [Checker] has other limits.
//
// # Goroutines
//
// Formulas may be shared by goroutines. Words and automata may not, even if they are only read:
// operations on labels add to the tables of an alphabet.
//
// # Packages below
//
//   - ltl has formulas: other syntaxes, normal forms, random formulas. ltl/patterns has the
//     formulas of the literature.
//   - omega has automata and words, and omega.Builder to make an automaton in a program.
//   - hoa has other formats, and reads streams of automata.
//   - translators/builtin has five translations of formulas, and other forms of automata.
//   - productcheck decides many questions about the same automata, with what it has computed kept.
//     complement and emptiness have the algorithms.
//   - witness proves that a word is shortest, and properties that an automaton is what it declares.
//   - cross checks many translators against each other, as the command xcheck does.
package xcheck
