// Package isomorphic recognizes automata that differ only in the numbers of their states.
//
// [Equal] compares two automata, and a [Set] finds the new ones among many.
package isomorphic
