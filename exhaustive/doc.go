// Package exhaustive compares automata with a formula on all lasso words up to a size. It trusts
// no translation, product, complement or search. It imports package certify for its type of
// automata, and shares no code with the packages that search for words.
//
// This is bounded-exhaustive testing (Marinov and Khurshid 2001): most bugs show on some small
// input, so all of these are tried.
//
// # Words
//
// The size of a word is the number of its letters, before the cycle and in it. Letters say of
// each proposition whether it is true. Words are tried by their size, then with short cycles
// first, then in the order of their letters, false before true. So the first word on which an
// automaton is wrong is a shortest one.
//
// # 64 words at a time
//
// A word with s letters over k propositions is a number of s·k bits. So the truth of a
// proposition at a position, over all words of a shape, is a column of a truth
// table. For the words of two letters over one proposition:
//
//	x; cycle{y}    x: 0011
//	               y: 0101
//
// A machine word has 64 rows of a column. Each law of the semantics becomes an operation on
// columns: the truth of F a at a position is that of a, or that of F a at the next position. This
// is repeated until nothing changes, as package certify does it for one word.
//
// Membership in an automaton is the truth at the first position of a law like those of a formula.
// A state accepts from a position if an edge that reads the letter leads to a state that accepts
// from the next position. For an acceptance condition, this becomes fixed points of the
// μ-calculus (Emerson and Lei 1986).
//
// Package certify decides, word by word, what has no law here: formulas with regular expressions,
// and alternating automata.
package exhaustive
