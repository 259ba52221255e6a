package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/session"
)

func (a *app) mergeCommand() *cobra.Command {
	into := defaultHistory
	c := &cobra.Command{
		Use: "merge [flags] FILE…",
		Long: `Adds the runs in each FILE to one history, and merges the shards of a run that
'xcheck run --shard' has stored. It leaves finished runs that are already there alone.
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

func (a *app) merge(into string, names []string) error {
	merged, err := session.Merge(a.ctx, into, names...)
	if err != nil {
		return err
	}
	for _, u := range merged.Unions {
		if u.Whole() {
			continue
		}
		for _, note := range u.Notes {
			a.note(note)
		}
		a.note(fmt.Sprintf("%s: run %d is incomplete: %s; merge again when they are done", into, u.Info.Run, session.Lacks(u)))
		a.answered(false)
	}
	for _, info := range merged.Added {
		if !info.Finished {
			a.note(fmt.Sprintf("%s: run %d is unfinished", into, info.Run))
			a.answered(false)
		}
	}
	return a.answer(strings.TrimSuffix(mergeText(into, merged), "\n"), mergeAnswer(into, merged))
}

func mergeText(into string, m *session.Merged) string {
	var b strings.Builder
	for _, u := range m.Unions {
		var shards []int
		for _, part := range u.Parts {
			shards = append(shards, part.Shard)
		}
		fmt.Fprintf(&b, "run %d%s: merged from shards %s of %d: %s\n", u.Info.Run, inParentheses(u.Name), session.ShardList(shards), u.Parts[0].Shards, plural.Of(u.Cases, m.Input))
	}
	for _, info := range m.Added {
		fmt.Fprintf(&b, "run %d%s: added: %s\n", info.Run, inParentheses(info.Name), plural.Of(info.Cases, m.Input))
	}
	if m.Known > 0 {
		fmt.Fprintf(&b, "already in %s: %s\n", into, plural.Of(m.Known, "run"))
	}
	return cmp.Or(b.String(), "no runs to add\n")
}

// inParentheses returns the name of a run, in parentheses, if it has one.
func inParentheses(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

func mergeAnswer(into string, m *session.Merged) mergedAnswer {
	answer := mergedAnswer{into, []mergedRun{}, []mergedCopy{}, m.Known}
	for _, u := range m.Unions {
		answer.United = append(answer.United, mergedRun{u.RunID, u.Parts[0].Shards, u.Cases, u.Status, append([]int{}, u.Missing...), append([]int{}, u.Unfinished...)})
	}
	for _, info := range m.Added {
		answer.Added = append(answer.Added, mergedCopy{info.RunID, info.Cases})
	}
	return answer
}
