// Package history stores what runs have found. A run writes its cases while it works, resumes from
// them after a crash, and is compared with earlier runs.
//
//	store, err := history.Open(ctx, "history.db")
//	run, err := store.Begin(ctx, plan)
//	run.Add(c)                                    // each case
//	regression, err := run.Compare(ctx, causes, command, decided)
//	run.End(status, true, totals)
//
// [Store.Runs] lists the runs of a history, and [Store.Cases] reads the cases of one.
//
// # The store
//
// One SQLite file holds any number of runs. A run has its configuration, its translators with their versions,
// the seed, and its cases. schema.go has the schema. [Open] upgrades an older file in one transaction.
//
// Cases are committed up to ten times a second. After a kill, each case is in the file completely or not at
// all. [Store.Resume] generates the same formulas again and skips those whose cases are stored. A case
// depends only on its formula, its index and the configuration, so the report is the same as without an
// interruption, except for times. A run resumes only with the configuration it began with; see [Plan].
//
// A working process writes a heartbeat every few seconds. On its own host, a killed process is
// recognized by its number and start time, on other hosts by its silence.
//
// # Shards
//
// Shard i of n has the cases whose index is i-1 modulo n, so the shards together are the whole run.
// [Store.Merge] merges them. [Union.Compare] then decides what is new in the merged run. Merging
// twice is harmless: a random identifier tells runs apart.
//
// # What is new
//
// An outcome.Group is a set of failures of one translator that count as the same: wrong automata
// with one cause, calls that failed alike, or one false property. Its key stays the same from run to
// run. Its outcome.State in a run follows from its state in the run before:
//
//	met, never before                  new
//	met, and not fixed when last seen  known
//	met, and fixed when last seen      back again
//	not met, but decided               fixed
//	not met, and not decided           unseen (not stored)
//
// Random formulas change every night, so a group that was not met may still be there. Each run
// therefore replays the smallest formulas of all groups first, fixed ones included. Wrong automata
// count as decided if each of these formulas gave automata that were checked. Failed calls count as
// decided if the calls were repeated and did not fail that way; see [Decided]. So a timeout, a
// killed run or a missing translator fixes nothing.
//
// # What became larger or slower
//
// A [Comparison] compares the sizes and times of a translator with an earlier run, formula by
// formula. So hard formulas add no noise.
//
//   - Wilcoxon's signed-rank test on the logarithms of the ratios decides whether there is a
//     change.
//   - The Hodges–Lehmann estimate says how large it is.
//   - The other translators show what the machine did, in each part of the run.
//   - Holm's method corrects for the number of translators and measures.
//
// docs/regression.md has the thresholds, and how often a false alarm happens.
package history
