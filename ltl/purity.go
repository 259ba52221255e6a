package ltl

// A purity says which changes of its truth along a word a formula may have.
type purity uint8

const (
	eventual  purity = 1 << iota // once true it was true before
	universal                    // once true it stays true
)

// PureEventuality reports whether the formula is known to be a pure eventuality: if it holds
// at a position of a word, it holds at all earlier ones. Then F f = f. The test takes constant
// time and looks only at operators, so it misses some. F a and a U F b are pure eventualities.
//
// Etessami and Holzmann, "Optimizing Büchi Automata" (CONCUR 2000), define both classes. This
// test covers more operators.
func (f *Formula) PureEventuality() bool { return f.purity&eventual != 0 }

// PureUniversality reports whether the formula is known to be purely universal: if it holds at
// a position of a word, it holds at all later ones. Then G f = f. It is the dual of
// PureEventuality. X G a and a R G b are purely universal.
func (f *Formula) PureUniversality() bool { return f.purity&universal != 0 }

// Suspendable reports whether the formula is known to be both a pure eventuality and purely
// universal, as GF a & FG b is: it holds at all positions of a word or at none. Then X f = f, and a
// check of f can start at any position. Babiak, Křetínský, Řehák and Strejček, "LTL to Büchi
// Automata Translation: Fast and More Deterministic" (TACAS 2012), call such formulas alternating.
func (f *Formula) Suspendable() bool { return f.purity == eventual|universal }

// purityOf returns what is known of an operator applied to operands of known
// purity. Operators that it does not know have none.
func purityOf(op Op, left, right *Formula) purity {
	var a, b purity
	if left != nil {
		a = left.purity
	}
	if right != nil {
		b = right.purity
	}
	switch op {
	case OpFalse, OpTrue:
		return eventual | universal
	case OpNot:
		return a.dual()
	case OpAnd, OpOr:
		return a & b
	case OpImplies:
		return a.dual() & b
	case OpEquiv, OpXor:
		return a & a.dual() & b & b.dual()
	case OpNext:
		return a
	case OpFinally:
		return eventual | a
	case OpGlobally:
		return universal | a
	case OpUntil, OpRelease:
		return b
	case OpWeakUntil:
		return b&universal | a&b&eventual
	case OpStrongRelease:
		return b&eventual | a&b&universal
	}
	return 0
}

// dual returns the purity of the negation.
func (p purity) dual() purity { return p>>1&eventual | p<<1&universal }
