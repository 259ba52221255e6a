package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

type bisectFlags struct {
	runFlags
	cause, file, kind    string
	list, git, bad       string
	build                string
	buildTime, wholeTime time.Duration
}

// revision stands for a version in commands.
const revision = "{rev}"

// maxVersions is how many versions there may be.
const maxVersions = 100_000

func (a *app) bisectCommand() *cobra.Command {
	f := &bisectFlags{file: defaultHistory, buildTime: time.Hour}
	c := &cobra.Command{
		Use: "bisect [flags] [VERSION]…",
		Long: `Finds the version of a translator that introduced a failure and, if later ones
are right, the one that fixed it. Name the versions from the oldest to the
newest. In --translator and --build, {rev} stands for the version. With --git,
let --build check out the commit: 'git checkout -q {rev} && make'. Afterwards,
check out your branch again.

The failure is a group of a history (--cause), or wrong automata for the
formulas of -f. KEY is the formula that 'xcheck history groups' shows, or a
unique part of the key in its --json. A version is bad if it fails in this way
on one of the formulas, and good if it is right on all. It is skipped if --build
fails, or if it fails in another way. The history keeps the answer.

Exits with 1 if no version is bad, with 2 if that is not known.`,
		Example: `  xcheck bisect -f 'a U b' -t './mytool-{rev} %f' 1.0 1.1 1.2 2.0
  xcheck bisect -f 'a U b' -t 'mytool %f' --git v1..main --build './build {rev}'
  xcheck bisect --cause Fa -t 'mytool-{rev} %f' --versions all`,
		RunE: func(_ *cobra.Command, args []string) error { return a.bisect(f, args) },
	}
	f.begin(c)
	fs := f.flags
	fs.StringVar(&f.cause, "cause", "", "look for the group of failures `KEY` of the history")
	fs.StringVar(&f.file, "history", f.file, "read the group from, and store the result in `FILE`")
	fs.StringArrayVarP(&f.formulas, "formula", "f", nil, "check the formula `FORMULA`")
	f.syntax = "spot"
	fs.StringVar(&f.kind, "kind", "words", "failures of `KIND`: words, property, crash, exit and others")
	fs.StringArrayVarP(&f.choice.Commands, "translator", "t", nil, "test the translator `COMMAND`")
	fs.StringVarP(&f.config, "config", "c", "", "read the translator of the cause from `FILE`")
	fs.StringVar(&f.list, "versions", "", "read versions from the lines of `FILE` (-: standard input)")
	fs.StringVar(&f.git, "git", "", "test the commits of `RANGE`, such as v1.0..main")
	fs.StringVar(&f.bad, "bad", "", "start from `VERSION`, which is bad")
	fs.StringVar(&f.build, "build", "", "build a version with `COMMAND`")
	parsedTime := func(name, short, about string, value *time.Duration) {
		bind(&f.settings, name, f.settings.text(name, short, defaultTime(*value), about), func(_ *configs.Config, text string) (err error) {
			*value, err = configs.ParseDuration(text)
			if err != nil {
				err = fmt.Errorf("--%s: %w", name, err)
			}
			return err
		})
	}
	parsedTime("build-timeout", "", "skip versions that build longer than `DURATION`", &f.buildTime)
	f.timeout = parsed(&f.settings, "timeout", "T", "1m", "stop a translator after `DURATION`",
		configs.ParseDuration, func(c *configs.Config) *time.Duration { return &c.Limits.Timeout })
	parsedTime("max-time", "", "stop after `DURATION`", &f.wholeTime)
	exclusive(c, "versions", "git")
	exclusive(c, "cause", "formula")
	exclusive(c, "cause", "kind")
	exclusive(c, "translator", "config")
	return c
}

// defaultTime shows a default in help.
func defaultTime(d time.Duration) string {
	if d == 0 {
		return "no limit"
	}
	return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
}

// bisected is the JSON of bisect.
type bisected struct {
	*outcome.Bisection
	Key string `json:"key,omitempty"` // identifies the group in all runs
	// the history that now has the result; missing if none was stored
	History string `json:"history,omitempty"`
}

func (a *app) bisect(f *bisectFlags, args []string) error {
	versions, err := f.versions(a, args)
	if err != nil {
		return err
	}
	b := &session.Bisecting{Versions: versions, Bad: -1, Progress: func(text string) { fmt.Fprintln(a.err, text) }}
	if f.bad != "" {
		bad := f.bad
		if f.git != "" && !strings.HasPrefix(bad, "-") { // a tag, say
			if list, err := gitCommits(a.ctx, "--no-walk", bad); err == nil {
				bad = strings.Join(list, " ")
			}
		}
		if b.Bad = slices.Index(versions, bad); b.Bad < 0 {
			return fmt.Errorf("--bad %q: it is not among the versions", f.bad)
		}
	}
	cause, err := f.failure(a, b)
	if err != nil {
		return err
	}
	if !strings.Contains(strings.Join(f.choice.Commands, "\n")+f.build, revision) {
		return fmt.Errorf("all versions would be the same: put %s into --translator or --build", revision)
	}
	f.choice.NoBuiltin, f.choice.NoFound = true, true
	commands := f.choice.Commands
	b.Plan = func(version string) (*session.Plan, error) {
		f.choice.Commands = nil
		for _, command := range commands {
			f.choice.Commands = append(f.choice.Commands, strings.ReplaceAll(command, revision, version))
		}
		return f.chosen(a)
	}
	if _, err := b.Plan(versions[0]); err != nil { // also reads the flags
		return err
	}
	if f.build != "" {
		b.Build = func(version string) string { return strings.ReplaceAll(f.build, revision, version) }
		b.BuildTimeout = f.buildTime
	}
	ctx := a.ctx
	if f.wholeTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.wholeTime)
		defer cancel()
	}
	a.orderly.Store(true)
	found, err := session.Bisect(ctx, b)
	if err != nil {
		return err
	}
	f.choice.Commands = commands
	return a.bisected(f, cause, found)
}

// bisected stores and prints the result.
func (a *app) bisected(f *bisectFlags, cause *outcome.Timeline, found *outcome.Bisection) error {
	answer := bisected{Bisection: found}
	if cause != nil {
		found.Translator, found.Class, found.Formulas = cause.Translator, cause.Class.String(), cause.Replays
		answer.Key = cause.Key
	} else {
		found.Translator, found.Class, found.Formulas = f.choice.Commands[0], f.kind, f.formulas
	}
	if cause != nil && found.FirstBad != nil && found.Unfinished == "" {
		s, err := history.OpenExisting(a.ctx, f.file)
		if err != nil {
			return err
		}
		if err := errors.Join(s.PutBisection(a.ctx, cause.Key, found), s.Close()); err != nil {
			return err
		}
		answer.History = s.Path()
	}
	switch {
	case found.Unfinished != "":
		a.undecided()
	case found.FirstBad == nil:
		a.answered(false)
	}
	return a.answer(answer.text(), answer)
}

// text says what was found, and how sure that is.
func (b *bisected) text() string {
	lines := []string{b.String()}
	explain := func(c *outcome.VersionChange, before, after string) {
		switch {
		case c == nil:
			return
		case c.Before != "":
			lines = append(lines, fmt.Sprintf("  %s is %s, %s is %s", c.Before, before, c.Version, after))
		}
		if n := len(c.Open); n > 0 && b.Unfinished == "" {
			lines = append(lines, fmt.Sprintf("  %d cannot be tested: %s", n, outcome.Line(strings.Join(c.Open, ", "), 200)))
		}
	}
	explain(b.FirstBad, "good", "bad")
	explain(b.FirstGood, "bad", "good")
	switch {
	case b.Unfinished != "":
		lines = append(lines, "  unfinished: "+b.Unfinished)
		if b.FirstBad == nil {
			lines = append(lines, "  if you know a bad version, name it with --bad")
		}
	case b.FirstBad != nil && b.FirstGood == nil:
		lines = append(lines, "  not fixed in any newer version that was tested")
	}
	lines = append(lines, fmt.Sprintf("  %d of %d versions tested", len(b.Tests), b.Versions))
	return strings.Join(lines, "\n")
}

// failure says what is looked for. The cause is nil without a history.
func (f *bisectFlags) failure(a *app, b *session.Bisecting) (*outcome.Timeline, error) {
	if f.cause == "" {
		return nil, f.ofKind(b)
	}
	s, err := history.OpenExisting(a.ctx, f.file)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if input, err := session.Input(a.ctx, s); err != nil || input != "formula" {
		return nil, cmp.Or(err, fmt.Errorf("%s: its runs check automata; bisect needs formulas", f.file))
	}
	cause, err := findGroup(a.ctx, s, f.cause)
	if err != nil {
		return nil, err
	}
	if cause.Key != f.cause {
		a.note("looking for " + cause.Key)
	}
	want := cause.Class.Category()
	b.Fails = func(c outcome.Class) bool { return c.Category() == want }
	f.formulas = cause.Replays
	switch {
	case f.config != "":
		f.choice.Only = []string{cause.Translator}
	case len(f.choice.Commands) == 0:
		command, err := lastCommand(a.ctx, s, cause)
		if err != nil {
			return nil, err
		}
		f.choice.Commands = []string{command}
	}
	return cause, nil
}

// ofKind has the formulas of the flags fail in the way of --kind.
func (f *bisectFlags) ofKind(b *session.Bisecting) error {
	switch {
	case len(f.formulas) == 0:
		return errors.New("nothing to look for: add formulas with -f, or --cause KEY; 'xcheck history groups --json' shows the keys")
	case len(f.choice.Commands) != 1:
		return errors.New("expected one translator: add it with -t")
	}
	kind := outcome.Status(f.kind)
	switch {
	case f.kind == "words":
		b.Fails = func(c outcome.Class) bool { return c.Words }
	case f.kind == "property":
		b.Fails = outcome.Class.IsProperty
	case slices.Contains(outcome.Statuses, kind) && kind.Failed():
		b.Fails = func(c outcome.Class) bool { return c.Status == kind }
	default:
		return fmt.Errorf("--kind %q: expected one of %s", f.kind, strings.Join(bisectKinds(), ", "))
	}
	return nil
}

// bisectKinds are the values of --kind.
func bisectKinds() []string {
	failures := slices.DeleteFunc(slices.Clone(outcome.Statuses), func(s outcome.Status) bool { return !s.Failed() })
	return append([]string{"words", "property"}, namesOf(failures, stringOf)...)
}

// findGroup returns the group of failures with a key, or with a part of it that no other has.
func findGroup(ctx context.Context, s *history.Store, key string) (*outcome.Timeline, error) {
	list, err := s.Timelines(ctx)
	if err != nil {
		return nil, err
	}
	var found []*outcome.Timeline
	for _, t := range list {
		if t.Key == key {
			return t, nil
		}
		if strings.Contains(t.Key, key) || t.Formula == key {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("--cause %q: %s has no such group of failures; 'xcheck history groups --json' shows the keys", key, s.Path())
	case 1:
		return found[0], nil
	}
	var lines strings.Builder
	for _, t := range found[:min(len(found), 10)] {
		fmt.Fprintf(&lines, "\n  %s (%s)", t.Key, report.ClassName(t.Class))
	}
	return nil, fmt.Errorf("--cause %q: %d groups fit:%s", key, len(found), &lines)
}

// lastCommand returns the command of a translator in the last run that met the group.
func lastCommand(ctx context.Context, s *history.Store, t *outcome.Timeline) (string, error) {
	for _, x := range slices.Backward(t.Occurrences) {
		info, err := s.Info(ctx, x.Run)
		if err != nil {
			return "", err
		}
		for _, tool := range info.Tools {
			if tool.Name == t.Translator && tool.Command != "" {
				name := "{" + tool.Name + "} "
				return name + strings.TrimPrefix(tool.Command, name), nil
			}
		}
	}
	return "", fmt.Errorf("no command of %s in %s: add it with -t", t.Translator, s.Path())
}

// versions returns the versions that are asked for, the oldest first.
func (f *bisectFlags) versions(a *app, args []string) (list []string, err error) {
	switch {
	case len(args) > 0 && f.list+f.git != "":
		return nil, errors.New("expected versions, or --versions, or --git: not two of them")
	case f.list != "":
		err = a.lines(f.list, func(_, line string) error {
			if line = strings.TrimSpace(line); line != "" && len(list) <= maxVersions {
				list = append(list, line)
			}
			return nil
		})
	case f.git != "":
		if strings.HasPrefix(f.git, "-") {
			return nil, fmt.Errorf("--git %q: expected a range, such as v1.0..main", f.git)
		}
		if list, err = gitCommits(a.ctx, "--first-parent", "--reverse", f.git); err != nil {
			err = fmt.Errorf("--git %q: %w", f.git, err)
		}
	default:
		list = args
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0 && f.git != "":
		return nil, fmt.Errorf("--git %q: no commits in this range; expected OLD..NEW", f.git)
	case len(list) == 0 && f.list != "":
		return nil, fmt.Errorf("--versions %q: no versions", f.list)
	case len(list) == 0:
		return nil, errors.New("no versions: name some, the oldest first, or use --versions or --git")
	case len(list) > maxVersions:
		return nil, fmt.Errorf("%d versions: expected at most %d", len(list), maxVersions)
	}
	return list, nil
}

// gitCommits returns the commits that git rev-list lists, abbreviated as people quote them.
func gitCommits(ctx context.Context, arguments ...string) ([]string, error) {
	arguments = slices.Concat([]string{"rev-list", "--abbrev-commit", "--abbrev=12"}, arguments, []string{"--"})
	text, err := exec.CommandContext(ctx, "git", arguments...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = errors.New(outcome.Line(string(failed.Stderr), 200))
	}
	return strings.Fields(string(text)), err
}
