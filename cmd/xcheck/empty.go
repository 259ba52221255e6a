package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

func (a *app) emptyCommand() *cobra.Command {
	n, algorithm := 0, "couvreur"
	c := &cobra.Command{
		Use: "empty [flags] FILE",
		Long: `Prints "empty", or "non-empty" and, on the next line, a word that the automaton
in FILE accepts. If FILE holds several automata, each gets an answer. With
--words, it prints several words, the shortest ones first.`,
		Example: `  xcheck empty automaton.hoa
  xcheck empty --words 5 automaton.hoa
  xcheck translate 'Ga & F!a' | xcheck empty -`,
		Args: arguments(1),
		RunE: func(c *cobra.Command, args []string) error {
			if algorithm != "couvreur" && algorithm != "generic" { // the same one, by both names
				return fmt.Errorf("--algorithm %s is in the laboratory now: go run ./lab/cmd/lab empty --algorithm %[1]s", algorithm)
			}
			if n != 0 || c.Flags().Changed("words") { // --words 0 is an error
				return a.words(args[0], n)
			}
			return a.automata(args[0], func(given *omega.Automaton) error {
				x := given
				if x.Alternating() {
					// There is no accepting run to show, only a word.
					var err error
					if x, err = productcheck.NewLanguage(x).Reduced(a.ctx, a.limits); err != nil {
						return err
					}
				}
				return a.empty(given, x)
			})
		},
	}
	c.Flags().IntVar(&n, "words", 0, "print up to `N` words, the shortest first")
	c.Flags().Lookup("words").DefValue = ""
	c.Flags().StringVar(&algorithm, "algorithm", algorithm, "use the emptiness check `NAME`; the laboratory has others")
	return a.bounded(c)
}

// empty answers for automaton x, made of the given one.
func (a *app) empty(given, x *omega.Automaton) error {
	r, err := emptiness.Check(a.ctx, x, omega.Limits{ProductStates: -1, Memory: a.limits.Memory})
	if err != nil {
		return cli.Reached(err, a.timeLimit(), "")
	}
	answer := emptyAnswer{Empty: r.Empty(), States: r.States, Edges: r.Edges,
		emptyCounts: &emptyCounts{Depth: r.Depth, Live: r.Live, Roots: r.Roots}}
	if r.Empty() {
		a.answered(true)
		return a.answer("empty", answer)
	}
	w := r.Run.Word(x.Alphabet()).Concrete()
	if err := given.Certify(a.ctx, w, true); err != nil {
		return err
	}
	a.answered(false)
	answer.Word, answer.Size, answer.Run = w.String(), w.Size(), r.Run.Size()
	return a.answer("non-empty\n"+w.String(), answer)
}

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
func (a *app) words(file string, n int) error {
	if n < 1 {
		return cli.AtLeast("words", n, 1)
	}
	return a.automata(file, func(x *omega.Automaton) error {
		// A limit that ends the search leaves the words that were found.
		answer, text := wordsAnswer{Words: []wordFound{}}, "non-empty"
		checker := &xcheck.Checker{Limits: a.limits}
		all := true // it is proved that there are no more words
		for found, err := range checker.Words(a.ctx, x) {
			if err != nil && found == nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			if err != nil {
				limit := a.timeLimit()
				if found != nil {
					limit = found.Decision.Undecided
				}
				answer.Undecided, all = limit.Error(), false
				a.undecided()
				break
			}
			a.notShortest("word", found)
			w := found.Word
			answer.Words = append(answer.Words, wordFound{Word: w.String(), Size: w.Size(), Shortest: found.Shortest()})
			text += "\n" + w.String()
			if len(answer.Words) == n {
				all = false
				break
			}
		}
		answer.All = all
		if answer.Empty = all && len(answer.Words) == 0; answer.Empty {
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
