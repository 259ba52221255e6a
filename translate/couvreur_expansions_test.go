package translate

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// A function is an expansion given by what it is on each letter and each set of
// bits, in that order.
type function []bool

// TestExpansions compares random expansions with the functions that they stand for:
// whether an alternative on the letter is within the set, for all sets that have with
// a bit what it implies. Equal functions must have equal numbers, where no bit implies
// another.
func TestExpansions(t *testing.T) {
	const (
		seed    = 13
		props   = 3
		letters = 1 << props
		wide    = 70 // some terms are more than a word
	)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range campaign.Inputs(t, 40) {
		// Bits of promises, at both ends, and of obligations.
		bits := []int{0, wide - 1, wide, wide + 1, wide + 2, wide + 3}
		table := newTermTable(wide, 0, 4)
		implies := make(map[[2]int]bool)
		for i := wide; i < wide+4; i++ {
			for j := i + 1; j < wide+4; j++ {
				if round%2 == 0 && r.IntN(4) == 0 {
					implies[[2]int{i, j}] = true
				}
			}
		}
		table.imply(4, func(i, j int) bool { return implies[[2]int{i + wide, j + wide}] })
		var sets []map[int]bool
		for n := range 1 << len(bits) {
			set := make(map[int]bool)
			for i, b := range bits {
				if n>>i&1 != 0 {
					set[b] = true
				}
			}
			closed := true
			for pair := range implies {
				closed = closed && (!set[pair[0]] || set[pair[1]])
			}
			if closed {
				sets = append(sets, set)
			}
		}
		e := newExpansions(t.Context(), props, table)
		of := func(holds func(letter int, set map[int]bool) bool) function {
			var f function
			for letter := range letters {
				for _, set := range sets {
					f = append(f, holds(letter, set))
				}
			}
			return f
		}
		var list []expansion
		var want []function
		for i := range props {
			list = append(list, e.node(int32(i), never, always), e.node(int32(i), always, never))
			want = append(want,
				of(func(letter int, _ map[int]bool) bool { return letter>>i&1 != 0 }),
				of(func(letter int, _ map[int]bool) bool { return letter>>i&1 == 0 }))
		}
		for _, b := range bits {
			list = append(list, e.leaf([]term{e.bit(b)}))
			want = append(want, of(func(_ int, set map[int]bool) bool { return set[b] }))
		}
		for range 60 {
			i, j := r.IntN(len(list)), r.IntN(len(list))
			conjunction := r.IntN(2) == 0
			f := make(function, len(want[i]))
			for k := range f {
				f[k] = want[i][k] && want[j][k] || !conjunction && (want[i][k] || want[j][k])
			}
			if conjunction {
				list = append(list, e.and(list[i], list[j]))
			} else {
				list = append(list, e.or(list[i], list[j]))
			}
			want = append(want, f)
		}
		number := make(map[string]expansion)
		for i, x := range list {
			got := of(func(letter int, set map[int]bool) bool { return e.holds(x, letter, set) })
			key := make([]byte, len(got))
			for k := range got {
				if got[k] != want[i][k] {
					t.Fatalf("seed %d, round %d: expansion %d is %v, want %v", seed, round, i, got, want[i])
				}
				if got[k] {
					key[k] = 1
				}
			}
			if y, ok := number[string(key)]; ok && x != y && len(implies) == 0 {
				t.Fatalf("seed %d, round %d: expansions %d and %d are equal", seed, round, x, y)
			}
			number[string(key)] = x
		}
	}
}

// holds reports whether an alternative of x on a letter, bit i of which is the value
// of proposition i, is within a set of bits.
func (e *expansions) holds(x expansion, letter int, set map[int]bool) bool {
	for n := e.nodes[x]; n.level < e.levels; n = e.nodes[x] {
		if x = expansion(n.lo); letter>>n.level&1 != 0 {
			x = expansion(n.hi)
		}
	}
	for _, t := range e.alternatives(x) {
		within := true
		for _, b := range e.of(t).appendTo(nil, 0) {
			within = within && set[b]
		}
		if within {
			return true
		}
	}
	return false
}
