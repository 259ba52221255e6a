package main

import (
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/session"
)

// listTranslators prints the shorthands, or the translators of a run if a configuration or flags
// name some.
func (a *app) listTranslators(f *runFlags) error {
	if err := a.create(); err != nil {
		return err
	}
	var list []*session.Known
	var err error
	if f.config == "" && len(f.choice.Commands)+len(f.choice.References) == 0 {
		list, err = session.KnownTranslators(a.ctx)
	} else {
		var plan *session.Plan
		if plan, err = f.chosen(a); err == nil {
			list = session.KnownTools(a.ctx, plan)
		}
	}
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
