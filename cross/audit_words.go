package cross

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// How many words an audit tries.
const (
	auditWords = 100 // short and random ones
	auditWalks = 100 // by walks through each of the two automata
	caseWalks  = 150 // by walks through all automata of a case, for its formula, at most
	// walkSteps bounds these if automata are large: each word is about as many steps as all of them
	// have edges, for each of its letters.
	walkSteps = 2_000_000
)

// auditedWords yields auditWords words: all of one letter, of two, and so on as long as there
// is room for all of a size; the rest are random. Then it yields words of walks through the
// automata, which random words rarely follow for long.
func auditedWords(alphabet *omega.Alphabet, automata ...*certify.Automaton) iter.Seq[*omega.Word] {
	return func(yield func(*omega.Word) bool) {
		left := auditWords
		for size := 1; alphabet.Len()*size < 8; size++ {
			all := size << (alphabet.Len() * size) // where the cycle starts, and the letters
			if all > left {
				break
			}
			left -= all
			for k := range all {
				if !yield(numbered(alphabet, size, k)) {
					return
				}
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(alphabet.Len())))
		for range left {
			if !yield(random.Word(r, alphabet, 4, 4).Concrete()) {
				return
			}
		}
		for _, a := range automata {
			w := newWalker(alphabet, a, r)
			for range auditWalks {
				if !yield(w.word()) {
					return
				}
			}
		}
	}
}

// tryWalks compares the automata with the formula on words of walks through each of them. The
// checks compare the automata with each other and with the reference, which is made by the
// same core: a mistake there can make it wrong so that the checks are right about it. This takes at
// most half of the time that the case has left, as an audit does. The error is that the whole run
// was canceled, or the case has no time left.
func (j *certifier) tryWalks(ctx context.Context, alphabet *omega.Alphabet) error {
	r := rand.New(rand.NewPCG(2, uint64(alphabet.Len())))
	edges := 1
	for _, m := range j.members {
		for s := range m.automaton().States {
			edges += len(m.automaton().Edges(s))
		}
	}
	inner, cancel := context.WithDeadline(ctx, halfTime(ctx))
	defer cancel()
	walks := min(caseWalks, walkSteps/maxWalk/edges) / max(1, len(j.members))
	for _, m := range j.members {
		walker := newWalker(alphabet, m.automaton(), r)
		for range max(1, walks) {
			w := walker.word()
			found, err := j.entries(inner, w)
			switch {
			case err == nil, errors.Is(err, errNobody):
				j.add(found...)
			case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
				return nil // as for the other words
			default:
				return j.uncertified(ctx, w, err)
			}
		}
	}
	return nil
}

// numbered returns word k of a size: of all 2^n letters, and starts of the cycle.
func numbered(alphabet *omega.Alphabet, size, k int) *omega.Word {
	var letters []omega.Letter
	v := k / size
	for range size {
		letter := make(omega.Letter, alphabet.Len())
		for j := range letter {
			letter[j] = v&1 != 0
			v >>= 1
		}
		letters = append(letters, letter)
	}
	return lasso(alphabet, letters, k%size)
}

// lasso returns the word of letters in which the cycle starts at a position.
func lasso(alphabet *omega.Alphabet, letters []omega.Letter, cycle int) *omega.Word {
	var labels []omega.Label
	for _, letter := range letters {
		labels = append(labels, alphabet.LetterLabel(letter))
	}
	return omega.NewWord(alphabet, labels[:cycle], labels[cycle:])
}

// A walker makes words of walks through an automaton as it was read. At each state a walk
// takes an edge that has been taken least, so that the words together take all edges soon.
type walker struct {
	alphabet  *omega.Alphabet
	automaton *certify.Automaton
	random    *rand.Rand
	taken     map[*certify.Edge]int // how often
	prop      []int                 // of the automaton: its place in the alphabet
}

func newWalker(alphabet *omega.Alphabet, a *certify.Automaton, r *rand.Rand) *walker {
	w := &walker{alphabet: alphabet, automaton: a, random: r, taken: map[*certify.Edge]int{}}
	for _, name := range a.Props {
		i, _ := alphabet.Index(name)
		w.prop = append(w.prop, i)
	}
	return w
}

// maxWalk bounds the letters of a word.
const maxWalk = 40

// word returns the word of a walk. Its cycle is one of the walk, if that has come back to a
// state. In every fourth word one letter is another one.
func (w *walker) word() *omega.Word {
	var letters []omega.Letter
	var states []int
	state := w.start()
	least := 1 + w.random.IntN(min(maxWalk/2, 2*w.automaton.States+1))
	cycle := -1
	for cycle < 0 && len(letters) < maxWalk {
		states = append(states, state)
		letter, next := w.step(state)
		letters = append(letters, letter)
		if state = next; len(letters) >= least {
			cycle = slices.Index(states, state)
		}
	}
	if cycle < 0 {
		cycle = w.random.IntN(len(letters))
	}
	if w.random.IntN(4) == 0 {
		letters[w.random.IntN(len(letters))] = w.letter()
	}
	return lasso(w.alphabet, letters, cycle)
}

// nowhere is the state of a walk that has left the automaton.
const nowhere = -1

// start returns an initial state: of an alternating automaton, one of those.
func (w *walker) start() int {
	if starts := w.automaton.Start; len(starts) > 0 {
		return w.any(starts[w.random.IntN(len(starts))])
	}
	return nowhere
}

func (w *walker) any(states []int) int {
	if len(states) == 0 {
		return nowhere
	}
	return states[w.random.IntN(len(states))]
}

// step takes an edge. Without one it goes nowhere, on any letter.
func (w *walker) step(state int) (omega.Letter, int) {
	letter := w.letter()
	if state == nowhere {
		return letter, nowhere
	}
	edges := slices.Clone(w.automaton.Edges(state))
	w.random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	slices.SortStableFunc(edges, func(e, f *certify.Edge) int { return w.taken[e] - w.taken[f] })
	for _, e := range edges {
		w.taken[e]++
		for range 8 {
			w.lead(e.Label, true, letter)
			if w.satisfies(e.Label, letter) {
				return letter, w.any(e.To)
			}
		}
	}
	return letter, nowhere
}

func (w *walker) letter() omega.Letter {
	letter := make(omega.Letter, w.alphabet.Len())
	for i := range letter {
		letter[i] = w.random.IntN(2) == 0
	}
	return letter
}

// lead changes a letter so that the label is likely to have the value on it.
func (w *walker) lead(l *certify.Label, value bool, letter omega.Letter) {
	switch l.Op {
	case certify.Prop:
		letter[w.prop[l.Prop]] = value
	case certify.Not:
		w.lead(l.Args[0], !value, letter)
	case certify.And, certify.Or:
		if len(l.Args) == 0 {
			return
		}
		if value == (l.Op == certify.Or) { // one is enough
			w.lead(l.Args[w.random.IntN(len(l.Args))], value, letter)
			return
		}
		for _, arg := range l.Args {
			w.lead(arg, value, letter)
		}
	}
}

// satisfies reports whether the label is true of the letter.
func (w *walker) satisfies(l *certify.Label, letter omega.Letter) bool {
	switch l.Op {
	case certify.True:
		return true
	case certify.Prop:
		return letter[w.prop[l.Prop]]
	case certify.Not:
		return !w.satisfies(l.Args[0], letter)
	case certify.And:
		return !slices.ContainsFunc(l.Args, func(arg *certify.Label) bool { return !w.satisfies(arg, letter) })
	case certify.Or:
		return slices.ContainsFunc(l.Args, func(arg *certify.Label) bool { return w.satisfies(arg, letter) })
	}
	return false
}
