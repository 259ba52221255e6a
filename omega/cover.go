package omega

import (
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Literal is a proposition or its negation: twice its index in the alphabet,
// plus one if it is negated.
type Literal int32

// Prop returns the index of the literal's proposition.
func (l Literal) Prop() int { return int(l >> 1) }

// Negated reports whether the literal is the negation of its proposition.
func (l Literal) Negated() bool { return l&1 != 0 }

// A Cube is a conjunction of literals, in the order of the alphabet. The empty
// one is true.
type Cube []Literal

// Cover returns l as an irredundant disjunction of cubes: none of them, and no
// literal of one, can be left out (Minato 1992, "Fast generation of irredundant
// sum-of-products forms from binary decision diagrams"). The label false has no
// cube.
func (a *Alphabet) Cover(l Label) []Cube {
	cubes, _ := a.cover(l, l, nil)
	return cubes
}

// cover returns cubes that contain all letters of must, and none outside may,
// each with the literals of prefix in front; and the label they add up to
// (without the prefix).
func (a *Alphabet) cover(must, may Label, prefix Cube) ([]Cube, Label) {
	if must == False {
		return nil, False
	}
	if may == a.True() {
		return []Cube{append(Cube(nil), prefix...)}, may
	}
	i := a.top(must, may)
	must0, must1 := a.cofactor(must, i)
	may0, may1 := a.cofactor(may, i)
	neg := append(prefix[:len(prefix):len(prefix)], Literal(2*i+1))
	pos := append(prefix[:len(prefix):len(prefix)], Literal(2*i))
	cubes0, got0 := a.cover(a.And(must0, a.Not(may1)), may0, neg)
	cubes1, got1 := a.cover(a.And(must1, a.Not(may0)), may1, pos)
	rest := a.Or(a.And(must0, a.Not(got0)), a.And(must1, a.Not(got1)))
	cubes, got := a.cover(rest, a.And(may0, may1), prefix)
	p := a.Prop(i)
	got = a.Or(got, a.Or(a.And(a.Not(p), got0), a.And(p, got1)))
	return append(append(cubes0, cubes1...), cubes...), got
}

// top returns the first proposition that l or m depends on; one of them does.
func (a *Alphabet) top(l, m Label) int {
	top := a.Len()
	for _, x := range []Label{l, m} {
		if x != False && x != a.True() {
			i, _, _ := a.split(x)
			top = min(top, i)
		}
	}
	return top
}

// cofactor returns l with proposition i fixed to false and to true, where l
// depends on no proposition before i.
func (a *Alphabet) cofactor(l Label, i int) (lo, hi Label) {
	if l == False || l == a.True() {
		return l, l
	}
	j, lo, hi := a.split(l)
	if i != j {
		return l, l
	}
	return lo, hi
}

// Text returns l in Spot's syntax, with the names of the propositions, in quotes where
// they need them.
func (a *Alphabet) Text(l Label) string {
	store := ltl.NewStore()
	return a.Format(l, func(i int) string { return store.Prop(a.props[i]).String() })
}

// Format writes a label as a disjunction of cubes with the given name for each
// proposition: "a&!b | c". True is "1" and false is "0".
func (a *Alphabet) Format(l Label, name func(i int) string) string {
	switch l {
	case False:
		return "0"
	case a.True():
		return "1"
	}
	var b strings.Builder
	for i, c := range a.Cover(l) {
		if i > 0 {
			b.WriteString(" | ")
		}
		for j, x := range c {
			if j > 0 {
				b.WriteByte('&')
			}
			if x.Negated() {
				b.WriteByte('!')
			}
			b.WriteString(name(x.Prop()))
		}
	}
	return b.String()
}
