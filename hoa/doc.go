// Package hoa reads and writes ω-automata as text.
//
// A [Reader] reads a stream of automata in four formats: the Hanoi Omega-Automata
// format, HOA v1 (Babiak et al., CAV 2015); never claims, which Spin, LTL2BA, LTL3BA
// and others print; the format of the testbench LBTT; and that of ltl2dstar, DSTAR.
// Which of them it is, is found out from how each automaton starts. Every automaton
// is returned as soon as its last character has been read, so that a program at the
// other end of a pipe can be asked for the next.
//
// The stream is cut into pieces by a [Splitter], which can be used without a Reader
// where other text between the automata matters, or where bytes come from several
// streams at a time.
//
// What is read is checked: an automaton that is not complete, or that contradicts
// its own header (numbers of states, marks or propositions out of range, …), is
// an error with its place, never a smaller automaton. So is one with states that have
// no State: line ([MissingStateError]). Marks of states are put on
// their edges; Fin(!i) and Inf(!i) become conditions on a fresh mark, carried by
// the edges that do not carry i. Declared properties are kept, but not believed:
// see package properties.
package hoa
