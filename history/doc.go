// Package history keeps what runs have found: the store that a run writes while it goes on,
// goes on from when it was killed, and is compared with in the nights after it.
//
// # The store
//
// One SQLite file holds any number of runs. A run has a configuration, the translators with
// their versions, the seed of its formulas, and its cases, each with what every translator
// made of it. The schema is in schema.go; a file that an older xcheck has written is brought up
// to date when it is opened, one version after the other, each whole or not at all.
//
// Cases are committed together, ten times a second at most, in any order. One is in the file
// whole or not at all, whenever the process is killed: SQLite writes ahead to a log, and takes
// from it only what was committed. What is not there is done again by a run that goes on: it
// draws the same formulas again, and asks nobody about those whose cases are there. As a case
// depends on its formula, its index and the configuration alone, not on the other cases, the
// report is that of a run which nobody killed, but for times. A run goes on only with the
// configuration, as [Plan] has it, that it was begun with.
//
// A process that is at work says so every few seconds. Whether it was killed is known on its own
// host by its number and the time when it was started, and on others by its silence.
//
// # Shards
//
// Shard i of n has the cases whose index is i-1 modulo n. That does not depend on how long they
// take, so the parts together are the undivided run, and [Store.Merge] puts them into one. What
// must be judged by all cases, such as what is new, is found out anew for the union: see
// [Union.Compare]. A history can be merged more than once: runs are told apart by random names,
// which all copies of them have.
//
// # What is new
//
// Failures that are taken for one are a group: those of one cause, of calls that failed
// alike, or of one false property. Each group is of one translator, and is known again by its
// key, which [cross.Cause] makes of what is wrong and not of the formula that was met first. What
// became of a group in a run is its [State], which follows from that in the run before:
//
//	met, never before                   new
//	met, and not fixed when last seen   known
//	met, and fixed when last seen       back again
//	not met, but decided                fixed
//	not met, and not decided            unseen, which is not noted: it changes nothing
//
// Random formulas of one night are not those of the next, so that a group is not met says
// nothing. Therefore the smallest formulas of all groups are replayed first in each run, those
// of fixed ones too. A group of wrong automata is decided if each of these formulas was checked
// with automata of the translator; one of failed calls, if they were made, and did not fail in
// that way; see [Decided]. So wrong words are not fixed by a timeout, and nothing is by a run
// that was killed, or a translator that was left out.
//
// # What has become larger or slower
//
// Sizes and times of a translator are compared with those of an earlier run on the formulas
// that both had, see [Comparison]: paired, so that hard formulas are no noise. Wilcoxon's
// signed-rank test on the logarithms of the ratios says whether they might as well go the other
// way, and the Hodges–Lehmann estimate by how much they go; neither is moved by a few calls
// that hung. What the machine did is taken from the other translators, in the whole run and in
// each part of it. A change is reported if it is large enough and its p is small enough among
// those of all translators and measures, by Holm's method. The thresholds, and how often a
// change is reported that is none, are in docs/regression.md.
package history
