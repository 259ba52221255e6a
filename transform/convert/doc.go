// Package convert brings automata into other forms with the same language.
//
//   - [Degeneralize] gives an automaton with generalized Büchi acceptance one mark. [OnDemand] does so
//     for a Source, while a search explores it.
//   - [StateBased] moves the marks from edges to states.
//   - [Complete] adds the missing edges, which lead to a rejecting sink.
//   - [OneStart] makes one initial state of several.
//
// A degeneralized automaton counts. It waits for a mark of each clause of the condition in turn,
// and puts its own mark on the edge that ends a round. With the condition Inf(0)&Inf(1), one state
// with loops on a with mark 0 and on b with mark 1 becomes two:
//
//	waits for 0:  a --> waits for 1      b --> waits for 0
//	waits for 1:  a --> waits for 1      b {0} --> waits for 0
//
// Package reduce makes the results smaller. Package complement has the conversions that need a
// complement construction: to Büchi or parity acceptance from any condition.
package convert
