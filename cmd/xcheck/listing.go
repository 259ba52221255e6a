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
		return a.answer("", translatorsAnswer{list})
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

// withoutColumn names operators. One word stands for all operators of the past, and one for all of
// PSL.
func withoutColumn(without ltl.OpSet) string {
	text := (without &^ (ltl.PastOps | ltl.PSLOps)).String()
	for _, family := range []struct {
		ops  ltl.OpSet
		name string
	}{{ltl.PastOps, " past"}, {ltl.PSLOps, " PSL"}} {
		if without&family.ops == family.ops {
			text += family.name
		} else if rest := without & family.ops; rest != 0 {
			text += " " + rest.String()
		}
	}
	return strings.TrimSpace(text)
}
