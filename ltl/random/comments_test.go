package random

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestCommentVariations: each variation can make the example in its comment.
func TestCommentVariations(t *testing.T) {
	s := ltl.NewStore()
	parse := func(text string) *ltl.Formula {
		f := must.Get(s.Parse(text, ltl.Spot))
		return f
	}
	f, g := parse("p0 U G p1"), parse("F p2")
	for want, change := range map[string]func(*drawing, *ltl.Formula, *ltl.Formula) *ltl.Formula{
		"p0 U X p0":        (*drawing).replaced,
		"p0 U F p1":        (*drawing).operatorChanged,
		"G p1 U p0":        (*drawing).swapped,
		"p0 U X G p1":      (*drawing).wrapped,
		"p0 U p1":          (*drawing).cut,
		"p0 U G p0":        (*drawing).renamed,
		"p0 U p2":          (*drawing).generalized,
		"F p2 U G p1":      (*drawing).crossed,
		"p0 U G p1 | F p2": (*drawing).combined,
		"p2 U (p0 U G p1)": (*drawing).scaled,
	} {
		made := func(seed uint64) bool {
			r := rand.New(rand.NewPCG(seed, 0))
			d := &drawing{style: newStyle(r), r: r, s: s}
			d.props = 2
			return change(d, f, g) == parse(want)
		}
		seed := uint64(0)
		for seed < 5000 && !made(seed) {
			seed++
		}
		if seed == 5000 {
			t.Errorf("%s is not made", want)
		}
	}
}
