// Package omega implements ω-automata: finite automata that read infinite words.
//
// Such an automaton reads a word letter by letter. A letter says which propositions are true. This
// one accepts the words in which each a is followed by a b, at once or later:
//
//	    !a | b {0}            !b
//	     ┌────┐             ┌────┐
//	     │    ▼    a & !b   │    ▼
//	   ┌─┴──────┐ ───────► ┌─┴──────┐
//	──►│   0    │          │   1    │
//	   └────────┘ ◄─────── └────────┘
//	                b {0}
//
// In state 1 a b is awaited. The edges to state 0 carry mark 0. A word is accepted if its run sees
// the mark infinitely often, that is, if it does not stay in state 1 forever. In the Hanoi
// Omega-Automata format:
//
//	HOA: v1
//	States: 2
//	Start: 0
//	AP: 2 "a" "b"
//	acc-name: Buchi
//	Acceptance: 1 Inf(0)
//	--BODY--
//	State: 0
//	[!0 | 1] 0 {0}
//	[0&!1] 1
//	State: 1
//	[1] 0 {0}
//	[!1] 1
//	--END--
//
// In Go:
//
//	alphabet := omega.NewAlphabet("a", "b")
//	a, b := alphabet.Prop(0), alphabet.Prop(1)
//	open := alphabet.And(a, alphabet.Not(b))
//	x := omega.NewBuilder(alphabet, omega.Buchi())
//	mark := x.Marks().Of(0)
//	x.AddStates(2)
//	x.AddStart(0)
//	x.AddEdge(0, alphabet.Not(open), mark, 0)
//	x.AddEdge(0, open, 0, 1)
//	x.AddEdge(1, b, mark, 0)
//	x.AddEdge(1, alphabet.Not(b), 0, 1)
//	automaton := x.Automaton()
//
// Package hoa reads and writes text. Package translate makes automata from formulas.
//
// # Alphabet
//
// A letter gives each atomic proposition of the [Alphabet] a truth value. An edge carries a
// [Label], which is a set of letters: a Boolean function of the propositions. Labels are canonical.
// Two labels of one alphabet are equal as integers if and only if they are the same function. Up to
// six propositions a label is a truth table in a machine word. With more it is a node of a binary
// decision diagram. The alphabet hides the difference.
//
// # Acceptance
//
// Each edge carries a set of marks, numbered from 0. A run is an infinite path from an initial
// state. The [Acceptance] condition is a positive Boolean formula over Inf(i), "mark i is seen
// infinitely often", and Fin(i), "mark i is seen only finitely often". This is the acceptance of
// the Hanoi Omega-Automata format. A word is accepted if some run on it satisfies the condition.
//
//   - Marks are on edges. A reader of text copies the marks of a state to its outgoing edges.
//   - A missing edge rejects.
//   - There may be several initial states. Without one, the language is empty.
//
// # Sources
//
// Every algorithm reads automata through the interface [Source]: the initial states, and the edges
// of a state. An explicit [Automaton] is a Source. So is a product or a complement that computes
// the edges of a state on request. A search then computes only the states that it reaches.
//
// States are integers, numbered from 0 in the order in which the Source first mentions them. So an
// algorithm keeps facts about states in slices. [Explore] turns a Source into an Automaton.
//
// # Words
//
// A [Word] is a lasso: a prefix, then a cycle repeated forever. It is written as in Spot:
//
//	a&!b; b; cycle{!a; 1}
//
// Each letter is a Boolean formula, and stands for any valuation that satisfies it.
// [Automaton.Accepts] decides membership fast. [Automaton.Certify] asks package certify, which
// shares no code with it. Package runs says why a word is accepted or rejected.
//
// # Packages
//
// Other packages work with automata:
//
//   - transform/reduce: smaller automata with the same language
//   - transform/convert: other forms with the same language, such as Büchi acceptance or marks on
//     states
//   - transform/shrink: smaller automata for a failing case
//   - omega/runs: runs on a word, and why there is no accepting one
//   - omega/random: random automata; omega/isomorphic: which of them are the same
//   - transform/stutter: languages that no repetition of letters changes
//   - complement, emptiness: complements, and emptiness checks
//
// To read this package, start with alphabet.go, acceptance.go and automaton.go. Then come word.go
// and membership.go, then components.go, kinds.go and properties.go. The other files are details:
// diagram.go and cover.go of labels, marks.go of sets of marks, bind.go of limits.
//
// # Goroutines
//
// No type is safe for use by several goroutines at once. Even the conjunction of two labels may add
// to the tables of their alphabet. Give each case its own alphabet, and share it among the automata
// of that case.
package omega
