// Package emptiness decides whether an ω-automaton accepts any word, and returns an accepting run
// if it does.
//
// An accepting run is a lasso: a path from an initial state to a cycle whose marks satisfy the
// acceptance condition. Take an automaton with the condition Inf(0):
//
//	State: 0  [a] 1
//	State: 1  [b] 0   [c] 1 {0}
//
// Its accepting run goes from 0 to 1 on a, and then stays in 1 on c. It is a run on the word
//
//	a; cycle{c}
//
// The automaton is an [omega.Source], explored on the fly. The search requests only the states that
// it needs for the verdict. No search is recursive, so a chain of millions of states is no problem.
//
// # Check
//
// [Check] works for every acceptance condition. It is one depth-first search (Couvreur, FM 1999, as
// in Schwoon and Esparza, TACAS 2005, Figure 5 and section 5.2). It keeps the strongly connected
// component of every state on its path, and the union of the marks seen in each.
//
//   - As soon as the marks of a component satisfy the condition, the language is not empty. The
//     walk through all edges of the component seen so far is accepting, even with Fin.
//   - Without Fin, this decides every component. With Fin, a component that was not accepted may
//     contain an accepting part. The generic algorithm searches it (Gillard 2019, section 5.2,
//     after Emerson and Lei 1987).
//
// Breadth-first searches in the explored part then find the run (Gillard 2019, Algorithms 4.1,
// 4.2, 5.1 and 5.2).
//
// # Shortest runs
//
// [ShortestRun] returns a shortest accepting run. For a shortest word, which may be shorter still,
// see package witness. The searches of the laboratory, which are rivals of these, are made of the same
// parts: Explorer and Hunt.
package emptiness
