// Package messages holds messages.txt: every text that xcheck prints for people, so that all can
// be read in one sitting and a change to them is one diff.
//
// The test collects the texts from the sources. After a change, write the file anew and read the
// diff:
//
//	go test ./internal/test/messages -update
//
// A line is one text, in Go's notation. {} stands for what the program puts in between two
// pieces of a text:
//
//	report/verdict.go
//		"%s not checked (no automata to compare)"
//		"for the negation of {}"
package messages
