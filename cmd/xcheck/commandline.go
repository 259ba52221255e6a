package main

import (
	"regexp"
	"strings"

	"github.com/xcheck-ltl/xcheck/translators"
)

// plainWord matches what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[-+=:,./\w@%]+$`)

// commandLine returns the line for a shell that runs xcheck with some arguments.
func commandLine(args []string) string {
	words := []string{"xcheck"}
	for _, word := range args {
		if !plainWord.MatchString(word) {
			word = translators.Quote(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
