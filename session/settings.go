package session

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// settings are what the cases of a run do not depend on, and what is said of them all together
// does. They are stored with a run, so that its shards can be merged.
type settings struct {
	Timeouts                configs.Timeouts `json:"Timeouts"`
	IgnoreExecutionFailures bool             `json:"IgnoreExecutionFailures"`
	Strict                  bool             `json:"Strict"`
	Ignore                  bool             `json:"Ignore"`
	OnlyNew                 bool             `json:"OnlyNew"`
	Grind                   bool             `json:"Grind"`
	NoLanguages             bool             `json:"NoLanguages"` // as of history.Decided
	NoProperties            bool             `json:"NoProperties"`
	Baseline                string           `json:"Baseline"` // that the user chose
	Rerun                   *Rerun           `json:"Again"`
	Processes               []report.Process `json:"Processes,omitempty"` // that worked on the run
	// Programs are the hashes of the programs of translators that can print a version, by their names.
	Programs map[string]string `json:"Programs,omitempty"`
}

// settings returns the settings of a plan as text, for a run that the processes of the list work
// on.
func (p *Plan) settings(list []report.Process) ([]byte, error) {
	c := &p.Config.Checks
	return json.Marshal(settings{c.Timeouts, c.IgnoreExecutionFailures,
		p.StrictFailures, p.IgnoreFailures, p.Config.History.FailOnNew, p.Config.Triage.Grind,
		c.NoComplement || c.NoChecks, !c.Properties, p.Config.History.Baseline, &p.Rerun, list, p.programs()})
}

// readSettings returns the settings of a stored run.
func readSettings(info *history.Info) (*settings, error) {
	set := &settings{Rerun: &Rerun{}}
	if err := json.Unmarshal(info.Settings, set); err != nil {
		return nil, fmt.Errorf("settings of run %d: %w", info.Run, err)
	}
	return set, nil
}

// rules returns the rules that decide the status of the run.
func (s *settings) rules() rules {
	checks := configs.Checks{Timeouts: s.Timeouts, IgnoreExecutionFailures: s.IgnoreExecutionFailures}
	return rules{checks, s.Strict, s.Ignore, s.OnlyNew}
}

// Totals returns what a stored run has beside its cases. Of one that was killed, that is only
// what its translators are.
func Totals(info *history.Info) (*report.Trailer, error) {
	rest := &report.Trailer{}
	info = cmp.Or(info, &history.Info{})
	if info.Totals == nil {
		rest.Cut = true
		if len(info.Parts) == 0 {
			var err error
			if rest.Provenance, err = storedProcesses(info); err != nil {
				return nil, err
			}
		}
		for _, t := range info.Tools {
			rest.Translators = append(rest.Translators, &report.ToolStats{Name: t.Name, Command: t.Command, Version: t.Version, Statuses: map[outcome.Status]int{}})
		}
		return rest, nil
	}
	if err := json.Unmarshal(info.Totals, rest); err != nil {
		return nil, fmt.Errorf("damaged totals: %w", err)
	}
	return rest, nil
}
