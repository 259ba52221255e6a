// Package outcome has the values that a run yields: what became of each formula, what is wrong with
// which translator, and what is new since earlier runs. Package cross makes them, history stores
// them, report prints them.
//
//	Case                the results of one formula, or of one automaton
//	  Result            an automaton, or how the call of the translator failed
//	  Check, Undecided  what was decided, and what was not
//	  Disagreement      a word, and who is wrong on it
//	  Finding           something odd about one automaton
//	Cause, Problem      failures of many cases that have one reason
//	Regression          what became of the failures of earlier runs
//
// These types are what is stored as well, and what --json prints: their tags are the format.
// A case of an old history and one of tonight are read by the same tags, so no tag ever changes.
// Golden files in report/testdata and history/testdata hold every field.
//
// The package depends on nothing else of xcheck, besides small packages for text.
package outcome
