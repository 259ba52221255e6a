package session

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/report"
)

// process returns the provenance of what this process finds, in a run with options o.
func (p *Plan) process(o *cross.Options) (report.Process, error) {
	configuration, err := p.configuration(o)
	x := report.Process{Started: time.Now().UTC().Round(0), Version: version.Own(), Command: p.Command,
		Configuration: p.Rerun.Config, Hash: history.Hash(configuration), Translators: []report.ToolVersion{}}
	x.Host, _ = os.Hostname() // "" if it has no name
	if r := p.random(); r != nil {
		seed := r.Seed
		x.Seed = &seed
	}
	if !p.Shard.whole() {
		x.Shard = p.Shard.String()
	}
	for _, t := range p.Tools {
		x.Translators = append(x.Translators, report.ToolVersion{Name: t.Name, Version: t.Version})
	}
	return x, err
}

// storedProcesses returns the processes that have worked on a stored run.
func storedProcesses(info *history.Info) ([]report.Process, error) {
	set, err := readSettings(info)
	if err != nil {
		return nil, err
	}
	return set.Processes, nil
}

// continued returns the settings of a run that one more process works on.
func continued(settings []byte, list []report.Process) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(settings, &all); err != nil {
		return nil, fmt.Errorf("settings of the run: %w", err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	all["Processes"] = text
	return json.Marshal(all)
}
