package hoa

import (
	"fmt"
	"slices"
	"strings"
)

// A MissingStateError reports states without a State: line. The format requires a line for
// each state, so a tool that leaves one out has probably lost its edges too. The position is
// that of --END--.
type MissingStateError struct {
	SyntaxError
	State int // the first one
	Count int
}

// Unwrap returns the SyntaxError.
func (e *MissingStateError) Unwrap() error { return &e.SyntaxError }

// missing returns an error if one of the first n states has no State: line.
func (b *body) missing(n, end int) error {
	if len(b.defined) >= n && !slices.Contains(b.defined, false) {
		return nil
	}
	e := &MissingStateError{}
	var list stateRanges
	for s := range n {
		if s < len(b.defined) && b.defined[s] {
			continue
		}
		if e.Count++; e.Count == 1 {
			e.State = s
		}
		list.add(s)
	}
	have := "states " + list.String() + " have"
	if e.Count == 1 {
		have = "state " + list.String() + " has"
	}
	e.Line, e.Column = b.place(end)
	e.Text = have + " no State: line: every state needs one, even without edges"
	return e
}

// stateRanges is an ascending list of states.
type stateRanges [][2]int

func (r *stateRanges) add(s int) {
	if n := len(*r); n > 0 && (*r)[n-1][1] == s-1 {
		(*r)[n-1][1] = s
	} else {
		*r = append(*r, [2]int{s, s})
	}
}

// String returns the first few ranges: "1, 3-5, 8".
func (r stateRanges) String() string {
	const maxRanges = 5
	var parts []string
	for _, x := range r[:min(len(r), maxRanges)] {
		if x[0] == x[1] {
			parts = append(parts, fmt.Sprint(x[0]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", x[0], x[1]))
		}
	}
	if len(r) > maxRanges {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}
