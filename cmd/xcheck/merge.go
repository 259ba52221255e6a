package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

func (a *app) mergeCommand() *cobra.Command {
	into := defaultHistory
	c := &cobra.Command{
		Use:   "merge [flags] FILE…",
		Short: "Merge histories, and the shards of runs",
		Long: `Adds the runs in each FILE to one history, and merges the shards of a run that
'xcheck run --shard' has stored. Runs that are already there stay as they are.
A merge that fails changes nothing.

Shards belong to one run if configuration, seed, --name, versions and earlier
failures are the same. If some are missing or unfinished, the exit status is 1;
merge again when they are done.`,
		Example: `  xcheck run -c nightly.toml --shard 1/2 --name monday --history=1.db
  xcheck run -c nightly.toml --shard 2/2 --name monday --history=2.db
  xcheck merge --into xcheck.db 1.db 2.db
  xcheck report --history xcheck.db`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no histories to merge: xcheck merge [--into FILE] FILE…")
			}
			return a.notOver(c, append(slices.Clone(args), into))
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.merge(into, args) },
	}
	c.Flags().StringVar(&into, "into", into, "add the runs to the history in `FILE`")
	return c
}

func (a *app) merge(into string, names []string) (err error) {
	var others []*history.Store
	defer func() {
		for _, s := range others {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, name := range names {
		s, err := history.OpenExisting(a.ctx, name)
		if err != nil {
			return err
		}
		others = append(others, s)
	}
	store, err := history.Open(a.ctx, into)
	if err != nil {
		return err
	}
	merged, err := store.Merge(a.ctx, others, func(u *history.Union) (int, []byte, error) { return unite(a.ctx, u) })
	if err = errors.Join(err, store.Close()); err != nil {
		return err
	}
	for _, u := range merged.Unions {
		if u.Whole() {
			continue
		}
		for _, note := range u.Notes {
			fmt.Fprintf(a.err, "xcheck: %s\n", note)
		}
		fmt.Fprintf(a.err, "xcheck: %s: run %d is incomplete: %s; merge again when they are done\n", into, u.Info.Run, lacks(u))
		err = statusOther
	}
	return errors.Join(a.answer(strings.TrimSuffix(mergeText(into, merged), "\n"), mergeAnswer(into, merged)), err)
}

// unite finds out what can be said of a run that was united from shards, as the run itself would
// have done without them.
func unite(ctx context.Context, u *history.Union) (int, []byte, error) {
	var set settings
	if err := json.Unmarshal(u.Settings, &set); err != nil {
		return 0, nil, fmt.Errorf("settings of run %d: %w", u.Info.Run, err)
	}
	tally := report.NewTally(nil)
	rests, err := partRests(u)
	if err != nil {
		return 0, nil, err
	}
	tally.Complete(&report.Rest{Translators: rests[0].Translators}) // in their order
	killed := map[int]bool{}
	for i, part := range u.Parts {
		killed[part.Shard] = rests[i].Cut
	}
	triage := cross.NewTriage(cross.Options{}, cross.TriageOptions{})
	decided := history.Decided{NoLanguages: set.NoLanguages, NoProperties: set.NoProperties}
	shards := u.Parts[0].Shards
	err = u.Store.Cases(ctx, u.Info.Run, func(c *outcome.Case) error {
		tally.Add(c)
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
		if rest.Summary != nil {
			duplicates = max(duplicates, rest.Summary.Duplicates) // each shard has seen all formulas
		}
		tally.Complete(&report.Rest{Translators: rest.Translators, Summary: rest.Summary, Cut: rest.Cut})
	}
	if set.Grind {
		causes = cross.UniteCauses(lists)
	}
	for _, c := range causes {
		tally.Causes = append(tally.Causes, report.Cause{Cause: c, Command: set.Again.command(c)})
	}
	if tally.Regression, err = u.Compare(ctx, causes, set.Again.command, &decided); err != nil {
		return 0, nil, err
	}
	baseline := set.Baseline
	if _, err := u.Store.Find(ctx, baseline); baseline != "" && err != nil {
		note := fmt.Sprintf("sizes and times not compared with run %s: it is not in this history", baseline)
		tally.Regression.Notes, baseline = append(tally.Regression.Notes, note), ""
	}
	if err := u.Store.Measure(ctx, tally.Regression, baseline); err != nil {
		return 0, nil, err
	}
	if tally.Trend, err = u.Store.Trend(ctx, u.Info.Run, trendRuns); err != nil {
		return 0, nil, err
	}
	s := &tally.Summary
	s.Duplicates = duplicates
	if !u.Whole() {
		s.Interrupted, s.Error = true, lacks(u)
	}
	rules := set.rules()
	var lost error
	if s.Error != "" {
		lost = errors.New(s.Error)
	}
	rules.decide(tally, lost)
	totals, err := json.Marshal(tally.Rest())
	return s.Status, totals, err
}

// trendRuns is how many runs a trend goes back.
const trendRuns = 60

// partRests returns what the shards have beside their cases.
func partRests(u *history.Union) (rests []*report.Rest, err error) {
	for _, part := range u.Parts {
		info := u.Info
		info.Totals = part.Totals
		rest, err := storedRest(&info)
		if err != nil {
			return nil, fmt.Errorf("shard %d/%d: %w", part.Shard, part.Shards, err)
		}
		rests = append(rests, rest)
	}
	return rests, nil
}

// lacks says what a union has not got.
func lacks(u *history.Union) string {
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

func mergeText(into string, m *history.Merged) string {
	var b strings.Builder
	for _, u := range m.Unions {
		var shards []string
		for _, part := range u.Parts {
			shards = append(shards, strconv.Itoa(part.Shard))
		}
		fmt.Fprintf(&b, "run %d%s: merged from shards %s of %d: %s\n", u.Info.Run, inParentheses(u.Name), strings.Join(shards, ", "), u.Parts[0].Shards, number(u.Cases, "formula"))
	}
	for _, info := range m.Added {
		fmt.Fprintf(&b, "run %d%s: added: %s\n", info.Run, inParentheses(info.Name), number(info.Cases, "formula"))
	}
	if m.Known > 0 {
		fmt.Fprintf(&b, "already in %s: %s\n", into, number(m.Known, "run"))
	}
	return b.String()
}

func number(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// inParentheses returns the name of a run, in parentheses, if it has one.
func inParentheses(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

func mergeAnswer(into string, m *history.Merged) any {
	type union struct {
		outcome.RunID
		Shards     int   `json:"shards"`
		Cases      int   `json:"cases"`
		Status     *int  `json:"exit_status"`
		Missing    []int `json:"missing"`
		Unfinished []int `json:"unfinished"`
	}
	type added struct {
		outcome.RunID
		Cases int `json:"cases"`
	}
	answer := struct {
		Into   string  `json:"into"`
		United []union `json:"united"`
		Added  []added `json:"added"`
		Known  int     `json:"known"`
	}{into, []union{}, []added{}, m.Known}
	for _, u := range m.Unions {
		answer.United = append(answer.United, union{u.RunID, u.Parts[0].Shards, u.Cases, u.Status, append([]int{}, u.Missing...), append([]int{}, u.Unfinished...)})
	}
	for _, info := range m.Added {
		answer.Added = append(answer.Added, added{info.RunID, info.Cases})
	}
	return answer
}
