// Package report writes what a run has found, for people and for programs.
//
// A report takes one [outcome.Case] at a time and a [Summary] at the end. The Summary adds up the
// cases, which do not stay in memory. Each case is written when it is done, so an interrupted run
// loses nothing:
//
//	summary := report.NewSummary(tools)
//	csv := report.NewCSV(os.Stdout, report.Columns{}, false)
//	for _, c := range cases {
//		csv.Case(c, summary.Add(c))
//	}
//	csv.End(summary)
//
// The reports are
//
//   - [Text], for the terminal: disagreements as they come, then the table of translators
//   - [JSON], one document with everything; [Read] reads it back
//   - [CSV] and [LTLCross], with the columns of ltlcross; [AutomataCSV], with the columns of
//     autcross
//   - [HTML], one page that shows the wrong automata and needs no network
//   - [WriteMarkdown] and [WriteJUnit], for continuous integration
//   - [LaTeX], a table of the translators for a paper
//
// HTML, Markdown, JUnit and LaTeX are written at the end.
//
// A [Comparison] counts how often one translator is smaller or faster than another. A [Scatter]
// plots it, and a [Cactus] the numbers of all translators. Package report does not open the store:
// see package history.
package report
