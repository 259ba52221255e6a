package main

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A wordsAnswer is what --words prints of an automaton.
type wordsAnswer struct {
	Empty bool        `json:"empty"`         // true if no word is accepted
	Words []wordFound `json:"words"`         // accepted words, the shortest first
	All   bool        `json:"all,omitempty"` // true if it is proved that there are no other words
	// the limit that ended the search; missing if none did
	Undecided string `json:"undecided,omitempty"`
}

// A wordFound is a word that an automaton accepts.
type wordFound struct {
	// the word, in Spot's syntax: the letters before the cycle, then the cycle
	Word string `json:"word"`
	Size int    `json:"size"` // number of letters of the word, before the cycle and in it
	// true if it is proved that no word is shorter, except those listed before
	Shortest bool `json:"shortest,omitempty"`
}

// words prints up to n words of each automaton of a file.
func (a *app) words(file string, n int, algorithm string) error {
	if n < 1 {
		return atLeast("words", n, 1)
	}
	if algorithm != "" {
		return errors.New("--algorithm cannot be combined with --words, which looks for shortest words")
	}
	return a.automata(file, func(x *omega.Automaton) error {
		// A limit that ends the search leaves the words that were found.
		answer, text := wordsAnswer{Words: []wordFound{}}, "non-empty"
		checker := &xcheck.Checker{Limits: a.limits.Or(productcheck.NoLimits)}
		next := true
		for found, err := range checker.Words(a.ctx, x) {
			if err != nil && found == nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			if err != nil {
				limit := a.timeLimit()
				if found != nil {
					limit = found.Decision.Undecided
				}
				answer.Undecided, next = limit.Error(), false
				a.undecided()
				break
			}
			a.notShortest("word", found)
			w := found.Word
			answer.Words = append(answer.Words, wordFound{Word: w.String(), Size: w.Size(), Shortest: found.Shortest()})
			text += "\n" + w.String()
			if len(answer.Words) == n {
				next = false
				break
			}
		}
		answer.All = next
		if answer.Empty = next && len(answer.Words) == 0; answer.Empty {
			text = "empty"
		}
		if why := "undecided: " + answer.Undecided; answer.Undecided != "" && len(answer.Words) == 0 {
			text = why
		} else if answer.Undecided != "" {
			text += "\n" + why
		}
		a.answered(answer.Empty || answer.Undecided != "")
		return a.answer(text, answer)
	})
}
