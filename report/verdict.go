package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Verdict says how a run ended.
type Verdict struct {
	Status outcome.ExitStatus
	// Clauses are the parts of the closing line. The first one begins with PASS, FAIL, INCOMPLETE,
	// ERROR or INTERRUPTED, according to the status. If nothing was checked, DONE replaces PASS.
	Clauses []string
}

// Line returns all clauses.
func (v *Verdict) Line() string { return strings.Join(v.Clauses, "; ") }

// maxVerdict is how wide the last line of a text may be.
const maxVerdict = 80

// split returns the closing line of a text, and the clauses that have no room there. The line has the
// first clauses, and always the share of proved automata if it is known.
func (v *Verdict) split() (last string, rest []string) {
	share := ""
	for _, clause := range v.Clauses {
		if i := strings.LastIndex(clause, "; "); i >= 0 && strings.HasSuffix(clause, " % proved") {
			share = clause[i:]
		}
	}
	fits := func(text string) bool {
		if !strings.Contains(text, share) {
			text += share
		}
		return table.Terminal.StringWidth(text) <= maxVerdict
	}
	rest = v.Clauses
	if last = rest[0]; !fits(last) {
		rest = slices.Clone(rest)
		_, rest[0], _ = strings.Cut(last, ": ")
		last = cut(last, maxVerdict-len(share))
	} else {
		rest = rest[1:]
	}
	for len(rest) < len(v.Clauses) && len(rest) > 0 && fits(last+"; "+rest[0]) {
		last, rest = last+"; "+rest[0], rest[1:]
	}
	if !strings.Contains(last, share) {
		last += share
	}
	return last, rest
}

// A tile is a number that readers look for first.
type tile struct {
	Value, Name string // with a history, the name says which failures are known
	Level       level  // "" if it is 0, or says nothing bad
}

// tiles returns the counts of the run: wrong, failed, undecided, new and proved.
func (t *Summary) tiles() (list []tile) {
	s := &t.Counts
	noun := func(n int, what string) string { return strings.TrimPrefix(plural.Of(n, what), strconv.Itoa(n)+" ") }
	add := func(name string, n int, level level, of func(outcome.Class) bool) {
		x := tile{Value: strconv.Itoa(n), Name: name}
		if n > 0 {
			note, l := t.known(n, of, level)
			x.Name, x.Level = name+note, l
		}
		list = append(list, x)
	}
	failures, timeouts, _ := t.failed()
	if add("wrong", s.Disagreeing, bad, func(c outcome.Class) bool { return c.Words }); s.FalseProps > 0 {
		add(noun(s.FalseProps, "false property"), s.FalseProps, bad, outcome.Class.IsProperty)
	}
	add(noun(failures+timeouts, "failed call"), failures+timeouts, poor, func(c outcome.Class) bool { return c.IsCall() && !slices.Contains(s.Ignored, c.Status) })
	add("undecided", s.Undecided, poor, nil)
	if r := t.Regression; r != nil {
		n := r.Count(outcome.StateNew)
		add(noun(n, "new group"), n, bad, nil)
		if n = r.Count(outcome.StateBackAgain); n > 0 {
			add("back again", n, bad, nil)
		}
	}
	if s.Proved+s.Unproved > 0 {
		list = append(list, tile{t.proved(), "of automata proved", ""})
	}
	return list
}

// known says of n failures of some classes which are known, and how they count for the exit status. Without a
// history it says nothing, and returns the level it is given.
func (t *Summary) known(n int, of func(outcome.Class) bool, level level) (note string, _ level) {
	limits := t.limits()
	if of == nil || t.Regression == nil || limits[outcome.Samples]+limits[outcome.Groups] > 0 { // not all are in groups
		return "", level
	}
	met, fresh, formulas := 0, 0, 0 // groups, those that are new, and their formulas
	for i := range t.Regression.Groups {
		g := &t.Regression.Groups[i]
		l := t.level(g)
		if !of(g.Class) || l == past || l == minor {
			continue
		}
		if met++; met == 1 || l == bad {
			level = l
		}
		if news(g) {
			fresh, formulas = fresh+1, formulas+g.Formulas
		}
	}
	switch {
	case fresh > 0 && fresh < met: // a formula may be in several groups
		note = ", new on " + map[bool]string{true: "at most "}[fresh > 1] + t.inputs(min(formulas, n))
	case fresh > 0:
		note = ", all new"
	case met > 0:
		note = ", all known"
	}
	return note, level
}

// proved returns the share of the automata that are proved.
func (t *Summary) proved() string {
	s := &t.Counts
	return fmt.Sprintf("%v %%", math.Floor(1000*float64(s.Proved)/float64(s.Proved+s.Unproved))/10) // 99.97 % are not 100 %
}

// title names the run in a browser: "FAIL 13 – run 2 – xcheck".
func (t *Summary) title() string {
	text, _, _ := strings.Cut(t.Verdict().Clauses[0], ":")
	for _, x := range t.tiles() {
		if x.Level != "" && (!t.Counts.FailOnNew || strings.HasPrefix(x.Name, "new ")) {
			text += " " + x.Value
			break
		}
	}
	if t.Regression != nil {
		text += " – " + runTitle(&t.Regression.RunID)
	}
	return text + " – xcheck"
}

// Verdict returns how the run ended, with the line that explains it. The status follows from
// the results, or was recorded if they come from a document.
func (t *Summary) Verdict() *Verdict {
	v := &Verdict{Status: t.Counts.Status}
	if !t.recorded {
		v.Status = t.status()
	}
	v.Clauses = t.clauses(v.Status)
	checked := t.Counts.Passed+t.Counts.Proved+t.Counts.Disagreements > 0
	v.Clauses[0] = v.Status.Word(checked) + ": " + v.Clauses[0]
	return v
}

func (t *Summary) unchecked() bool { return t.Counts.Unchecked == t.Counts.Formulas }

// gaps says what the run did not do that it should have. It never passes then.
func (t *Summary) gaps() (list clauseList) {
	s := &t.Counts
	list.addIf(s.Formulas+s.Unreadable+len(s.Shards) == 0 && s.Error == "" && !s.Interrupted && !t.NoChecks, "nothing was checked")
	list.addIf(s.Replayed > 0 && s.Replayed == s.Formulas && s.Unreadable+len(s.Shards) == 0 && !s.Interrupted, "nothing was checked but earlier failures")
	list.add(s.Unreplayed, "%s of earlier failures not replayed", t.inputs(s.Unreplayed))
	list.add(s.Unexplained, "%s not checked (%s)", t.inputs(s.Unexplained), shortList(t.nothing()))
	list.add(s.Abandoned, "%s given up at a limit", t.inputs(s.Abandoned))
	unjudged := t.unjudged()
	list.add(len(unjudged), "unchecked translators: %s", shortList(unjudged))
	var missing []string
	for _, m := range s.Missing {
		missing = append(missing, m.Name)
	}
	list.add(len(missing), "missing translators: %s", strings.Join(missing, ", "))
	list.addIf(t.recorded && !whole(s.Shards), "shard %s only", strings.Join(s.Shards, ", "))
	if s.FailOnNew {
		list = append(list, t.gone()...)
	}
	return list
}

// unjudged returns the translators that the run should have checked and did not: no automaton of theirs
// was compared with anything or proved, whatever became of the calls. One that nobody named may be unable
// to take any of the formulas.
func (t *Summary) unjudged() (list []string) {
	if t.cases == 0 { // of a stored run
		return t.Counts.Unjudged
	}
	for _, x := range t.Translators {
		asked := x.Formulas > 0 || len(t.Counts.Shards) == 0 // a shard may have no formula
		able := x.Statuses[outcome.Skipped] < x.Formulas || !x.ByDefault
		if x.judged == 0 && asked && able {
			list = append(list, x.Name)
		}
	}
	return list
}

// Gaps says what the run did not do that it should have, or "".
func (t *Summary) Gaps() string { return strings.Join(t.gaps(), "; ") }

// gone says which translators have known failures and are not in the run.
func (t *Summary) gone() (list clauseList) {
	for _, name := range t.Counts.Gone {
		list.add(1, "known failures of %s belong to no translator of this run: call the one that it is now {%s}, or run again", name, name)
	}
	return list
}

// whole reports whether a list such as 1/3, 3/3 has all shards of a run. An empty list is no shard.
func whole(shards []string) bool {
	if len(shards) == 0 {
		return true
	}
	_, number, _ := strings.Cut(shards[0], "/")
	return number == strconv.Itoa(len(shards))
}

// Show decides how a command ends that shows the results of earlier runs, and returns its exit
// status: 3 if they are incomplete. With onlyNew, the status is the same as for a run with
// --fail-on-new.
func (t *Summary) Show(onlyNew bool) outcome.ExitStatus {
	s := &t.Counts
	t.findCommon()
	s.Unjudged = t.unjudged()
	shown := outcome.ExitPassed
	if onlyNew && t.Regression != nil {
		s.FailOnNew = true
		shown = t.newStatus()
	}
	if shown == outcome.ExitPassed && (s.Interrupted || s.Status == outcome.ExitBroken || s.Error != "" || len(t.gaps()) > 0) {
		shown = outcome.ExitIncomplete
	}
	if !s.Interrupted && (onlyNew || s.Status == outcome.ExitPassed) {
		s.Status = shown
	}
	return shown
}

// NothingCompared reports whether the run has formulas, but automata to compare for none of them.
func (t *Summary) NothingCompared() bool { return t.Counts.Formulas > 0 && t.unchecked() }

// Decide sets the exit status of a run that has ended, and discards a recorded one.
func (t *Summary) Decide() {
	t.recorded = false
	t.findCommon()
	limits := t.limits()
	t.Counts.Limits = nil
	t.Counts.Reach(limits)
	t.Counts.Unjudged = t.unjudged()
	t.Counts.Status = t.status()
}

// status decides how the run ends.
func (t *Summary) status() outcome.ExitStatus {
	s := &t.Counts
	failures, timeouts, ignored := t.failed()
	// The first case that holds counts: what ended the run, then errors of translators, then of
	// input.
	switch {
	case s.Interrupted:
		return outcome.ExitInterrupted
	case s.Error != "" || s.Errors > 0:
		return outcome.ExitBroken
	case s.FailOnNew && t.Regression != nil:
		return t.newStatus()
	case s.Disagreements+s.FalseProps > 0:
		return outcome.ExitFailed
	case s.Unreadable > 0:
		return outcome.ExitBroken
	case timeouts > 0 && s.FailOnTimeout:
		return outcome.ExitFailed
	}
	// A formula with nothing to compare counts, unless ignored failures may be the reason.
	unchecked := s.Unchecked
	if ignored > 0 {
		unchecked = 0
	}
	return t.lesser(failures+timeouts+s.Unstable+s.Undecided+unchecked > 0)
}

// lesser returns the status of a run in which nothing is known to be wrong. The argument open says
// that not everything was checked.
func (t *Summary) lesser(open bool) outcome.ExitStatus {
	// A run that has compared nothing must not look like one that found nothing.
	never := t.NothingCompared() || len(t.gaps()) > 0
	switch {
	case !never && (!open || t.Counts.IgnoreFailures):
		return outcome.ExitPassed
	case t.Counts.StrictFailures:
		return outcome.ExitFailed
	}
	return outcome.ExitIncomplete
}

// newStatus is the status if only failures count that are new or back again. Undecided checks do
// not count.
func (t *Summary) newStatus() outcome.ExitStatus {
	s, open := &t.Counts, false
	for i := range t.Regression.Groups {
		switch g := &t.Regression.Groups[i]; t.level(g) {
		case bad:
			return outcome.ExitFailed
		case poor: // a timeout: then the run is incomplete, not failed
			open = open || t.counts(g) && !s.IgnoreFailures
		}
	}
	if s.Unreadable > 0 {
		return outcome.ExitBroken
	}
	return t.lesser(open)
}

// failed counts the failed calls that count and are no timeouts, the timeouts that count,
// and the failed calls that do not count.
func (t *Summary) failed() (failures, timeouts, ignored int) {
	for _, x := range t.Translators {
		f, o, i := x.failed(t.Counts.Ignored)
		failures, timeouts, ignored = failures+f, timeouts+o, ignored+i
	}
	return failures, timeouts, ignored
}

// failed is Summary.failed for one translator.
func (x *ToolStats) failed(ignore []outcome.Status) (failures, timeouts, ignored int) {
	for status, n := range x.Statuses {
		switch {
		case !status.Failed():
		case slices.Contains(ignore, status):
			ignored += n
		case status.TimedOut():
			timeouts += n
		default:
			failures += n
		}
	}
	return failures, timeouts, ignored
}

// failures returns how many calls of the translator failed.
func (x *ToolStats) failures() int {
	failures, timeouts, _ := x.failed(nil)
	return failures + timeouts
}

// clauses returns the closing line without its first word: what was checked, why the status is not
// 0, and then notes that do not count.
func (t *Summary) clauses(status outcome.ExitStatus) []string {
	list := append([]string{t.checked()}, t.reasons()...)
	// What makes the status comes first: "FAIL: false properties …".
	if len(list) > 1 && t.Counts.Disagreeing == 0 && status != outcome.ExitPassed && status != outcome.ExitInterrupted {
		list[0], list[1] = list[1], list[0]
	}
	if t.Counts.FailOnNew && t.Regression != nil {
		fresh, again := t.Regression.Count(outcome.StateNew), t.Regression.Count(outcome.StateBackAgain)
		news := "no new failures"
		switch {
		case fresh > 0 && again > 0:
			news = fmt.Sprintf("%s of failures, %d back again", plural.Of(fresh, "new group"), again)
		case fresh > 0:
			news = plural.Of(fresh, "new group") + " of failures"
		case again > 0:
			news = plural.Of(again, "group") + " of failures back again"
		}
		list = append([]string{news}, list...)
	}
	return append(append(list, t.notes()...), t.ending()...)
}

type clauseList []string

// add adds a clause, if there is anything to say.
func (l *clauseList) add(n int, format string, args ...any) { l.addIf(n > 0, format, args...) }

func (l *clauseList) addIf(ok bool, format string, args ...any) {
	if ok {
		*l = append(*l, fmt.Sprintf(format, args...))
	}
}

// reasons says what is wrong and what is open. What counts most comes first.
func (t *Summary) reasons() (list clauseList) {
	s := &t.Counts
	list.add(s.Errors, "%s of xcheck: please report it", plural.Of(s.Errors, "internal error"))
	list.addIf(s.Error != "" && !s.Interrupted, "ended by an error")
	list.addIf(s.Error != "" && s.Interrupted, "ended by an error (%s)", line(s.Error, 200)) // shards are missing
	list.add(s.Disagreeing, "wrong: %s", strings.Join(t.each((*ToolStats).wrong), ", "))
	list.add(s.FalseProps, "false properties (%s)", shortList(t.each(func(x *ToolStats) string { return x.met(x.properties) })))
	list.add(s.Unreadable, "%s", t.unreadable(s.Unreadable))
	failures, timeouts, _ := t.failed()
	list.add(failures+timeouts, "%s (%s)", plural.Of(failures+timeouts, "failed call"), shortList(t.failing(false)))
	list = append(list, t.gaps()...)
	explained := s.Unchecked - s.Unexplained
	list.add(explained, "%s not checked (%s)", t.inputs(explained), noAutomata)
	list.add(s.Undecided, "%s (%s)", plural.Of(s.Undecided, "undecided check"), shortList(t.whys.names()))
	list.add(s.Unstable, "%s (%s)", plural.Of(s.Unstable, "unstable answer"), shortList(t.each(func(x *ToolStats) string { return times(x.Unstable, x.Name) })))
	return list
}

// nothing says why nothing was compared in cases that no failed call explains, each reason with its count
// if there are several.
func (t *Summary) nothing() []string {
	if len(t.uncompared) == 0 { // of a stored run
		return []string{noAutomata}
	}
	if len(t.uncompared) == 1 {
		return t.uncompared.names()
	}
	return t.uncompared.most()
}

const noAutomata = "no automata to compare"

// uncompared says why nothing was compared in a case, "" if failed calls explain it.
func uncompared(c *outcome.Case) string {
	some := func(status func(outcome.Status) bool) bool {
		return slices.ContainsFunc(c.Results, func(r outcome.Result) bool { return status(r.Status) })
	}
	switch {
	case len(c.Errors) > 0:
		return "internal error"
	case len(c.Undecided) > 0 && (len(c.Results) == 0 || some(func(s outcome.Status) bool { return s == outcome.OK })):
		return "no check decided"
	case some(outcome.Status.Failed):
		return ""
	}
	return noAutomata
}

// notes says what does not count.
func (t *Summary) notes() (list clauseList) {
	s := &t.Counts
	_, _, ignored := t.failed()
	list.add(s.Skipped, "%d skipped (%s)", s.Skipped, shortList(t.each((*ToolStats).skipped)))
	list.add(ignored, "%s ignored (%s)", plural.Of(ignored, "failed call"), shortList(t.failing(true)))
	odd := s.Findings - s.FalseProps - s.Unstable
	list.add(odd, "%s (%s)", plural.Of(odd, "minor finding"), shortList(t.odd.most()))
	list.add(t.unproved, "%s not proved shortest", plural.Of(t.unproved, "word"))
	// Without --grind, no cause is shrunk, and none is missed.
	limits := t.limits()
	if s.GrindCalls > 0 || limits[outcome.GrindCalls] > 0 {
		n := len(slices.DeleteFunc(slices.Clone(t.Causes), func(c *outcome.Cause) bool { return c.Ground && !c.Unfinished }))
		list.add(n, "%s may shrink further", plural.Of(n, "formula"))
	}
	for _, x := range limited {
		n := limits[x.limit]
		list.add(n, "%s %s", plural.Of(n, x.noun), x.what)
	}
	list.add(len(s.Replaced), "%s changed since the run started, %s checked again", strings.Join(s.Replaced, ", "), t.inputs(s.Repeated))
	list.add(s.Duplicates, "%s ignored", plural.Of(s.Duplicates, "duplicate"))
	list.addIf(s.Unread, "standard input was not read")
	list.addIf(s.FirstRun && s.FailOnNew, "first run: nothing to replay")
	if !s.FailOnNew {
		list = append(list, t.gone()...)
	}
	groups := standing(t.Regression)
	list.addIf(groups != "", "groups of failures: %s", groups)
	return list
}

// limited has the note on each limit: what was left out, and why.
var limited = []struct {
	limit      outcome.Limit
	noun, what string
}{
	{outcome.GrindCalls, "failure", "not shrunk: limit of calls"},
	{outcome.GrindTime, "failure", "not shrunk: limit of time"},
	{outcome.GrindCauses, "failure", "not shrunk: limit of causes"},
	{outcome.Samples, "failure", "not kept: limit"},
	{outcome.Groups, "call", "not grouped: limit"},
	{outcome.Shrunk, "failure", "not shrunk: limit of automata"},
}

// limits returns how often each limit was reached. Some are known from the cases, or from the run.
func (t *Summary) limits() map[outcome.Limit]int {
	limits := maps.Clone(t.Counts.Limits)
	if limits == nil {
		limits = map[outcome.Limit]int{}
	}
	more := 0
	for _, g := range t.groups.list {
		if g.Class == "other" {
			more += g.Calls
		}
	}
	limits[outcome.Groups] = max(limits[outcome.Groups], more)
	return limits
}

// checked says how many inputs were checked, and on how many there is a disagreement.
func (t *Summary) checked() string {
	s := &t.Counts
	if t.NoChecks {
		return t.inputs(s.Formulas) + " translated, nothing checked"
	}
	text := t.inputs(s.Formulas-s.Unchecked) + " checked"
	switch {
	case s.Disagreeing > 0:
		text += ", disagreement on " + t.inputs(s.Disagreeing)
	case s.Formulas > s.Unchecked && s.Error == "":
		text += ", no disagreement"
		if s.Proved+s.Unproved > 0 {
			text += "; " + t.proved() + " proved"
		}
	}
	return text
}

// ending says why the run ended when it did, and what its random formulas were.
func (t *Summary) ending() (list clauseList) {
	s := &t.Counts
	list.addIf(s.Stopped, "stopped at the first error")
	if s.TimeUp && s.Deadline != nil {
		list.add(1, "time limit reached at %s", s.Deadline.Format(time.DateTime))
	}
	list.add(s.GivenUp, "%s not finished in time", t.inputs(s.GivenUp))
	list.addIf(s.Exhausted, "no more random %s", t.plural())
	list.addIf(s.Seed != nil && (s.Deadline != nil || s.SeedDrawn), "seed %s", plural.Seed(s.Seed))
	return list
}

// each returns a text for each translator that has one.
func (t *Summary) each(what func(*ToolStats) string) (list []string) {
	for _, x := range t.Translators {
		if text := what(x); text != "" {
			list = append(list, text)
		}
	}
	return list
}

func (x *ToolStats) wrong() string {
	if x.WrongP+x.WrongN == 0 {
		return ""
	}
	return x.Name
}

// failing returns how often each translator failed in which way: only ways that count, or only ways
// that do not.
func (t *Summary) failing(ignored bool) []string {
	return t.each(func(x *ToolStats) string {
		var ways tallied
		for status, n := range x.Statuses {
			if status.Failed() && slices.Contains(t.Counts.Ignored, status) == ignored {
				ways.add(string(status), n)
			}
		}
		return x.met(ways)
	})
}

// met says how often which status or finding was met: "mine: 2× crash, timeout".
func (x *ToolStats) met(what tallied) string {
	if len(what) == 0 {
		return ""
	}
	return x.Name + ": " + strings.Join(what.most(), ", ")
}

// skipped returns how often a translator was skipped, with the reason of the first time.
func (x *ToolStats) skipped() string {
	n := x.Statuses[outcome.Skipped]
	if n == 0 || x.Skip == "" {
		return times(n, x.Name)
	}
	return x.Name + ": " + times(n, line(x.Skip, 100))
}

// times says how often something was met: "2× crash", but "crash" for once, and "" for never.
func times(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return what
	}
	return fmt.Sprintf("%d× %s", n, what)
}

// shortList joins the first four of several things: "a, b, c, d, 2 more".
func shortList(list []string) string {
	const most = 4
	if n := len(list) - most; n > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("%d more", n))
	}
	return strings.Join(list, ", ")
}

// tallied counts things by name. After 100 names, new ones count as "other".
type tallied map[string]int

func (m *tallied) add(what string, n int) {
	const most = 100
	what = line(what, 80)
	if *m == nil {
		*m = tallied{}
	}
	if _, known := (*m)[what]; !known && len(*m) >= most {
		what = "other"
	}
	(*m)[what] += n
}

// most returns the names with their counts, the most frequent first: "2× crash", "timeout".
func (m tallied) most() (list []string) {
	for _, name := range m.names() {
		list = append(list, times(m[name], name))
	}
	return list
}

// names returns the names, the most frequent first.
func (m tallied) names() []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
}

// nounOf returns the noun for an input.
func nounOf(automaton bool) string {
	if automaton {
		return "automaton"
	}
	return "formula"
}

func noun(c *outcome.Case) string { return nounOf(c.Automaton != nil) }
func (t *Summary) noun() string   { return nounOf(t.Automata) }

func (t *Summary) plural() string { return plural.Word(t.noun()) }

func (t *Summary) inputs(n int) string { return plural.Of(n, t.noun()) }

func (t *Summary) unreadable(n int) string { return plural.Of(n, "invalid "+t.noun()) }
