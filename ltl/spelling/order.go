package spelling

import (
	"cmp"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// compare orders operands. Boolean operands come first: constants, literals by the names of their
// propositions, and then others. Operands with temporal operators follow. Where nothing else
// decides, the one that was made first comes first:
//
//	Xc & (a | b) & !d & a      (a) & (!(d)) & ((a) | (b)) & (X(c))
func compare(a, b *node) int {
	if a.boolean != b.boolean {
		return first(a.boolean)
	}
	if a.boolean {
		x, y := a.isTrue() || a.isFalse(), b.isTrue() || b.isFalse()
		if x != y {
			return first(x)
		}
		p, q := a.literal(), b.literal()
		if (p == nil) != (q == nil) {
			return first(p != nil)
		}
		if p != nil {
			if c := compareNames(p.name, q.name); c != 0 {
				return c
			}
		}
	}
	return cmp.Or(strings.Compare(a.sorting, b.sorting), cmp.Compare(a.id, b.id))
}

// first returns the result of compare if a comes first, or else b.
func first(a bool) int {
	if a {
		return -1
	}
	return 1
}

// literal returns the proposition of a literal, and nil of another node.
func (n *node) literal() *node {
	if n.op == ltl.OpNot {
		n = n.operands[0]
	}
	if n.op == ltl.OpProp {
		return n
	}
	return nil
}

// compareNames compares names as versions: p2 comes before p10. Digits after a leading 0 belong to
// a fraction, as for strverscmp of the GNU C library: p00 comes before p0, and p01 before p02.
func compareNames(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	start := i
	for start > 0 && digit(a, start-1) {
		start--
	}
	more, less := digits(a, i), digits(b, i)
	same := 0
	switch number := a[start:i]; { // its common digits
	case number == "":
		if more > 0 && less > 0 && a[i] != '0' && b[i] != '0' {
			same = cmp.Compare(more, less)
		}
	case number[0] != '0':
		same = cmp.Compare(more, less)
	case strings.Trim(number, "0") == "":
		same = cmp.Compare(min(less, 1), min(more, 1))
	}
	return cmp.Or(same, strings.Compare(a[i:], b[i:]))
}

func digit(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

// digits returns the number of digits from i on.
func digits(s string, i int) (n int) {
	for digit(s, i+n) {
		n++
	}
	return n
}
