package ltl

import (
	"fmt"
	"strconv"
	"strings"
)

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
		b.high = Unbounded
		if !p.skip("inf", "$") {
			if m, ok := p.number(limit); ok {
				b.high = m
			}
		}
	} else {
		b.single, b.bare = given, !given
		if !given {
			b.high = Unbounded
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
	if op == OpNext && b.bare && b.strong {
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
