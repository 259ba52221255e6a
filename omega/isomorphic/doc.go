// Package isomorphic recognizes automata that differ only in the numbers of their states:
//
//	State: 0  [a] 1 {0}      State: 0  [!a] 1
//	State: 1  [!a] 0         State: 1  [a] 0 {0}
//	Start: 0                 Start: 1
//
// [Equal] compares two automata, and a [Set] finds the new ones among many.
package isomorphic
