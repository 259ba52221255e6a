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
	letter, name string
	in           []Class
}{
	Bottom:      {"B", "bottom", []Class{Bottom, Safety, Guarantee, Obligation, Recurrence, Persistence, Reactivity}},
	Safety:      {"S", "safety", []Class{Safety, Obligation, Recurrence, Persistence, Reactivity}},
	Guarantee:   {"G", "guarantee", []Class{Guarantee, Obligation, Recurrence, Persistence, Reactivity}},
	Obligation:  {"O", "obligation", []Class{Obligation, Recurrence, Persistence, Reactivity}},
	Recurrence:  {"R", "recurrence", []Class{Recurrence, Reactivity}},
	Persistence: {"P", "persistence", []Class{Persistence, Reactivity}},
	Reactivity:  {"T", "reactivity", []Class{Reactivity}},
}

// Letter returns Spot's letter for the class.
func (c Class) Letter() string { return classes[c].letter }

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
	known := newTable(f)
	for _, g := range f.Subformulas() {
		known.set(g, int32(g.within(kinds(known.get(g.left)), kinds(known.get(g.right)))))
	}
	return kinds(known.get(f)).class()
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

// within returns the classes of f, given those of its operands.
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
		if f.sere.bounded() {
			return all
		}
		return safe.closed()
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
		return a & a.dual() & b & b.dual()
	case OpFinally:
		return (a & (guaranteed | persistent)).closed()
	case OpGlobally:
		return (a & (safe | recurrent)).closed()
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
	return k&(safe|recurrent)<<1 | k&(guaranteed|persistent)>>1
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
