package main

import (
	"errors"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
)

// configured returns the tools of the flags.
func (f *autFlags) configured(limits configs.Limits) ([]*translators.Tool, error) {
	var tools []*translators.Tool
	add := func(origin, text string, mode translators.Mode) error {
		tool, err := session.AutomatonTool(text, mode, limits)
		if err != nil {
			return err
		}
		tool.Origin = origin
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
		for _, text := range session.OwnTools(f.complemented) {
			errs = append(errs, add("", text, translators.Stream))
		}
	}
	session.Rename(tools)
	return tools, errors.Join(errs...)
}
