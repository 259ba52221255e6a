package shrink

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// withoutSymbols removes symbols: a part at once if there are many. At least one stays.
func (d *draft) withoutSymbols() (list []func(*draft)) {
	n := len(d.alphabet.Symbols())
	for size := n / 2; size > 0; size /= 2 {
		for i := 0; i < n; i += size {
			list = append(list, func(c *draft) { c.dropSymbols(i, min(i+size, n)) })
		}
	}
	return list
}

// dropSymbols removes the symbols from first to before end.
func (d *draft) dropSymbols(first, end int) {
	left := omega.NewSymbolAlphabet(slices.Delete(slices.Clone(d.alphabet.Symbols()), first, end)...)
	memo := map[omega.Label]omega.Label{}
	d.relabel(left, func(l omega.Label) omega.Label {
		m, ok := memo[l]
		if !ok {
			list, _ := d.alphabet.SymbolsOf(l)
			for _, s := range list {
				switch {
				case s < first:
					m = left.Or(m, left.Symbol(s))
				case s >= end:
					m = left.Or(m, left.Symbol(s-(end-first)))
				}
			}
			memo[l] = m
		}
		return m
	})
}

// fewerSymbols returns labels with some symbols of l: halves, all but one unless they are many, and
// single ones.
func fewerSymbols(a *omega.Alphabet, l omega.Label) (list []omega.Label) {
	symbols, _ := a.SymbolsOf(l)
	n := len(symbols)
	if n < 2 {
		return nil
	}
	of := func(parts ...[]int) {
		l := omega.False
		for _, part := range parts {
			for _, s := range part {
				l = a.Or(l, a.Symbol(s))
			}
		}
		list = append(list, l)
	}
	of(symbols[:n/2])
	of(symbols[n/2:])
	for i := range symbols {
		if 2 < n && n < manyCubes { // of two, the halves are enough
			of(symbols[:i], symbols[i+1:])
		}
		if 2 < n {
			of(symbols[i : i+1])
		}
	}
	return list
}
