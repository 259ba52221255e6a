// Package grow extends long slices without blocking the program.
//
// When append must copy a slice, the Go scheduler can't interrupt the copy. If the garbage
// collector waits for it, everything stops: deadlines do not fire, and signals are not handled. On
// a virtual machine with slow fresh memory, a copy of 64 MiB took 300 ms. [By] copies in pieces:
//
//	edges = append(grow.By(edges, 1), edge)
package grow

import "unsafe"

// piece is how many bytes are copied in one step.
const piece = 1 << 18

// By returns s with room for n more elements, as slices.Grow does. A long slice grows by a quarter,
// so each element takes amortized constant time. A full slice of 100,000 words of 8 bytes gets room
// for 125,000, and is copied in four steps of at most 32,768.
func By[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return longer(s, n)
}

func longer[T any](s []T, n int) []T {
	step := max(1, piece/int(max(1, unsafe.Sizeof(*new(T)))))
	if len(s) <= step {
		return append(s, make([]T, n)...)[:len(s)]
	}
	t := make([]T, len(s), len(s)+max(n, len(s)/4))
	for i := 0; i < len(s); i += step {
		move(t[i:min(i+step, len(s))], s[i:])
	}
	return t
}

// move is copy in a function that is called, because the scheduler can stop at a call. A signal to
// stop nearly always comes within copy, and has no effect there.
//
//go:noinline
func move[T any](to, from []T) { copy(to, from) }
