// Package forq decides whether one ω-automaton includes the language of another, without a
// complement: Doveri, Ganty and Mazzocchi, "FORQ-based language inclusion formal testing" (CAV
// 2022).
//
//	result, err := forq.Check(ctx, a, b, omega.Limits{})
//	if result.Word == nil { … }     // every word of a is in b
//
// # How it works
//
// If a word of a is not in b, then such a word is a lasso u; cycle{v}: u leads a from an initial
// state to some state p, and v leads from p back to p past an accepting edge. There are infinitely
// many u and v, but b tells only finitely many apart:
//
//   - Of a prefix u, only the set X(u) counts: the states of b that u leads to. If X(u) is a subset
//     of X(u'), then u is as good as u' for finding a word that b rejects.
//   - Of a period v, only the relation R(v) counts: the pairs (q, r) such that v leads b from q to
//     r, and whether it may do so past an accepting edge. If R(v) is a subset of R(v'), then v is
//     as good as v'.
//
// So it suffices to know the smallest sets for each p, and then the smallest relations. Both are
// fixpoints: sets and relations are extended by a letter at a time, and one that has a subset is
// dropped (an antichain). The lasso is rejected if the graph R(v) has no cycle past an accepting
// edge that can be reached from X(u).
//
// A relation needs only the rows of states that a prefix can lead to. This is what the family of
// orders in the paper is for. Each p has a context, which includes X(u) for each u that leads to p,
// and its relations have the rows of the context alone. We take the union of all these sets.
//
// Let b accept the words in which a holds from some letter on, and let a accept all words over {a}
// and {!a} in which a holds infinitely often:
//
//	a:  State: 0  [a] 0 {0}  [!a] 0       b:  State: 0  [t] 0  [a] 1
//	                                          State: 1  [a] 1 {0}
//
// The prefixes of p = 0 have two sets: {0} for the empty one and those that end with !a, and {0,
// 1}. The smallest is {0}, and the context is {0, 1}. The periods a and !a have the relations
//
//	a:   0→0  0→1  1→1 accepting        !a:  0→0
//
// The period a is accepted from {0}: its graph leads from 0 to 1 and has an accepting cycle there.
// The period !a has no accepting edge in the automaton a, but a; !a has: its relation is
//
//	a; !a:  0→0
//
// This graph has no accepting cycle. So cycle{a; !a} is a word of a that b rejects.
//
// # Differences from the paper
//
// The paper takes the largest sets X(u) as contexts, one after the other. On random automata of 10
// to 30 states, up to 16 contexts took up to twice as long as their union, and were not faster.
//
// Marks are on edges. Not every state of a serves as p: each component has a few that every
// accepting cycle passes. A period of p is searched in what remains of the component without those
// before it. An accepting edge of b only counts while the run stays in the component that it began
// in, because a cycle does. And of the letters on an edge of a, only those with the least relations
// on b count.
package forq
