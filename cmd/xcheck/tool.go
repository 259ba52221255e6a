package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
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
		for _, x := range builtin.Algorithms() {
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
	var tools []*translators.Tool
	for i, x := range list {
		if x.Builtin != "" && f.noBuiltin {
			continue
		}
		x.Relabel = x.Relabel || f.relabel
		tool, err := newTool(x, config.Limits)
		if err != nil {
			return nil, err
		}
		if f.noReference {
			tool.Reference = false
		}
		tool.Origin = origins[i]
		tools = append(tools, tool)
	}
	if len(tools) == 0 {
		return nil, errors.New("no translators: add one with -t, or drop --no-builtin")
	}
	rename(tools)
	return f.chosen(tools)
}

// rename gives a number to the name of each tool that is the name of one before
// it: the same command twice is allowed, but reports must tell them apart. The
// new name is not that of any other tool, be it before or behind.
func rename(tools []*translators.Tool) {
	taken := map[string]bool{}
	for _, tool := range tools {
		taken[tool.Name] = true
	}
	seen := map[string]bool{}
	for _, tool := range tools {
		name := tool.Name
		for n := 2; seen[tool.Name] || tool.Name != name && taken[tool.Name]; n++ {
			tool.Name = fmt.Sprintf("%s#%d", name, n)
		}
		seen[tool.Name], taken[tool.Name] = true, true
	}
}

// commandTranslator returns the translator of a COMMAND, which need not be complete.
func commandTranslator(text string) configs.Translator {
	if x, ok := configs.Complete(text); ok {
		return x
	}
	return configs.Translator{Command: text}
}

func newTool(x configs.Translator, limits configs.Limits) (*translators.Tool, error) {
	text, byFile := x.Command, ""
	if x.Builtin != "" {
		// The built-in ones are external commands like all others.
		text = configs.Self() + " translate --algorithm " + x.Builtin
		if x.Mode == translators.Spawn {
			text, byFile = text+" %f", text+" -F %F"
		} else {
			text += " -F -"
		}
	}
	command, err := translators.ParseCommand(text, x.Mode)
	if err != nil {
		return nil, err
	}
	tool := &translators.Tool{
		Name:      x.Name,
		Command:   command,
		Mode:      x.Mode,
		Syntax:    x.Syntax,
		Processes: x.Processes,
		Limits: translators.Limits{
			Timeout:      cmp.Or(x.Timeout, limits.Timeout),
			CPU:          cmp.Or(x.CPU, limits.CPU),
			MaxOutput:    cmp.Or(x.MaxOutput, limits.MaxOutput),
			Memory:       cmp.Or(x.Memory, limits.Memory),
			AddressSpace: cmp.Or(x.AddressSpace, limits.AddressSpace),
			OpenFiles:    cmp.Or(x.OpenFiles, limits.OpenFiles),
		},
		CleanEnv:  x.CleanEnv,
		Without:   x.Without | command.Without(),
		Reference: x.Reference,
		Relabel:   x.Relabel,
	}
	if strings.HasPrefix(text, configs.Self()+" ") {
		tool.Version = version()
	}
	if byFile != "" {
		if tool.ByFile, err = translators.ParseCommand(byFile, translators.Spawn); err != nil {
			return nil, err
		}
	}
	if x.Format != "auto" {
		tool.Format = x.Format
	}
	if tool.Name == "" {
		tool.Name = command.Name()
	}
	for k, v := range x.Env {
		tool.Env = append(tool.Env, k+"="+v)
	}
	return tool, nil
}
