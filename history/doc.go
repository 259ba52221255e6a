// Package history keeps what runs have found: the store that a run writes while it goes on,
// goes on from when it was killed, and is compared with in the nights after it.
//
// # The store
//
// One SQLite file holds any number of runs. A run has a configuration, the translators with
// their versions, the seed of its formulas, and its cases, each with what every translator
// made of it. The schema is in schema.go and docs/history.md; a file that an older xcheck
// has written is brought up to date when it is opened.
//
// Cases are committed together, a few times a second. One is in the file whole or not at
// all, whenever the process is killed; what is not there is done again by a run that goes on
// from it. As a case depends on its formula alone, the two runs end in the same report.
//
// # What is new
//
// Failures that are taken for one are a group: those of one cause, of calls that failed
// alike, or of one false property. Groups are known again by their keys in later runs. What
// became of a group in a run is its [State]. So that fixed can be told from not met, the
// smallest formulas of all groups are checked first in each run.
//
// # What has become slower
//
// Sizes and times of a translator are compared with those of an earlier run on the formulas
// that both had, see [Comparison]. What a change has to be, and how often one is reported that
// is none, is in docs/regression.md.
package history
