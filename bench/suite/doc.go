// Package suite runs published suites of automata: it decides the inclusion of pairs, or
// complements single automata, with xcheck and with rival commands side by side.
//
// A problem is a list of files. [Suite.Problems] takes them from a list file or finds them in a
// folder. [Suite.Run] gives each problem to each tool, one at a time and under the same limits, and
// passes each [Result] to its caller. A [Row] adds up the results of a tool as competitions do:
// solved problems, timeouts, time, and PAR-2, the mean time where an unsolved problem counts twice
// the limit. [Plot] draws a cactus plot: how many problems each tool solves within a time.
//
// The answers of all tools are compared with each other and with published ones; see
// [Result.Wrong].
package suite
