package random

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Profile says how large the formulas are.
type Profile string

// The profiles. Small ones are for slow translators, large ones for fast ones.
const (
	Small   Profile = "small"
	Default Profile = "default"
	Large   Profile = "large"
)

// Profiles returns all profiles.
func Profiles() []Profile { return []Profile{Small, Default, Large} }

// sizes are ranges of sizes with their weights. The first formulas are smaller.
type sizes []struct{ weight, low, high int }

var profiles = map[Profile]sizes{
	Small:   {{2, 1, 4}, {8, 4, 8}, {3, 8, 10}},
	Default: {{2, 1, 6}, {6, 6, 12}, {24, 12, 24}, {3, 24, 30}, {1, 30, 40}},
	Large:   {{1, 5, 12}, {5, 12, 25}, {6, 25, 40}, {2, 40, 70}},
}

// sizes returns the sizes of a profile, and those of Default for others.
func (p Profile) sizes() sizes {
	if list := profiles[p]; list != nil {
		return list
	}
	return profiles[Default]
}

// Largest returns the size of the largest formulas.
func (p Profile) Largest() int {
	list := p.sizes()
	return list[len(list)-1].high
}

// ParseProfile returns the profile of that name.
func ParseProfile(name string) (Profile, error) {
	if _, ok := profiles[Profile(name)]; ok {
		return Profile(name), nil
	}
	var names []string
	for _, p := range Profiles() {
		names = append(names, string(p))
	}
	return "", fmt.Errorf("unknown profile %q%s", name, spelling.Of(name, names))
}

// A Generator draws formulas. Formula k depends only on the profile, the seed and k, so a longer
// sequence starts with a shorter one.
type Generator struct {
	profile Profile
	seed    uint64
	index   int
	seen    recent.Set
}

// New returns a Generator.
func New(p Profile, seed uint64) *Generator {
	return &Generator{profile: p, seed: seed}
}

// batch is how many formulas share a style.
const batch = 4

// limit is the size of formula k at most. It grows, so that a translator that takes long for large
// formulas has answered many by then, the first of them at once.
func limit(k int) int { return min(6+3*k, 24+k/16) }

// Next returns the next formula, in a Store of its own. It fails only when ctx is done.
func (g *Generator) Next(ctx context.Context) (*ltl.Formula, error) {
	k := g.index
	g.index++
	for try := uint64(0); ; try++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := rand.New(rand.NewPCG(g.seed, uint64(k)<<20|try))
		d := &drawing{style: g.style(k, try), r: r, s: ltl.NewStore()}
		f := d.tree(d.class, g.size(r, k, int(try)))
		if !d.wanted(f) {
			continue
		}
		if g.seen.Add(Key(f)) {
			return f, nil
		}
	}
}

// style returns the style of formula k. One in which there is no new formula is given up for
// another.
func (g *Generator) style(k int, try uint64) style {
	return newStyle(rand.New(rand.NewPCG(g.seed^0x5DEECE66D, uint64(k/batch)<<20|try/64)))
}

// size draws the size of formula k. It grows when there are no new ones.
func (g *Generator) size(r *rand.Rand, k, try int) int {
	list := g.profile.sizes()
	weights := make([]int, len(list))
	for i, x := range list {
		weights[i] = x.weight
	}
	x := list[pick(r, weights)]
	n := x.low + r.IntN(x.high-x.low+1)
	if most := limit(k); n > most {
		n = (most+1)/2 + r.IntN(most/2+1)
	}
	return n + try/16
}

// wanted reports whether f is not trivial. One with constants may become much smaller, but neither
// true nor false.
func (d *drawing) wanted(f *ltl.Formula) bool {
	if f.Ops()&ltl.Ops(ltl.OpTrue, ltl.OpFalse) == 0 {
		return !Trivial(f)
	}
	op := d.s.Simplify(f).Op()
	return op != ltl.OpTrue && op != ltl.OpFalse
}

// Trivial reports whether simple rewriting makes f true or false, or less than half as large.
func Trivial(f *ltl.Formula) bool {
	if f == nil {
		return true
	}
	s := ltl.NewStore()
	least := s.Simplify(s.Import(f))
	return least.Op() == ltl.OpTrue || least.Op() == ltl.OpFalse || 2*least.Size() < f.Size()
}

// Key is the same for formulas that are alike up to the names of propositions, negation and simple
// rewriting.
func Key(f *ltl.Formula) recent.Key {
	if f == nil {
		return recent.KeyOf("")
	}
	s := ltl.NewStore()
	f = s.Simplify(s.Import(f))
	a, _ := s.Relabel(s.NNF(f))
	b, _ := s.Relabel(s.NNF(s.Not(f)))
	x, y := a.String(), b.String()
	return recent.KeyOf(min(x, y))
}
