package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

func (a *app) historyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "history COMMAND",
		Long: `Shows the runs that 'xcheck run --history' has stored. RUN is the number of a run,
its name (the latest run with that name), or "last".`,
		Example: `  xcheck history list
  xcheck history show last
  xcheck history compare 6 7
  xcheck history prune --keep 30`,
	}
	// command adds one that opens the history.
	command := func(use, short, example string, n int, do func(s *history.Store, args []string) error) *cobra.Command {
		file := defaultHistory
		sub := &cobra.Command{Use: use, Short: short, Example: "  xcheck history " + example, Args: arguments(n), RunE: func(_ *cobra.Command, args []string) error {
			s, err := history.OpenExisting(a.ctx, file)
			if err != nil {
				return err
			}
			return errors.Join(do(s, args), s.Close())
		}}
		sub.Flags().StringVar(&file, "history", file, "read the history in `FILE`")
		c.AddCommand(sub)
		return sub
	}
	// named is for what also says what the inputs of the runs are called.
	named := func(do func(s *history.Store, input string, args []string) error) func(*history.Store, []string) error {
		return func(s *history.Store, args []string) error {
			input, err := session.Input(a.ctx, s)
			if err != nil {
				return err
			}
			return do(s, input, args)
		}
	}
	command("list", "List the runs", "list", 0, named(a.listRuns)).Long = listHelp
	command("show RUN", "Show the translators and failures of a run", "show last", 1, named(a.showRun))
	command("compare RUN RUN", "Compare failures, sizes and times of two runs", "compare 6 7", 2, named(a.compareRuns))
	command("groups", "List groups of failures across all runs", "groups --history nights.db", 0, a.listGroups).Long = groupsHelp
	command("site DIR", "Write pages of all causes, for a browser", "site pages --history nights.db", 1, func(s *history.Store, args []string) error {
		w, err := session.WriteSite(a.ctx, s, args[0], a.note)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s: %s, %s; %s written, %d unchanged", w.Index, plural.Of(w.Causes, "cause"), plural.Of(w.Runs, "run"), plural.Of(w.Written, "page"), w.Same)
		if w.Removed > 0 {
			text += fmt.Sprintf(", %d removed", w.Removed)
		}
		return a.answer(text, w)
	}).Long = siteHelp
	p := &pruneFlags{keep: -1}
	prune := command("prune", "Delete the formulas of old runs, keep failures", "prune --keep 30\n  xcheck history prune --older-than 90d", 0, named(func(s *history.Store, input string, _ []string) error { return a.prune(s, input, p) }))
	prune.Flags().IntVar(&p.keep, "keep", p.keep, "keep the formulas of the newest `N` finished runs")
	prune.Flags().StringVar(&p.older, "older-than", "", "prune runs older than `AGE`, such as 90d or 12h")
	prune.Flags().BoolVar(&p.unfinished, "unfinished", false, "also prune unfinished runs, which can no longer resume")
	prune.Flags().Lookup("keep").DefValue = ""
	exclusive(prune, "keep", "older-than")
	command("check", "Check the integrity of the file", "check", 0, func(s *history.Store, _ []string) error {
		if err := s.Check(a.ctx); err != nil {
			return err
		}
		return a.answer(s.Path()+" is intact", historyCheck{s.Path(), true})
	})
	return c
}

func (a *app) listRuns(s *history.Store, input string, _ []string) error {
	list, err := s.Runs(a.ctx)
	if err != nil {
		return err
	}
	runs := []history.Line{} // never nil: [] in JSON
	rows := [][]string{{"run", "name", "started", "configuration", "shard", "seed", plural.Word(input), "failed", "new", "ended"}}
	for _, x := range list {
		r := &x.Line
		runs = append(runs, *r)
		part := ""
		if r.Shards > 1 {
			part = fmt.Sprintf("%d/%d", r.Shard, r.Shards)
		}
		rows = append(rows, []string{strconv.FormatInt(r.Run, 10), r.Name, r.Started.Format(time.DateTime), r.File, part, plural.Seed(r.Seed),
			strconv.Itoa(r.Cases), strconv.Itoa(r.Failed), strconv.Itoa(r.New), r.State()})
	}
	text := "no runs"
	if len(runs) > 0 {
		text = table.New(rows).Fit(columnsOf(a.out)).String()
	}
	return a.answer(text, historyList{runs})
}

// showRun prints what a run was, and which of its failures were new.
func (a *app) showRun(s *history.Store, input string, args []string) error {
	x, err := s.Find(a.ctx, args[0])
	if err != nil {
		return err
	}
	rest, err := session.Totals(x)
	if err != nil {
		return fmt.Errorf("%s: run %d: %w", s.Path(), x.Run, err)
	}
	summary := report.SummaryOf(rest)
	a.status = summary.Show(false) // failures that are shown are no failure of this command
	if a.json != "" {
		return a.answer("", historyRun{x.Line, x.Version, x.Spent, x.Hash, x.Configuration, x.Replayed, rest.Translators, rest.Regression, rest.Power, rest.Counts})
	}
	fmt.Fprintf(a.out, "run %d%s, started %s: %s\n", x.Run, inParentheses(x.Name), x.Started.Format(time.DateTime), x.State())
	rows := [][]string{{"", ""}} // without a head
	for _, row := range [][2]string{{"incomplete", summary.Gaps()}, {"configuration", x.File}, {"seed", plural.Seed(x.Seed)}, {"xcheck", x.Version}, {"duration", (time.Duration(x.Spent*1000) * time.Millisecond).String()},
		{plural.Word(input), fmt.Sprintf("%d, %d failed", x.Cases, x.Failed)}} {
		if row[1] != "" {
			rows = append(rows, row[:])
		}
	}
	if x.Shards > 1 {
		rows = append(rows, []string{"shard", fmt.Sprintf("%d/%d", x.Shard, x.Shards)})
	}
	if len(x.Parts) > 0 {
		rows = append(rows, []string{"merged from", fmt.Sprintf("%d of %d shards", len(x.Parts), x.Parts[0].Shards)})
	}
	for _, t := range x.Tools {
		rows = append(rows, []string{"translator", strings.TrimSpace(t.Name + " " + t.Version)})
	}
	text := table.New(rows).Fit(columnsOf(a.out)).String()
	if rest.Regression != nil {
		groups := [][]string{{"state", "translator", "kind", "formulas", "formula"}}
		for _, g := range rest.Regression.Groups {
			groups = append(groups, []string{string(g.State), strings.Join(g.Translators, ", "), report.ClassName(g.Class), strconv.Itoa(g.Formulas), screen.TitleOf(g.Formula)})
		}
		if len(groups) == 1 {
			text += "no failures in this run or earlier ones"
		} else {
			text += table.New(groups).Fit(columnsOf(a.out)).String()
		}
	}
	_, err = fmt.Fprintln(a.out, strings.Trim(text, "\n"))
	return err
}

func (a *app) compareRuns(s *history.Store, input string, args []string) error {
	var runs [2]*history.Info
	for i, text := range args {
		var err error
		if runs[i], err = s.Find(a.ctx, text); err != nil {
			return err
		}
	}
	if runs[0].Run == runs[1].Run {
		return fmt.Errorf("cannot compare run %d with itself; name two runs", runs[0].Run)
	}
	list, err := s.Timelines(a.ctx)
	if err != nil {
		return err
	}
	only := [2][]*outcome.Timeline{{}, {}}
	both := 0
	for _, t := range list {
		// A group that a run met failed in it, whatever its state was then.
		first, second := t.Met(runs[0].Run), t.Met(runs[1].Run)
		switch {
		case first && second:
			both++
		case first:
			only[0] = append(only[0], t)
		case second:
			only[1] = append(only[1], t)
		}
	}
	r := &outcome.Regression{RunID: runs[1].RunID, Changes: []outcome.Change{}}
	if err := s.Measure(a.ctx, r, strconv.FormatInt(runs[0].Run, 10), plural.Word(input)); err != nil {
		return err
	}
	for _, x := range runs {
		if x.Pruned {
			r.Notes = append(r.Notes, fmt.Sprintf("run %d was pruned, so its sizes and times are gone", x.Run))
		}
	}
	var lines [][]string
	add := func(format string, args ...any) { lines = append(lines, []string{fmt.Sprintf(format, args...)}) }
	for i, x := range runs {
		add("groups of failures only in run %d%s: %d", x.Run, inParentheses(x.Name), len(only[i]))
		for _, t := range only[i] {
			add("  %s: %s: %s", t.Translator, report.ClassName(t.Class), screen.TitleOf(t.Formula))
		}
	}
	add("groups of failures in both runs: %d", both)
	for _, c := range r.Changes {
		add("%s", c.Sentence(&runs[0].RunID))
	}
	if len(r.Changes) == 0 {
		add("sizes and times: no significant change")
	}
	for _, note := range r.Notes {
		add("note: %s", note)
	}
	return a.answer(table.New(lines).Fit(columnsOf(a.out)).String(), historyComparison{runs[0].RunID, runs[1].RunID, only[0], only[1], both, r.Changes, append([]string{}, r.Notes...)})
}

// lifeText says in which runs a group had which state: "3 new · 4–7 known · 8 fixed".
func lifeText(list []outcome.Occurrence) string {
	var spans []string
	for i := 0; i < len(list); {
		j := i // the last run of those in a row that have the same state
		for j+1 < len(list) && list[j+1].State == list[i].State {
			j++
		}
		runs := fmt.Sprint(list[i].Run)
		if j > i {
			runs += fmt.Sprintf("–%d", list[j].Run)
		}
		spans = append(spans, fmt.Sprintf("%s %s", runs, list[i].State))
		i = j + 1
	}
	return strings.Join(spans, " · ")
}

func (a *app) listGroups(s *history.Store, _ []string) error {
	list, err := s.Timelines(a.ctx)
	if err != nil {
		return err
	}
	rows := [][]string{{"translator", "kind", "formula", "runs"}}
	for _, t := range list {
		formula := screen.TitleOf(t.Formula)
		if t.Polarity == outcome.Negation {
			formula = "!(" + formula + ")"
		}
		rows = append(rows, []string{t.Translator, report.ClassName(t.Class), formula, lifeText(t.Occurrences)})
	}
	text := "no failures in any run"
	if len(list) > 0 {
		text = table.New(rows).Fit(columnsOf(a.out)).String()
	}
	return a.answer(text, historyGroups{list})
}

// pruneFlags say which cases are deleted.
type pruneFlags struct {
	keep       int
	older      string
	unfinished bool
}

func (a *app) prune(s *history.Store, input string, f *pruneFlags) error {
	var before time.Time
	if f.older != "" {
		age, err := parseAge(f.older)
		if err != nil {
			return fmt.Errorf("--older-than %q: %w", f.older, err)
		}
		before, f.keep = time.Now().Add(-age), -1 // age alone decides
	} else if f.keep == -1 { // the default: no flag was given
		return errors.New("nothing to prune: add --keep N or --older-than AGE")
	} else if f.keep < 0 {
		return cli.AtLeast("keep", f.keep, 0)
	}
	p, err := s.Prune(a.ctx, f.keep, before, f.unfinished)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s pruned: %s deleted, %d KiB freed", plural.Of(len(p.Runs), "run"), plural.Of(p.Cases, input), p.Bytes>>10)
	if p.Busy {
		text += "; prune again when no run is active, to shrink the file"
	}
	return a.answer(text, historyPruned{p.Runs, p.Cases, p.Bytes})
}

// parseAge reads a duration of at least 0, which may be in days.
func parseAge(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= 100_000 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	} else if age, err := time.ParseDuration(text); err == nil && age >= 0 {
		return age, nil
	}
	return 0, errors.New("expected days, hours or minutes, such as 90d, 12h or 30m")
}

// defaultHistory is the file of --resume alone.
const defaultHistory = "xcheck.db"

// checkHistory checks what the configuration says of the history, after the flags have overridden
// it.
func (f *runFlags) checkHistory(h *configs.History) error {
	if _, err := strconv.ParseInt(h.Name, 10, 64); err == nil || h.Name == "last" { // RUN would mean another run
		return fmt.Errorf("--name %q: expected a name other than a number or \"last\"", h.Name)
	}
	if strings.ContainsFunc(h.Name, unicode.IsControl) {
		return fmt.Errorf("--name %q: expected a name without control characters", h.Name)
	}
	if h.File == "" && f.flags.Changed("history") {
		return errors.New(`--history "": expected a file name`)
	}
	if f.plan.Resume && h.File == "" {
		h.File = f.storeByDefault
	}
	if h.File != "" {
		return nil
	}
	return cli.NoneOf(f.flags, "--%s needs --history", "name", "baseline", "fail-on-new")
}

const listHelp = `Lists the runs, the oldest first. "failed" counts formulas on which a translator fails, "new" counts groups
of failures that are new or back again. "ended" is the first word of the report's last line, such as PASS or
FAIL. Other runs are running or unfinished.`

const groupsHelp = `Lists the groups of failures of all runs. A group has the failures of one translator that have one
cause, with the smallest formula. "runs" says in which run the group was new, fixed, or back again.`

const siteHelp = `Writes a static site of the history to DIR: an index of causes and translators, and
a page for each cause. Creates DIR if necessary. Open DIR/index.html in a
browser; it needs no server. The page of a cause keeps its name from night to night.
Unchanged pages are not rewritten.`

func (a *app) mergeCommand() *cobra.Command {
	into := defaultHistory
	c := &cobra.Command{
		Use: "merge [flags] FILE…",
		Long: `Adds the runs in each FILE to one history, and merges the shards of a run that
'xcheck run --shard' has stored. It leaves finished runs that are already there alone.
A merge that fails changes nothing.

Shards belong to one run if configuration, seed, --name, versions and earlier
failures are the same. If some are missing or unfinished, the exit status is 1;
merge again when they are done. It is 3 if some translator was not checked at all.`,
		Example: `  xcheck run -c nightly.toml --shard 1/2 --name monday --history=1.db
  xcheck run -c nightly.toml --shard 2/2 --name monday --history=2.db
  xcheck merge --into xcheck.db 1.db 2.db
  xcheck report --history xcheck.db`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no histories to merge: xcheck merge [--into FILE] FILE…")
			}
			return a.notOver(append(slices.Clone(args), into))
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.merge(into, args) },
	}
	c.Flags().StringVar(&into, "into", into, "add the runs to the history in `FILE`")
	return c
}

func (a *app) merge(into string, names []string) error {
	merged, err := session.Merge(a.ctx, into, names...)
	if err != nil {
		return err
	}
	for _, u := range merged.Unions {
		if gaps := merged.Gaps[u.Info.Run]; gaps != "" {
			a.note(fmt.Sprintf("%s: run %d: %s", into, u.Info.Run, gaps))
			a.status = outcome.ExitIncomplete // unless shards are missing
		}
		if slices.Sort(u.Mixed); len(u.Mixed) > 0 {
			a.note(fmt.Sprintf("%s: run %d: its shards ran different programs of %s: run all shards again with one program", into, u.Info.Run, strings.Join(u.Mixed, ", ")))
		}
		if u.Whole() {
			continue
		}
		// A part of a run may have missed what the others found: that is no success.
		for _, note := range u.Notes {
			a.note(note)
		}
		a.note(fmt.Sprintf("%s: run %d is incomplete: %s; merge again when they are done", into, u.Info.Run, merged.Lacks[u.Info.Run]))
		a.answered(false)
	}
	for _, info := range merged.Added {
		if !info.Finished {
			a.note(fmt.Sprintf("%s: run %d is unfinished", into, info.Run))
			a.answered(false)
		}
	}
	answer := mergedAnswer{into, []mergedRun{}, []mergedCopy{}, merged.Known} // never nil: [] in JSON
	var lines []string
	for _, u := range merged.Unions {
		lines = append(lines, fmt.Sprintf("run %d%s: merged from shards %s of %d: %s", u.Info.Run, inParentheses(u.Name), merged.Shards(u), u.Parts[0].Shards, plural.Of(u.Cases, merged.Input)))
		answer.United = append(answer.United, mergedRun{u.RunID, u.Parts[0].Shards, u.Cases, u.Status, append([]int{}, u.Missing...), append([]int{}, u.Unfinished...)})
	}
	for _, info := range merged.Added {
		lines = append(lines, fmt.Sprintf("run %d%s: added: %s", info.Run, inParentheses(info.Name), plural.Of(info.Cases, merged.Input)))
		answer.Added = append(answer.Added, mergedCopy{info.RunID, info.Cases})
	}
	if merged.Known > 0 {
		lines = append(lines, fmt.Sprintf("already in %s: %s", into, plural.Of(merged.Known, "run")))
	}
	return a.answer(cmp.Or(strings.Join(lines, "\n"), "no runs to add"), answer)
}

// inParentheses returns the name of a run, in parentheses, if it has one.
func inParentheses(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}
