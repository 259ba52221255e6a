// Package hoa reads and writes ω-automata as text.
//
// A [Reader] reads a stream of automata, one at a time:
//
//	r := hoa.NewReader(ctx, os.Stdin)
//	for {
//		a, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		…
//	}
//
// It recognizes the format by how each automaton starts:
//
//   - HOA, the Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015), and the draft of
//     version 1.1: Alphabet:, dots in names, negated properties, the other order of Streett pairs
//   - never claims, as Spin, LTL2BA and LTL3BA print them
//   - the format of the testbench LBTT
//   - DSTAR, the format of ltl2dstar
//   - BA, the format of RABIT and GOAL, if a stream consists of one automaton
//
// The Reader returns an automaton as soon as its last character has arrived. So it can read from a
// program that waits for the next question. [Write] writes HOA. [WriteNever], [WriteLBTT],
// [WriteBA] and [WriteDot] write other formats.
//
// # What is checked
//
// A truncated automaton is an error. So is one that contradicts its header, for example with a
// state number out of range. The error has line and column; the Reader never returns a part of an
// automaton. A state without a State: line is a [MissingStateError].
//
// Declared properties are kept but not verified: package properties does that.
//
// # What is normalized
//
//   - Marks on states move to their outgoing edges.
//   - Fin(!i) and Inf(!i) become conditions on a new mark, on the edges without mark i.
//
// [omega.Automaton].AsRead keeps the text unchanged, for package certify.
//
// # Other text in a stream
//
// A [Splitter] cuts a stream into automata and other text without reading the automata. Use it if
// the other text matters, or if bytes arrive from several streams.
package hoa
