package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Choice says which translators a run has besides those of its configuration.
type Choice struct {
	// Commands and References are those of translators, as [configs.Complete] completes them.
	// References are known to be right.
	Commands, References []string
	Only                 []string // the names of those that are used; nil for all
	// NoBuiltin leaves out the built-in ones, NoFound those on PATH that nobody asked for.
	// NoReference trusts none.
	NoBuiltin, NoFound, NoReference bool
	Relabel                         bool // gives all of them p0, p1, …
}

// Choose sets the tools of a plan: the translators of the configuration, or if it has none the
// built-in and found ones, and those of the choice.
func (p *Plan) Choose(c *Choice) error {
	var list []configs.Translator
	var origins []string
	add := func(x configs.Translator, origin string) {
		if x.Builtin != "" && c.NoBuiltin {
			return
		}
		x.Relabel = x.Relabel || c.Relabel
		x.Reference = x.Reference && !c.NoReference
		list, origins = append(list, x), append(origins, origin)
	}
	for _, x := range p.Config.Translators {
		add(x, fmt.Sprintf("%s:%d", p.Rerun.Config, x.Line))
	}
	if len(p.Config.Translators) == 0 {
		for _, x := range translate.Algorithms() {
			if !x.OnDemand {
				add(configs.Translator{Name: x.Name, Builtin: x.Name, Mode: translators.Stream}, "")
			}
		}
		if !c.NoFound && len(c.Commands)+len(c.References) == 0 {
			for _, x := range configs.Found() {
				add(x, "")
			}
		}
	}
	for _, text := range c.Commands {
		add(CommandTranslator(text), "-t "+translators.Quote(text))
	}
	for _, text := range c.References {
		x := CommandTranslator(text)
		x.Reference = true
		add(x, "--reference "+translators.Quote(text))
	}
	if len(list) == 0 {
		return errors.New("no translators: add one with -t, or drop --no-builtin")
	}
	tools, err := Tools(list, p.Config.Limits)
	if err != nil {
		return err
	}
	for i, tool := range tools {
		tool.Origin = origins[i]
	}
	p.Tools, err = only(tools, c.Only)
	return err
}

// CommandTranslator returns the translator of a command, which need not be complete.
func CommandTranslator(text string) configs.Translator {
	if x, ok := configs.Complete(text); ok {
		return x
	}
	return configs.Translator{Command: text}
}

// only returns the tools with some names.
func only(tools []*translators.Tool, wanted []string) ([]*translators.Tool, error) {
	if len(wanted) == 0 {
		return tools, nil
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--only %q: expected one of %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(tools, func(t *translators.Tool) bool { return !slices.Contains(wanted, t.Name) }), nil
}
