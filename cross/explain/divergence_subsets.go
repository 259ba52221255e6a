package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A subsetRun follows the sets of states that a nondeterministic automaton can be in. It rejects a word
// if it does so from each state of such a set. So these sets are to a wrongly rejected word what the
// states of the only run are.
//
// Take [a] 0 and [a] 1 from state 0, and [b] 1 from state 1. The sets after a&!b; !a&b are {0 1} and {1}.
type subsetRun struct {
	a       *omega.Automaton
	letters []omega.Label // all of them
	sets    intern.Lists[omega.State]
	next    [][]int32 // by set and letter
}

// maxLetters is how many letters an alphabet may have whose words are all gone through.
const maxLetters = 16

func newSubsetRun(a *omega.Automaton) *subsetRun {
	r := &subsetRun{a: a}
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
	n, fresh := r.sets.Number(slices.Compact(states))
	if fresh {
		r.next = append(r.next, nil)
	}
	return n
}

// after returns the sets after each letter, and how many edges were looked at for that.
func (r *subsetRun) after(set int32) (next []int32, met int) {
	if next = r.next[set]; next != nil {
		return next, 0
	}
	for _, letter := range r.letters {
		var states []omega.State
		for _, s := range r.sets.At(set) {
			for _, e := range r.a.Edges(s) {
				if met++; r.a.Alphabet().Meet(e.Label, letter) {
					states = append(states, e.Dst)
				}
			}
		}
		next = append(next, r.set(states))
	}
	r.next[set] = next
	return next, met
}

// edges returns the edges between sets. They do not lead to the empty set, from which nothing can be learnt.
func (r *subsetRun) edges(set omega.State) (list []omega.Edge, met int) {
	next, met := r.after(int32(set))
	for letter, n := range next {
		if len(r.sets.At(n)) > 0 {
			list = append(list, omega.Edge{Label: r.letters[letter], Dst: omega.State(n)})
		}
	}
	return list, met
}

// divergeNondeterministic does the work of Diverge for a nondeterministic automaton that
// rejects wrongly: right tells from which states of language and positions the rest of
// the word is one that it is right to reject.
func divergeNondeterministic(e *outcome.Explanation, a, language *omega.Automaton, w *omega.Word, right []bool) {
	if 1<<a.Alphabet().Len() > maxLetters {
		return
	}
	r := newSubsetRun(a)
	h, ok := newHistories([]omega.State{0}, r.edges, language)
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
		if other, found := h.leading(omega.State(here), func(t omega.State) bool { return right[int(t)*w.Size()+pos] }); found {
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
		next, _ := r.after(here)
		along = append(along, next[letter])
	}
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
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(set[:min(len(set), 8)]), "[]"), " ", ", ")
	if len(set) > 8 {
		text += ", …"
	}
	return "{" + text + "}"
}
