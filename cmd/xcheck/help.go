package main

import (
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/report"
)

// commonReports are the flags of reports that most people need, and otherReports all others.
const commonReports = "html junit json csv"

func otherReports() string {
	var names []string
	for _, f := range report.Written() {
		if !slices.Contains(strings.Fields(commonReports), f.Name) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, " ")
}

// helpPages are the help of all commands. Commands without groups of flags have one group.
var helpPages = sync.OnceValue(func() *help.Pages {
	return &help.Pages{
		Flags: map[string][]help.Group{
			"run": {
				{Heading: "Formulas", Common: "formula file patterns number profile seed",
					More: "no-guide size ap past psl weights sere-weights boolean weak-fairness simplify keep-trivial keep-duplicates syntax lbt-input lenient allow-dups"},
				{Heading: "Translators", Common: "translator no-builtin list-translators", More: "options with-options reference no-reference no-found only ignore-missing relabel"},
				{Heading: "Checks", Common: "grind stop-on-error", More: "prove strict-failures ignore-failures ignore-execution-failures fail-on-timeout " +
					"all-pairs complement emptiness no-complement no-checks products states density"},
				{Heading: "Limits", Common: "timeout jobs", More: "max-time max-case-time max-memory max-macrostates grind-calls"},
				{Heading: "Reports", Common: commonReports, More: otherReports() + " save-bogus save-automata save-proofs strength ambiguous automata omit-missing csv-more"},
				{Heading: "Nights", Common: "config history resume until fail-on-new", More: "dry-run for shard name baseline"},
				{Heading: "Output", Common: "quiet verbose help", More: "color progress help-all"},
			},
			"aut": {
				{Heading: "Automata", Common: "file number acceptance ap seed",
					More: "ba-accepting states density acc-probability ba colored deterministic state-based-acceptance functions unique"},
				{Heading: "Tools", Common: "tool stream batch language-complemented", More: "language-preserved only list-shorthands ignore-missing"},
				{Heading: "Checks", Common: "grind stop-on-error", More: "strict-failures ignore-failures ignore-execution-failures fail-on-timeout " +
					"all-pairs complement emptiness no-checks"},
				{Heading: "Limits", Common: "timeout max-time jobs", More: "max-case-time max-memory max-macrostates max-product-states max-word-steps"},
				{Heading: "Reports", Common: commonReports + " save-bogus", More: otherReports() + " save-automata strength ambiguous automata omit-missing csv-more"},
				{Heading: "Nights", Common: "history resume fail-on-new", More: "for until shard name baseline"},
				{Heading: "Output", Common: "quiet verbose help", More: "color progress help-all"},
			},
			"grind": {
				{Heading: "Formulas", Common: "formula file patterns config", More: "syntax"},
				{Heading: "Translators", Common: "translator reference no-builtin", More: "options with-options no-reference no-found ignore-missing"},
				{Heading: "Lists", Common: "list mutations max-count sort", More: "to full-parentheses format zero-terminated-output output"},
				{Heading: "Steps", Common: "", More: "ap-to-const remove-one-ap remove-multop-operands remove-ops split-ops rewrite-ops subformulas to-const lower-ops everywhere"},
				{Heading: "Limits", Common: "timeout max-calls jobs", More: "complement max-time max-case-time max-memory max-macrostates"},
				{Heading: "Output", Common: "json verbose help", More: "help-all"},
			},
			"bisect": {
				{Heading: "Failure", Common: "cause history formula kind", More: ""},
				{Heading: "Versions", Common: "translator config versions git bad build", More: ""},
				{Heading: "Limits", Common: "timeout build-timeout max-time", More: ""},
				{Heading: "Output", Common: "json help", More: ""},
			},
			"random": {
				{Heading: "Formulas", Common: "number seed size ap past psl weights",
					More: "profile sere-weights boolean weak-fairness simplify keep-trivial keep-duplicates dump-weights"},
				{Heading: "Combinations", Common: "formula file patterns polarized-ap", More: "syntax"},
				{Heading: "Automata", Common: "automata acceptance states deterministic",
					More: "density acc-probability ba colored state-based-acceptance functions unique name quiet"},
				{Heading: "Output", Common: "to format output json help", More: "full-parentheses zero-terminated-output max-time max-memory help-all"},
			},
			"report": {
				{Heading: "Results", Common: "history run fail-on-new"},
				{Heading: "Comparison", Common: "compare measure svg by-file", More: "x y"},
				{Heading: "Output", Common: "format json quiet verbose help", More: "color strength ambiguous automata omit-missing csv-more max-time max-memory help-all"},
			},
		},
		Commands: []help.CommandGroup{
			{Heading: "Check", Commands: "run aut grind bisect"},
			{Heading: "Automata", Commands: "accepts empty intersect compare complement convert lint prove verify"},
			{Heading: "Formulas", Commands: "translate eval random patterns"},
			{Heading: "Results", Commands: "report history merge bench"},
			{Heading: "Program", Commands: "version completion man"},
		},
		Status: `Exit status:
  0    success: no disagreement, equal, empty, true
  1    disagreement, false property, different, non-empty, false
  2    error: wrong usage, unreadable input, internal error
  3    run and aut: a translator failed, or a check is undecided
  130  interrupted
`,
	}
})
