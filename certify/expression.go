package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// ErrExpression reports a regular expression with too many derivatives, or with letters over too
// many propositions.
var ErrExpression = errors.New("regular expression too large for naive evaluation")

// An expression is a regular expression, made only once by its expressions. So two are equal if
// their pointers are.
type expression struct {
	op        expressionOp
	args      []*expression
	letter    *ltl.Formula
	low, high int // high is ltl.Unbounded if there is no bound
	id        int
	null      bool // the empty word is one of its words
}

type expressionOp int

const (
	noWord expressionOp = iota
	emptyWord
	oneLetter
	union        // of two or more
	intersection // of two or more
	overlap      // r & s
	concat
	fusion
	star
	fusionStar
	firstMatch
)

// expressions makes expressions. Unions and intersections are associative, commutative and
// idempotent, and the simplest laws of the empty set and of the empty word apply. By Brzozowski
// (1964, Theorem 5.2), an expression then has finitely many derivatives.
type expressions struct {
	ctx   context.Context
	known map[string]*expression
	from  map[*ltl.SERE]*expression
	work  int // operands of all expressions that were asked for
	err   error
}

// maxWork bounds the work for one formula and word.
const maxWork = 1 << 21

func newExpressions(ctx context.Context) *expressions {
	return &expressions{ctx: ctx, known: map[string]*expression{}, from: map[*ltl.SERE]*expression{}}
}

// spend counts work, and sets the error when it is too much or the context is done.
func (x *expressions) spend(n int) {
	before := x.work
	if x.work += n; x.err == nil && x.work>>8 != before>>8 {
		x.err = x.ctx.Err()
	}
	if x.err == nil && x.work > maxWork {
		x.err = ErrExpression
	}
}

func (x *expressions) make(e expression) *expression {
	x.spend(1 + len(e.args))
	var key strings.Builder
	fmt.Fprintf(&key, "%d %d %d %p", e.op, e.low, e.high, e.letter)
	for _, arg := range e.args {
		fmt.Fprintf(&key, " %d", arg.id)
	}
	if known, ok := x.known[key.String()]; ok {
		return known
	}
	e.id, e.null = len(x.known), e.nullable()
	x.known[key.String()] = &e
	return &e
}

func (e *expression) nullable() bool {
	null := func(arg *expression) bool { return arg.null }
	switch e.op {
	case emptyWord:
		return true
	case union:
		return slices.ContainsFunc(e.args, null)
	case intersection, overlap, concat:
		return !slices.ContainsFunc(e.args, func(arg *expression) bool { return !arg.null })
	case star:
		return e.low == 0 || e.args[0].null
	case firstMatch:
		return e.args[0].null
	}
	return false
}

func (x *expressions) none() *expression  { return x.make(expression{op: noWord}) }
func (x *expressions) empty() *expression { return x.make(expression{op: emptyWord}) }

// set returns the union, or the intersection, of expressions.
func (x *expressions) set(op expressionOp, list ...*expression) *expression {
	var args []*expression
	for _, e := range list {
		switch {
		case e.op == op:
			args = append(args, e.args...)
		case e.op == noWord && op == union:
		case e.op == noWord:
			return e
		default:
			args = append(args, e)
		}
	}
	slices.SortFunc(args, func(a, b *expression) int { return a.id - b.id })
	switch args = slices.Compact(args); len(args) {
	case 0:
		return x.none()
	case 1:
		return args[0]
	}
	return x.make(expression{op: op, args: args})
}

// pair returns a concatenation, a fusion or r & s.
func (x *expressions) pair(op expressionOp, left, right *expression) *expression {
	switch {
	case left.op == noWord || right.op == noWord:
		return x.none()
	case left.op == emptyWord && op != fusion:
		return right
	case right.op == emptyWord && op != fusion:
		return left
	}
	return x.make(expression{op: op, args: []*expression{left, right}})
}

// iterate returns from low to high words of r, joined by ; or by : as op says.
func (x *expressions) iterate(op expressionOp, r *expression, low, high int) *expression {
	if op == star && high == 0 {
		return x.empty()
	}
	return x.make(expression{op: op, args: []*expression{r}, low: low, high: high})
}

// first returns first_match(r).
func (x *expressions) first(r *expression) *expression {
	switch {
	case r.op == noWord:
		return r
	case r.null:
		return x.empty()
	}
	return x.make(expression{op: firstMatch, args: []*expression{r}})
}

// of returns the expression of a formula.
func (x *expressions) of(r *ltl.SERE) *expression {
	if e, ok := x.from[r]; ok {
		return e
	}
	e := x.convert(r)
	x.from[r] = e
	return e
}

func (x *expressions) convert(r *ltl.SERE) *expression {
	low, high := r.Bounds()
	switch r.Op() {
	case ltl.SERELetter:
		return x.make(expression{op: oneLetter, letter: r.Letter()})
	case ltl.SEREEmpty:
		return x.empty()
	case ltl.SEREOr:
		return x.set(union, x.of(r.Left()), x.of(r.Right()))
	case ltl.SEREIntersection:
		return x.set(intersection, x.of(r.Left()), x.of(r.Right()))
	case ltl.SEREAnd:
		return x.pair(overlap, x.of(r.Left()), x.of(r.Right()))
	case ltl.SEREConcat:
		return x.pair(concat, x.of(r.Left()), x.of(r.Right()))
	case ltl.SEREFusion:
		return x.pair(fusion, x.of(r.Left()), x.of(r.Right()))
	case ltl.SEREStar:
		return x.iterate(star, x.of(r.Left()), low, high)
	case ltl.SEREFusionStar:
		return x.iterate(fusionStar, x.of(r.Left()), low, high)
	case ltl.SEREFirstMatch:
		return x.first(x.of(r.Left()))
	}
	panic(fmt.Sprintf("certify: unknown operator %d of an expression", r.Op()))
}

// A reading is a letter that is read.
type reading struct {
	holds func(*ltl.Formula) bool // the truth of Boolean formulas
	known map[*expression]*expression
}

func newReading(holds func(*ltl.Formula) bool) *reading {
	return &reading{holds, map[*expression]*expression{}}
}

// derivative returns the words of e that start with the letter, without this letter: Brzozowski,
// "Derivatives of regular expressions" (1964). The result means nothing once x.err is set.
//
// By the letter a&!b, the derivative of {a;b} is {b}, and that of {a;b}[*] is {b;{a;b}[*]}. By a&b,
// the derivative of {a:b} has the empty word: this letter is the end of a and the start of b.
func (x *expressions) derivative(e *expression, by *reading) *expression {
	r, ok := by.known[e]
	if !ok && x.err == nil {
		r = x.derive(e, by)
		by.known[e] = r
	}
	if r == nil {
		return x.none()
	}
	return r
}

func (x *expressions) derive(e *expression, by *reading) *expression {
	var rest []*expression // of the operands
	for i, arg := range e.args {
		if i == 0 || e.op != concat || e.args[0].null {
			rest = append(rest, x.derivative(arg, by))
		}
	}
	switch e.op {
	case oneLetter:
		if by.holds(e.letter) {
			return x.empty()
		}
	case union, intersection:
		return x.set(e.op, rest...)
	case overlap:
		r := x.pair(overlap, rest[0], rest[1])
		if e.args[0].null {
			r = x.set(union, r, rest[1])
		}
		if e.args[1].null {
			r = x.set(union, r, rest[0])
		}
		return r
	case concat:
		r := x.pair(concat, rest[0], e.args[1])
		if e.args[0].null {
			r = x.set(union, r, rest[1])
		}
		return r
	case fusion:
		return x.fused(rest[0], e.args[1], rest[1])
	case star:
		low, high := less(e)
		return x.pair(concat, rest[0], x.iterate(star, e.args[0], low, high))
	case fusionStar:
		return x.chain(e, rest[0])
	case firstMatch:
		if !e.args[0].null {
			return x.first(rest[0])
		}
	}
	return x.none()
}

// less returns the bounds of an iteration after one word of it.
func less(e *expression) (low, high int) {
	if high = e.high; high != ltl.Unbounded {
		high--
	}
	return max(e.low-1, 0), high
}

// fused returns the derivative of r:s, given the derivative of r, s, and the derivative of s.
func (x *expressions) fused(rest, s, restOfS *expression) *expression {
	r := x.pair(fusion, rest, s)
	if rest.null { // the letter is the last one of a word of r
		r = x.set(union, r, restOfS)
	}
	return r
}

// chain returns the derivative of r[:*i..j], given the derivative of r. With i = 0 it is of
// 1 | r:r[:*0..j-1]. A word of r of one letter may be left out of the chain then, so that one more
// letter is always read in the first word. Otherwise it is of r:r[:*i-1..j-1].
func (x *expressions) chain(e *expression, rest *expression) *expression {
	// All iterations that the letter may lead to, as the first words may have one letter.
	result := x.none()
	for e.low > 0 && x.err == nil {
		low, high := less(e)
		e = x.make(expression{op: fusionStar, args: e.args, low: low, high: high})
		result = x.set(union, result, x.pair(fusion, rest, e))
		if !rest.null {
			return result
		}
	}
	result = x.set(union, result, x.empty())
	if e.high != 0 {
		low, high := less(e)
		e = x.make(expression{op: fusionStar, args: e.args, low: low, high: high})
		result = x.set(union, result, x.pair(fusion, rest, e))
	}
	return result
}

// letters adds the formulas that the derivatives of e depend on.
func (e *expression) letters(to map[*ltl.Formula]bool) {
	if e.op == oneLetter {
		to[e.letter] = true
	}
	for i, arg := range e.args {
		if i == 0 || e.op != concat || e.args[0].null {
			arg.letters(to)
		}
	}
}
