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
// Membership in an automaton is the truth at the first position of a law.
// A state accepts from a position if an edge that reads the letter leads to a state that accepts
// from the next position. For an acceptance condition, this becomes fixed points of the
// μ-calculus (Emerson and Lei 1986).
//
// Package certify decides, word by word, what has no law here: formulas with regular expressions,
// and alternating automata.
package exhaustive

import (
	"context"
	"errors"
	"math/bits"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
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
	// Size is the size in the question, or a smaller one if the limit of steps was reached. Words
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

// Check compares the automata with the formula, or with the input, on all words up to a size.
// When ctx is done, it returns the context's error, and an answer that says how far it came. It
// also fails if the letters lack a proposition, and with [certify.ErrNotWeak] if an alternating
// automaton is not weak.
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
