// Package isomorphic tells apart automata that are the same but for the numbers of their states.
//
// [Equal] compares two automata, and a [Set] finds the ones that are new among many.
package isomorphic
