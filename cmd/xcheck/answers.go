package main

import (
	"encoding/json"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// The JSON of commands whose answers are short. docs/schema.json has all of them.

// evalAnswer is the JSON of eval, with more for --table.
type evalAnswer struct {
	Holds bool `json:"holds"` // true if the formula holds on the word
	// truth of the subformulas along the word
	Table *outcome.TruthTable `json:"truth_table,omitempty"`
	// what must hold from each position on
	Obligations *outcome.Progression `json:"obligations,omitempty"`
}

// acceptsAnswer is the JSON of accepts.
type acceptsAnswer struct {
	Accepts bool `json:"accepts"` // true if the automaton accepts the word
}

// automatonAnswer is the JSON of commands that print an automaton in HOA.
type automatonAnswer struct {
	HOA    string `json:"hoa"`    // the automaton in HOA format
	States int    `json:"states"` // number of states
	Edges  int    `json:"edges"`  // number of edges
	// number of edges, each counted once for each letter
	Transitions float64 `json:"transitions"`
	Sets        int     `json:"acc"` // number of acceptance sets
	// the construction of the complement, or the translation; missing otherwise
	Algorithm string `json:"algorithm,omitempty"`
	// the translated formula; missing if no formula was translated
	Formula string `json:"formula,omitempty"`
}

// formatAnswer is the JSON of commands that print an automaton in a format.
type formatAnswer struct {
	Format string `json:"format"` // name of the format
	Text   string `json:"text"`   // the automaton in this format
}

// formulaAnswer is the JSON of a random formula.
type formulaAnswer struct {
	Formula string `json:"formula"` // the formula, in Spot's syntax
	Size    int    `json:"size"`    // number of operators and propositions of the formula
}

// smallerAnswer is the JSON of a formula that grind --list prints.
type smallerAnswer struct {
	Formula string `json:"formula"` // the formula, in Spot's syntax
	Size    int    `json:"size"`    // number of operators and propositions of the formula
	Of      string `json:"of"`      // the formula that it was made of
}

// weightAnswer is the JSON of random --dump-weights: of an operator, or of an expression.
type weightAnswer struct {
	Operator   string `json:"operator,omitempty"`   // the operator
	Expression string `json:"expression,omitempty"` // the kind of expression
	Weight     int    `json:"weight"`               // its weight, from 0
}

// translatorsAnswer is the JSON of run --list-translators.
type translatorsAnswer struct {
	// the known translators, or the configured ones
	Translators []*session.Known `json:"translators"`
}

// toolsAnswer is the JSON of aut --list-shorthands.
type toolsAnswer struct {
	Tools []toolAnswer `json:"tools"` // the known tools
}

// A toolAnswer is a tool that a short name stands for.
type toolAnswer struct {
	Name    string `json:"name"`    // the short name
	Command string `json:"command"` // the command that it stands for
}

// pairsAnswer is the JSON of report --compare.
type pairsAnswer struct {
	Pairs []*report.Pair `json:"pairs"` // one for each measure and two translators
}

// mergedAnswer is the JSON of merge.
type mergedAnswer struct {
	Into   string       `json:"into"`   // the history that the others were merged into
	United []mergedRun  `json:"united"` // runs that were made of shards
	Added  []mergedCopy `json:"added"`  // other runs that were added
	Known  int          `json:"known"`  // number of runs, or shards, that the history already had
}

// A mergedRun is a run that was made of shards.
type mergedRun struct {
	outcome.RunID
	Shards     int   `json:"shards"`      // number of shards that the run is divided into
	Cases      int   `json:"cases"`       // number of formulas, or of automata if these are the inputs
	Status     *int  `json:"exit_status"` // exit status of the run; null if it was killed
	Missing    []int `json:"missing"`     // numbers of shards that are missing
	Unfinished []int `json:"unfinished"`  // numbers of shards that were not finished
}

// A mergedCopy is a run that was copied.
type mergedCopy struct {
	outcome.RunID
	Cases int `json:"cases"` // number of formulas, or of automata if these are the inputs
}

// historyCheck is the JSON of history check.
type historyCheck struct {
	History string `json:"history"` // name of the file
	Whole   bool   `json:"whole"`   // true if the file is undamaged
}

// historyList is the JSON of history list.
type historyList struct {
	Runs []history.Line `json:"runs"` // the runs of the history
}

// historyRun is the JSON of history show.
type historyRun struct {
	history.Line
	Version string  `json:"version"` // version of xcheck
	Spent   float64 `json:"spent"`   // time at work, in seconds
	// SHA-256 of everything that decides the results, except a drawn seed and the shard
	Hash string `json:"hash"`
	// everything that decides the results
	Configuration json.RawMessage     `json:"configuration"`
	Replayed      []string            `json:"replayed"`    // formulas of earlier failures
	Translators   []*report.ToolStats `json:"translators"` // totals of each translator
	// what became of the failures of earlier runs; null if the run was killed
	Regression *outcome.Regression `json:"regression"`
	Power      *report.Power       `json:"power"` // what was tried; null if the run was killed
	// totals of the run; null if the run was killed
	Summary *report.Counts `json:"summary"`
}

// historyComparison is the JSON of history compare.
type historyComparison struct {
	Before outcome.RunID `json:"before"` // the first run
	After  outcome.RunID `json:"after"`  // the second run
	// groups of failures that only the first run met
	OnlyBefore []*outcome.Timeline `json:"only_before"`
	// groups of failures that only the second run met
	OnlyAfter []*outcome.Timeline `json:"only_after"`
	Both      int                 `json:"both"`    // number of groups that both runs met
	Changes   []outcome.Change    `json:"changes"` // significant changes of sizes and times
	// what could not be compared, and what all translators have in common
	Notes []string `json:"notes"`
}

// historyGroups is the JSON of history groups.
type historyGroups struct {
	Groups []*outcome.Timeline `json:"groups"` // groups of failures
}

// historyPruned is the JSON of history prune.
type historyPruned struct {
	Runs  []int64 `json:"runs"`  // numbers of the runs that lost results
	Cases int     `json:"cases"` // number of formulas that were removed
	Bytes int64   `json:"bytes"` // number of bytes that were freed
}
