package omega

// Delayed is the quotient by delayed simulation, for tests that need other
// packages.
func Delayed(a *Automaton) *Automaton { return a.delayed(unwatched()) }

// Backward is the quotient by simulation backwards.
func Backward(a *Automaton) *Automaton { return a.backward(unwatched()) }

// Overlapping makes random automata.
var Overlapping = overlapping
