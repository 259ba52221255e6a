// Package emptiness decides whether an ω-automaton accepts no word at all, and
// if it accepts one, returns an accepting run.
//
// The automaton is a Source, explored on the fly: states that are not needed
// for the verdict are never asked for. An accepting run is a lasso: a path from
// an initial state to a cycle whose marks satisfy the acceptance condition. Such
// a cycle exists if and only if some strongly connected component of the
// reachable part has a closed walk that does. [Check] looks for it in one
// depth-first search that keeps the component of every state on its path
// (Couvreur 1999, in the form of Schwoon and Esparza 2005, Figure 5, generalized
// acceptance as in their section 5.2), with the union of the marks seen in each:
//
//   - As soon as the marks of a component satisfy the condition, the walk
//     through all its edges seen so far is accepting, whether or not Fin occurs
//     in the condition. Without Fin this is all there is to it.
//   - With Fin, a component that is complete and was not accepted may still have
//     a part that is accepting: it is searched by the generic algorithm
//     (Gillard 2019, section 5.2, after Emerson and Lei 1987).
//
// The accepting run is then found by breadth-first searches in what has been
// explored (Gillard 2019, Algorithms 4.1, 4.2, 5.1 and 5.2): to the component,
// from one needed mark to the next, and back to where the cycle started.
//
// Check is the algorithm that fits all automata. Others have names, see
// [Algorithm]: the nested depth-first searches that Schwoon and Esparza 2005
// compare, those of Tarjan and of Geldenhuys and Valmari, and simple ones for weak
// and terminal automata. Where the papers have accepting states, these have
// accepting edges.
//
// Nothing is recursive over states: a chain of millions of them is no problem.
package emptiness
