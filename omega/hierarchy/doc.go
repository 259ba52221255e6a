// Package hierarchy classifies languages: safety, guarantee, obligation, recurrence, persistence or
// reactivity.
//
// These are the classes of temporal properties of Manna and Pnueli (1990). [Of] returns the least
// class that contains the language of a deterministic automaton.
package hierarchy
