// Package report shows what a run has found: on the terminal, as tables, and as
// one JSON document.
//
// Both are written while the run goes on, so that nothing found so far is lost
// when it is interrupted: a [Text] prints each disagreement as it comes and the
// table of translators at the end; a [JSON] writes each case as it comes and the
// totals last. The totals of a [Tally] are all that is kept in memory.
package report
