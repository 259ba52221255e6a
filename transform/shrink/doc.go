// Package shrink finds small automata on which something goes wrong.
//
// [Steps] returns the automata that are one step smaller. A search tries them until one still shows
// the failure, and continues from there. When none does, the automaton is as small as single steps
// make it. The steps change the language; package reduce keeps it.
package shrink
