package witness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Limits limit a search. Zero means no limit.
type Limits struct {
	// Steps is about the number of words of memory that are read. It does not depend on the
	// machine: some hundred million take a second.
	Steps  int
	Memory int64 // bytes
}

// DefaultLimits end a search after about a second.
var DefaultLimits = Limits{Steps: 200_000_000, Memory: 256 << 20}

// A Result is the result of a search.
type Result struct {
	// Word is a word that the sides accept and reject as required, each letter a single
	// valuation. It is nil if there is none of the sizes searched.
	Word *omega.Word
	// Least is the proved minimum number of letters of such a word. Word is a shortest one if
	// its size is Least.
	Least int
	// Why is the limit that ended the search before it had tried all words up to the size of
	// Word, or nil.
	Why error

	Letters  int // that the automata tell apart, and that are of use
	Profiles int // of loops
	Steps    int // see Limits
}

// Shortest reports whether Word is proved to be a shortest one.
func (r *Result) Shortest() bool { return r.Word != nil && r.Word.Size() == r.Least }

// errUnknown says that the search did not find a word that there is.
var errUnknown = errors.New("internal error: witness: the search missed a word that was known")

// Shortest returns a shortest word that the sides accept and reject as required. Among these,
// it sets the fewest propositions, and then has the shortest prefix. The automata have one
// alphabet. known, if not nil, is such a word: it limits the search, and is the result if a
// limit is reached first.
//
// The number of letters, sets of states and profiles is exponential in the sizes of the
// automata at worst. Each costs time and memory quadratic in the number of states.
//
// Shortest fails when ctx is done, and with omega.ErrAlternating. Reaching a limit is no
// error.
func Shortest(ctx context.Context, sides []Side, known *omega.Word, limits Limits) (*Result, error) {
	s := newSearch(ctx, limits)
	s.known, s.result.Word = known, known
	return s.shortest(ctx, sides)
}

func (s *search) shortest(ctx context.Context, sides []Side) (*Result, error) {
	err := s.try(ctx, sides)
	var limit *omega.LimitError
	if errors.As(err, &limit) {
		s.result.Why, err = err, nil
	}
	s.result.Steps = s.budget.Spent()
	if s.profiles != nil {
		s.result.Profiles = len(s.profiles.info)
	}
	return s.result, err
}

// try searches, and fails at a limit.
func (s *search) try(ctx context.Context, sides []Side) (err error) {
	if len(sides) == 0 {
		return errors.New("no sides given")
	}
	defer sides[0].Automaton.Alphabet().Bind(s.budget).Release(&err)
	if err := s.prepare(ctx, sides); err != nil {
		return err
	}
	return s.run()
}

type search struct {
	budget *budget.Budget
	known  *omega.Word
	tight  bool // see NotTight
	result *Result

	alphabet *omega.Alphabet
	sides    []*side
	accepted []*accepted
	letters  *letters
	prefixes *family // by length
	profiles *profiles
	loops    *family // by length less one

	held int64 // bytes of what is not counted otherwise
}

func newSearch(ctx context.Context, limits Limits) *search {
	s := &search{budget: budget.New(ctx), result: &Result{Least: 1}}
	if limits.Steps > 0 {
		s.budget.LimitSteps(limits.Steps)
	}
	s.budget.LimitMemory(limits.Memory, s.memory)
	return s
}

func (s *search) prepare(ctx context.Context, sides []Side) error {
	s.alphabet = sides[0].Automaton.Alphabet()
	for _, side := range sides {
		t, err := newSide(ctx, side)
		if err != nil {
			return err
		}
		if n := len(s.sides); n > 0 {
			before := s.sides[n-1]
			t.setAt, t.rowsAt = before.setAt+before.setWords, before.rowsAt+before.states*before.words
		}
		s.sides = append(s.sides, t)
		s.accepted = append(s.accepted, newAccepted(t))
	}
	if err := s.findLetters(); err != nil {
		return err
	}
	s.result.Letters = len(s.letters.label)
	for _, t := range s.sides {
		s.held += t.tableBytes()
		if err := s.budget.Check(); err != nil {
			return err
		}
		t.tables()
	}
	s.prefixes, s.loops, s.profiles = newFamily(s.sides), newFamily(s.sides), newProfiles(s.sides)
	return nil
}

func (s *search) run() error {
	bound := math.MaxInt
	if s.known != nil {
		bound = s.known.Size()
	}
	for n := 1; n <= bound; n++ {
		// Words with a prefix need no new loops: when one is found, so is the size.
		if err := s.lengthenPrefixes(); err != nil {
			return err
		}
		best, err := s.best(n, 1)
		if err != nil {
			return err
		}
		heaviest := int32(math.MaxInt32)
		if best != nil {
			s.result.Word = s.word(best)
			heaviest = best.weight
		} else if n == bound {
			heaviest = 0
			for i := range n {
				v, _ := s.known.Alphabet.Letter(s.known.At(i))
				heaviest += weight(v)
			}
		}
		if err := s.lengthenLoops(heaviest); err != nil {
			return err
		}
		// One without a prefix is preferred if it is not heavier.
		pure, err := s.best(n, 0)
		if err != nil {
			return err
		}
		if pure != nil && (best == nil || pure.weight <= best.weight) {
			best = pure
			s.result.Word = s.word(best)
		}
		if best != nil {
			return nil
		}
		if n >= s.prefixes.deepest()+s.loops.deepest()+1 && s.profiles.complete() {
			break // every word does what a shorter one does
		}
		s.result.Least = n + 1
	}
	if s.known == nil {
		s.result.Least = math.MaxInt
		return nil
	}
	return errUnknown
}

// match is a word: a prefix and a loop, by their numbers.
type match struct {
	prefix, loop int
	weight       int32
}

// best returns the lightest word of size n whose prefix has at least the given
// number of letters (or none, for 0), and of these the one with the shortest
// prefix; nil if there is none.
func (s *search) best(n, prefix int) (*match, error) {
	var best *match
	last := n - 1
	if prefix == 0 {
		last = 0
	}
	for i := prefix; i <= last; i++ {
		from, to := s.prefixes.level(i)
		loop, end := s.loops.level(n - i - 1)
		for p := from; p < to; p++ {
			for l := loop; l < end; l++ {
				weight := s.prefixes.items[p].weight + s.loops.items[l].weight
				if (best == nil || weight < best.weight) && s.loops.match(s.prefixes.set(p), s.loops.set(l)) {
					best = &match{p, l, weight}
				}
			}
			if err := s.count((end - loop) * s.loops.width); err != nil {
				return nil, err
			}
		}
	}
	return best, nil
}

func (s *search) word(m *match) *omega.Word {
	w := &omega.Word{Alphabet: s.alphabet}
	for p := int32(m.prefix); ; {
		it := s.prefixes.items[p]
		if it.origin < 0 {
			break
		}
		w.Prefix = append(w.Prefix, s.letters.label[it.letter])
		p = it.origin
	}
	for p := s.loops.items[m.loop].origin; p >= 0; p = s.profiles.info[p].origin {
		w.Cycle = append(w.Cycle, s.letters.label[s.profiles.info[p].letter])
	}
	slices.Reverse(w.Prefix)
	slices.Reverse(w.Cycle)
	return w
}

// count adds to the steps, and fails at a limit.
func (s *search) count(steps int) error {
	s.budget.Spend(steps)
	return s.budget.Err()
}

func (s *search) memory() int64 {
	n := s.held
	if s.profiles != nil {
		n += s.profiles.memory() + s.prefixes.memory() + s.loops.memory()
	}
	return n
}

// sorted calls add for the items in order of weight.
func sorted(items []item, add func(i int) error) error {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(items[i].weight - items[j].weight) })
	for _, i := range order {
		if err := add(i); err != nil {
			return err
		}
	}
	return nil
}

// lengthenPrefixes finds the prefixes with one more letter, at first the empty
// one.
func (s *search) lengthenPrefixes() error {
	f := s.prefixes
	if len(f.start) == 0 {
		f.open()
		set := make([]uint64, f.width)
		for _, t := range s.sides {
			for _, q := range t.start {
				bitset.Add(t.set(set), q)
			}
		}
		f.add(set, item{origin: -1})
		return nil
	}
	from, to := f.level(len(f.start) - 1)
	f.open()
	var sets []uint64
	var items []item
	held := s.held
	defer func() { s.held = held }()
	for p := from; p < to; p++ {
		for a := range s.letters.label {
			base := len(sets)
			sets = append(sets, make([]uint64, f.width)...)
			for _, t := range s.sides {
				t.follow(t.set(sets[base:]), t.set(f.set(p)), a)
				s.budget.Spend(t.states)
			}
			items = append(items, item{f.items[p].weight + s.letters.weight[a], int32(p), int32(a)})
			s.held = held + int64(8*cap(sets)+12*cap(items))
			if err := s.count(f.width); err != nil {
				return err
			}
		}
	}
	return sorted(items, func(i int) error {
		return s.count(f.add(sets[i*f.width:(i+1)*f.width], items[i]))
	})
}

// lengthenLoops finds the profiles of loops with one more letter, and from where
// these are accepted. Those that set more propositions than the heaviest are left
// out, when the size of the word is known and no loop has to be longer.
func (s *search) lengthenLoops(heaviest int32) error {
	p := s.profiles
	from, to := 0, len(p.info)
	if n := len(p.start); n > 0 {
		from = p.start[n-1]
	}
	p.start = append(p.start, to)
	profile := make([]uint64, p.width)
	extend := func(from []uint64, origin, before int32) error {
		for a := range s.letters.label {
			if before+s.letters.weight[a] > heaviest {
				break // the letters are ordered by weight
			}
			useful, err := p.extend(profile, from, a, s.count)
			if err != nil {
				return err
			}
			if useful {
				p.add(profile, item{before + s.letters.weight[a], origin, int32(a)})
			}
			if err := s.count(p.width); err != nil {
				return err
			}
		}
		return nil
	}
	if len(p.start) == 1 {
		if err := extend(p.identity(), -1, 0); err != nil {
			return err
		}
	}
	for i := from; i < to; i++ {
		if err := extend(p.profile(i), int32(i), p.info[i].weight); err != nil {
			return err
		}
	}
	s.loops.open()
	set := make([]uint64, s.loops.width)
	return sorted(p.info[to:], func(i int) error {
		clear(set)
		for j, t := range s.sides {
			rows := t.rows(p.profile(to + i))
			if s.tight && !t.accept {
				t.atOnce(rows, t.set(set))
			} else {
				s.accepted[j].states(rows, t.set(set))
			}
			if err := s.count(4*t.states + len(s.accepted[j].arcs)); err != nil {
				return err
			}
		}
		return s.count(s.loops.add(set, item{weight: p.info[to+i].weight, origin: int32(to + i)}))
	})
}

func (r *Result) String() string {
	switch {
	case r.Word == nil:
		return fmt.Sprintf("no word of less than %d letters", r.Least)
	case r.Shortest():
		return fmt.Sprintf("%s (shortest)", r.Word)
	}
	return fmt.Sprintf("%s (at most %d letters, at least %d)", r.Word, r.Word.Size(), r.Least)
}
