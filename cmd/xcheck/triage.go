package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// triage finds the causes of the failures of a run.
type triage struct {
	*cross.Triage
	flags *runFlags
	tally *report.Tally
	file  io.Writer // for the formulas that were made small, or nil
}

// triage starts the triage of a run.
func (f *runFlags) triage(o cross.Options, config *configs.Config, out *reporter) *triage {
	return &triage{Triage: cross.NewTriage(o, cross.TriageOptions{Grind: config.Triage.Grind, MaxCalls: cross.DefaultGrindCalls}), flags: f, tally: out.tally, file: out.ground}
}

// add adds a case, and says which disagreements are news. The error is that of
// [cross.Triage.Add]; when that fails, the run ends.
func (t *triage) add(ctx context.Context, c *cross.Case, news *report.News) error {
	causes, err := t.Add(ctx, c)
	if err != nil {
		return err
	}
	news.Cause = false
	for _, cause := range causes {
		switch {
		case !cause.Ground:
			news.Cause = news.Cause || cause.Words()
		case cause.Formulas > 1:
			news.Known = append(news.Known, fmt.Sprintf("%s, as on %s", strings.Join(cause.Translators, ", "), cause.Formula))
		default:
			news.Cause = true
			if t.file == nil {
				break
			}
			if _, err := fmt.Fprintln(t.file, cause.Formula); err != nil {
				return fmt.Errorf("writing a small formula: %w", err)
			}
		}
	}
	return nil
}

// end gives the causes to the reports.
func (t *triage) end(ctx context.Context) error {
	causes, err := t.Causes(ctx)
	for _, c := range causes {
		t.tally.Causes = append(t.tally.Causes, report.Cause{Cause: c, Command: t.flags.again(c)})
	}
	return err
}

// again is what the command has that shows a cause alone.
type again struct {
	Config            string
	Tools, References []string
	Relabel           bool
	Timeout           string
}

func (f *runFlags) again(c *cross.Cause) string { return f.anew().command(c) }

func (f *runFlags) anew() *again {
	return &again{f.config, f.tools, f.references, f.relabel, f.timeout}
}

// command returns the command that shows a cause alone.
func (f *again) command(c *cross.Cause) string {
	words := []string{"xcheck", "run"}
	if f.Config != "" {
		words = append(words, "-c", translators.Quote(f.Config))
	}
	for _, list := range []struct {
		flag     string
		commands []string
	}{{"-t", f.Tools}, {"--reference", f.References}} {
		for _, text := range list.commands {
			words = append(words, list.flag, translators.Quote(text))
		}
	}
	for _, name := range c.Translators {
		words = append(words, "--only", translators.Quote(name))
	}
	if f.Relabel {
		words = append(words, "--relabel")
	}
	if f.Timeout != "" {
		words = append(words, "-T", translators.Quote(f.Timeout))
	}
	return strings.Join(append(words, "-f", translators.Quote(c.Formula)), " ")
}

// chosen returns the tools of --only.
func (f *runFlags) chosen(tools []*translators.Tool) ([]*translators.Tool, error) {
	if len(f.only) == 0 {
		return tools, nil
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	for _, name := range f.only {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--only %s: expected one of %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(tools, func(t *translators.Tool) bool { return !slices.Contains(f.only, t.Name) }), nil
}
