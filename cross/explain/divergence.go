package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// maxMeetings bounds the search for other words that lead to the states of a run, in
// pairs of edges.
const maxMeetings = 1 << 20

// Diverge looks for the step of a run of automaton a by which it leaves the semantics.
// Language has the words on which a is right to do what it does with w. It is nil if there
// is none to be had.
func Diverge(ctx context.Context, e *outcome.Explanation, a, language *omega.Automaton, w *omega.Word) error {
	switch {
	case e == nil || e.Run == nil:
		return nil
	case a.Alphabet() == nil:
		return omega.ErrNoAutomaton
	case w.Check() != nil:
		return w.Check()
	}
	only := e.Accepts || a.IsDeterministic()
	if only && divergeByNames(e) || language == nil || language.Alternating() || language.NumStates() > maxPlaces/w.Size() {
		return nil
	}
	both := omega.Union(a.Alphabet(), language.Alphabet())
	a, err := a.Over(ctx, both)
	if err != nil {
		return err
	}
	if language, err = language.Over(ctx, both); err != nil {
		return err
	}
	w = w.Over(both)
	right, err := language.AcceptedFrom(ctx, w)
	if err != nil {
		return err
	}
	if !only {
		divergeNondeterministic(e, a, language, w, right)
		return nil
	}
	h, ok := newHistories(a.Initial(), func(s omega.State) ([]omega.Edge, int) { return a.Edges(s), 0 }, language)
	if !ok {
		return nil
	}
	verb := map[bool]string{true: "accept", false: "reject"}[e.Accepts]
	r := e.Run
	var along []int // the states
	for i := range len(r.Prefix) + len(r.Cycle) {
		along = append(along, r.At(i).State)
	}
	if r.End != nil {
		along = append(along, *r.End)
	}
	for i, state := range along {
		pos := fold(w, i)
		other, found := h.leading(omega.State(state), func(s omega.State) bool { return right[int(s)*w.Size()+pos] })
		if !found {
			continue
		}
		e.Divergence = &outcome.Divergence{Kind: "merge", At: i, Other: other}
		if i == 0 {
			if d := alone(e, verb); d.Kind == "settled" {
				e.Divergence = d // which says more
				return nil
			}
			e.Divergence.Text = fmt.Sprintf("look at the edges back to the initial state %d: after %s it may %s the word, but not at the start",
				state, quoted(other), verb)
			return nil
		}
		var letters []string
		for k := range i {
			letters = append(letters, r.At(k).Letter)
		}
		step := r.At(i - 1)
		e.Divergence.Text = fmt.Sprintf("look at the edge %d -> %d: after %s, state %d may %s the rest of the word, but not after %s",
			step.State, state, quoted(other), state, verb, quoted(letters))
		return nil
	}
	e.Divergence = alone(e, verb)
	return nil
}

// alone returns the divergence of a run whose states are all wrong, whatever word leads to them.
func alone(e *outcome.Explanation, verb string) *outcome.Divergence {
	r := e.Run
	n := len(r.Prefix) + len(r.Cycle)
	if r.End != nil {
		return &outcome.Divergence{Kind: "missing-edge", At: n, Text: fmt.Sprintf("look at state %d: it needs an edge for this letter, whatever came before", *r.End)}
	}
	settled := map[bool]string{true: "0", false: "1"}[e.Accepts]
	for i := 1; i < n; i++ {
		if r.At(i).Obligation == settled {
			return &outcome.Divergence{Kind: "settled", At: i, Text: fmt.Sprintf("look at state %[3]d: the letters before letter %[1]d decide that the word must be %[2]sed, but this state can still %[4]s it",
				i+1, map[bool]string{true: "reject", false: "accept"}[e.Accepts], r.At(i).State, verb)}
		}
	}
	return &outcome.Divergence{Kind: "cycle", At: len(r.Prefix), Text: fmt.Sprintf("look at the marks and labels of the cycle: it must not %s, whatever came before", verb)}
}

// quoted returns letters as the start of a word.
func quoted(letters []string) string {
	if len(letters) == 0 {
		return "no letters"
	}
	if n := len(letters); n > 8 {
		letters = append([]string{"…"}, letters[n-8:]...)
	}
	return "\"" + strings.Join(letters, "; ") + "\""
}

// divergeByNames finds the step by the names of the states, and reports whether it did.
func divergeByNames(e *outcome.Explanation) bool {
	r := e.Run
	n := len(r.Prefix) + len(r.Cycle)
	for i := range n {
		here := r.At(i)
		next := i + 1
		if next == n {
			if next = len(r.Prefix); len(r.Cycle) == 0 {
				break
			}
		}
		there := r.At(next)
		if here.NameHolds == nil || *here.NameHolds == *there.NameHolds || *here.NameHolds == e.Accepts {
			continue
		}
		e.Divergence = &outcome.Divergence{Kind: "name", At: i + 1, Text: fmt.Sprintf("look at the edge %d -> %d: the formula that names state %[4]d is %[3]v here, but the one that names state %[6]d is %[5]v",
			here.State, here.To, *here.NameHolds, here.State, *there.NameHolds, here.To)}
		return true
	}
	return false
}

// histories are the words that lead to the places of an automaton, together with the state of another
// automaton that they may lead to: one for each pair, a shortest one. A place is a state, or a set of
// states.
//
// Take a wrong automaton of a U b, with [a&!b] 0 and [!a|b] 1 from state 0. Beside a right one, !a&b leads
// to state 1 of both, and !a&!b to state 1 of the wrong one and to a rejecting sink of the other. So
// state 1 may accept everything after the history b, but not after !a&!b.
type histories struct {
	pairs    []historyPair // in breadth-first order
	alphabet *omega.Alphabet
}

type historyPair struct {
	place, t omega.State
	from     int32       // the pair before, or -1
	label    omega.Label // of the last letter
}

// newHistories returns the histories from the initial places. Edges returns the edges of a place, and
// how many pairs of edges were looked at for that. It is not ok if that takes too long.
func newHistories(initial []omega.State, edges func(place omega.State) ([]omega.Edge, int), b *omega.Automaton) (h *histories, ok bool) {
	h = &histories{alphabet: b.Alphabet()}
	seen := make(map[[2]omega.State]bool)
	visit := func(p historyPair) {
		if key := [2]omega.State{p.place, p.t}; !seen[key] {
			seen[key] = true
			h.pairs = append(h.pairs, p)
		}
	}
	for _, s := range initial {
		for _, t := range b.Initial() {
			visit(historyPair{s, t, -1, omega.False})
		}
	}
	for i, met := 0, 0; i < len(h.pairs); i++ {
		p := h.pairs[i]
		from, cost := edges(p.place)
		if met += cost + len(from)*len(b.Edges(p.t)); met > maxMeetings {
			return nil, false
		}
		for _, e := range from {
			for _, f := range b.Edges(p.t) {
				if h.alphabet.Meet(e.Label, f.Label) {
					visit(historyPair{e.Dst, f.Dst, int32(i), h.alphabet.And(e.Label, f.Label)})
				}
			}
		}
	}
	return h, true
}

// leading returns the letters of a shortest word that leads to a place and to a fitting state of the other
// automaton.
func (h *histories) leading(place omega.State, fits func(t omega.State) bool) (letters []string, found bool) {
	i := slices.IndexFunc(h.pairs, func(p historyPair) bool { return p.place == place && fits(p.t) })
	if i < 0 {
		return nil, false
	}
	letters = []string{}
	for p := h.pairs[i]; p.from >= 0; p = h.pairs[p.from] {
		v, _ := h.alphabet.Letter(p.label)
		letters = append(letters, h.alphabet.Text(h.alphabet.LetterLabel(v)))
	}
	slices.Reverse(letters)
	return letters, true
}
