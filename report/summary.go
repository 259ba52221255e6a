package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Summary adds up the cases of a run.
type Summary struct {
	// Automata says that the inputs of the cases are automata instead of formulas.
	Automata bool
	// NoChecks is set if the user turned off the checks.
	NoChecks    bool
	Translators []*ToolStats
	Counts      Counts
	Causes      []*outcome.Cause // of the failures, when they are known
	// Regression compares the run with earlier ones. It is nil without a history.
	Regression *outcome.Regression
	// Provenance has the processes that made the results, in the order in which they started.
	Provenance []Process

	groups     groups
	evidence   evidence
	habits     habits
	tried      tried
	cases      int
	unproved   int     // words that may not be shortest
	recorded   bool    // the status comes from documents
	whys       tallied // of undecided checks
	open       []openCheck
	odd        tallied // classes of findings that do not count
	uncompared tallied // why nothing was compared in cases that no failed call explains
}

// Problems returns the causes grouped by who fails, and how, the most frequent first.
func (t *Summary) Problems() []outcome.Problem {
	return t.evidence.problems(t.Causes)
}

// An openCheck is an undecided check, with its input.
type openCheck struct {
	Index int
	Input string
	outcome.Undecided
}

// Title describes the check in a few words.
func (x *openCheck) Title() string { return cmp.Or(x.Text, x.Check) }

// maxOpen bounds the list of undecided checks.
const maxOpen = 1000

// ToolStats are the totals of one translator. For each formula it is called twice, for the formula
// and for the negation. For each automaton it is called once.
type ToolStats struct {
	Name    string `json:"name"`    // name of the translator
	Command string `json:"command"` // the command of the translator
	// version of the translator; missing if it is not known
	Version string `json:"version,omitempty"`
	// number of automata that were requested: two for a formula
	Formulas int `json:"formulas"`
	// number of calls that ended with each status
	Statuses map[outcome.Status]int `json:"statuses"`
	// why the first skipped formula was skipped; missing if none was
	Skip   string `json:"skip_reason,omitempty"`
	WrongP int    `json:"wrong_positive"` // number of formulas whose automaton is wrong
	// number of formulas for whose negation the automaton is wrong
	WrongN   int `json:"wrong_negative"`
	Findings int `json:"findings"` // number of findings: false properties and odd output
	Unstable int `json:"unstable"` // number of findings that are unstable answers
	Sizes
	Seconds float64 `json:"time"`     // time of all calls, in seconds
	CPU     float64 `json:"cpu_time"` // CPU time of all calls, in seconds
	// memory in bytes, the most of any call; 0 if it is not known
	MaxRSS int64 `json:"max_rss"`
	// what all failures of the translator have in common, by which it may be asked or read wrongly
	InCommon string `json:"in_common,omitempty"`
	// true if nobody named the translator: it is built in, or was found on PATH
	ByDefault bool `json:"by_default,omitempty"`

	syntax     int     // calls that failed on the syntax of an input or an output
	judged     int     // automata that were compared with something, or proved
	properties tallied // that are declared and false
}

// Counts are the totals of a run, over all its cases.
type Counts struct {
	Formulas int `json:"formulas"` // number of formulas
	// number of lines that are no formulas; they do not count as formulas
	Unreadable int `json:"unreadable"`
	// number of formulas that were left out because they came before; they do not count as formulas
	Duplicates int `json:"duplicates"`
	Unchecked  int `json:"unchecked"` // number of formulas with nothing to compare
	// number of unchecked formulas that no failed call explains
	Unexplained int `json:"unexplained,omitempty"`
	// number of formulas whose checks a limit of time or memory ended
	Abandoned int `json:"abandoned,omitempty"`
	// number of formulas with a disagreement
	Disagreeing int `json:"formulas_with_disagreement"`
	// number of words on which an automaton is wrong
	Disagreements int `json:"disagreements"`
	Failures      int `json:"failures"`  // number of calls of translators that failed
	Skipped       int `json:"skipped"`   // number of calls that were skipped
	Undecided     int `json:"undecided"` // number of checks that are undecided
	Passed        int `json:"passed"`    // number of checks that passed
	Proved        int `json:"proved"`    // number of automata that are proved
	Unproved      int `json:"unproved"`  // number of automata that are not, where that was tried
	// number of checks that each step decided
	DecidedBy  map[string]int `json:"decided_by,omitempty"`
	Signatures int            `json:"signatures"` // number of different signatures
	Findings   int            `json:"findings"`   // number of findings: false properties and odd output
	// number of findings that are false properties
	FalseProps int `json:"false_properties"`
	Unstable   int `json:"unstable"`        // number of findings that are unstable answers
	Errors     int `json:"internal_errors"` // number of failures of xcheck itself
	// number of calls of translators that shrank formulas
	GrindCalls int `json:"grind_calls,omitempty"`
	// how often each limit was reached that leaves no check undecided: grind-calls, grind-time,
	// grind-causes, samples, groups or automata
	Limits map[outcome.Limit]int `json:"limits,omitempty"`
	// seed of the random formulas; missing if there are none
	Seed        *uint64 `json:"seed,omitempty"`
	Interrupted bool    `json:"interrupted"` // true if the run was interrupted
	Stopped     bool    `json:"stopped"`     // true if --stop-on-error ended the run
	// when the run stopped starting formulas; missing without --for and --until
	Deadline *time.Time `json:"deadline,omitempty"`
	TimeUp   bool       `json:"time_up,omitempty"` // true if the run ended at the deadline
	// number of formulas that were given up at the deadline
	GivenUp int `json:"given_up,omitempty"`
	// true if the run ended because there were no more random formulas
	Exhausted bool               `json:"exhausted,omitempty"`
	Error     string             `json:"error,omitempty"` // what ended the run before its end
	Status    outcome.ExitStatus `json:"exit_status"`     // exit status of the run
	// true with --fail-on-new: only new failures count
	FailOnNew bool `json:"fail_on_new,omitempty"`
	// statuses of failed calls that do not count
	Ignored []outcome.Status `json:"ignored_statuses,omitempty"`
	// true with --fail-on-timeout: a timeout counts as a disagreement
	FailOnTimeout bool `json:"fail_on_timeout,omitempty"`
	// true with --strict-failures: everything that leaves the run incomplete counts as a
	// disagreement
	StrictFailures bool `json:"strict_failures,omitempty"`
	// true with --ignore-failures: what leaves the run incomplete does not count
	IgnoreFailures bool `json:"ignore_failures,omitempty"`
	// true if the seed was drawn for this run
	SeedDrawn bool `json:"seed_drawn,omitempty"`
	// true if standard input had something but was not read
	Unread bool `json:"standard_input_unread,omitempty"`
	// number of formulas that were replayed because they failed in earlier runs
	Replayed int `json:"replayed,omitempty"`
	// number of formulas that failed in earlier runs and were not replayed
	Unreplayed int `json:"unreplayed,omitempty"`
	// number of formulas that an unfinished run had checked, and that were checked again as it resumed,
	// because programs had changed
	Repeated int `json:"repeated,omitempty"`
	// translators whose programs had changed, or xcheck
	Replaced []string `json:"replaced_programs,omitempty"`
	FirstRun bool     `json:"first_run,omitempty"` // true if the history has no earlier run
	// translators of earlier runs that have known failures and are not in this run
	Gone []string `json:"gone_translators,omitempty"`
	// shards that this is about; missing if it is about a whole run
	Shards []string `json:"shards,omitempty"`
	// translators of which no automaton was compared with something, or proved
	Unjudged []string `json:"unjudged_translators,omitempty"`
	// translators that --ignore-missing left out
	Missing []Missing `json:"missing_translators,omitempty"`
}

// Reach notes how often limits were reached.
func (s *Counts) Reach(limits map[outcome.Limit]int) {
	for limit, n := range limits {
		if s.Limits == nil {
			s.Limits = map[outcome.Limit]int{}
		}
		if s.Limits[limit] += n; s.Limits[limit] == 0 {
			delete(s.Limits, limit)
		}
	}
}

// A Missing is a translator that can't be started.
type Missing struct {
	Name string `json:"name"` // name of the translator
	// who asks for it: a line of the configuration, or a flag
	Origin string `json:"origin,omitempty"`
	Reason string `json:"reason"` // why it can't be started
}

// NewSummary returns an empty Summary for the given translators.
func NewSummary(tools []*translators.Tool) *Summary {
	t := &Summary{Translators: []*ToolStats{}, Causes: []*outcome.Cause{}} // never nil: [] in JSON
	for _, tool := range tools {
		t.Translators = append(t.Translators, &ToolStats{Name: tool.Name, Command: tool.Command.Text(), Version: tool.Version, Statuses: map[outcome.Status]int{}})
	}
	return t
}

// News marks what is the first of its kind in a case: failures and findings that start a
// group, and the first skip of a translator. It is for [Text.Case].
type News struct {
	Results, Findings []bool // for each of the case's
}

// Add adds a case, and returns what is new in it.
func (t *Summary) Add(c *outcome.Case) News {
	if c == nil {
		return News{}
	}
	s := &t.Counts
	number := t.cases
	t.cases++ // invalid lines have numbers, too
	news := News{Results: make([]bool, len(c.Results)), Findings: make([]bool, len(c.Findings))}
	if c.Error != "" {
		s.Unreadable++
		return news
	}
	t.evidence.add(c)
	t.habits.add(c, t.tried.add(c))
	s.Signatures = len(t.tried.seen)
	s.Formulas++
	if c.Replayed {
		s.Replayed++
	}
	for i := range c.Disagreements {
		if !c.Disagreements[i].Shortest {
			t.unproved++
		}
	}
	s.Disagreements += len(c.Disagreements)
	if len(c.Disagreements) > 0 {
		s.Disagreeing++
	}
	s.Undecided += len(c.Undecided)
	if c.Abandoned() {
		s.Abandoned++
	}
	for _, u := range c.Undecided {
		t.whys.add(u.Why, 1)
		if len(t.open) < maxOpen {
			t.open = append(t.open, openCheck{c.Index, line(c.Title(), digestText), u})
		}
	}
	for _, check := range c.Checks {
		if check.Verdict == outcome.Passed {
			s.Passed++
		}
		if check.DecidedBy != "" {
			if s.DecidedBy == nil {
				s.DecidedBy = map[string]int{}
			}
			s.DecidedBy[check.DecidedBy]++
		}
	}
	s.Errors += len(c.Errors)
	t.groups.wrongWords(number, c)
	for i := range c.Results {
		r := &c.Results[i]
		if r.Proved {
			s.Proved++
		} else if r.Unproved != "" {
			s.Unproved++
		}
		if !r.Asked() {
			t.NoChecks = true // of a document, that is known from its cases only
			continue
		}
		tool := t.of(r.Translator)
		switch {
		case r.Failed():
			news.Results[i] = t.groups.failure(number, c, r)
		case r.Status == outcome.Skipped:
			news.Results[i] = tool.Statuses[r.Status] == 0 // t.result counts it below
		}
		t.result(c, tool, r)
		if r.Status == outcome.OK && (t.NoChecks || c.Judged(r)) {
			tool.judged++
		}
	}
	if !c.Checked && !t.NoChecks {
		s.Unchecked++
		if why := uncompared(c); why != "" {
			s.Unexplained++
			t.uncompared.add(why, 1)
		}
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		s.Findings++
		switch f.Class {
		case outcome.FalseProperty:
			s.FalseProps++
		case outcome.Unstable:
			s.Unstable++
		default:
			t.odd.add(string(f.Class), 1)
		}
		k := slices.IndexFunc(c.Results, func(r outcome.Result) bool { return r.Subject == f.Subject })
		if news.Findings[i] = k < 0; k >= 0 { // without a call, it belongs to no group
			news.Findings[i] = t.groups.finding(number, c, &c.Results[k], f)
			tool := t.of(f.Translator)
			tool.Findings++
			switch f.Class {
			case outcome.Unstable:
				tool.Unstable++
			case outcome.FalseProperty:
				tool.properties.add(string(cmp.Or(f.Property, "unnamed")), 1)
			}
		}
	}
	return news
}

// SummaryOf returns the summary of a stored run without its cases.
func SummaryOf(rest *Trailer) *Summary {
	if rest == nil {
		rest = new(Trailer)
	}
	t := &Summary{Translators: rest.Translators, Regression: rest.Regression, recorded: true}
	if rest.Counts != nil {
		t.Counts = *rest.Counts
	}
	t.Counts.Interrupted = t.Counts.Interrupted || rest.Cut
	return t
}

// Complete adds the part of a document besides its cases: how the run ended, and its translators.
func (t *Summary) Complete(rest *Trailer) {
	rest = cmp.Or(rest, &Trailer{})
	if s, all := rest.Counts, &t.Counts; s != nil {
		for _, flag := range []struct {
			all *bool
			too bool
		}{
			{&all.Interrupted, s.Interrupted}, {&all.Stopped, s.Stopped}, {&all.TimeUp, s.TimeUp}, {&all.Exhausted, s.Exhausted},
			{&all.FailOnNew, s.FailOnNew}, {&all.FailOnTimeout, s.FailOnTimeout}, {&all.StrictFailures, s.StrictFailures},
			{&all.IgnoreFailures, s.IgnoreFailures}, {&all.SeedDrawn, s.SeedDrawn}, {&all.Unread, s.Unread}, {&all.FirstRun, s.FirstRun},
		} {
			*flag.all = *flag.all || flag.too
		}
		all.Duplicates += s.Duplicates
		all.GivenUp += s.GivenUp
		all.Unreplayed += s.Unreplayed
		all.Repeated += s.Repeated
		all.Replaced = union(all.Replaced, s.Replaced)
		all.Gone, all.Shards = union(all.Gone, s.Gone), union(all.Shards, s.Shards)
		all.GrindCalls += s.GrindCalls
		all.Reach(s.Limits)
		all.Error, all.Seed, all.Deadline = cmp.Or(all.Error, s.Error), cmp.Or(all.Seed, s.Seed), cmp.Or(all.Deadline, s.Deadline)
		all.Ignored, all.Missing = union(all.Ignored, s.Ignored), union(all.Missing, s.Missing)
		t.worse(s.Status)
	}
	t.Provenance = append(t.Provenance, rest.Provenance...)
	if rest.Cut {
		t.worse(outcome.ExitInterrupted) // the run was killed, or its document is truncated
	}
	t.Counts.Interrupted = t.Counts.Interrupted || rest.Cut
	for _, c := range rest.Causes {
		if c != nil {
			t.Causes = append(t.Causes, c)
		}
	}
	// Of several runs, the latest knows what has become of the others' failures.
	if r := rest.Regression; r != nil && (t.Regression == nil || t.Regression.Run < r.Run) {
		t.Regression = r
	}
	for _, x := range rest.Translators {
		if x == nil {
			continue
		}
		tool := t.of(x.Name)
		if tool.Command == "" { // of several documents, the first decides
			tool.Command, tool.Version, tool.InCommon, tool.ByDefault = x.Command, x.Version, x.InCommon, x.ByDefault
		}
	}
}

// union appends what is not in the list yet.
func union[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// worse makes status the exit status of the summary if it is worse than the status so far.
// An interrupted run is worst, then a run that could not do its work.
func (t *Summary) worse(status outcome.ExitStatus) {
	t.recorded = true
	order := []outcome.ExitStatus{outcome.ExitInterrupted, outcome.ExitBroken, outcome.ExitFailed, outcome.ExitIncomplete}
	if i, j := slices.Index(order, status), slices.Index(order, t.Counts.Status); i >= 0 && (j < 0 || i < j) {
		t.Counts.Status = status
	}
}

// of returns the totals of a translator, which in the documents of several runs may be new.
func (t *Summary) of(name string) *ToolStats {
	k := slices.IndexFunc(t.Translators, func(x *ToolStats) bool { return x.Name == name })
	if k < 0 {
		k = len(t.Translators)
		t.Translators = append(t.Translators, &ToolStats{Name: name, Statuses: map[outcome.Status]int{}})
	}
	return t.Translators[k]
}

func (t *Summary) result(c *outcome.Case, tool *ToolStats, r *outcome.Result) {
	tool.Formulas++
	tool.Statuses[r.Status]++
	tool.Seconds += r.Seconds
	tool.CPU += r.CPU
	tool.MaxRSS = max(tool.MaxRSS, r.MaxRSS)
	switch {
	case r.Failed():
		t.Counts.Failures++
		if r.Status == outcome.Syntax || r.Status == outcome.Exit && speaksOfSyntax().MatchString(r.Detail+"\n"+r.Stderr) {
			tool.syntax++
		}
	case r.Status == outcome.Skipped:
		t.Counts.Skipped++
		if tool.Skip == "" {
			tool.Skip = r.Detail
		}
	default:
		tool.Sizes.add(r)
	}
	switch {
	case !isBlamed(c.Disagreements, r.Subject):
	case r.Polarity == outcome.Negation:
		tool.WrongN++
	default:
		tool.WrongP++
	}
}

// A Process says where results come from: it is one of the processes that worked on a run. A run
// that was resumed has several, and so has one that was merged from shards.
type Process struct {
	Started time.Time `json:"started"`           // when it started, in UTC
	Host    string    `json:"host"`              // name of the machine
	Version string    `json:"xcheck"`            // version of xcheck
	Command string    `json:"command,omitempty"` // the command line
	// the file of the configuration; missing without one
	Configuration string `json:"configuration,omitempty"`
	// SHA-256 of everything that decides the results, except a drawn seed and the shard
	Hash string `json:"configuration_hash"`
	// seed of the random formulas; missing if there are none
	Seed *uint64 `json:"seed,omitempty"`
	// the shard, such as "2/4"; missing for a whole run
	Shard       string        `json:"shard,omitempty"`
	Translators []ToolVersion `json:"translators"` // name and version of each translator
}

// A ToolVersion is the version of a translator.
type ToolVersion struct {
	Name string `json:"name"` // name of the translator
	// version of the translator; missing if it is not known
	Version string `json:"version,omitempty"`
}

// facts returns what is known of a process.
func (p *Process) facts() []fact {
	list := facts{}
	list.add("started", p.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
	list.add("host", p.Host)
	list.add("xcheck", p.Version)
	list.code("command", p.Command)
	list.code("configuration", p.Configuration)
	list.code("configuration hash", p.Hash)
	list.add("seed", plural.Seed(p.Seed))
	list.add("shard", p.Shard)
	var versions []string
	for _, t := range p.Translators {
		if t.Version != "" {
			versions = append(versions, fmt.Sprintf("%s: %s", t.Name, t.Version))
		}
	}
	list.add("translators", strings.Join(versions, "; "))
	return list
}
