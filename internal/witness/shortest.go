package witness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

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
	Steps    int // see omega.Limits.WordSteps
}

// Shortest reports whether Word is proved to be a shortest one.
func (r *Result) Shortest() bool { return r.Word != nil && r.Word.Size() == r.Least }

// errUnknown says that the search did not find a word that there is.
var errUnknown = fmt.Errorf("%w: witness: the search missed a word that was known", omega.ErrInternal)

// Shortest returns a shortest word that the sides accept and reject as required. Among these,
// it sets the fewest propositions, and then has the shortest prefix. The automata have one
// alphabet. known, if not nil, is such a word: it limits the search, and is the result if a
// limit is reached first.
//
// The number of letters, sets of states and profiles is exponential in the sizes of the
// automata at worst. Each costs time and memory quadratic in the number of states.
//
// Shortest fails when ctx is done, and with omega.ErrAlternating. Reaching the limit of word steps or
// of memory is no error.
func Shortest(ctx context.Context, sides []Side, known *omega.Word, limits omega.Limits) (*Result, error) {
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

func newSearch(ctx context.Context, limits omega.Limits) *search {
	s := &search{budget: budget.New(ctx), result: &Result{Least: 1}}
	limits = limits.WithDefaults()
	if limits.WordSteps > 0 {
		s.budget.LimitSteps(limits.WordSteps)
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
			before := s.sides[n-1] // whose part of sets and profiles comes first
			t.setAt, t.rowsAt = before.setAt+before.setWords, before.rowsAt+before.states*before.words
		}
		s.sides = append(s.sides, t)
		n := t.states
		s.accepted = append(s.accepted, &accepted{side: t, ctx: ctx, first: make([]int32, n+1), good: make([]bool, n), order: make([]int32, n), next: make([]int32, n)})
	}
	if err := s.findLetters(); err != nil {
		return err
	}
	s.result.Letters = len(s.letters.label)
	for _, t := range s.sides {
		s.held += 8 * int64(len(t.letters)) * int64(t.states*len(t.sets)*t.words+t.states*t.setWords)
		if err := s.budget.Check(); err != nil {
			return err
		}
		t.tables()
	}
	s.prefixes, s.loops = newFamily(s.sides), newFamily(s.sides)
	last := s.sides[len(s.sides)-1]
	s.profiles = &profiles{sides: s.sides, width: last.rowsAt + last.states*last.words}
	s.profiles.paged = 1 + pageWords/(s.profiles.width+1)
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
		heaviest := int32(math.MaxInt32) // no limit: a longer word may need any loop
		if best != nil {
			s.result.Word = s.word(best)
			heaviest = best.weight
		} else if n == bound {
			// Nothing longer than the known word is of use, nor a heavier loop of this size.
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
		// If no loop of the last length has a new profile, none that is longer does. A profile also tells where a prefix
		// leads, so no prefix as long has a new set either. What is left are the longest ones that are kept, together.
		complete := s.profiles.start[len(s.profiles.start)-1] == len(s.profiles.info)
		if complete && n >= s.prefixes.deepest()+s.loops.deepest()+1 {
			break // every word does what a shorter one does
		}
		s.result.Least = n + 1
	}
	if s.known == nil {
		s.result.Least = math.MaxInt // no word of any size
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
		loop, end := s.loops.level(n - i - 1) // level 0 has the loops of one letter
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
	for p := int32(m.prefix); ; { // from the last letter to the first
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
	var sets []uint64 // added later, by weight
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
		from = p.start[n-1] // the profiles of the last length
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
	if len(p.start) == 1 { // the loops of one letter
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
			if s.tight && !t.accept { // see NotTight
				t.atOnce(rows, t.set(set))
			} else {
				s.accepted[j].states(rows, t.set(set))
			}
			if err := cmp.Or(s.accepted[j].err, s.count(4*t.states+len(s.accepted[j].arcs))); err != nil {
				return err
			}
		}
		return s.count(s.loops.add(set, item{weight: p.info[to+i].weight, origin: int32(to + i)}))
	})
}

// A family is a collection of sets of states, one for each side, that were found level by level. A
// set is left out if an earlier one is as good: larger for the sides that must accept, smaller for
// the others, and no heavier, unless it is of an earlier level and so makes a shorter word.
//
// For a side that must accept, {0 1} is as good as {0}: a loop that is accepted from 0 fits both. For
// a side that must reject, {0} is as good as {0 1}.
type family struct {
	sides []*side
	width int // words of a set
	sets  []uint64
	items []item
	start []int // of each level, in items
}

// item is what a set stands for.
type item struct {
	weight int32 // how many propositions its letters set
	origin int32 // a prefix: the item before its last letter. A loop: its profile
	letter int32
}

func newFamily(sides []*side) *family {
	last := sides[len(sides)-1]
	return &family{sides: sides, width: last.setAt + last.setWords}
}

func (f *family) open() { f.start = append(f.start, len(f.items)) }

// level returns the numbers of the first item of a level and of the first one
// after it.
func (f *family) level(n int) (from, to int) {
	if n+1 < len(f.start) {
		return f.start[n], f.start[n+1]
	}
	return f.start[n], len(f.items)
}

// deepest returns the last level that has items, or -1.
func (f *family) deepest() int {
	n := len(f.start) - 1
	for ; n >= 0; n-- {
		if from, to := f.level(n); from < to {
			break
		}
	}
	return n
}

func (f *family) memory() int64 { return int64(8*cap(f.sets) + 12*cap(f.items)) }

func (f *family) set(i int) []uint64 { return f.sets[i*f.width : (i+1)*f.width] }

// add adds a set to the last level, unless that is in vain: a side that shall
// accept has no state left, or another set is as good. Lighter sets must be added
// before heavier ones. It returns how many words it has compared.
func (f *family) add(set []uint64, it item) (compared int) {
	for _, s := range f.sides {
		if s.accept && !slices.ContainsFunc(s.set(set), func(x uint64) bool { return x != 0 }) {
			return f.width
		}
	}
	for i := range f.items {
		if f.asGood(f.set(i), set) {
			return (i + 1) * f.width
		}
	}
	f.sets = append(f.sets, set...)
	f.items = append(f.items, it)
	return len(f.items) * f.width
}

// asGood reports whether x serves wherever y does.
func (f *family) asGood(x, y []uint64) bool {
	for _, s := range f.sides {
		if !s.atLeast(s.set(x), s.set(y)) {
			return false
		}
	}
	return true
}

// match reports whether a prefix that leads to x and a loop that is accepted from
// y make a word that every side treats as it shall.
func (f *family) match(x, y []uint64) bool {
	for _, s := range f.sides {
		meet := false
		for i := s.setAt; i < s.setAt+s.setWords; i++ {
			meet = meet || x[i]&y[i] != 0
		}
		if meet != s.accept {
			return false
		}
	}
	return true
}

// profiles are the transition profiles of loops, by increasing length. Each stands once, for the
// shortest loop that has it, and for the lightest of these.
//
// Take one state with the loops [a] 0 {0} and [!a] 0. The loop a has the profile 0 -{0}-> 0, and !a
// has 0 -> 0. The four loops of two letters have these profiles again. So no loop of three letters is
// tried.
type profiles struct {
	sides []*side
	width int        // words of a profile
	pages [][]uint64 // of paged profiles each, which stay where they are
	paged int
	info  []item // origin is the profile before the last letter
	start []int  // by length less one: the first profile

	index  intern.Index
	hashes []uint32
}

// pageWords is about how many words a page has.
const pageWords = 1 << 12

func (p *profiles) profile(i int) []uint64 {
	page := p.pages[i/p.paged]
	i %= p.paged
	return page[i*p.width : (i+1)*p.width]
}

// identity returns the profile of the empty word.
func (p *profiles) identity() []uint64 {
	id := make([]uint64, p.width)
	for _, s := range p.sides {
		for q := range s.states {
			b := q * len(s.sets) // the set of number 0 is empty
			bitset.Add(s.rows(id)[q*s.words:], b)
		}
	}
	return id
}

// extend sets to to the profile of a loop after one more letter. It reports
// whether it may be of use, which it is not if a side that shall accept has no
// run left. It fails if count does, which is told how many words it has looked at.
func (p *profiles) extend(to, from []uint64, letter int, count func(looked int) error) (useful bool, err error) {
	at, looked := 0, 0
	for _, s := range p.sides {
		some := !s.accept
		for range s.states {
			row := to[at : at+s.words]
			looked += 1 + s.extend(row, from[at:at+s.words], letter)
			some = some || slices.ContainsFunc(row, func(x uint64) bool { return x != 0 })
			at += s.words
			if looked > 1<<18 { // limits are checked now and then
				if err := count(looked); err != nil {
					return false, err
				}
				looked = 0
			}
		}
		if !some {
			return false, count(looked)
		}
	}
	return true, count(looked)
}

// add adds a profile, or notes that it can be had with less weight, if it is of
// the last length.
func (p *profiles) add(profile []uint64, it item) {
	h := hash(profile)
	i, at := p.index.First(uint64(h))
	for ; i >= 0; i, at = p.index.Next(at) {
		if p.hashes[i] == h && slices.Equal(p.profile(int(i)), profile) {
			if int(i) >= p.start[len(p.start)-1] && it.weight < p.info[i].weight { // an earlier profile has a shorter loop
				p.info[i] = it
			}
			return
		}
	}
	if len(p.info)%p.paged == 0 { // a new page: profiles that are in use stay where they are
		p.pages = append(p.pages, make([]uint64, 0, p.paged*p.width))
	}
	last := len(p.pages) - 1
	p.pages[last] = append(p.pages[last], profile...)
	p.info = append(p.info, it)
	p.hashes = append(p.hashes, h)
	p.index.Add(at, int32(len(p.info)-1), func(i int32) uint64 { return uint64(p.hashes[i]) })
}

// hash has 32 bits, since each profile keeps its own.
func hash(words []uint64) uint32 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, x := range words {
		hi, lo := bits.Mul64(h^x, 0xd6e8feb86659fd93)
		h = hi ^ lo + 0x9e3779b97f4a7c15
	}
	return uint32(h ^ h>>32)
}

func (p *profiles) memory() int64 {
	return int64(8*len(p.pages)*p.paged*p.width+12*cap(p.info)+4*cap(p.hashes)) + p.index.Memory()
}

// letters are the sets of valuations that no label of the automata tells apart,
// without those that others make superfluous. They are ordered by weight.
type letters struct {
	label  []omega.Label // the representative, one valuation
	weight []int32       // how many propositions it sets
}

// mostLetters is the number of letters past which a search is given up: there
// are that many words already of a single letter.
const mostLetters = 1 << 12

// meetSteps is what the question costs whether two labels have a letter in common.
const meetSteps = 16

// letter is one of the letters that labels tell apart.
type letter struct {
	label  omega.Label
	weight int32
	moves  [][]uint64 // by side: the set of moves
}

// findLetters finds the letters, and sets what they do on each side.
func (s *search) findLetters() error {
	parts, err := s.split()
	if err != nil {
		return err
	}
	all := make([]letter, len(parts))
	for i, p := range parts {
		if all[i], err = s.letter(p); err != nil {
			return err
		}
	}
	slices.SortStableFunc(all, func(x, y letter) int { return int(x.weight - y.weight) }) // as lengthenLoops takes them
	s.letters = &letters{}
	var kept []letter
	for i, c := range all {
		needed, err := s.needed(c, kept, all[i+1:])
		if err != nil {
			return err
		}
		if !needed {
			continue
		}
		kept = append(kept, c)
		s.letters.label = append(s.letters.label, c.label)
		s.letters.weight = append(s.letters.weight, c.weight)
		for j, t := range s.sides {
			t.letters = append(t.letters, c.moves[j])
		}
	}
	return nil
}

// split cuts the set of all valuations by the labels of the edges. The labels a and a|b cut it into
// three parts: a, !a&b and !a&!b.
func (s *search) split() ([]omega.Label, error) {
	parts := []omega.Label{s.alphabet.True()}
	known := map[omega.Label]bool{}
	for _, t := range s.sides {
		for _, g := range t.labels {
			if known[g.label] {
				continue
			}
			known[g.label] = true
			for i, p := range parts { // what is appended is cut already
				if !s.alphabet.Meet(p, g.label) || s.alphabet.Implies(p, g.label) { // the label does not cut p
					continue
				}
				parts[i] = s.alphabet.And(p, g.label)
				parts = append(parts, s.alphabet.And(p, s.alphabet.Not(g.label)))
			}
			if len(parts) > mostLetters {
				return nil, &omega.LimitError{What: "letters", Limit: mostLetters}
			}
			if err := s.count(meetSteps * len(parts)); err != nil {
				return nil, err
			}
		}
	}
	return parts, nil
}

// letter returns the letter that stands for all valuations of a part.
func (s *search) letter(part omega.Label) (letter, error) {
	v, _ := s.alphabet.Letter(part)
	c := letter{label: s.alphabet.LetterLabel(v), weight: weight(v)}
	for _, t := range s.sides {
		set := make([]uint64, bitset.Words(len(t.moves)))
		s.held += int64(8 * len(set))
		for _, g := range t.labels {
			if s.alphabet.Meet(g.label, c.label) {
				for _, m := range g.moves {
					bitset.Add(set, m)
				}
			}
			if err := s.count(meetSteps + len(g.moves)); err != nil {
				return c, err
			}
		}
		c.moves = append(c.moves, set)
	}
	return c, nil
}

// weight returns how many propositions a letter sets.
func weight(v omega.Letter) (n int32) {
	for _, set := range v {
		if set {
			n++
		}
	}
	return n
}

// needed reports whether no other letter does as well as c: no kept letter, which sets no more
// propositions, and no later one that sets as many.
func (s *search) needed(c letter, kept, later []letter) (bool, error) {
	asGood := func(d letter) bool {
		for j, t := range s.sides {
			if !t.atLeast(d.moves[j], c.moves[j]) {
				return false
			}
		}
		return true
	}
	// Of letters that do the same, the first is kept.
	for i := 0; i < len(later) && later[i].weight == c.weight; i++ {
		if asGood(later[i]) && !slices.EqualFunc(later[i].moves, c.moves, slices.Equal) {
			return false, nil
		}
		if err := s.count(len(c.moves[0])); err != nil { // about: sides have similar numbers of moves
			return false, err
		}
	}
	return !slices.ContainsFunc(kept, asGood), s.count(len(kept) * len(c.moves[0]))
}

// each calls f for the numbers in a bit set, in ascending order.
func each(set []uint64, f func(i int)) {
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			f(64*w + bits.TrailingZeros64(x))
		}
	}
}
