package ltl

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
	rest := bounds{low: b.low - 1, high: b.high}
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
	case !r.null:
		return p.pair(SEREFusion, r, p.pair(SEREConcat, p.loop(SEREStar, p.trueLetter(), b), q))
	case !q.null:
		return p.pair(SEREFusion, p.pair(SEREConcat, r, p.loop(SEREStar, p.trueLetter(), b)), q)
	}
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
		return p.loop(SEREStar, p.trueLetter(), b)
	}
	return p.pair(SEREConcat, p.reached(r, b), p.waiting(r))
}
