package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/report"
)

// Merge adds the runs of some histories to the one in the file into, which is created if there is
// none, and merges the shards of runs. Runs that are already there stay as they are. If it fails,
// nothing changes. Merged runs have the same status and totals as if one process had done all
// shards; see [Lacks] for those of which shards are missing.
func Merge(ctx context.Context, into string, names ...string) (merged *history.Merged, err error) {
	var others []*history.Store
	defer func() {
		for _, s := range others {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, name := range names {
		s, err := history.OpenExisting(ctx, name)
		if err != nil {
			return nil, err
		}
		others = append(others, s)
	}
	store, err := history.Open(ctx, into)
	if err != nil {
		return nil, err
	}
	merged, err = store.Merge(ctx, others, func(u *history.Union) (int, []byte, error) { return unite(ctx, u) })
	return merged, errors.Join(err, store.Close())
}

// unite finds out what can be said of a run that was united from shards, as the run itself would
// have done without them.
func unite(ctx context.Context, u *history.Union) (int, []byte, error) {
	set, err := readSettings(&u.Info)
	if err != nil {
		return 0, nil, err
	}
	summary := report.NewSummary(nil)
	rests, err := partRests(u)
	if err != nil {
		return 0, nil, err
	}
	summary.Complete(&report.Trailer{Translators: rests[0].Translators}) // in their order
	killed := map[int]bool{}
	for i, part := range u.Parts {
		killed[part.Shard] = rests[i].Cut
	}
	triage := cross.NewTriage(cross.Options{}, cross.TriageOptions{})
	decided := history.Decided{NoLanguages: set.NoLanguages, NoProperties: set.NoProperties}
	shards := u.Parts[0].Shards
	err = u.Store.Cases(ctx, u.Info.Run, func(c *outcome.Case) error {
		summary.Add(c)
		decided.Add(c)
		if set.Grind && !killed[c.Index%shards+1] {
			return nil // its causes are known
		}
		_, err := triage.Add(ctx, c)
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	causes, err := triage.Causes(ctx)
	if err != nil {
		return 0, nil, err
	}
	lists := [][]*outcome.Cause{causes}
	duplicates := 0
	for _, rest := range rests {
		var list []*outcome.Cause
		for _, c := range rest.Causes {
			list = append(list, c.Cause)
		}
		if set.Grind {
			lists = append(lists, list)
		}
		if rest.Counts != nil {
			duplicates = max(duplicates, rest.Counts.Duplicates) // each shard has seen all formulas
		}
		summary.Complete(&report.Trailer{Translators: rest.Translators, Counts: rest.Counts, Cut: rest.Cut})
	}
	if set.Grind {
		causes = cross.UniteCauses(lists)
	}
	for _, c := range causes {
		summary.Causes = append(summary.Causes, report.Cause{Cause: c, Command: set.Rerun.command(c)})
	}
	if summary.Regression, err = u.Compare(ctx, causes, set.Rerun.command, &decided); err != nil {
		return 0, nil, err
	}
	baseline := set.Baseline
	if _, err := u.Store.Find(ctx, baseline); baseline != "" && err != nil {
		note := fmt.Sprintf("sizes and times not compared with run %s: it is not in this history", baseline)
		summary.Regression.Notes, baseline = append(summary.Regression.Notes, note), ""
	}
	if err := u.Store.Measure(ctx, summary.Regression, baseline); err != nil {
		return 0, nil, err
	}
	if summary.Trend, err = u.Store.Trend(ctx, u.Info.Run, trendRuns); err != nil {
		return 0, nil, err
	}
	s := &summary.Counts
	s.Duplicates = duplicates
	if !u.Whole() {
		s.Interrupted, s.Error = true, Lacks(u)
	}
	rules := set.rules()
	var lost error
	if s.Error != "" {
		lost = errors.New(s.Error)
	}
	rules.decide(summary, lost)
	totals, err := json.Marshal(summary.Trailer())
	return s.Status, totals, err
}

// trendRuns is how many runs a trend goes back.
const trendRuns = 60

// partRests returns what the shards have beside their cases.
func partRests(u *history.Union) (rests []*report.Trailer, err error) {
	for _, part := range u.Parts {
		info := u.Info
		info.Totals = part.Totals
		rest, err := Totals(&info)
		if err != nil {
			return nil, fmt.Errorf("shard %d/%d: %w", part.Shard, part.Shards, err)
		}
		rests = append(rests, rest)
	}
	return rests, nil
}

// Lacks says which shards a union has not got, or not completely; "" if there are none.
func Lacks(u *history.Union) string {
	var parts []string
	for _, x := range []struct {
		shards []int
		one    string
		more   string
	}{{u.Missing, "is missing", "are missing"}, {u.Unfinished, "is unfinished", "are unfinished"}} {
		var list []string
		for _, n := range x.shards {
			list = append(list, strconv.Itoa(n))
		}
		switch len(list) {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("shard %s of %d %s", list[0], u.Parts[0].Shards, x.one))
		default:
			parts = append(parts, fmt.Sprintf("shards %s of %d %s", strings.Join(list, ", "), u.Parts[0].Shards, x.more))
		}
	}
	return strings.Join(parts, "; ")
}
