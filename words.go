package xcheck

import (
	"context"
	"fmt"
	"iter"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Words returns the words that the automaton accepts, each once. The words of F a begin with
//
//	cycle{a}    cycle{!a; a}    cycle{a; !a}    !a; cycle{a}    a; cycle{!a}
//
// No word is shorter than one before it, unless an answer is not proved to be shortest. The limits
// hold for each word. After the last word, the sequence ends. Errors end it too; see [Intersect].
//
// The next word is a shortest word of the intersection with an automaton that rejects all words
// found so far, and accepts all others.
func Words(ctx context.Context, a *omega.Automaton) iter.Seq2[*Answer, error] {
	return byDefault.Words(ctx, a)
}

// Words is the function [Words].
func (c *Checker) Words(ctx context.Context, a *omega.Automaton) iter.Seq2[*Answer, error] {
	return func(yield func(*Answer, error) bool) {
		if err := checkAutomaton(a); err != nil {
			yield(nil, err)
			return
		}
		a := a.Clone() // the caller may use a between two words
		var found []*omega.Word
		for {
			// The automaton is deterministic: a state for each letter of these words, and one more. Words with a
			// common beginning share its states.
			rest, err := others(ctx, a.Alphabet(), found)
			if err != nil {
				yield(nil, err)
				return
			}
			answer, err := c.Intersect(ctx, a, rest)
			if err != nil { // with what is known so far
				yield(answer, err)
				return
			}
			if answer.Empty() || !yield(answer, nil) {
				return
			}
			found = append(found, answer.Word.Over(a.Alphabet())) // its own alphabet may be another
		}
	}
}

// others returns an automaton that accepts all words but the given ones, which are different. Their
// letters are single valuations of the alphabet. It fails when ctx is done.
//
//	a; cycle{!a}    0 -a-> 1 -!a-> 1, and all other letters lead to a state that accepts everything
func others(ctx context.Context, alphabet *omega.Alphabet, words []*omega.Word) (*omega.Automaton, error) {
	b := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(1))
	other := b.AddState()
	b.AddEdge(other, alphabet.True(), b.Marks().Of(0), other)
	if len(words) == 0 {
		b.AddStart(other)
		return b.Automaton(), nil
	}
	// A state stands for the words that begin with the letters so far, and for the positions in
	// these words.
	type place struct{ word, pos int }
	var all []place
	for i := range words {
		all = append(all, place{i, 0})
	}
	number := map[string]omega.State{}
	var queue [][]place
	at := func(places []place) omega.State {
		key := fmt.Sprint(places)
		s, ok := number[key]
		if !ok {
			s = b.AddState()
			number[key] = s
			queue = append(queue, places)
		}
		return s
	}
	b.AddStart(at(all))
	// A state goes on with the next letters of its words. All other letters lead to other words.
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		places := queue[0]
		queue = queue[1:]
		s, rest := at(places), alphabet.True()
		var letters []omega.Label // without duplicates, in the order of words
		next := map[omega.Label][]place{}
		for _, p := range places {
			w := words[p.word]
			letter := w.At(p.pos)
			if next[letter] == nil {
				letters = append(letters, letter)
			}
			next[letter] = append(next[letter], place{p.word, w.Next(p.pos)})
		}
		for _, letter := range letters {
			b.AddEdge(s, letter, 0, at(next[letter]))
			rest = alphabet.And(rest, alphabet.Not(letter))
		}
		if rest != omega.False {
			b.AddEdge(s, rest, 0, other)
		}
	}
	return b.Automaton(), nil
}
