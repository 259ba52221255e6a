package ltl

// Counted returns how Spot writes an expression in short: the kind -> or =, b, and the bounds, for
// b[->i..j] or b[=i..j]. The kind is empty if it can't.
func (r *SERE) Counted() (kind string, b *SERE, bounds string) {
	kind, b, n := r.sugar()
	if kind == "" || kind == "->" && n.low == 1 && n.high == 1 {
		return kind, b, ""
	}
	return kind, b, n.String()
}

// sugar returns how an expression can be written in short: as b[->i..j] or b[=i..j]. The kind is
// empty if it can't.
func (r *SERE) sugar() (kind string, b *SERE, n bounds) {
	if b, n := r.reached(); b != nil {
		return "->", b, n
	}
	if r.op == SEREConcat {
		if b, n := r.left.reached(); b != nil && r.right.waitsFor(b) && (n.low > 0 || n.high != Unbounded) {
			return "=", b, n
		}
	}
	return "", nil, bounds{}
}

// reached returns b, i and j if the expression is b[->i..j], that is {{!b}[*];b}[*i..j], or
// {!b}[*];b for b[->1].
func (r *SERE) reached() (*SERE, bounds) {
	n := bounds{low: 1, high: 1}
	if r.op == SEREStar && (r.low != 1 || r.high != 1) {
		n = bounds{low: r.low, high: r.high}
		r = r.left
	}
	if r.op == SEREConcat && r.left.waitsFor(r.right) && n.high != 0 {
		return r.right, n
	}
	return nil, bounds{}
}

// waitsFor reports whether the expression is {!b}[*].
func (r *SERE) waitsFor(b *SERE) bool {
	return b.op == SERELetter && r.op == SEREStar && r.low == 0 && r.high == Unbounded && r.left.op == SERELetter &&
		r.left.letter.op == OpNot && r.left.letter.left == b.letter
}

// counted returns the kind of sugar as it is written.
func (n *sereNotation) counted(kind string) string {
	switch {
	case kind == "=":
		return "="
	case n == &sereNotations[LaTeX]:
		return `\rightarrow `
	case n == &sereNotations[UTF8]:
		return "→"
	}
	return "->"
}
