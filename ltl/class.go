package ltl

// A Class is a class of the hierarchy of temporal properties (Manna and Pnueli 1990, "A hierarchy
// of temporal properties").
type Class uint8

const (
	Bottom      Class = iota // both safety and guarantee: decided by a prefix of bounded length
	Safety                   // nothing bad ever happens: its words are those that no prefix excludes
	Guarantee                // something good happens: its words are those that some prefix makes sure of
	Obligation               // a Boolean combination of the former
	Recurrence               // something good happens again and again: deterministic Büchi automata
	Persistence              // something bad happens only finitely often: deterministic co-Büchi automata
	Reactivity               // a Boolean combination of these: all languages of automata
	numClasses
)

var classes = [numClasses]struct {
	name string
	in   []Class
}{
	Bottom:      {"bottom", []Class{Bottom, Safety, Guarantee, Obligation, Recurrence, Persistence, Reactivity}},
	Safety:      {"safety", []Class{Safety, Obligation, Recurrence, Persistence, Reactivity}},
	Guarantee:   {"guarantee", []Class{Guarantee, Obligation, Recurrence, Persistence, Reactivity}},
	Obligation:  {"obligation", []Class{Obligation, Recurrence, Persistence, Reactivity}},
	Recurrence:  {"recurrence", []Class{Recurrence, Reactivity}},
	Persistence: {"persistence", []Class{Persistence, Reactivity}},
	Reactivity:  {"reactivity", []Class{Reactivity}},
}

func (c Class) String() string { return classes[c].name }

// Within returns all classes that contain this one, the least first.
func (c Class) Within() []Class { return classes[c].in }

// Classes returns all classes, each before those that contain it.
func Classes() []Class { return classes[Bottom].in }

// SyntacticClass returns the least class that the operators of the formula show it to be in. The
// class of its language may be less, as G(a & F!a) is recurrence, and false. It takes linear time.
//
//	F a          guarantee      F a & G b    obligation    FG a            persistence
//	a W b        safety         GF a         recurrence    GF a & FG b     reactivity
//
// A regular expression without unbounded iterations is as X and Boolean operators are.
//
// Černá and Pelánek, "Relating hierarchy of temporal properties to model checking" (MFCS 2003),
// have the rules for future operators. Past operators look at finitely many positions, so they keep
// a class.
func (f *Formula) SyntacticClass() Class {
	known := map[*Formula]kinds{nil: 0}
	for _, g := range f.Subformulas() { // operands come before the formulas that they are in
		known[g] = g.within(known[g.left], known[g.right])
	}
	return known[f].class()
}

// kinds are the classes, besides reactivity, that a formula is known to be in. Those of the duals
// of a class are next to it.
type kinds uint8

const (
	safe kinds = 1 << iota
	guaranteed
	recurrent
	persistent
	all = safe | guaranteed | recurrent | persistent
)

// within returns the classes of f, where a and b are the classes of its operands.
func (f *Formula) within(a, b kinds) kinds {
	// ka and kb say: if a is in one class, and b in another one.
	both := func(ka, kb, then kinds) kinds {
		if a&ka == 0 || b&kb == 0 {
			return 0
		}
		return then
	}
	switch f.op {
	case OpFalse, OpTrue, OpProp:
		return all
	case OpClosure:
		if f.sere.bounded() { // as X and Boolean operators are
			return all
		}
		return safe.closed() // some prefix refutes it
	case OpSuffixConjunction, OpSuffixImplication:
		if f.sere.bounded() {
			return a
		}
		if f.op == OpSuffixConjunction {
			return (a & (guaranteed | persistent)).closed() // as for F
		}
		return (a & (safe | recurrent)).closed() // as for G
	case OpNot:
		return a.dual()
	case OpNext, OpYesterday, OpWeakYesterday, OpOnce, OpHistorically:
		return a
	case OpAnd, OpOr, OpSince, OpTriggered:
		return a & b
	case OpImplies:
		return a.dual() & b
	case OpEquiv, OpXor:
		return a & a.dual() & b & b.dual() // a -> b and b -> a
	case OpFinally:
		return (a & (guaranteed | persistent)).closed() // what is safe is persistent
	case OpGlobally:
		return (a & (safe | recurrent)).closed() // what is guaranteed is recurrent
	case OpUntil:
		return (a&b&(guaranteed|persistent) | both(recurrent, guaranteed, recurrent)).closed()
	case OpStrongRelease:
		return (a&b&(guaranteed|persistent) | both(guaranteed, recurrent, recurrent)).closed()
	case OpRelease:
		return (a&b&(safe|recurrent) | both(persistent, safe, persistent)).closed()
	case OpWeakUntil:
		return (a&b&(safe|recurrent) | both(safe, persistent, persistent)).closed()
	}
	return 0
}

// bounded reports whether r has no unbounded iteration, so that its words are of bounded length.
func (r *SERE) bounded() bool {
	seen := map[*SERE]bool{nil: true}
	for todo := []*SERE{r}; len(todo) > 0; {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[q] {
			continue
		}
		if seen[q] = true; (q.op == SEREStar || q.op == SEREFusionStar) && q.high == Unbounded {
			return false
		}
		todo = append(todo, q.left, q.right)
	}
	return true
}

// closed adds recurrence and persistence, which contain the others.
func (k kinds) closed() kinds {
	if k&(safe|guaranteed) != 0 {
		k |= recurrent | persistent
	}
	return k
}

// dual returns the classes of the negation.
func (k kinds) dual() kinds {
	return k&(safe|recurrent)<<1 | k&(guaranteed|persistent)>>1 // each class and the next one change places
}

// class returns the least class. What is both recurrence and persistence is an obligation.
func (k kinds) class() Class {
	switch {
	case k == all:
		return Bottom
	case k&safe != 0:
		return Safety
	case k&guaranteed != 0:
		return Guarantee
	case k == recurrent|persistent:
		return Obligation
	case k == recurrent:
		return Recurrence
	case k == persistent:
		return Persistence
	}
	return Reactivity
}

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

// TextSize returns the size of a formula in Spot's syntax, or the length of a text that is none.
func TextSize(text string) int {
	f, err := NewStore().Parse(text, Spot)
	if err != nil {
		return len(text)
	}
	return f.Size()
}
