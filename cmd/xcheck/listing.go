package main

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// knownTranslator is what the list says of a shorthand.
type knownTranslator struct {
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Mode    string   `json:"mode"`
	Format  string   `json:"format"`
	Without []string `json:"without"` // operators, as in a configuration
	// Path is where the program was found, "" if it was not, or if there is none to
	// look for.
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`

	without ltl.OpSet
}

// listTranslators prints the shorthands.
func (a *app) listTranslators() error {
	if err := a.create(); err != nil {
		return err
	}
	list, err := knownTranslators()
	if err != nil {
		return err
	}
	a.askAll(list)
	if a.json != "" {
		return a.answer("", map[string]any{"translators": list})
	}
	var rows [][]string
	for _, k := range list {
		row := []string{k.Name, k.Mode, k.Format, withoutColumn(k.without), k.Path, k.Version, k.Command}
		for i := range row {
			if row[i] == "" {
				row[i] = "-"
			}
		}
		rows = append(rows, row)
	}
	return report.Table(a.out, []string{"translator", "mode", "format", "without", "found", "version", "command"}, rows)
}

// withoutColumn names operators, and those of the past in one word.
func withoutColumn(without ltl.OpSet) string {
	if without&ltl.PastOps != ltl.PastOps {
		return without.String()
	}
	return strings.TrimSpace((without &^ ltl.PastOps).String() + " past")
}

// knownTranslators returns the shorthands, each with the path of its program.
func knownTranslators() ([]*knownTranslator, error) {
	var list []*knownTranslator
	for _, s := range configs.Shorthands() {
		x := s.Translator(s.Mode)
		command, err := translators.ParseCommand(x.Command, x.Mode)
		if err != nil {
			return nil, err
		}
		k := &knownTranslator{
			Name: s.Name, Command: x.Command, Mode: x.Mode.String(), Format: x.Format,
			Without: []string{}, without: x.Without | command.Without(),
		}
		for _, syntax := range command.Syntaxes() {
			k.without |= syntax.Missing()
		}
		for op := ltl.OpFalse; op <= ltl.OpTriggered; op++ {
			if k.without.Has(op) {
				k.Without = append(k.Without, op.String())
			}
		}
		if rest, ok := strings.CutPrefix(x.Command, configs.Self()+" "); ok {
			k.Command, k.Version = "xcheck "+rest, version.Own()
			if k.Path, err = os.Executable(); err != nil {
				return nil, err
			}
		} else if program := s.Program(); program != "" {
			if k.Path, err = exec.LookPath(program); err != nil {
				k.Path = ""
			}
		}
		list = append(list, k)
	}
	return list, nil
}

// askAll finds out the versions of those that were found, all at the same time, but
// each program only once.
func (a *app) askAll(list []*knownTranslator) {
	versions := map[string]func() string{}
	for _, k := range list {
		if flag := configs.VersionFlag(k.Path); k.Path != "" && k.Version == "" && flag != "" {
			versions[k.Path] = sync.OnceValue(func() string { return version.Ask(a.ctx, 3*time.Second, nil, k.Path, flag) })
		}
	}
	var asked sync.WaitGroup
	for _, v := range versions {
		asked.Go(func() { v() })
	}
	asked.Wait()
	for _, k := range list {
		if v := versions[k.Path]; v != nil {
			k.Version = v()
		}
	}
}
