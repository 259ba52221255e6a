package random

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// MixOptions describe combinations of given formulas.
type MixOptions struct {
	// RandomOptions describe how formulas are combined. Each given formula has size 1, and the
	// weight of OpProp. The default weights of this and of the constants are 1 and 0.
	ltl.RandomOptions // its Props replace those of the formulas, if there are any
	Formulas          []*ltl.Formula
	// Negated replaces propositions by negated ones as well.
	Negated bool
}

// A Mixer draws combinations of given formulas. From GFa and FGb, with the propositions x and y,
// it makes
//
//	GFx | (FGy -> GFx)
//
// Each operand is any of the formulas, with propositions drawn for it alone. If there are enough,
// those of a formula stay different. Formula k depends only on the options and k.
type Mixer struct {
	o       MixOptions
	pattern *ltl.Generator
	index   uint64 // of the next formula
	drawn   uint64 // patterns
	seen    recent.Set
}

// places is how many operands of a combination may differ. Two operands have the same place, and
// so are the same, once in so many times.
const places = 1 << 10

// NewMixer returns a Mixer. It fails if the options are invalid.
func NewMixer(o MixOptions) (*Mixer, error) {
	if len(o.Formulas) == 0 {
		return nil, errors.New("no formulas to combine")
	}
	pattern := o.RandomOptions
	pattern.Props = make([]string, places)
	for i := range pattern.Props {
		pattern.Props[i] = "f" + strconv.Itoa(i)
	}
	pattern.Weights = map[ltl.Op]int{ltl.OpProp: 1, ltl.OpTrue: 0, ltl.OpFalse: 0}
	for op, weight := range o.Weights {
		pattern.Weights[op] = weight
	}
	pattern.Simplify, pattern.KeepTrivial, pattern.KeepDuplicates = ltl.LevelNNF, true, true
	g, err := ltl.NewGenerator(pattern)
	if err != nil {
		return nil, err
	}
	return &Mixer{o: o, pattern: g}, nil
}

// Weights returns the weight of each operator, and as that of OpProp the weight of the formulas.
func (m *Mixer) Weights() map[ltl.Op]int { return m.pattern.Weights() }

// mixAttempts is how many combinations are drawn for one that is neither trivial nor a duplicate.
const mixAttempts = 10000

// Next returns the next combination, in a Store of its own. If there are hardly any new ones left,
// the error is [ltl.ErrExhausted].
func (m *Mixer) Next(ctx context.Context) (*ltl.Formula, error) {
	k := m.index
	m.index++
	for range mixAttempts {
		pattern, err := m.pattern.NextContext(ctx)
		if err != nil {
			return nil, err
		}
		f, err := m.fill(ctx, pattern)
		if err != nil {
			return nil, err
		}
		if f != nil && (m.o.KeepDuplicates || m.seen.Add(recent.KeyOf(f.String()))) {
			return f, nil
		}
	}
	return nil, fmt.Errorf("combined formulas: %w in %d attempts after %d formulas: ask for fewer or larger ones, use more propositions, or allow duplicates and trivial formulas",
		ltl.ErrExhausted, mixAttempts, k)
}

// fill returns the pattern with formulas in its places, or nil if it is trivial and no such is
// wanted. Where propositions may be negated, it returns nil for a pattern with !!.
func (m *Mixer) fill(ctx context.Context, pattern *ltl.Formula) (*ltl.Formula, error) {
	if m.o.Negated && slices.ContainsFunc(pattern.Subformulas(), func(g *ltl.Formula) bool {
		return g.Op() == ltl.OpNot && g.Left().Op() == ltl.OpNot
	}) {
		return nil, nil
	}
	s := ltl.NewStore()
	m.drawn++
	r := rand.New(rand.NewPCG(m.o.Seed, m.drawn))
	operands := map[string]*ltl.Formula{}
	for _, place := range pattern.Props() {
		operands[place] = m.operand(r, s)
	}
	f := s.Substitute(pattern, func(place string) *ltl.Formula { return operands[place] })
	if m.o.Simplify > ltl.LevelNNF {
		var err error
		if f, err = s.Reduce(ctx, f, m.o.Simplify); err != nil {
			return nil, err
		}
	}
	if op := s.Simplify(f).Op(); !m.o.KeepTrivial && (op == ltl.OpTrue || op == ltl.OpFalse) {
		return nil, nil
	}
	return f, nil
}

// operand returns one of the formulas, with its propositions replaced.
func (m *Mixer) operand(r *rand.Rand, s *ltl.Store) *ltl.Formula {
	f := m.o.Formulas[r.IntN(len(m.o.Formulas))]
	props, own := m.o.Props, f.Props()
	if len(props) == 0 {
		return s.Import(f)
	}
	order := r.Perm(len(props))
	drawn := map[string]*ltl.Formula{}
	for i, name := range own {
		k := r.IntN(len(props))
		if len(own) <= len(props) {
			k = order[i]
		}
		drawn[name] = s.Prop(props[k])
		if m.o.Negated && r.IntN(2) == 0 {
			drawn[name] = s.Not(drawn[name])
		}
	}
	return s.Substitute(f, func(name string) *ltl.Formula { return drawn[name] })
}
