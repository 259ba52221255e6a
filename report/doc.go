// Package report shows what a run has found: on the terminal, as tables, and as
// one JSON document.
//
// All are written while the run goes on, so that nothing found so far is lost
// when it is interrupted: a [Text] prints each disagreement as it comes and the
// table of translators at the end; a [JSON] writes each case as it comes and the
// totals last; a [CSV] writes a line for each call, with the columns of ltlcross. The
// totals of a [Tally] are all that is kept in memory.
//
// An [HTML] is a page for people, which shows the automata that are wrong and needs no
// network. It is written at the end, from what a tally knows and a digest of the cases.
//
// [Read] reads a document again, case by case, whole or not: the same reports can be made of
// it, or an [LTLCross] document. A [Comparison] counts how often one translator is smaller or
// faster than another, and a [Scatter] shows it.
package report
