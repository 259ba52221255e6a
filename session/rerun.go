package session

import (
	"slices"
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
	// Drawing are the names of translators that draw options, With says which options others have.
	Drawing []string `json:"Drawing,omitempty"`
	With    []string `json:"With,omitempty"`
}

// command returns the command that shows a cause alone. It has only the translators that fail, and
// those that the configuration names. There is none for an automaton.
func (f *Rerun) command(c *outcome.Cause) string {
	if _, _, automaton := outcome.CutText(c.Formula); automaton {
		return ""
	}
	words := []string{"xcheck", "run"}
	if f.Config != "" {
		words = append(words, "-c", translators.Quote(f.Config))
	}
	needed := f.needed(c.Translators)
	for _, list := range []struct {
		flag     string
		commands []string
	}{{"-t", f.Tools}, {"--reference", f.References}} {
		for _, text := range list.commands {
			if needed(commandName(text)) {
				words = append(words, list.flag, translators.Quote(text))
			}
		}
	}
	for _, name := range c.Translators {
		words = append(words, "--only", translators.Quote(name))
	}
	var with []string
	for _, text := range f.With {
		if slices.ContainsFunc(c.Translators, func(name string) bool { return strings.HasPrefix(text, name+"=") }) {
			with = append(with, text)
		}
	}
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

// needed returns a function that reports whether the command needs the translator of a name: it is
// run, or it decides the number in the name of a translator that is run.
//
//	-t '{a}x %f' -t '{a}y %f' -t '{b}z %f' --only 'a#2'   needs both called a
func (f *Rerun) needed(run []string) func(name string) bool {
	return func(name string) bool {
		return name == "" || slices.ContainsFunc(run, func(r string) bool { return unnumbered(r) == unnumbered(name) })
	}
}

// unnumbered returns a name without the numbers that rename adds.
func unnumbered(name string) string {
	for {
		i := strings.LastIndexByte(name, '#')
		if i < 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
			return name
		}
		name = name[:i]
	}
}

// commandName returns the name of the translator with a command, "" if it has none.
func commandName(text string) string {
	x := commandTranslator(text)
	if x.Name != "" {
		return x.Name
	}
	command, err := translators.ParseCommand(x.Command, x.Mode)
	if err != nil {
		return ""
	}
	return command.Name()
}
