package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A Merged is the result of a merge.
type Merged struct {
	*history.Merged
	Input string // what the runs check: "formula" or "automaton"
}

// Merge adds the runs of some histories to the history in the file into, and creates that file if
// needed. It merges the shards of runs, and does not change runs that are already there. If it
// fails, nothing changes. Merged runs have the same status and totals as if one process had done
// all shards. See [Lacks] for missing shards.
func Merge(ctx context.Context, into string, names ...string) (merged *Merged, err error) {
	for _, name := range names { // before there is a new file
		s, err := history.OpenExisting(ctx, name)
		if err == nil {
			err = errors.Join(s.Check(ctx), s.Close())
		}
		if err != nil {
			return nil, err
		}
	}
	store, err := history.Open(ctx, into)
	if err != nil {
		return nil, err
	}
	input, err := sameInput(ctx, "", store)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	check := func(other *history.Store) (err error) {
		input, err = sameInput(ctx, input, other)
		return err
	}
	runs, err := store.Merge(ctx, names, check, func(u *history.Union) (int, []byte, error) { return unite(ctx, u) })
	return &Merged{runs, input}, errors.Join(err, store.Close())
}

// unite returns the status and the totals that a run merged from shards would have had without
// shards.
func unite(ctx context.Context, u *history.Union) (int, []byte, error) {
	set, err := readSettings(&u.Info)
	if err != nil {
		return 0, nil, err
	}
	parts, err := partTotals(u)
	if err != nil {
		return 0, nil, err
	}
	summary := report.NewSummary(nil)
	known, err := compacted(ctx, u.Store, &u.Info)
	if err != nil {
		return 0, nil, err
	}
	summary.Complete(&report.Trailer{Translators: parts[0].Translators}) // in their order
	summary.AddCompacted(known)
	decided := history.Decided{NoLanguages: set.NoLanguages, NoProperties: set.NoProperties}
	causes, err := unitedCauses(ctx, u, set, parts, func(c *outcome.Case) {
		summary.Automata = summary.Automata || c.Automaton != nil
		summary.Add(c)
		decided.Add(c)
	})
	if err != nil {
		return 0, nil, err
	}
	if !summary.Automata { // a run of automata has no such table
		for _, c := range causes {
			summary.Causes = append(summary.Causes, report.Cause{Cause: c, Command: set.Rerun.command(c)})
		}
	}
	counts := &summary.Counts
	for _, part := range parts {
		summary.Complete(&report.Trailer{Translators: part.Translators, Provenance: part.Provenance, Counts: part.Counts, Cut: part.Cut})
	}
	counts.Duplicates, counts.Shards = 0, nil
	for _, part := range parts {
		if part.Counts != nil {
			counts.Duplicates = max(counts.Duplicates, part.Counts.Duplicates) // each shard has seen all formulas
		}
	}
	if err := compareUnion(ctx, u, set, summary, causes, &decided); err != nil {
		return 0, nil, err
	}
	if !u.Whole() {
		counts.Interrupted, counts.Error = true, Lacks(u)
	}
	var lost error
	if counts.Error != "" {
		lost = errors.New(counts.Error)
	}
	rules := set.rules()
	rules.decide(summary, lost)
	totals, err := json.Marshal(summary.Trailer())
	return int(counts.Status), totals, err
}

// compareUnion compares a run with earlier ones.
func compareUnion(ctx context.Context, u *history.Union, set *settings, summary *report.Summary, causes []*outcome.Cause, decided *history.Decided) error {
	gone, err := renamed(ctx, u.Store, u.Info.Run, u.File, u.Tools, func(string, ...any) {})
	if err != nil {
		return err
	}
	summary.Counts.Gone = gone
	if counts := &summary.Counts; counts.FirstRun { // its shards had no history, but perhaps there is one here
		if counts.Unreplayed, err = u.Unreplayed(ctx); err != nil {
			return err
		}
		counts.FirstRun = counts.Unreplayed == 0
	}
	if summary.Regression, err = u.Compare(ctx, causes, set.Rerun.command, decided); err != nil {
		return err
	}
	fresh, err := u.Show(ctx, summary.Signatures())
	if err != nil {
		return err
	}
	summary.SetNew(fresh)
	baseline := set.Baseline
	if _, err := u.Store.Find(ctx, baseline); baseline != "" && err != nil {
		note := fmt.Sprintf("sizes and times not compared with run %s: it is not in this history", baseline)
		summary.Regression.Notes, baseline = append(summary.Regression.Notes, note), ""
	}
	return measure(ctx, u.Store, summary, baseline)
}

// unitedCauses returns the causes of the failures of all shards, and calls each for their cases. A
// shard that has shrunk formulas has its causes already, unless it was killed.
func unitedCauses(ctx context.Context, u *history.Union, set *settings, parts []*report.Trailer, each func(*outcome.Case)) ([]*outcome.Cause, error) {
	killed := map[int]bool{}
	for i, part := range u.Parts {
		killed[part.Shard] = parts[i].Cut
	}
	failures := triage.New(triage.Options{})
	err := u.Store.Cases(ctx, u.Info.Run, func(c *outcome.Case) error {
		if each(c); set.Grind && c.Automaton == nil && !killed[c.Index%u.Parts[0].Shards+1] {
			return nil
		}
		_, err := failures.Add(ctx, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	causes, err := failures.Causes(ctx)
	if err != nil || !set.Grind {
		return causes, err
	}
	lists := [][]*outcome.Cause{causes}
	for _, part := range parts {
		var list []*outcome.Cause
		for _, c := range part.Causes {
			list = append(list, c.Cause)
		}
		lists = append(lists, list)
	}
	return triage.Unite(lists), nil
}

// measure compares sizes and times of a run with another one, and adds the curves over many runs.
func measure(ctx context.Context, store *history.Store, t *report.Summary, baseline string) error {
	err := store.Measure(ctx, t.Regression, baseline, plural.Word(inputs[t.Automata]))
	if err == nil {
		t.Trend, err = store.Trend(ctx, t.Regression.Run, trendRuns)
	}
	return err
}

// trendRuns is how many runs a trend goes back.
const trendRuns = 60

// partTotals returns the totals of the shards.
func partTotals(u *history.Union) (list []*report.Trailer, err error) {
	for _, part := range u.Parts {
		info := u.Info
		info.Totals = part.Totals
		rest, err := Totals(&info)
		if err != nil {
			return nil, fmt.Errorf("shard %d/%d: %w", part.Shard, part.Shards, err)
		}
		list = append(list, rest)
	}
	return list, nil
}

// Lacks says which shards of a union are missing or unfinished, or "":
//
//	shard 2 of 4 is missing; shards 3, 4 of 4 are unfinished
func Lacks(u *history.Union) string {
	if u == nil || len(u.Parts) == 0 {
		return ""
	}
	var parts []string
	for _, x := range []struct {
		shards []int
		one    string
		more   string
	}{{u.Missing, "is missing", "are missing"}, {u.Unfinished, "is unfinished", "are unfinished"}} {
		switch list := ShardList(x.shards); len(x.shards) {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("shard %s of %d %s", list, u.Parts[0].Shards, x.one))
		default:
			parts = append(parts, fmt.Sprintf("shards %s of %d %s", list, u.Parts[0].Shards, x.more))
		}
	}
	return strings.Join(parts, "; ")
}

// ShardList returns increasing numbers of shards as text, such as "1, 3, 7..1000". Five numbers in
// a row, or more, become a range.
func ShardList(shards []int) string {
	var list []string
	for len(shards) > 0 {
		n := 1
		for n < len(shards) && shards[n] == shards[0]+n {
			n++
		}
		if n < 5 {
			n = 1
			list = append(list, strconv.Itoa(shards[0]))
		} else {
			list = append(list, fmt.Sprintf("%d..%d", shards[0], shards[n-1]))
		}
		shards = shards[n:]
	}
	return strings.Join(list, ", ")
}

// A Shard is one of the parts of a run, written I/N. It has the inputs with the numbers I-1, I-1+N,
// I-1+2N and so on: 2/4 has 1, 5, 9. The zero Shard has all inputs.
type Shard struct {
	Part, Parts int // Part is from 1 to Parts
}

// Set reads a text such as 1/4.
func (s *Shard) Set(text string) error {
	part, parts, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(part)
	n, err2 := strconv.Atoi(parts)
	if err != nil || err2 != nil || i < 1 || i > n {
		return errors.New("expected I/N with I from 1 to N, such as 1/4")
	}
	s.Part, s.Parts = i, n
	return nil
}

// String returns the text that Set reads, "" for the zero Shard.
func (s *Shard) String() string {
	if s.Parts == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Parts)
}

// Type returns what help calls the value.
func (s *Shard) Type() string { return "I/N" }

// Has reports whether the shard has the input with a number.
func (s Shard) Has(number int) bool { return s.Parts == 0 || number%s.Parts == s.Part-1 }

// first returns the number of the first input that the shard has.
func (s Shard) first() int { return max(0, s.Part-1) }

// after returns the number of the input that the shard has after one of its own.
func (s Shard) after(number int) int { return number + max(1, s.Parts) }

// Count returns how many of the first n inputs the shard has: 2/4 has 3 of 10.
func (s Shard) Count(n int) int {
	if s.Parts == 0 {
		return n
	}
	return (n + s.Parts - s.Part) / s.Parts
}

// whole reports whether the shard has all inputs.
func (s Shard) whole() bool { return s.Parts <= 1 }
