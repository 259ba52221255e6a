package session

import (
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Rerun has the flags of xcheck run that the command needs that shows a failure alone. It is
// stored with the run.
type Rerun struct {
	Config     string   `json:"Config"` // the file
	Tools      []string `json:"Tools"`
	References []string `json:"References"`
	Relabel    bool     `json:"Relabel"`
	Timeout    string   `json:"Timeout"`
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
	if f.Relabel {
		words = append(words, "--relabel")
	}
	if f.Timeout != "" {
		words = append(words, "-T", translators.Quote(f.Timeout))
	}
	return strings.Join(append(words, "-f", translators.Quote(c.Formula)), " ")
}
