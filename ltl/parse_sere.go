package ltl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A sereTree is an expression as it was written, without the sugar.
type sereTree struct {
	op          SEREOp
	left, right *sereTree
	letter      *tree
	low, high   int
	null        bool
	length      int // the letters of the expression with bounded iterations written out
}

// Limits of the expressions of a text.
const (
	maxParts  = 1 << 16 // operators and operands
	maxLength = 1 << 16 // letters, with bounded iterations written out
)

// buildSERE makes the expression. Its depth is bounded by maxParts.
func (s *Store) buildSERE(t *sereTree) *SERE {
	switch {
	case t.letter != nil:
		return s.Letter(s.build(t.letter))
	case t.op == SEREEmpty:
		return s.EmptyWord()
	case t.right != nil:
		return s.SEREBinary(t.op, s.buildSERE(t.left), s.buildSERE(t.right))
	}
	return s.makeSERE(sereNode{op: t.op, left: s.buildSERE(t.left), low: t.low, high: t.high})
}

// suffix reads {r}, {r}!, {r}[]->f and the like.
func (p *parser) suffix() *tree {
	r := p.braces()
	if p.err != nil {
		return nil
	}
	switch {
	case p.tok == tokArrow:
		arrow := p.text[p.at:p.end]
		p.next()
		f := p.binary(1)
		if p.err != nil {
			return nil
		}
		if arrow == "⤇" || slices.ContainsFunc(doubles, func(d string) bool { return strings.HasSuffix(arrow, d) }) {
			r = p.pair(SEREConcat, r, p.trueLetter()) // f holds behind r
		}
		if slices.ContainsFunc(diamonds, func(d string) bool { return strings.HasPrefix(arrow, d) }) {
			return &tree{op: OpSuffixConjunction, left: f, sere: r}
		}
		return &tree{op: OpSuffixImplication, left: f, sere: r}
	case p.tok == tokOp && p.op == OpNot && p.text[p.at:p.end] == "!": // {r}!
		p.next()
		return &tree{op: OpSuffixConjunction, left: &tree{op: OpTrue}, sere: r}
	case p.tok == tokOpen: // {r}(f) is {r}[]->f
		f := p.atom()
		if p.err != nil {
			return nil
		}
		return &tree{op: OpSuffixImplication, left: f, sere: r}
	}
	return &tree{op: OpClosure, sere: r}
}

// braces reads { r }.
func (p *parser) braces() *sereTree {
	p.next()
	r := p.sere(1)
	if p.err == nil && p.tok != tokBraceClose {
		p.fail("an operator or '}'")
	}
	if p.err != nil {
		return nil
	}
	p.next()
	return r
}

// sereLevel returns how tightly the binary operator of an expression binds, and 0 for other tokens.
func (p *parser) sereLevel() int {
	switch p.tok {
	case tokConcat:
		return 1
	case tokFusion:
		return 2
	case tokDelay:
		return 3
	case tokOp:
		if p.op.Arity() == 2 && precedence[p.op] <= precedence[OpAnd] && !p.star() { // no U and the like
			return 3 + precedence[p.op]
		}
	}
	return 0
}

// star reports whether the current token is the * of a*.
func (p *parser) star() bool { return p.tok == tokOp && p.text[p.at:p.end] == "*" }

// sere reads an expression of operators that bind at least as tightly as least.
func (p *parser) sere(least int) *sereTree {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	start := p.at
	r := p.operand()
	for p.err == nil && (p.tok == tokBracket || p.star()) {
		r = p.iteration(r, start)
	}
	for p.err == nil {
		level := p.sereLevel()
		if level == 0 || level < least {
			return r
		}
		r = p.operation(r, level, start)
	}
	return nil
}

// operation reads a binary operator of the given level and its second operand.
func (p *parser) operation(r *sereTree, level, start int) *sereTree {
	tok, op, text := p.tok, p.op, p.text[p.at:p.end]
	var delay bounds
	end := p.at
	if tok == tokDelay {
		delay = p.delay()
	} else {
		p.next()
	}
	next := level + 1 // to the left
	if tok == tokOp && (op == OpImplies || op == OpEquiv) {
		next = level // to the right
	}
	second := p.at
	q := p.sere(next)
	if p.err != nil {
		return nil
	}
	switch tok {
	case tokConcat:
		return p.pair(SEREConcat, r, q)
	case tokFusion:
		return p.pair(SEREFusion, r, q)
	case tokDelay:
		return p.delayed(r, delay, q)
	}
	switch {
	case r.letter != nil && q.letter != nil: // Boolean formulas are one letter
		return p.letterOf(&tree{op: op, left: r.letter, right: q.letter})
	case op == OpOr:
		return p.pair(SEREOr, r, q)
	case op == OpAnd && text == "&":
		return p.pair(SEREAnd, r, q)
	case op == OpAnd:
		return p.pair(SEREIntersection, r, q)
	case !p.boolean(r, start, end): // the other operators take one on the left
	case op == OpImplies: // a -> r is !a | r
		return p.pair(SEREOr, p.letterOf(&tree{op: OpNot, left: r.letter}), q)
	default:
		p.boolean(q, second, p.at)
	}
	return nil
}

// boolean notes an error if r, which stands from one offset to another, is no Boolean formula.
func (p *parser) boolean(r *sereTree, start, end int) bool {
	if r.letter != nil {
		return true
	}
	p.at, p.end = start, start+len(strings.TrimSpace(p.text[start:end]))
	p.fail("a Boolean formula")
	return false
}

// iteration reads *, [*i..j], [+], [:*i..j], [:+], [=i..j] or [->i..j] behind r, which starts at an
// offset.
func (p *parser) iteration(r *sereTree, start int) *sereTree {
	end := p.at
	var q *sereTree
	switch {
	case p.star():
		q = p.loop(SEREStar, r, bounds{high: Unbounded})
	case p.skip("*"):
		q = p.loop(SEREStar, r, p.weakBounds(0))
	case p.skip("+]"):
		q = p.loop(SEREStar, r, bounds{low: 1, high: Unbounded})
	case p.skip(":*"):
		q = p.loop(SEREFusionStar, r, p.weakBounds(0))
	case p.skip(":+]"):
		q = p.loop(SEREFusionStar, r, bounds{low: 1, high: Unbounded})
	case p.skip("="):
		b := p.weakBounds(0)
		if p.boolean(r, start, end) {
			q = p.counted(r, b)
		}
	case p.skip("->", "→"):
		b := p.weakBounds(1)
		if b.bare {
			b.high = 1 // b[->]
		}
		if p.boolean(r, start, end) {
			q = p.reached(r, b)
		}
	default:
		p.failBehind("one of *, +, :*, :+, = and ->")
	}
	if p.err != nil {
		return nil
	}
	p.next()
	return q
}

// operand reads an operand of an expression, without iterations behind it.
func (p *parser) operand() *sereTree {
	switch {
	case p.star(), p.tok == tokBracket:
		// An iteration that stands alone is one of 1, and [*0] is the empty word.
		r := p.iteration(p.trueLetter(), p.at)
		if p.err == nil && r.op == SEREStar && r.high == 0 {
			return p.made(&sereTree{op: SEREEmpty, null: true})
		}
		return r
	case p.tok == tokOp && p.op == OpNot:
		return p.negation()
	case p.tok == tokOp && p.op.Arity() == 0:
		return p.letterOf(p.atom())
	case p.tok == tokBrace:
		if !p.enter() {
			return nil
		}
		defer func() { p.depth-- }()
		return p.braces()
	case p.tok == tokOpen:
		return p.parentheses()
	case p.tok == tokFirstMatch:
		p.next()
		if p.tok != tokOpen {
			p.fail("'(' behind first_match")
			return nil
		}
		r := p.parentheses()
		if p.err != nil {
			return nil
		}
		return p.made(&sereTree{op: SEREFirstMatch, left: r, null: r.null, length: r.length})
	case p.tok == tokDelay:
		delay := p.delay()
		r := p.sere(4) // operators that bind tighter
		if p.err != nil || delay.high == 0 {
			return r
		}
		return p.pair(SEREConcat, p.loop(SEREStar, p.trueLetter(), delay), r)
	}
	p.noOperand("an expression")
	return nil
}

// negation reads ! and its operand, which binds tighter than an iteration.
func (p *parser) negation() *sereTree {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	p.next()
	start := p.at
	r := p.operand()
	if p.err != nil || !p.boolean(r, start, p.at) {
		return nil
	}
	return p.letterOf(&tree{op: OpNot, left: r.letter})
}

// parentheses reads ( r ). A lenient parser takes other text between them for a proposition: see block.
func (p *parser) parentheses() *sereTree {
	open, depth := p.at, p.depth
	p.next()
	r := p.sere(1)
	if p.err == nil && p.tok != tokClose {
		p.fail("an operator or ')'")
	}
	if p.err != nil {
		f := p.block(open)
		if f == nil {
			return nil
		}
		r, p.depth = p.letterOf(f), depth
	}
	p.next()
	return r
}

func (p *parser) trueLetter() *sereTree { return p.letterOf(&tree{op: OpTrue}) }

// letterOf returns the expression of a Boolean formula.
func (p *parser) letterOf(f *tree) *sereTree {
	if f == nil {
		return nil
	}
	return p.made(&sereTree{op: SERELetter, letter: f, length: 1})
}

// pair returns a binary operator applied to two expressions.
func (p *parser) pair(op SEREOp, r, q *sereTree) *sereTree {
	if r == nil || q == nil {
		return nil
	}
	t := &sereTree{op: op, left: r, right: q, length: r.length + q.length}
	switch op {
	case SEREOr:
		t.null = r.null || q.null
	case SEREFusion: // each word has a letter
	default:
		t.null = r.null && q.null
	}
	return p.made(t)
}

// loop returns an iteration. Its length counts letters with the iteration written out.
func (p *parser) loop(op SEREOp, r *sereTree, b bounds) *sereTree {
	if p.err != nil || r == nil {
		return nil
	}
	t := &sereTree{op: op, left: r, low: b.low, high: b.high}
	t.null = op == SEREStar && (b.low == 0 || r.null)
	t.length = r.length * max(1, b.low, b.high)
	return p.made(t)
}

// made counts an expression, and notes an error if it is too large.
func (p *parser) made(t *sereTree) *sereTree {
	p.parts++
	switch {
	case p.err != nil:
		return nil
	case p.parts > maxParts:
		p.exceed(fmt.Sprintf("expressions with at most %d operators and operands", maxParts))
		return nil
	case t.length > maxLength:
		p.exceed(fmt.Sprintf("an expression of at most %d letters, iterations written out", maxLength))
		return nil
	}
	return t
}

// bounds are the bounds of an iteration, a delay or a bounded operator. high may be Unbounded.
type bounds struct {
	low, high int
	missing   bool // there was no lower bound
	single    bool // there was one number
	bare      bool // there was nothing
	strong    bool // they end with !]
}

const (
	// maxBound is the largest bound in an expression. Spot has the same limit.
	maxBound = 254
	// maxUnrolled bounds the X that X[n], F[n:m] and G[n:m] add to a formula.
	maxUnrolled = 10000
)

// skip skips blanks, and then the first of the texts that follows.
func (p *parser) skip(texts ...string) bool {
	p.skipBlanks()
	for _, t := range texts {
		if strings.HasPrefix(p.text[p.end:], t) {
			p.end += len(t)
			return true
		}
	}
	return false
}

// failBehind notes an error behind the current token.
func (p *parser) failBehind(expected string) {
	p.skipBlanks()
	p.at = p.end
	if p.at == len(p.text) {
		p.tok = tokEnd
	}
	p.fail(expected)
}

// number reads a number of at most limit, if there is one.
func (p *parser) number(limit int) (n int, ok bool) {
	p.skipBlanks()
	end := p.end
	for end < len(p.text) && '0' <= p.text[end] && p.text[end] <= '9' {
		end++
	}
	if end == p.end {
		return 0, false
	}
	n, err := strconv.Atoi(p.text[p.end:end])
	if err != nil || n > limit {
		p.at, p.end = p.end, end
		p.tok = tokBad
		p.fail(fmt.Sprintf("a number of at most %d", limit))
		return 0, false
	}
	p.end = end
	return n, true
}

// bounds reads bounds up to their bracket: none at all, n, n.., ..m or n..m, where .. may be :, to
// or a comma, and m may be inf or $. Without a lower bound, low is as given.
func (p *parser) bounds(low, limit int) bounds {
	start := p.at
	var b bounds
	n, given := p.number(limit)
	b.low, b.missing = n, !given
	if !given {
		b.low = low
	}
	b.high = b.low
	if p.skip("..", ":", "to", ",") {
		b.high = Unbounded // n..
		if !p.skip("inf", "$") {
			if m, ok := p.number(limit); ok {
				b.high = m
			}
		}
	} else {
		b.single, b.bare = given, !given
		if !given {
			b.high = Unbounded // nothing is given
		}
	}
	switch {
	case p.err != nil:
	case p.skip("!]"):
		b.strong = true
	case !p.skip("]"):
		p.failBehind("']'")
	}
	if p.err == nil && b.high != Unbounded && b.high < b.low {
		p.at = start
		p.fail(fmt.Sprintf("bounds in ascending order: %d..%d", b.high, b.low))
	}
	return b
}

// weakBounds is bounds, of an expression: they can't end with !].
func (p *parser) weakBounds(low int) bounds {
	b := p.bounds(low, maxBound)
	if p.err == nil && b.strong {
		p.at = p.end - 2
		p.fail("']'")
	}
	return b
}

// timeBounds reads the bounds of X[n], X[!], F[n:m] or G[n:m], from the bracket to what follows. A
// ! at the end changes the meaning of a formula only on finite words.
func (p *parser) timeBounds(op Op) *bounds {
	start := p.at
	b := p.bounds(1, maxUnrolled)
	if p.err != nil {
		return nil
	}
	end := p.end
	if op == OpNext && b.bare && b.strong { // X[!]
		b = bounds{low: 1, high: 1, single: true}
	}
	p.at = start
	switch {
	case op == OpNext && !b.single:
		p.fail("a number as in X[3], X[!], or a range as in F[2:3] or G[2:3]")
	case op != OpNext && (b.single || b.missing):
		p.fail(fmt.Sprintf("two bounds as in %s[2:3] or %[1]s[2:]", op))
	}
	if p.unrolled += max(b.low, b.high); p.unrolled > maxUnrolled {
		p.exceed(fmt.Sprintf("bounds of X, F and G that add up to at most %d", maxUnrolled))
	}
	if p.err != nil {
		return nil
	}
	p.end = end
	p.next()
	return &b
}

// unrolled returns X[n]f, F[n:m]f or G[n:m]f:
//
//	X[3]a   = X X X a
//	F[1:3]a = X(a | X(a | X a))
//	G[1:3]a = X(a & X(a & X a))
//	F[2:]a  = X X F a
func (s *Store) unrolled(op Op, b bounds, f *Formula) *Formula {
	g, join := f, OpOr
	switch {
	case op == OpGlobally:
		join = OpAnd
	case op == OpNext:
		b.high = b.low
	}
	if b.high == Unbounded {
		g, b.high = s.apply(op, f, nil), b.low
	}
	for range b.high - b.low {
		g = s.Binary(join, f, s.Next(g))
	}
	for range b.low {
		g = s.Next(g)
	}
	return g
}

// delay reads ##n, ##[i..j], ##[+] or ##[*].
func (p *parser) delay() bounds {
	var b bounds
	if n, ok := p.number(maxBound); ok {
		b = bounds{low: n, high: n}
	} else if p.err == nil {
		switch {
		case p.skip("[+]"):
			b = bounds{low: 1, high: Unbounded}
		case p.skip("[*]"):
			b = bounds{high: Unbounded}
		case p.skip("["):
			b = p.weakBounds(0)
		default:
			p.failBehind("a number or '[' behind ##")
		}
	}
	if p.err == nil {
		p.next()
	}
	return b
}

// delayed returns r ##[i..j] q, in which q starts i to j positions behind the last one of r.
func (p *parser) delayed(r *sereTree, b bounds, q *sereTree) *sereTree {
	rest := bounds{low: b.low - 1, high: b.high} // the letters between
	if b.high != Unbounded {
		rest.high--
	}
	switch {
	case b.high == 0:
		return p.pair(SEREFusion, r, q)
	case b.low == 1 && b.high == 1:
		return p.pair(SEREConcat, r, q)
	case b.low > 0:
		return p.pair(SEREConcat, p.pair(SEREConcat, r, p.loop(SEREStar, p.trueLetter(), rest)), q)
	case !r.null: // the gap begins with the last letter of r
		return p.pair(SEREFusion, r, p.pair(SEREConcat, p.loop(SEREStar, p.trueLetter(), b), q))
	case !q.null: // the gap ends with the first letter of q
		return p.pair(SEREFusion, p.pair(SEREConcat, r, p.loop(SEREStar, p.trueLetter(), b)), q)
	}
	// Empty words can't be fused, so that a gap of 0 needs a case of its own.
	rest.low = 0
	gap := p.pair(SEREConcat, p.pair(SEREConcat, r, p.loop(SEREStar, p.trueLetter(), rest)), q)
	return p.pair(SEREOr, p.pair(SEREFusion, r, q), gap)
}

// reached returns b[->i..j], that is {{!b}[*];b}[*i..j].
func (p *parser) reached(r *sereTree, b bounds) *sereTree {
	once := p.pair(SEREConcat, p.waiting(r), r)
	if b.low == 1 && b.high == 1 {
		return once
	}
	return p.loop(SEREStar, once, b)
}

// waiting returns {!b}[*].
func (p *parser) waiting(r *sereTree) *sereTree {
	not := p.letterOf(&tree{op: OpNot, left: r.letter})
	return p.loop(SEREStar, not, bounds{high: Unbounded})
}

// counted returns b[=i..j], that is b[->i..j];{!b}[*].
func (p *parser) counted(r *sereTree, b bounds) *sereTree {
	switch {
	case b.high == 0:
		return p.waiting(r)
	case b.low == 0 && b.high == Unbounded:
		return p.loop(SEREStar, p.trueLetter(), b) // all words
	}
	return p.pair(SEREConcat, p.reached(r, b), p.waiting(r))
}
