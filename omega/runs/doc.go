// Package runs shows how an automaton reads a word.
//
// [Explain] finds an accepting run, or says why there is none. [Verify] checks a run from the
// definition. [Tight] reports whether an accepting run is as short as the word.
//
// Package omega decides membership without runs (Automaton.Accepts). This package does it in
// another way, so that each tests the other.
package runs
