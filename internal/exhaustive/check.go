// Package exhaustive compares automata with a formula on all lasso words up to a size. It trusts
// no translation, product, complement or search. It imports package certify for its type of
// automata, and shares no code with the packages that search for words.
//
// This is bounded-exhaustive testing (Marinov and Khurshid 2001): most bugs show on some small
// input, so all of these are tried.
//
// # Words
//
// The size of a word is the number of its letters, before the cycle and in it. Letters say of
// each proposition whether it is true. Words are tried by their size, then with short cycles
// first, then in the order of their letters, false before true. So the first word on which an
// automaton is wrong is a shortest one.
//
// # 64 words at a time
//
// A word with s letters over k propositions is a number of s·k bits. So the truth of a
// proposition at a position, over all words of a shape, is a column of a truth
// table. For the words of two letters over one proposition:
//
//	x; cycle{y}    x: 0011
//	               y: 0101
//
// A machine word has 64 rows of a column. Each law of the semantics becomes an operation on
// columns: F a is true at a position if a is, or if F a is true at the next position. This is
// repeated until nothing changes, as package certify does it for one word.
//
// Membership in an automaton is the truth at the first position of a law. A state accepts from a position if
// an edge that reads the letter leads to a state that accepts from the next position. For an acceptance
// condition, this becomes fixed points of the μ-calculus (Emerson and Lei 1986).
//
// Package certify decides, word by word, what has no law here: formulas with regular expressions,
// and alternating automata.
package exhaustive

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/disjuncts"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Question is what to compare. Either Formula or Input is set.
type Question struct {
	Props    []string           // of letters: at least all of the formula and of the automata
	Formula  *ltl.Formula       // says which words are right
	Input    *certify.Automaton // does, if there is no formula
	Automata []Automaton
	Size     int // of the largest words
	// Steps limits the work; 0 is no limit. The work is the same on every machine. A step takes
	// about a nanosecond.
	Steps int
}

// An Automaton should accept the words that are right, or with Complement the others.
type Automaton struct {
	*certify.Automaton
	Complement bool
}

// An Answer says what was found on all words up to a size.
type Answer struct {
	// Size is the size in the question, or a smaller one if that took too many steps or maxBits. Words
	// is how many words there are up to Size.
	Size, Words int
	// Wrong has for each automaton a shortest word that it should accept, and a shortest word
	// that it should reject, if there are such words.
	Wrong []Wrong
}

// Wrong says on which word an automaton is wrong.
type Wrong struct {
	Automaton int // its place
	Accepts   bool
	Word      *Word
}

// maxBits bounds the number of words of a shape.
const maxBits = 50

// Check compares the automata with the formula, or with the input, on all words up to a size. When ctx is
// done, it returns the context's error, and an answer that says how far it came. It also fails if the letters
// lack a proposition, and with [certify.ErrNotWeak] if an alternating automaton is not weak.
//
// It takes time linear in the number of words, in the size of the formula, and in the product of
// the edges of an automaton and the letters of a word. Nested fixed points multiply that by the
// square of this product at worst, and mostly by less than ten.
func Check(ctx context.Context, q *Question) (*Answer, error) {
	if q == nil {
		return nil, errors.New("no question given")
	}
	steps := budget.New(ctx)
	if q.Steps > 0 {
		steps.LimitSteps(q.Steps)
	}
	x := &check{Question: q, steps: steps, answer: &Answer{}, shown: make([][2]bool, len(q.Automata))}
	err := x.prepare(ctx)
	before, last := steps.Spent(), 0
	for size := 1; err == nil && size <= q.Size; size++ {
		if size*len(q.Props) > maxBits {
			break
		}
		// Words of this size would hardly be done within the limit.
		if q.Steps > 0 && size > 1 && float64(last)*growth(len(q.Props), size) > float64(q.Steps-steps.Spent()) {
			break
		}
		if err = x.size(size); err == nil {
			x.answer.Size, x.answer.Words = size, Words(len(q.Props), size)
		}
		last, before = steps.Spent()-before, steps.Spent()
	}
	var limit *budget.LimitError
	if errors.As(err, &limit) && limit.What == "steps" {
		err = nil // the answer says how far it came
	}
	return x.answer, err
}

// growth estimates how much more the words of a size take than those with one letter less.
func growth(props, size int) float64 {
	steps := func(size int) (sum float64) {
		for prefix := range size {
			sum += float64(shape{props, prefix, size - prefix}.blocks() * size)
		}
		return sum
	}
	return steps(size) / steps(size-1)
}

type check struct {
	*Question
	steps    *budget.Budget
	right    language
	automata []language
	shown    [][2]bool // of each automaton: whether there is a word that it rejects, that it accepts
	answer   *Answer
}

func (x *check) prepare(ctx context.Context) (err error) {
	if x.Formula != nil {
		x.right, err = newFormulaLanguage(ctx, x.Formula, x.Props)
	} else {
		x.right, err = newAutomatonLanguage(ctx, x.Input, x.Props, x.steps)
	}
	for i := 0; err == nil && i < len(x.Automata); i++ {
		var a language
		a, err = newAutomatonLanguage(ctx, x.Automata[i].Automaton, x.Props, x.steps)
		x.automata = append(x.automata, a)
	}
	return err
}

// size tries all words of a size.
func (x *check) size(size int) error {
	for cycle := 1; cycle <= size; cycle++ {
		b := block{shape: shape{len(x.Props), size - cycle, cycle}}
		for ; b.number < b.blocks(); b.number++ {
			if err := x.block(b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *check) block(b block) error {
	right, err := x.right.on(b, x.steps)
	if err != nil {
		return err
	}
	for i, a := range x.automata {
		shown := &x.shown[i]
		if shown[0] && shown[1] { // both words are known
			continue
		}
		accepted, err := a.on(b, x.steps)
		if err != nil {
			return err
		}
		wrong := accepted ^ right
		if x.Automata[i].Complement {
			wrong = ^wrong
		}
		for k, of := range []column{wrong &^ accepted, wrong & accepted} {
			if of != 0 && !shown[k] {
				shown[k] = true
				x.answer.Wrong = append(x.answer.Wrong, Wrong{i, k == 1, b.word(bits.TrailingZeros64(of))})
			}
		}
	}
	return nil
}

// A column has a bit for each word of a block.
type column = uint64

// rows is how many words a column has, and rowBits how many bits their numbers take.
const (
	rows    = 64
	rowBits = 6
)

const all = ^column(0)

// A shape is the shape of words: how many letters are before the cycle, and in it.
type shape struct{ props, prefix, cycle int }

func (s shape) size() int { return s.prefix + s.cycle }

// bits is how many bits tell the words of the shape apart.
func (s shape) bits() int { return s.props * s.size() }

// blocks is how many blocks have all words of the shape, which may take at most 62 bits.
func (s shape) blocks() int { return 1 << max(0, s.bits()-rowBits) }

// next returns the position after p. After the last comes the first of the cycle.
func (s shape) next(p int) int {
	if p+1 == s.size() {
		return s.prefix
	}
	return p + 1
}

// A block is up to 64 words of a shape. If the shape has fewer, they come several times.
type block struct {
	shape
	number int
}

// patterns are the low bits of 64 numbers in a row.
var patterns = [rowBits]column{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// place returns which bit of the number of a word says whether a proposition is true at a position.
// The first letter has the highest bits, and so has the first proposition in it. For two letters
// over p and q, word 6 = 0110 begins with !p&q and continues with p&!q.
func (s shape) place(pos, prop int) int { return s.bits() - 1 - pos*s.props - prop }

// prop returns in which words a proposition is true at a position.
func (b block) prop(pos, prop int) column {
	i := b.place(pos, prop)
	if i < rowBits { // the row; block.number has the higher bits
		return patterns[i]
	}
	if b.number>>(i-rowBits)&1 != 0 {
		return all
	}
	return 0
}

func (b block) word(row int) *Word {
	w := &Word{Prefix: b.prefix}
	for pos := range b.size() {
		letter := make([]bool, b.props)
		for i := range letter {
			letter[i] = b.prop(pos, i)>>row&1 != 0
		}
		w.Letters = append(w.Letters, letter)
	}
	return w
}

// A Word is a lasso. Each letter has the truth of the propositions. The cycle starts after Prefix letters.
type Word struct {
	Letters [][]bool
	Prefix  int
}

// Words returns how many different words there are up to a size over a number of propositions: words that are
// the same infinite sequence of letters count once. It returns -1 if there are 2^62 or more.
//
// Each such sequence is u; cycle{v} for one v that is not a power of a shorter word, and the
// shortest u. The last letters of u and v differ, or else the cycle could start earlier. Over one
// proposition there are six up to size 2:
//
//	cycle{a}   cycle{!a}   a; cycle{!a}   !a; cycle{a}   cycle{a; !a}   cycle{!a; a}
func Words(props, size int) int {
	if props < 0 || size < 1 {
		return 0
	}
	if props*size+bits.Len(uint(size)) > 60 {
		return -1
	}
	letters := 1 << props
	sum := 0
	primitive := make([]int, size+1) // by their length
	for m := 1; m <= size; m++ {
		primitive[m] = power(letters, m)
		for d := 1; d < m; d++ { // powers of shorter words
			if m%d == 0 {
				primitive[m] -= primitive[d]
			}
		}
		sum += primitive[m]
		for l := 1; l+m <= size; l++ {
			sum += primitive[m] * power(letters, l-1) * (letters - 1) // the last letters of u and v differ
		}
	}
	return sum
}

func power(x, n int) int {
	y := 1
	for range n {
		y *= x
	}
	return y
}

// An automaton is evaluated on blocks: each state has a column for each position, which has the
// words that the automaton accepts from there.
type automaton struct {
	start  []int
	labels *labels
	all    graph   // all edges
	fair   []graph // for each disjunct of the acceptance condition, those that may be taken forever

	// By position and state.
	accepts      []column
	inner, outer []column // see forever
}

// A graph is edges by the state that they leave. States are reachable ones, numbered from 0.
type graph struct {
	from  [][]edge
	count int
	often int // how many marks runs need again and again: at least one
}

// An edge leads to a state on the letters of a label.
type edge struct {
	label, to int
	marks     uint64 // the number of a mark that runs need is a bit
}

// newAutomaton returns an automaton for letters over the propositions; nil if it is alternating, or
// its condition is too large in disjunctive normal form. Then package certify has to decide
// membership word by word.
func newAutomaton(a *certify.Automaton, props []string, steps *budget.Budget) (*automaton, error) {
	conditions, ok := disjuncts.Of(a.Acceptance)
	if !ok || slices.ContainsFunc(a.Start, several) {
		return nil, nil
	}
	x := &automaton{fair: make([]graph, len(conditions))}
	var err error
	if x.labels, err = newLabels(a.Props, props); err != nil {
		return nil, err
	}
	number := map[int]int{}
	var states []int
	place := func(s int) int {
		if _, ok := number[s]; !ok {
			number[s] = len(states)
			states = append(states, s)
		}
		return number[s]
	}
	for _, start := range a.Start {
		x.start = append(x.start, place(start[0]))
	}
	for s := 0; s < len(states); s++ {
		out := a.Edges(states[s])
		if steps.Spend(1 + len(out)) {
			return nil, steps.Err()
		}
		x.all.from = append(x.all.from, nil)
		for i := range x.fair {
			x.fair[i].from = append(x.fair[i].from, nil)
		}
		for _, e := range out {
			if several(e.To) {
				return nil, nil
			}
			added := edge{label: x.labels.add(e.Label), to: place(e.To[0])}
			x.all.add(s, added)
			for i := range conditions {
				if marks, ok := conditions[i].Take(e); ok {
					if added.marks = marks; len(conditions[i].Inf) == 0 {
						added.marks = 1 // all edges have the only mark
					}
					x.fair[i].add(s, added)
				}
			}
		}
	}
	for i := range conditions {
		x.fair[i].often = max(1, len(conditions[i].Inf))
	}
	return x, nil
}

// several reports whether an automaton that goes to these states at once alternates.
func several(states []int) bool { return len(states) != 1 }

func (g *graph) add(from int, e edge) {
	g.from[from] = append(g.from[from], e)
	g.count++
}

// on returns the words of a block that the automaton accepts: those for which an edge path leads
// from a start to where forever finds runs.
func (a *automaton) on(b block, steps *budget.Budget) (column, error) {
	if steps.Spend(len(a.labels.nodes) * b.size()) {
		return 0, steps.Err()
	}
	a.labels.evaluate(b)
	size := a.states() * b.size()
	for _, list := range []*[]column{&a.accepts, &a.inner, &a.outer} {
		*list = slices.Grow((*list)[:0], size)[:size]
	}
	clear(a.accepts)
	cycle := a.accepts[a.states()*b.prefix:] // the positions in the cycle
	for i := range a.fair {                  // a run finally satisfies one disjunct
		if err := a.forever(b, &a.fair[i], steps); err != nil {
			return 0, err
		}
		for k, c := range a.outer[len(a.outer)-len(cycle):] {
			cycle[k] |= c
		}
	}
	if err := a.backward(b, steps); err != nil {
		return 0, err
	}
	accepted := column(0)
	for _, s := range a.start {
		accepted |= a.accepts[s]
	}
	return accepted, nil
}

func (a *automaton) states() int { return len(a.all.from) }

// row returns the columns of all states at a position.
func (a *automaton) row(of []column, pos int) []column {
	return of[pos*a.states() : (pos+1)*a.states()]
}

// forever sets outer, at the positions of the cycle, to where runs start that stay in the graph and meet each
// of its marks again and again. It is the greatest X such that for each mark, X is the least Y with
//
//	Y = where an edge leads to Y, or an edge with the mark to X.
//
// The marks take turns, until X has stayed the same for all of them.
//
// Take one state, its edges [a] {0} and [!a], and X of all words. On cycle{!a}, no edge with the
// mark reads a letter, so Y is empty, and so is the next X. On cycle{a; !a}, the first position is
// in Y by the mark, the second by the first, and X stays the same.
func (a *automaton) forever(b block, g *graph, steps *budget.Budget) error {
	for i := range a.outer {
		a.outer[i] = all // the greatest fixpoint: from all words down
	}
	for k, same := 0, 0; same < g.often; k = (k + 1) % g.often {
		clear(a.inner) // the least one: from none up
		for grown := true; grown; {
			grown = false
			for pos := b.size() - 1; pos >= b.prefix; pos-- { // backwards, as edges need the next position
				if steps.Spend(a.states() + g.count) {
					return steps.Err()
				}
				grown = a.grow(b, g, pos, 1<<k) || grown
			}
		}
		same++
		for i := a.states() * b.prefix; i < len(a.outer); i++ {
			if smaller := a.outer[i] & a.inner[i]; smaller != a.outer[i] {
				a.outer[i], same = smaller, 0 // X has changed: all marks have their turn again
			}
		}
	}
	return nil
}

// grow applies the law of forever at a position once to each state. It reports whether inner grew.
func (a *automaton) grow(b block, g *graph, pos int, mark uint64) bool {
	letter, row := a.labels.at(pos), a.row(a.inner, pos)
	inner, outer := a.row(a.inner, b.next(pos)), a.row(a.outer, b.next(pos))
	grown := false
	for s := len(row) - 1; s >= 0; s-- { // backward: most edges lead to later states
		v := row[s]
		for _, e := range g.from[s] {
			to := inner[e.to]
			if e.marks&mark != 0 {
				to |= outer[e.to]
			}
			v |= letter[e.label] & to
		}
		if v != row[s] {
			row[s], grown = v, true
		}
	}
	return grown
}

// backward adds to accepts the states that have an edge to one that accepts: around the cycle until
// nothing changes, then along the prefix.
func (a *automaton) backward(b block, steps *budget.Budget) error {
	step := func(pos int) (grown bool) {
		letter, row, next := a.labels.at(pos), a.row(a.accepts, pos), a.row(a.accepts, b.next(pos))
		for s := len(row) - 1; s >= 0; s-- {
			v := row[s]
			for _, e := range a.all.from[s] {
				v |= letter[e.label] & next[e.to]
			}
			if v != row[s] {
				row[s], grown = v, true
			}
		}
		return grown
	}
	for grown := true; grown; {
		grown = false
		for pos := b.size() - 1; pos >= b.prefix; pos-- {
			if steps.Spend(a.states() + a.all.count) {
				return steps.Err()
			}
			grown = step(pos) || grown
		}
	}
	for pos := b.prefix - 1; pos >= 0; pos-- {
		if steps.Spend(a.states() + a.all.count) {
			return steps.Err()
		}
		step(pos) // once: the next position is settled
	}
	return nil
}
