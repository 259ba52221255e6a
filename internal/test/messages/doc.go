// Package messages collects every text that xcheck prints for people from the sources, and checks the rules of
// style that a program can check.
package messages
