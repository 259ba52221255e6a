package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
)

// modeller is implemented by the options of tables whose automata can be saved.
type modeller interface {
	Models(ctx context.Context, emit func(bench.Model) error) error
}

// savable adds the flag that saves the automata of a table.
func (f *benchFlags) savable() {
	f.StringVar(&f.folder, "save-automata", "", "write the automata to `FOLDER` in HOA, and measure nothing")
}

// saveModels writes the automata of a table to a folder, which it creates if necessary.
func (a *app) saveModels(of modeller, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return of.Models(a.ctx, func(m bench.Model) error {
		x, err := omega.Explore(a.ctx, m.Source, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		named := *x
		named.Name = m.Name + ": " + m.About
		return wholefile.Write(filepath.Join(folder, m.Name+".hoa"), func(w io.Writer) error {
			return hoa.Write(a.ctx, w, &named)
		})
	})
}
