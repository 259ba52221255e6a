package main

import (
	"errors"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
)

// ownTools are checked if there are no others: our constructions.
func ownTools(complemented bool) []string {
	if complemented {
		return []string{"{complement} xcheck complement -", "{determinization} xcheck complement --algorithm determinization -"}
	}
	return []string{"{buchi} xcheck convert --buchi -", "{state-based} xcheck convert --state-based -",
		"{deterministic} xcheck convert --deterministic -", "{complete} xcheck convert --complete -"}
}

// configured returns the tools of the flags.
func (f *autFlags) configured(limits configs.Limits) ([]*translators.Tool, error) {
	var tools []*translators.Tool
	add := func(origin, text string, mode translators.Mode) error {
		command, err := translators.ParseAutomatonCommand(text, mode)
		if err != nil {
			return err
		}
		tool := &translators.Tool{Name: command.Name(), Command: command, Mode: mode, Origin: origin,
			Limits: translators.Limits{Timeout: limits.Timeout, MaxOutput: limits.MaxOutput}}
		if strings.HasPrefix(text, configs.Self()+" ") {
			tool.Version = version.Own()
		}
		tools = append(tools, tool)
		return nil
	}
	var errs []error
	for _, text := range f.tools {
		errs = append(errs, add("-t "+translators.Quote(text), configs.CompleteAutomaton(text), translators.Spawn))
	}
	for _, text := range f.streams {
		errs = append(errs, add("--stream "+translators.Quote(text), text, translators.Stream))
	}
	for _, text := range f.batches {
		errs = append(errs, add("--batch "+translators.Quote(text), text, translators.Batch))
	}
	if len(errs) == 0 {
		for _, text := range ownTools(f.complemented) {
			errs = append(errs, add("", strings.Replace(text, " xcheck ", " "+configs.Self()+" ", 1), translators.Stream))
		}
	}
	session.Rename(tools)
	return tools, errors.Join(errs...)
}
