package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// triage finds the causes of the failures of a run.
type triage struct {
	*cross.Triage
	flags *runFlags
	tally *report.Tally
	file  io.Writer         // for the formulas that were made small, or nil
	phase func(what string) // tells what is done
}

// triage starts the triage of a run.
func (f *runFlags) triage(o cross.Options, config *configs.Config, out *reporter) *triage {
	t := &triage{flags: f, tally: out.tally, file: out.ground, phase: out.phase}
	t.Triage = cross.NewTriage(o, cross.TriageOptions{Grind: config.Triage.Grind, MaxCalls: config.Triage.MaxCalls,
		Grinding: func(translator, formula string, calls int) {
			out.phase(fmt.Sprintf("shrinking for %s: %s (call %d)", translator, formula, calls))
		}})
	return t
}

// add adds a case. The error is that of [cross.Triage.Add]; when that fails, the run ends.
func (t *triage) add(ctx context.Context, c *outcome.Case) error {
	defer t.phase("")
	causes, err := t.Add(ctx, c)
	if err != nil || t.file == nil {
		return err
	}
	for _, cause := range causes {
		if !cause.Ground || cause.Formulas > 1 {
			continue
		}
		if _, err := fmt.Fprintln(t.file, cause.Formula); err != nil {
			return fmt.Errorf("writing a shrunk formula: %w", err)
		}
	}
	return nil
}

// end gives the causes to the reports.
func (t *triage) end(ctx context.Context) error {
	causes, err := t.Causes(ctx)
	t.tally.Summary.GrindCalls = t.Calls()
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

func (f *runFlags) again(c *outcome.Cause) string { return f.anew().command(c) }

func (f *runFlags) anew() *again {
	return &again{f.config, f.tools, f.references, f.relabel, f.timeout}
}

// command returns the command that shows a cause alone.
func (f *again) command(c *outcome.Cause) string {
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
			return nil, fmt.Errorf("--only %q: expected one of %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(tools, func(t *translators.Tool) bool { return !slices.Contains(f.only, t.Name) }), nil
}
