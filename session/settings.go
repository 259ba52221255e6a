package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
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
}

// settings returns the text of those of a plan.
func (p *Plan) settings() ([]byte, error) {
	c := &p.Config.Checks
	return json.Marshal(settings{c.Timeouts, c.IgnoreExecutionFailures,
		p.StrictFailures, p.IgnoreFailures, p.Config.History.FailOnNew, p.Config.Triage.Grind,
		c.NoComplement || c.NoChecks, !c.Properties, p.Config.History.Baseline, &p.Rerun})
}

// readSettings returns those of a stored run.
func readSettings(info *history.Info) (*settings, error) {
	set := &settings{Rerun: &Rerun{}}
	if err := json.Unmarshal(info.Settings, set); err != nil {
		return nil, fmt.Errorf("settings of run %d: %w", info.Run, err)
	}
	return set, nil
}

// rules returns those of the run, as far as they decide its status.
func (s *settings) rules() rules {
	checks := configs.Checks{Timeouts: s.Timeouts, IgnoreExecutionFailures: s.IgnoreExecutionFailures}
	return rules{checks, s.Strict, s.Ignore, s.OnlyNew}
}

// Totals returns what a stored run has beside its cases. Of one that was killed, that is only
// what its translators are.
func Totals(info *history.Info) (*report.Trailer, error) {
	rest := &report.Trailer{}
	if info.Totals == nil {
		rest.Cut = true
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

// A Rerun has the flags of xcheck run that the command needs that shows a failure alone. It is
// stored with the run.
type Rerun struct {
	Config     string   `json:"Config"` // the file
	Tools      []string `json:"Tools"`
	References []string `json:"References"`
	Relabel    bool     `json:"Relabel"`
	Timeout    string   `json:"Timeout"`
	// Drawing are the names of translators that draw options, With says which options others have.
	Drawing []string `json:"Drawing,omitempty"`
	With    []string `json:"With,omitempty"`
}

// command returns the command that shows a cause alone.
func (f *Rerun) command(c *outcome.Cause) string {
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
	with := slices.Clone(f.With)
	for _, name := range c.Translators {
		if slices.Contains(f.Drawing, name) {
			with = append(with, name+"="+c.DrawnOptions())
		}
	}
	for _, text := range with {
		words = append(words, "--with-options", translators.Quote(text))
	}
	if f.Relabel {
		words = append(words, "--relabel")
	}
	if f.Timeout != "" {
		words = append(words, "-T", translators.Quote(f.Timeout))
	}
	return strings.Join(append(words, "-f", translators.Quote(c.Formula)), " ")
}
