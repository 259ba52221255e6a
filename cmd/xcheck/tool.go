package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// translators returns the tools: those of the configuration, or if it has none
// the built-in and found ones, and those of the flags.
func (f *runFlags) translators(config *configs.Config) ([]*translators.Tool, error) {
	list := slices.Clone(config.Translators)
	origins := make([]string, len(list))
	for i, x := range list {
		origins[i] = fmt.Sprintf("%s:%d", f.config, x.Line)
	}
	if len(list) == 0 {
		for _, x := range translate.Algorithms() {
			if !x.OnDemand {
				list = append(list, configs.Translator{Name: x.Name, Builtin: x.Name, Mode: translators.Stream})
			}
		}
		if !f.noFound && len(f.tools)+len(f.references) == 0 {
			list = append(list, configs.Found()...)
		}
	}
	origins = append(origins, make([]string, len(list)-len(origins))...) // these are there
	for _, text := range f.tools {
		list, origins = append(list, commandTranslator(text)), append(origins, "-t "+translators.Quote(text))
	}
	for _, text := range f.references {
		x := commandTranslator(text)
		x.Reference = true
		list, origins = append(list, x), append(origins, "--reference "+translators.Quote(text))
	}
	var used []configs.Translator
	var usedOrigins []string
	for i, x := range list {
		if x.Builtin != "" && f.noBuiltin {
			continue
		}
		x.Relabel = x.Relabel || f.relabel
		x.Reference = x.Reference && !f.noReference
		used, usedOrigins = append(used, x), append(usedOrigins, origins[i])
	}
	if len(used) == 0 {
		return nil, errors.New("no translators: add one with -t, or drop --no-builtin")
	}
	tools, err := session.Tools(used, config.Limits)
	if err != nil {
		return nil, err
	}
	for i, tool := range tools {
		tool.Origin = usedOrigins[i]
	}
	return f.chosen(tools)
}

// commandTranslator returns the translator of a COMMAND, which need not be complete.
func commandTranslator(text string) configs.Translator {
	if x, ok := configs.Complete(text); ok {
		return x
	}
	return configs.Translator{Command: text}
}

// chosen returns the tools of --only.
func (f *runFlags) chosen(tools []*translators.Tool) ([]*translators.Tool, error) {
	if len(f.only) == 0 {
		return tools, nil
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	for _, name := range f.only {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--only %q: expected one of %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(tools, func(t *translators.Tool) bool { return !slices.Contains(f.only, t.Name) }), nil
}
