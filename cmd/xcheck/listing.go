package main

import (
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/session"
)

// listTranslators prints the shorthands.
func (a *app) listTranslators() error {
	if err := a.create(); err != nil {
		return err
	}
	list, err := session.KnownTranslators(a.ctx)
	if err != nil {
		return err
	}
	if a.json != "" {
		return a.answer("", map[string]any{"translators": list})
	}
	rows := [][]string{{"translator", "mode", "format", "without", "found", "version", "command"}}
	for _, k := range list {
		row := []string{k.Name, k.Mode, k.Format, withoutColumn(k.Lacks), k.Path, k.Version, k.Command}
		for i := range row {
			if row[i] == "" {
				row[i] = "-"
			}
		}
		rows = append(rows, row)
	}
	_, err = io.WriteString(a.out, columns.Format(rows))
	return err
}

// withoutColumn names operators, and those of the past in one word.
func withoutColumn(without ltl.OpSet) string {
	if without&ltl.PastOps != ltl.PastOps {
		return without.String()
	}
	return strings.TrimSpace((without &^ ltl.PastOps).String() + " past")
}
