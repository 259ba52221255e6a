package main

import (
	"encoding/json"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// The JSON of commands whose answers are short. docs/schema.json has all of them.

// evalAnswer is the JSON of eval.
type evalAnswer struct {
	Holds bool `json:"holds"`
}

// acceptsAnswer is the JSON of accepts.
type acceptsAnswer struct {
	Accepts bool `json:"accepts"`
}

// automatonAnswer is the JSON of commands that print an automaton in HOA.
type automatonAnswer struct {
	HOA         string  `json:"hoa"`
	States      int     `json:"states"`
	Edges       int     `json:"edges"`
	Transitions float64 `json:"transitions"`
	Sets        int     `json:"acc"`
	Algorithm   string  `json:"algorithm,omitempty"`
	Formula     string  `json:"formula,omitempty"`
}

// formatAnswer is the JSON of commands that print an automaton in a format.
type formatAnswer struct {
	Format string `json:"format"`
	Text   string `json:"text"`
}

// formulaAnswer is the JSON of a random formula.
type formulaAnswer struct {
	Formula string `json:"formula"`
	Size    int    `json:"size"`
}

// smallerAnswer is the JSON of a formula that grind --list prints.
type smallerAnswer struct {
	Formula string `json:"formula"`
	Size    int    `json:"size"`
	Of      string `json:"of"`
}

// weightAnswer is the JSON of random --dump-weights: of an operator, or of an expression.
type weightAnswer struct {
	Operator   string `json:"operator,omitempty"`
	Expression string `json:"expression,omitempty"`
	Weight     int    `json:"weight"`
}

// translatorsAnswer is the JSON of run --list-translators.
type translatorsAnswer struct {
	Translators []*session.Known `json:"translators"`
}

// toolsAnswer is the JSON of aut --list-shorthands.
type toolsAnswer struct {
	Tools []toolAnswer `json:"tools"`
}

type toolAnswer struct {
	Name    string `json:"name"`
	Command string `json:"command"`
}

// pairsAnswer is the JSON of report --compare.
type pairsAnswer struct {
	Pairs []*report.Pair `json:"pairs"`
}

// mergedAnswer is the JSON of merge.
type mergedAnswer struct {
	Into   string       `json:"into"`
	United []mergedRun  `json:"united"`
	Added  []mergedCopy `json:"added"`
	Known  int          `json:"known"`
}

// A mergedRun was made of shards.
type mergedRun struct {
	outcome.RunID
	Shards     int   `json:"shards"`
	Cases      int   `json:"cases"`
	Status     *int  `json:"exit_status"`
	Missing    []int `json:"missing"`
	Unfinished []int `json:"unfinished"`
}

// A mergedCopy is a run that was copied.
type mergedCopy struct {
	outcome.RunID
	Cases int `json:"cases"`
}

// historyCheck is the JSON of history check.
type historyCheck struct {
	History string `json:"history"`
	Whole   bool   `json:"whole"`
}

// historyList is the JSON of history list.
type historyList struct {
	Runs []runLine `json:"runs"`
}

// historyRun is the JSON of history show.
type historyRun struct {
	runLine
	Version       string              `json:"version"`
	Spent         float64             `json:"spent"`
	Hash          string              `json:"hash"`
	Configuration json.RawMessage     `json:"configuration"`
	Replayed      []string            `json:"replayed"`
	Translators   []*report.ToolStats `json:"translators"`
	Regression    *outcome.Regression `json:"regression"`
	Power         *report.Power       `json:"power"`
	Summary       *report.Counts      `json:"summary"`
	Compacted     *compactedRun       `json:"compacted,omitempty"`
}

// historyComparison is the JSON of history compare.
type historyComparison struct {
	Before     outcome.RunID       `json:"before"`
	After      outcome.RunID       `json:"after"`
	OnlyBefore []*outcome.Timeline `json:"only_before"`
	OnlyAfter  []*outcome.Timeline `json:"only_after"`
	Both       int                 `json:"both"`
	Changes    []outcome.Change    `json:"changes"`
	Notes      []string            `json:"notes"`
}

// historyGroups is the JSON of history groups.
type historyGroups struct {
	Groups []*outcome.Timeline `json:"groups"`
}

// historyPruned is the JSON of history prune.
type historyPruned struct {
	Runs  []int64 `json:"runs"`
	Cases int     `json:"cases"`
	Bytes int64   `json:"bytes"`
}
