package session

import (
	"cmp"
	"fmt"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Tools returns the tools for translators. Limits hold for those that have none of their own.
// Their names are unique: where two are the same, the second one gets a number. The error
// reports a command that is none.
func Tools(list []configs.Translator, limits configs.Limits) (tools []*translators.Tool, err error) {
	for _, x := range list {
		tool, err := newTool(x, limits)
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	rename(tools)
	return tools, nil
}

// rename gives a number to the name of each tool that is the name of one before
// it: the same command twice is allowed, but reports must tell them apart. The
// new name differs from the names of all other tools.
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

// lacks returns the operators that a built-in translator does not support.
func lacks(builtin string) ltl.OpSet {
	if a, err := translate.ParseAlgorithm(builtin); err == nil && !a.PSL {
		return ltl.PSLOps
	}
	return 0
}

func newTool(x configs.Translator, limits configs.Limits) (*translators.Tool, error) {
	text := x.Command
	if x.Builtin != "" {
		// The equivalent command line, for reports.
		if text = "xcheck translate --algorithm " + x.Builtin; x.Mode == translators.Spawn {
			text += " %f"
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
		CleanEnv:    x.CleanEnv,
		Signature:   x.Signature,
		Without:     x.Without | command.Without() | lacks(x.Builtin),
		Options:     x.Options,
		Reference:   x.Reference,
		Relabel:     x.Relabel,
		VersionFlag: x.VersionFlag,
		Words:       configs.Words(text),
	}
	if x.Builtin != "" {
		tool.Builtin, tool.Syntax = translation(x.Builtin), ltl.Spot
	}
	if _, own := configs.CutSelf(text); own || tool.Builtin != nil {
		tool.Version = version.Own()
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

// automatonTool returns the tool for a command that transforms automata.
func automatonTool(text string, mode translators.Mode, limits configs.Limits) (*translators.Tool, error) {
	command, err := translators.ParseAutomatonCommand(text, mode)
	if err != nil {
		return nil, err
	}
	tool := &translators.Tool{Name: command.Name(), Command: command, Mode: mode,
		Limits: translators.Limits{Timeout: limits.Timeout, MaxOutput: limits.MaxOutput}}
	if _, own := configs.CutSelf(text); own {
		tool.Version = version.Own()
	}
	return tool, nil
}
