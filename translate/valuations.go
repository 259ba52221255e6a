package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// valuations is the automaton of cgh or tight. A state says which of its state
// variables, bits, are true; an edge is a solution of the equations between
// these, the letter, and the variables of the next state.
type valuations struct {
	onDemand
	cells []cell // operands first
	root  signed // the formula, by its cell
	// loops: there are several generations, and states of the stem and of the
	// loop. Bit 0 is lb then.
	loops   bool
	endMark omega.Marks // of the edges on which le is true
	words   int         // of a state

	bits intern.Lists[uint64] // of each state

	solver
}

// A cell is a formula of a basis with its places in the tables. What has
// generations has one place for each, in order.
type cell struct {
	basic
	label omega.Label // of a proposition
	gens  int         // number of generations
	value int         // in solver.values

	// State variables; -1 if there are none. now holds the truth of the
	// formula (of nows generations), past that of Y f, or, for f S g, of
	// Y(f S g).
	now, nows, past int

	mark omega.Marks // of an until

	// As time passes, the truth of the formula never changes from true to false,
	// or never from false to true.
	rises, falls bool
	// Of f S g: conjuncts of g that rise, so that they are true ever after.
	kept []signed
}

// newValuations returns the automaton of f. The generations of formulas that
// contain past operators are as many as these are nested in each other, and one
// more; or one alone, if unroll is false.
func newValuations(ctx context.Context, alphabet *omega.Alphabet, b *basis, f signed, unroll bool) (omega.Source, error) {
	v := &valuations{}
	v.alphabet, v.makeEdges = alphabet, v.edgesOf
	v.Budget = budget.New(ctx)
	v.long = stepLength(alphabet, 0)
	v.LimitMemory(maxMemory, func() int64 { return v.Memory() + 24*int64(cap(v.found)) + alphabet.Memory() })
	cellOf, err := v.addCells(b, f, unroll)
	if err != nil {
		return nil, err
	}
	v.root = cellOf[f.node()] ^ f&1
	v.addVariables()
	if err := admitBits(64 * v.words); err != nil {
		return nil, err
	}
	if f == no {
		return v, nil
	}
	return v, v.begin()
}

// addCells makes the cells of what occurs in f, and returns the numbers of their
// formulas in the basis, signed. It fails with an omega.LimitError if there are too many.
func (v *valuations) addCells(b *basis, f signed, unroll bool) ([]signed, error) {
	cellOf := make([]signed, len(b.nodes))
	values := 0
	for i, occurs := range b.of(f) {
		if !occurs && i > 0 {
			continue
		}
		c := cell{basic: b.nodes[i], gens: 1, value: values, now: -1, past: -1}
		c.left = cellOf[c.left.node()] ^ c.left&1
		c.right = cellOf[c.right.node()] ^ c.right&1
		if c.op == ltl.OpProp {
			p, _ := v.alphabet.Index(c.name)
			c.label = v.alphabet.Prop(p)
		} else if i > 0 && unroll {
			c.gens = max(v.cells[c.left.node()].gens, v.cells[c.right.node()].gens)
			if c.op == ltl.OpYesterday || c.op == ltl.OpSince {
				c.gens++
			}
		}
		c.rises, c.falls = v.trendOf(&c)
		if c.op == ltl.OpSince {
			c.kept = v.appendRising(nil, c.right)
		}
		if values += c.gens; values > maxValues {
			return nil, &omega.LimitError{What: "subformulas, one for each generation,", Limit: maxValues}
		}
		cellOf[i] = signed(2 * len(v.cells))
		v.cells = append(v.cells, c)
	}
	v.values, v.least, v.most = make([]omega.Label, values), make([]omega.Label, values), make([]omega.Label, values)
	return cellOf, nil
}

// maxValues bounds the generations of all cells together. The solver recurs to a depth
// of a few calls for each.
const maxValues = 1 << 17

// trendOf returns whether the truth of c rises and whether it falls, as far as that
// follows from its operands.
func (v *valuations) trendOf(c *cell) (rises, falls bool) {
	switch c.op {
	case ltl.OpTrue:
		return true, true
	case ltl.OpProp, ltl.OpXor:
		return false, false
	case ltl.OpNext:
		return v.trend(c.left)
	case ltl.OpYesterday: // false at first
		rises, _ = v.trend(c.left)
		return rises, false
	}
	rises, falls = v.trend(c.right)
	switch c.op {
	case ltl.OpAnd:
		r, f := v.trend(c.left)
		return rises && r, falls && f
	case ltl.OpUntil: // F f is false for ever when it is once
		return rises, falls || c.left == yes
	case ltl.OpSince:
		return rises || c.left == yes, falls
	}
	return false, false
}

// appendRising appends the conjuncts of s that rise.
func (v *valuations) appendRising(list []signed, s signed) []signed {
	for c := &v.cells[s.node()]; ; c = &v.cells[s.node()] {
		if rises, _ := v.trend(s); rises {
			return append(list, s)
		}
		if c.op != ltl.OpAnd || s.negated() {
			return list
		}
		list = v.appendRising(list, c.left)
		s = c.right
	}
}

// trend returns the same of an operand.
func (v *valuations) trend(s signed) (rises, falls bool) {
	c := &v.cells[s.node()]
	if s.negated() {
		return c.falls, c.rises
	}
	return c.rises, c.falls
}

// addVariables decides what is a state variable, and makes the marks.
func (v *valuations) addVariables() {
	sets := 0
	for i := range v.cells {
		switch c := &v.cells[i]; c.op {
		case ltl.OpUntil:
			c.nows = c.gens
			sets++
		case ltl.OpNext:
			arg := &v.cells[c.left.node()]
			arg.nows = arg.gens
		}
	}
	root := &v.cells[v.root.node()]
	root.nows = max(root.nows, 1)
	bits := 0
	v.loops = root.gens > 1
	if v.loops {
		bits++
	}
	untils := sets
	if v.loops {
		sets++
	}
	v.header = newHeader(v.alphabet, sets)
	if v.loops {
		v.endMark = v.marks.Of(untils)
	}
	mark := 0
	for i := range v.cells {
		c := &v.cells[i]
		if c.op == ltl.OpYesterday || c.op == ltl.OpSince {
			c.past = bits
			bits += c.gens
		}
		if c.op == ltl.OpYesterday || c.op == ltl.OpTrue {
			c.nows = 0 // what past is, and known
		}
		if c.nows > 0 {
			c.now = bits
			bits += c.nows
		}
		if c.op == ltl.OpUntil {
			c.mark = v.marks.Of(mark)
			mark++
		}
	}
	v.words = max(1, (bits+63)/64)
	v.from = make(variables, v.words)
	v.to = make(variables, v.words)
}

// Memory returns about how many bytes the states and edges take that were made.
func (v *valuations) Memory() int64 {
	const perState = 24 + 64 // its list of edges, and its place in the map without the key
	return int64(v.bits.Len())*int64(perState+16*v.words) + 24*v.made
}

func (v *valuations) state(bits variables) omega.State {
	s, _ := v.bits.Number(bits)
	return omega.State(s)
}

// edgesOf returns the edges of a state. No two of them have the same marks and
// destination. The result is not nil.
func (v *valuations) edgesOf(s omega.State) ([]omega.Edge, error) {
	copy(v.from, v.bits.At(int32(s)))
	v.found = []omega.Edge{}
	switch {
	case !v.loops:
		v.solve(body, 0)
	case v.from.has(0):
		v.solve(body, 0)
		v.solve(end, v.endMark)
	default:
		v.solve(stem, 0)
		v.solve(enter, 0)
	}
	v.made += int64(len(v.found))
	return slices.Clip(v.found), v.Err()
}

// begin makes the initial states.
func (v *valuations) begin() error {
	if v.loops {
		v.solve(beginStem, 0)
	}
	v.solve(beginLoop, 0)
	for s := range v.bits.Len() {
		v.initial = append(v.initial, omega.State(s))
	}
	return v.Err()
}

// variables is a set of state variables, those that are true.
type variables = bitSet
