package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Process says where results come from: it is one of the processes that worked on a run. A run
// that was resumed has several, and so has one that was merged from shards.
type Process struct {
	Started time.Time `json:"started"`
	Host    string    `json:"host"`
	Version string    `json:"xcheck"`            // of xcheck
	Command string    `json:"command,omitempty"` // for a shell; missing for a run of package session
	// Configuration is the file of the configuration, if there is one. Hash is the SHA-256 of
	// everything that decides the results, except the seed and the shard.
	Configuration string        `json:"configuration,omitempty"`
	Hash          string        `json:"configuration_hash"`
	Seed          *uint64       `json:"seed,omitempty"`  // missing without random inputs
	Shard         string        `json:"shard,omitempty"` // such as 2/4; missing for a whole run
	Translators   []ToolVersion `json:"translators"`
}

// A ToolVersion is the version of a translator.
type ToolVersion struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // missing if it is not known
}

// facts returns what is known of a process.
func (p *Process) facts() []fact {
	list := facts{}
	list.add("started", p.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
	list.add("host", p.Host)
	list.add("xcheck", p.Version)
	list.code("command", p.Command)
	list.code("configuration", p.Configuration)
	list.code("configuration hash", p.Hash)
	if p.Seed != nil {
		list.add("seed", strconv.FormatUint(*p.Seed, 10))
	}
	list.add("shard", p.Shard)
	var versions []string
	for _, t := range p.Translators {
		if t.Version != "" {
			versions = append(versions, fmt.Sprintf("%s: %s", t.Name, t.Version))
		}
	}
	list.add("translators", strings.Join(versions, "; "))
	return list
}
