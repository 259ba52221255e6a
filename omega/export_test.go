package omega

// Delayed is the quotient by delayed simulation, for tests that need other
// packages.
func Delayed(a *Automaton) *Automaton { return a.delayed(unwatched()) }

// Overlapping makes random automata.
var Overlapping = overlapping
