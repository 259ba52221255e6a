package main

import (
	"encoding/json"

	"github.com/xcheck-ltl/xcheck/configs"
)

// settings are what the cases of a run do not depend on, and what is said of them all together
// does. They are stored with a run, so that its shards can be united.
type settings struct {
	Timeouts                configs.Timeouts
	IgnoreExecutionFailures bool
	Strict, Ignore, OnlyNew bool
	Grind                   bool
	NoLanguages             bool // as of history.Decided
	NoProperties            bool
	Baseline                string // that was asked for
	Again                   *again
}

func (f *runFlags) settings(config *configs.Config) ([]byte, error) {
	return json.Marshal(settings{config.Checks.Timeouts, config.Checks.IgnoreExecutionFailures,
		f.strict, f.ignore, config.History.FailOnNew, config.Triage.Grind,
		config.Checks.NoComplement || config.Checks.NoChecks, !config.Checks.Properties, config.History.Baseline, f.anew()})
}

// rules returns those of the run, as far as they decide its status.
func (s *settings) rules() rules {
	checks := configs.Checks{Timeouts: s.Timeouts, IgnoreExecutionFailures: s.IgnoreExecutionFailures}
	return rules{checks, s.Strict, s.Ignore, s.OnlyNew}
}
