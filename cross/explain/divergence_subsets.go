package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A subsetRun follows the sets of states that a nondeterministic automaton can be in: as
// it rejects a word if it does from each state of such a set, they are to a wrongly
// rejected word what the states of a run are if there is only one.
type subsetRun struct {
	a        *omega.Automaton
	letters  []omega.Label // all of them
	sets     intern.Lists[omega.State]
	next     map[[2]int32]int32 // by set and letter
	meetings int
}

// maxLetters is how many letters an alphabet may have whose words are all gone through.
const maxLetters = 16

func newSubsetRun(a *omega.Automaton) *subsetRun {
	r := &subsetRun{a: a, next: make(map[[2]int32]int32)}
	alphabet := a.Alphabet()
	for v := range 1 << alphabet.Len() {
		letter := make(omega.Letter, alphabet.Len())
		for i := range letter {
			letter[i] = v>>i&1 != 0
		}
		r.letters = append(r.letters, alphabet.LetterLabel(letter))
	}
	r.set(slices.Clone(a.Initial())) // number 0
	return r
}

// set returns the number of a set.
func (r *subsetRun) set(states []omega.State) int32 {
	slices.Sort(states)
	states = slices.Compact(states)
	n, _ := r.sets.Number(states)
	return n
}

// step returns the set behind a letter.
func (r *subsetRun) step(set, letter int32) int32 {
	key := [2]int32{set, letter}
	n, ok := r.next[key]
	if !ok {
		var states []omega.State
		for _, s := range r.sets.At(set) {
			for _, e := range r.a.Edges(s) {
				if r.meetings++; r.a.Alphabet().Meet(e.Label, r.letters[letter]) {
					states = append(states, e.Dst)
				}
			}
		}
		n = r.set(states)
		r.next[key] = n
	}
	return n
}

// A subsetPair is a set of states of one automaton and a state of another that a word
// leads to.
type subsetPair struct {
	set          int32
	t            omega.State
	from, letter int32 // the pair before, or -1, and the letter from there
}

// divergeNondeterministic does the work of Diverge for a nondeterministic automaton that
// rejects wrongly: right tells from which states of language and positions the rest of
// the word is one that it is right to reject.
func divergeNondeterministic(e *outcome.Explanation, a, language *omega.Automaton, w *omega.Word, right []bool) {
	if 1<<a.Alphabet().Len() > maxLetters {
		return
	}
	r := newSubsetRun(a)
	pairs, ok := r.pairs(language)
	if !ok {
		return
	}
	// The sets along the word, until one comes again at the same position, or is empty.
	along := []int32{0}
	seen := make(map[[2]int32]int)
	for i := 0; ; i++ {
		pos := fold(w, i)
		here := along[i]
		if len(r.sets.At(here)) == 0 {
			e.Divergence = &outcome.Divergence{Kind: "missing-edge", At: i - 1, States: states(r.sets.At(along[i-1])),
				Text: fmt.Sprintf("look at the states %s: one of them needs an edge for this letter, whatever came before", listed(r.sets.At(along[i-1])))}
			return
		}
		for k, p := range pairs {
			if p.set != here || !right[int(p.t)*w.Size()+pos] {
				continue
			}
			other := r.word(pairs, k)
			e.Divergence = &outcome.Divergence{Kind: "merge", At: i, Other: other, States: states(r.sets.At(here))}
			if i == 0 {
				e.Divergence.Text = fmt.Sprintf("look at the edges back to the initial states %s: after %s they may reject the word, but not at the start",
					listed(r.sets.At(here)), quoted(other))
				return
			}
			e.Divergence.Text = fmt.Sprintf("look at the edges for letter %d from %s to %s: after %s, these states may reject the rest of the word, but not here",
				i, listed(r.sets.At(along[i-1])), listed(r.sets.At(here)), quoted(other))
			return
		}
		key := [2]int32{here, int32(pos)}
		if first, ok := seen[key]; ok {
			var all []omega.State
			for _, set := range along[first:i] {
				all = append(all, r.sets.At(set)...)
			}
			slices.Sort(all)
			all = slices.Compact(all)
			e.Divergence = &outcome.Divergence{Kind: "cycle", At: first, States: states(all),
				Text: fmt.Sprintf("look at the marks and labels in %s: some run there must be accepting, whatever came before", listed(all))}
			return
		}
		if seen[key] = i; i == maxSteps {
			return
		}
		letter := slices.IndexFunc(r.letters, func(l omega.Label) bool { return a.Alphabet().Meet(l, w.At(pos)) })
		along = append(along, r.step(here, int32(letter)))
	}
}

// pairs returns what all words lead to, shortest words first. It is not ok if that takes
// too long.
func (r *subsetRun) pairs(language *omega.Automaton) (pairs []subsetPair, ok bool) {
	type place struct {
		set int32
		t   omega.State
	}
	visited := make(map[place]bool)
	visit := func(p subsetPair) {
		if at := (place{p.set, p.t}); !visited[at] {
			visited[at] = true
			pairs = append(pairs, p)
		}
	}
	for _, t := range language.Initial() {
		visit(subsetPair{0, t, -1, -1})
	}
	for i := 0; i < len(pairs); i++ {
		p := pairs[i]
		for letter := range int32(len(r.letters)) {
			for _, edge := range language.Edges(p.t) {
				if r.meetings++; !language.Alphabet().Meet(edge.Label, r.letters[letter]) {
					continue
				}
				// Once it has no state to be in, nothing can be learnt from it.
				if set := r.step(p.set, letter); len(r.sets.At(set)) > 0 {
					visit(subsetPair{set, edge.Dst, int32(i), letter})
				}
			}
		}
		if r.meetings > maxMeetings {
			return nil, false
		}
	}
	return pairs, true
}

// word returns the letters of a shortest word that leads to a pair.
func (r *subsetRun) word(pairs []subsetPair, i int) []string {
	letters := []string{}
	for p := pairs[i]; p.from >= 0; p = pairs[p.from] {
		letters = append(letters, r.a.Alphabet().Text(r.letters[p.letter]))
	}
	slices.Reverse(letters)
	return letters
}

func states(set []omega.State) []int {
	var list []int
	for _, s := range set[:min(len(set), maxStates)] {
		list = append(list, int(s))
	}
	return list
}

// listed returns states for people.
func listed(set []omega.State) string {
	var names []string
	for _, s := range set[:min(len(set), 8)] {
		names = append(names, fmt.Sprint(s))
	}
	if len(set) > 8 {
		names = append(names, "…")
	}
	return "{" + strings.Join(names, ", ") + "}"
}
