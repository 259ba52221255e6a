package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// nightFlags are the flags of a run that is one of many: it is stored, compared with those
// before it, and perhaps one part of several.
type nightFlags struct {
	history   string
	resume    bool
	shard     shard
	name      string
	baseline  string
	failOnNew bool
}

// defaultHistory is the file of --resume alone.
const defaultHistory = "xcheck.db"

func (f *nightFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.history, "history", "", "store the run in `FILE`, compare with earlier runs")
	fs.BoolVar(&f.resume, "resume", false, "resume the last unfinished run, or start one")
	fs.Var(&f.shard, "shard", "check only part `I/N` of the formulas")
	fs.StringVar(&f.name, "name", "", "call the run `NAME` in the history")
	fs.StringVar(&f.baseline, "baseline", "", "compare sizes and times with run `RUN`")
	fs.Lookup("baseline").DefValue = "last run without new failures"
	fs.BoolVar(&f.failOnNew, "fail-on-new", false, "exit 1 only after new or returned failures")
}

// override lets the flags override what the configuration says.
func (f *nightFlags) override(given func(string) bool, h *configs.History) error {
	if given("history") {
		if f.history == "" {
			return errors.New(`--history "": expected a file name`)
		}
		h.File = f.history
	}
	if given("name") {
		h.Name = f.name
	}
	if _, err := strconv.ParseInt(h.Name, 10, 64); err == nil || h.Name == "last" {
		return fmt.Errorf("--name %q: expected a name other than a number or \"last\"", h.Name)
	}
	if strings.ContainsFunc(h.Name, unicode.IsControl) {
		return fmt.Errorf("--name %q: expected a name without control characters", h.Name)
	}
	if given("baseline") {
		h.Baseline = f.baseline
	}
	if given("fail-on-new") {
		h.FailOnNew = f.failOnNew
	}
	if f.resume && h.File == "" {
		h.File = defaultHistory
	}
	if h.File != "" {
		return nil
	}
	for _, name := range []string{"name", "baseline", "fail-on-new"} {
		if given(name) {
			return fmt.Errorf("--%s needs --history", name)
		}
	}
	return nil
}

// A night is a run that is stored.
type night struct {
	store   *history.Store
	run     *history.Run
	plan    *history.Plan
	resumed *history.Info // nil if the run begins
	decided history.Decided
	// reported are the cases that are in the reports, of a run that may stop before its end.
	reported map[int]bool

	baseline string // what is asked for
}

// night opens the history of a run, and begins the run there or goes on with it; it returns
// nil if there is no history. The seed of random formulas becomes that of the run that goes on,
// if it was drawn.
func (a *app) night(f *runFlags, config *configs.Config, tools []*translators.Tool, o *cross.Options) (*night, error) {
	if config.History.File == "" {
		return nil, nil
	}
	if config.Checks.NoChecks && config.History.FailOnNew {
		return nil, errors.New("--fail-on-new cannot be combined with --no-checks")
	}
	for _, report := range []string{f.csv, config.Output.SaveBogus, f.grind} {
		if _, more := appended(report); more && f.night.resume {
			return nil, fmt.Errorf("%q: --resume rewrites reports from the start; use a file name without >>", report)
		}
	}
	text, err := setup(config, tools, o)
	if err != nil {
		return nil, err
	}
	n := &night{baseline: config.History.Baseline, plan: &history.Plan{Configuration: text, File: f.config, Name: config.History.Name,
		Shard: max(1, f.night.shard.part), Shards: max(1, f.night.shard.parts), Version: version()}}
	if n.plan.Settings, err = f.settings(config); err != nil {
		return nil, err
	}
	n.decided.NoLanguages = config.Checks.NoComplement || config.Checks.NoChecks
	n.decided.NoProperties = !config.Checks.Properties
	var names []string
	for _, tool := range tools {
		n.plan.Tools = append(n.plan.Tools, history.Tool{Name: tool.Name, Command: tool.Command.Text(), Version: tool.Version})
		names = append(names, tool.Name)
	}
	if n.store, err = history.Open(a.ctx, config.History.File); err != nil {
		return nil, err
	}
	if info, err := os.Stat(config.History.File); err == nil {
		a.inputs = append(a.inputs, info) // no report goes there
	}
	if err := n.begin(a.ctx, a.err, f.night.resume, config, o, names); err != nil {
		return nil, errors.Join(err, n.store.Close())
	}
	return n, nil
}

// begin begins the run, or goes on with it.
func (n *night) begin(ctx context.Context, w io.Writer, resume bool, config *configs.Config, o *cross.Options, names []string) (err error) {
	if baseline := config.History.Baseline; baseline != "" {
		if _, err := n.store.Find(ctx, baseline); err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
	}
	if resume {
		if n.resumed, err = n.unfinished(ctx, w); err != nil {
			return err
		}
	}
	if n.resumed != nil {
		if err := n.sameTools(); err != nil {
			return err
		}
		if err := n.continues(config, o); err != nil {
			return err
		}
		n.plan.Replayed = n.resumed.Replayed
		n.run, err = n.store.Resume(ctx, n.resumed)
		return err
	}
	if r := config.Formulas.Random; r != nil {
		if r.Timed() && r.Deadline.IsZero() {
			return fmt.Errorf("until: %q is in the past, and there is no run to resume", fmt.Sprint(r.Until))
		}
		n.plan.Seed = &r.Seed
	}
	if n.plan.Replayed, err = n.store.Replays(ctx, names); err != nil {
		return err
	}
	n.run, err = n.store.Begin(ctx, n.plan)
	return err
}

// dying is how long a process may take to go that was killed on a busy machine.
const dying = 2 * time.Second

// unfinished finds the run that is to go on, or nil. If it was at work on another host of late, it
// waits to see whether it still is: a job that was put back into the queue may come to another
// host soon after it was killed.
func (n *night) unfinished(ctx context.Context, w io.Writer) (*history.Info, error) {
	info, err := n.store.Unfinished(ctx, n.plan)
	var running *history.RunningError
	// One that was killed just now may take a moment to go.
	for end := time.Now().Add(dying); errors.As(err, &running) && running.Until.IsZero() && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(dying / 20)
		info, err = n.store.Unfinished(ctx, n.plan)
	}
	if !errors.As(err, &running) || running.Until.IsZero() {
		return info, err
	}
	wait := time.Until(running.Until)
	fmt.Fprintf(w, "xcheck: run %d was recently active on another host (%s): resuming here if it stays silent for %s\n", running.Run, running.Process, wait.Round(time.Second))
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return n.store.Unfinished(ctx, n.plan)
}

// continues takes the seed of the run that goes on, if it was drawn, and what is left of its time.
func (n *night) continues(config *configs.Config, o *cross.Options) (err error) {
	r := config.Formulas.Random
	if n.resumed.Seed != nil && seedDrawn(config) {
		r.Seed, o.Products.Seed = *n.resumed.Seed, *n.resumed.Seed
	}
	if r == nil || !r.Timed() {
		return nil
	}
	if r.For > 0 {
		spent := time.Duration(n.resumed.Spent * float64(time.Second))
		r.Deadline = time.Now().Add(r.For - spent)
		return nil
	}
	r.Deadline, err = r.Until.After(n.resumed.Started.Local())
	return err
}

// sameTools fails if some translator has another version than when the run was begun.
func (n *night) sameTools() error {
	for i, was := range n.resumed.Tools {
		if is := n.plan.Tools[i]; is.Version != was.Version {
			return fmt.Errorf("cannot resume run %d: it started with %s %s, and this is %s; drop --resume to start a new run",
				n.resumed.Run, was.Name, was.Version, is.Version)
		}
	}
	if n.resumed.Version != n.plan.Version {
		return fmt.Errorf("cannot resume run %d: it started with xcheck %s, and this is %s; drop --resume to start a new run", n.resumed.Run, n.resumed.Version, n.plan.Version)
	}
	return nil
}

// inputs puts the formulas that are replayed before the others, leaves out those of other
// shards, and adds what is known of those that were done when the run was killed. They end at
// the deadline, if there is one. The night may be nil.
func (n *night) inputs(a *app, part shard, deadline time.Time, next inputs) inputs {
	if n != nil {
		next = concatenated([]inputs{n.replays(), next})
	}
	next = a.inTime(next, deadline)
	index := -1
	return func() (cross.Input, error) {
		for skipped := 0; ; skipped++ {
			a.redone = n != nil && index < n.run.Last()
			in, err := next()
			if err != nil {
				return in, err
			}
			if index++; !part.has(index) {
				continue
			}
			in.Skipped = skipped
			if n != nil && n.run.Has(index) {
				err = n.known(a.ctx, index, &in)
			}
			return in, err
		}
	}
}

// replays gives the formulas on which something failed in earlier runs.
func (n *night) replays() inputs {
	return upTo(len(n.plan.Replayed), func(k int) (cross.Input, error) {
		f, err := ltl.NewStore().Parse(n.plan.Replayed[k], ltl.Spot)
		if err != nil {
			return cross.Input{Text: n.plan.Replayed[k], Err: err, Replayed: true}, nil
		}
		return cross.Input{Formula: f, Replayed: true}, nil
	})
}

// known adds the case of an input that was done before.
func (n *night) known(ctx context.Context, index int, in *cross.Input) (err error) {
	if in.Done, err = n.run.Case(ctx, index); err != nil {
		return err
	}
	was, is := in.Done.Formula, in.Text
	if in.Formula != nil {
		is = in.Formula.String()
	}
	if in.Err == nil && was != is || (in.Err != nil) != (in.Done.Error != "") {
		return fmt.Errorf("cannot resume from %q: formula %d of run %d was %q, and now it is %q; drop --resume to start a new run",
			n.store.Path(), index, n.run.RunID.Run, was, is)
	}
	return nil
}

// add takes a case that is reported.
func (n *night) add(c *outcome.Case, mayStop bool) {
	n.decided.Add(c)
	if !mayStop {
		return
	}
	if n.reported == nil {
		n.reported = map[int]bool{}
	}
	n.reported[c.Index] = true
}

// compare finds out what is new in the run.
func (n *night) compare(t *report.Tally) error {
	if err := n.run.Flush(); err != nil || n.run.Lost() {
		return err
	}
	if t.Summary.Stopped {
		if err := n.run.Only(n.reported); err != nil {
			return err
		}
	}
	var causes []*outcome.Cause
	for _, c := range t.Causes {
		causes = append(causes, c.Cause)
	}
	command := func(c *outcome.Cause) string {
		i := slices.IndexFunc(t.Causes, func(x report.Cause) bool {
			return x.Formula == c.Formula && x.Key == c.Key && slices.Contains(x.Translators, c.Translators[0])
		})
		if i < 0 {
			return ""
		}
		return t.Causes[i].Command
	}
	// Those whose formulas are not smallest may have the same key.
	causes = cross.UniteCauses([][]*outcome.Cause{causes})
	ctx := context.Background() // what was found is stored also when the run was interrupted
	r, err := n.run.Compare(ctx, causes, command, &n.decided)
	if err == nil {
		err = n.store.Measure(ctx, r, n.baseline)
	}
	if err == nil {
		t.Trend, err = n.store.Trend(ctx, r.Run, trendRuns)
	}
	t.Regression = r
	return err
}

// end stores how the run ended. Finished is false if it can go on.
func (n *night) end(t *report.Tally, finished bool) error {
	if n.run.Lost() {
		return n.store.Close()
	}
	totals, err := json.Marshal(t.Rest())
	if err == nil {
		err = n.run.End(t.Summary.Status, finished, totals)
	}
	return errors.Join(err, n.store.Close())
}

// abandon closes the history of a run that does not start after all.
func (n *night) abandon() (err error) {
	if n == nil {
		return nil
	}
	if n.resumed == nil {
		err = n.run.Discard()
	} else {
		err = n.run.Leave()
	}
	return errors.Join(err, n.store.Close())
}

// replayed returns how many formulas of earlier runs come first.
func (n *night) replayed() int {
	if n == nil {
		return 0
	}
	return len(n.plan.Replayed)
}

// resumedNote says on standard error where a run goes on.
func (n *night) resumedNote(w io.Writer, resume bool) {
	switch {
	case n == nil || !resume:
	case n.resumed != nil:
		fmt.Fprintf(w, "xcheck: resuming run %d of %s: %s done\n", n.run.RunID.Run, n.store.Path(), number(n.run.Stored(), "formula"))
	default:
		fmt.Fprintf(w, "xcheck: starting run %d of %s: no unfinished run of this configuration to resume\n", n.run.RunID.Run, n.store.Path())
	}
}
