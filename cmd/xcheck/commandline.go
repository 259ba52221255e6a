package main

import (
	"regexp"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/translators"
)

// plainWord matches a word that a shell needs no quotes for.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+=:,./\w@%]+$`) })

// commandLine returns the line for a shell that runs xcheck with some arguments.
func commandLine(args []string) string {
	words := []string{"xcheck"}
	for _, word := range args {
		words = append(words, shellWord(word))
	}
	return strings.Join(words, " ")
}

// shellWord returns a word for a shell, in quotes if it needs them.
func shellWord(word string) string {
	if plainWord().MatchString(word) {
		return word
	}
	return translators.Quote(word)
}
