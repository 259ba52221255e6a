package translators

import (
	"fmt"
)

// A Mode says how a tool gets its formulas.
type Mode uint8

const (
	// Spawn starts the tool once for each formula.
	Spawn Mode = iota
	// Stream keeps the tool alive. It gets formulas on standard input, one per line, and
	// answers each with an automaton.
	Stream
	// Batch starts the tool once for many formulas, in a file or on standard input, one per
	// line. It answers each with an automaton, in the same order.
	Batch
)

var modeNames = []string{"spawn", "stream", "batch"}

// String returns the name that configurations use.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Modes returns all modes.
func Modes() []Mode { return []Mode{Spawn, Stream, Batch} }
