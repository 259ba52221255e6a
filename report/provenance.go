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
	Started time.Time `json:"started"`           // when it started, in UTC
	Host    string    `json:"host"`              // name of the machine
	Version string    `json:"xcheck"`            // version of xcheck
	Command string    `json:"command,omitempty"` // the command line
	// the file of the configuration; missing without one
	Configuration string `json:"configuration,omitempty"`
	// SHA-256 of everything that decides the results, except a drawn seed and the shard
	Hash string `json:"configuration_hash"`
	// seed of the random formulas; missing if there are none
	Seed *uint64 `json:"seed,omitempty"`
	// the shard, such as "2/4"; missing for a whole run
	Shard       string        `json:"shard,omitempty"`
	Translators []ToolVersion `json:"translators"` // name and version of each translator
}

// A ToolVersion is the version of a translator.
type ToolVersion struct {
	Name string `json:"name"` // name of the translator
	// version of the translator; missing if it is not known
	Version string `json:"version,omitempty"`
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
