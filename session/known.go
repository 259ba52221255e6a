package session

import (
	"cmp"
	"context"
	"os/exec"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Known is a translator that a short name stands for.
type Known struct {
	Name    string   `json:"name"`    // name of the translator, for tool = in a configuration
	Command string   `json:"command"` // the command that is run
	Mode    string   `json:"mode"`    // the mode: "spawn", "stream" or "batch"
	Format  string   `json:"format"`  // the format of the output
	Without []string `json:"without"` // operators that it is run without
	// path of the program; missing if it is not on PATH
	Path string `json:"path,omitempty"`
	// version of the translator; missing if it is not known
	Version string `json:"version,omitempty"`

	Lacks  ltl.OpSet          `json:"-"` // Without as a set
	Limits translators.Limits `json:"-"` // of a tool of a plan
}

// KnownTranslators returns the translators that have short names, each with the path and the
// version of its program, if it is there.
func KnownTranslators(ctx context.Context) ([]*Known, error) {
	list, err := known()
	if err == nil {
		askAll(ctx, list)
	}
	return list, err
}

func known() ([]*Known, error) {
	var list []*Known
	for _, s := range configs.Shorthands() {
		x := s.Translator(s.Mode)
		command, err := translators.ParseCommand(x.Command, x.Mode)
		if err != nil {
			return nil, err
		}
		k := &Known{
			Name: s.Name, Command: x.Command, Mode: x.Mode.String(), Format: x.Format,
			Lacks: x.Without | command.Without(),
		}
		for _, syntax := range command.Syntaxes() {
			k.Lacks |= syntax.Missing()
		}
		k.Without = operators(k.Lacks)
		if rest, ok := configs.CutSelf(x.Command); ok {
			k.Command, k.Version, k.Path = "xcheck"+rest, version.Own(), configs.Program
		} else if program := s.Program(); program != "" {
			if k.Path, err = exec.LookPath(program); err != nil {
				k.Path = ""
			}
		}
		list = append(list, k)
	}
	return list, nil
}

// operators returns the operators of a set, as a configuration names them; never nil: [] in JSON.
func operators(set ltl.OpSet) []string {
	list := []string{}
	for op := ltl.OpFalse; op <= ltl.OpSuffixImplication; op++ {
		if set.Has(op) {
			list = append(list, op.String())
		}
	}
	return list
}

// KnownTools returns the tools of a plan as translators that are listed, in its order.
func KnownTools(ctx context.Context, p *Plan) []*Known {
	p.askVersions(ctx)
	return describe(p.Tools)
}

// describe returns what is known of tools.
func describe(tools []*translators.Tool) []*Known {
	var list []*Known
	for _, tool := range tools {
		k := &Known{Name: tool.Name, Command: tool.Command.Text(), Mode: tool.Mode.String(), Format: cmp.Or(tool.Format, "auto"),
			Without: operators(tool.Without), Lacks: tool.Without, Version: tool.Version, Limits: tool.Limits}
		if program := tool.Command.Program(); program != "" && tool.Builtin == nil {
			// A program that is not found has no path.
			k.Path, _ = exec.LookPath(program)
		}
		list = append(list, k)
	}
	return list
}

// askAll finds out the versions of the programs that were found, all at the same time, but
// each program only once.
func askAll(ctx context.Context, list []*Known) {
	versions := map[string]func() string{}
	for _, k := range list {
		if flag := configs.VersionFlag(k.Path); k.Path != "" && k.Version == "" && flag != "" {
			versions[k.Path] = sync.OnceValue(func() string { return version.Ask(ctx, 3*time.Second, nil, k.Path, flag) })
		}
	}
	var asked sync.WaitGroup
	for _, k := range list {
		if version := versions[k.Path]; version != nil {
			asked.Go(func() { k.Version = version() })
		}
	}
	asked.Wait()
}
