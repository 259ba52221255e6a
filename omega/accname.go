package omega

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
)

// NamedAcceptance returns the acceptance condition of an acc-name in HOA (Babiak et al., CAV
// 2015), with its parameters: "Buchi", "generalized-Buchi 3", "Rabin 2", "generalized-Rabin 2
// 1 2", "parity min even 4", ….
func NamedAcceptance(name string) (Acceptance, error) {
	fields := strings.Fields(name)
	if len(fields) == 0 {
		return Acceptance{}, fmt.Errorf("empty acceptance name")
	}
	var known []string
	for _, kind := range namedAcceptances {
		words := strings.Fields(kind.name)
		// A name may have several words: "parity min even 4" is the name "parity min even" with 4.
		if len(fields) >= len(words) && slices.Equal(fields[:len(words)], words) {
			n, err := parameters(name, fields[len(words):], kind.parameters)
			if err != nil {
				return Acceptance{}, err
			}
			return kind.make(n), nil
		}
		// All longer names begin with parity, which is suggested once.
		if len(words) == 1 {
			known = append(known, kind.name)
		}
	}
	slices.Sort(known)
	return Acceptance{}, fmt.Errorf("unknown acceptance name %q%s", name, spelling.Of(fields[0], append(known, "parity")))
}

// namedAcceptances are the conditions that have a name in HOA. To add one, add a row. A second
// name for a condition stands last: it is read, and not written.
var namedAcceptances = []struct {
	name       string
	parameters int // their number, or -1 for a number n and n more
	make       func(n []int) Acceptance
	// like returns the only parameters with which the name might stand for a condition.
	like func(a Acceptance) []int
}{
	{"all", 0, func([]int) Acceptance { return Acceptance{0, condTrue} }, nothing},
	{"none", 0, func([]int) Acceptance { return Acceptance{0, condFalse} }, nothing},
	{"Buchi", 0, func([]int) Acceptance { return Buchi() }, nothing},
	{"co-Buchi", 0, func([]int) Acceptance { return Acceptance{1, Fin(0)} }, nothing},
	{"generalized-Buchi", 1, func(n []int) Acceptance { return GeneralizedBuchi(n[0]) }, allSets},
	{"generalized-co-Buchi", 1, func(n []int) Acceptance { return GeneralizedBuchi(n[0]).Dual() }, allSets},
	{"Rabin", 1, func(n []int) Acceptance { return pairs(n[0], AnyOf, AllOf) }, halfSets},
	{"Streett", 1, func(n []int) Acceptance { return pairs(n[0], AllOf, AnyOf) }, halfSets},
	{"generalized-Rabin", -1, func(n []int) Acceptance { return generalizedRabin(n[1:]) }, likeGeneralizedRabin},
	{"parity min even", 1, func(n []int) Acceptance { return Parity("parity min even", n[0]) }, allSets},
	{"parity min odd", 1, func(n []int) Acceptance { return Parity("parity min odd", n[0]) }, allSets},
	{"parity max even", 1, func(n []int) Acceptance { return Parity("parity max even", n[0]) }, allSets},
	{"parity max odd", 1, func(n []int) Acceptance { return Parity("parity max odd", n[0]) }, allSets},
}

func nothing(Acceptance) []int    { return nil }
func allSets(a Acceptance) []int  { return []int{a.Sets} }
func halfSets(a Acceptance) []int { return []int{a.Sets / 2} }

// Buchi returns the acceptance condition Inf(0).
func Buchi() Acceptance { return Acceptance{1, Inf(0)} }

// GeneralizedBuchi returns the condition that each of the marks 0 to n-1 is seen infinitely
// often.
func GeneralizedBuchi(n int) Acceptance {
	n = max(n, 0)
	return Acceptance{n, AllOf(each(n, Inf)...)}
}

// Parity returns the parity condition of a name of HOA for n marks. For "parity min odd", the least
// mark seen infinitely often must be odd; the other names are "parity min even", "parity max odd"
// and "parity max even". If a run sees no mark infinitely often, n decides, as HOA says: "parity
// min odd" accepts it if n is odd.
//
//	parity min odd 3      Fin(0) & (Inf(1) | Fin(2))
//	parity max even 3     Inf(2) | Fin(1) & Inf(0)
func Parity(name string, n int) Acceptance {
	odd, maximum := strings.HasSuffix(name, "odd"), strings.HasPrefix(name, "parity max")
	// The innermost mark is the least important one. What is left beside it
	// makes the condition what the format says for a run without marks.
	c := condFalse
	if (n == 0) == (odd == maximum) {
		c = condTrue
	}
	for k := range n {
		i := n - 1 - k
		if maximum {
			i = k
		}
		if k == 0 {
			c = condFalse
			if (i%2 == 1) != odd {
				c = condTrue
			}
		}
		if (i%2 == 1) == odd {
			c = AnyOf(Inf(i), c)
		} else {
			c = AllOf(Fin(i), c)
		}
	}
	return Acceptance{n, c}
}

// pairs returns the condition that n pairs of Fin and Inf make.
func pairs(n int, all, pair func(...*Condition) *Condition) Acceptance {
	return Acceptance{2 * n, all(each(n, func(i int) *Condition { return pair(Fin(2*i), Inf(2*i+1)) })...)}
}

func generalizedRabin(counts []int) Acceptance {
	mark := 0
	var pairs []*Condition
	for _, k := range counts {
		pair := []*Condition{Fin(mark)}
		for range k {
			mark++
			pair = append(pair, Inf(mark))
		}
		mark++
		pairs = append(pairs, AllOf(pair...))
	}
	return Acceptance{mark, AnyOf(pairs...)}
}

func each(n int, f func(int) *Condition) []*Condition {
	list := make([]*Condition, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

// parameters reads want numbers; with want < 0, a number n and n more.
func parameters(name string, fields []string, want int) ([]int, error) {
	var list []int
	total := 0
	for _, f := range fields {
		n, err := strconv.Atoi(f)
		// The first bound keeps the sum from overflowing.
		if err != nil || n < 0 || n > MaxMarks || total+n > MaxMarks {
			return nil, fmt.Errorf("acceptance name %q: bad number %q", name, f)
		}
		total += n
		list = append(list, n)
	}
	if want < 0 && len(list) > 0 { // n, and a number for each of the n pairs
		want = list[0] + 1
	}
	if len(list) != want {
		return nil, fmt.Errorf("acceptance name %q: expected %s, found %d", name, plural.Of(max(1, want), "number"), len(list))
	}
	return list, nil
}

// Name returns the acc-name of the condition with its parameters, or "" if it has none. The
// order of the arguments of & and | does not matter, but the numbers of the marks do.
func (a Acceptance) Name() string {
	shape := a.condition().shape()
	for _, kind := range namedAcceptances {
		n := kind.like(a)
		if b := kind.make(n); a.Sets == b.Sets && shape == b.condition().shape() {
			name := kind.name
			for _, k := range n {
				name += " " + strconv.Itoa(k)
			}
			return name
		}
	}
	return ""
}

// shape returns the same text for conditions that differ only in the order of arguments. It has a hash of what is
// below an operator, since conditions may be deep.
func (c *Condition) shape() string {
	if len(c.Args) == 0 {
		return c.String()
	}
	parts := make([]string, len(c.Args))
	for i, d := range c.Args {
		parts[i] = d.shape()
	}
	slices.Sort(parts)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", c.Op, parts))
	return string(sum[:])
}

// likeGeneralizedRabin returns the number of pairs, and for each the number of its marks under Inf,
// in the order of the marks under Fin. For Fin(0) & Inf(1) | Fin(2) it is 2 1 0.
func likeGeneralizedRabin(a Acceptance) []int {
	pairs := []*Condition{a.condition()}
	if a.condition().Op == CondOr {
		pairs = a.condition().Args
	}
	counts := make(map[int]int) // by the mark of Fin
	for _, p := range pairs {
		fin, k := 0, 0
		p.Leaves(func(l *Condition) {
			if l.Op == CondFin {
				fin = l.Mark
			} else {
				k++
			}
		})
		counts[fin] = k
	}
	list, marks := []int{len(counts)}, len(counts)
	for _, f := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, counts[f])
		marks += counts[f]
	}
	if marks != a.Sets {
		return []int{0} // it has no such name: 10^6 times Inf(0) are not worth to make
	}
	return list
}

// IsBuchi reports whether the condition is Inf(0), for one mark.
func (a Acceptance) IsBuchi() bool { return a.Sets == 1 && a.condition().Op == CondInf }

// IsGeneralizedBuchi reports whether an accepting run must see each mark infinitely often: the
// condition is a conjunction of Inf, and names all marks. Büchi is the case of one mark.
func (a Acceptance) IsGeneralizedBuchi() bool { return a.Same(GeneralizedBuchi(a.Sets)) }

// Same reports whether a and b have the same number of marks, and conditions that hold for the same runs. It
// is false if that would take too many cases to find out.
func (a Acceptance) Same(b Acceptance) bool {
	same, known := a.compare(b)
	return same && known
}

// Differs reports whether a and b have another number of marks, or conditions of which only one holds for some
// runs. It is false if that would take too many cases to find out.
func (a Acceptance) Differs(b Acceptance) bool {
	same, _ := a.compare(b)
	return !same
}

// compare reports whether a and b are the same, as far as known. It looks at one mark after the other: it is seen
// infinitely often, or not. What is left of the conditions often has the same shape, or came before:
//
//	Inf(0) | Fin(1) & (Inf(2) | Fin(3))  and  Inf(0) | Fin(1) & Inf(2) | Fin(1) & Fin(3)
//	with mark 0      t  and  t
//	without          Fin(1) & (Inf(2) | Fin(3))  and  Fin(1) & Inf(2) | Fin(1) & Fin(3), and so on
func (a Acceptance) compare(b Acceptance) (same, known bool) {
	const maxCases = 1 << 12
	met := map[[2]string]bool{}
	var cases func(c, d *Condition) bool
	cases = func(c, d *Condition) bool {
		c, d = c.Simplify(), d.Simplify()
		shapes := [2]string{c.shape(), d.shape()}
		if shapes[0] == shapes[1] || met[shapes] || len(met) >= maxCases {
			return true
		}
		met[shapes] = true
		mark := -1 // the first one: of parity conditions, it decides most
		for _, x := range []*Condition{c, d} {
			x.Leaves(func(l *Condition) {
				if mark < 0 {
					mark = l.Mark
				}
			})
		}
		if mark < 0 { // true and false
			return false
		}
		for _, seen := range []int{1, -1} {
			assume := func(i int) int {
				if i == mark {
					return seen
				}
				return 0
			}
			if !cases(c.Assume(assume), d.Assume(assume)) {
				return false
			}
		}
		return true
	}
	same = a.Sets == b.Sets && cases(a.condition(), b.condition())
	return same, !same || len(met) < maxCases
}
