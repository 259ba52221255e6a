package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/bench/suite"
	"github.com/xcheck-ltl/xcheck/configs"
)

// suiteHelp explains the flags of a suite.
const suiteHelp = `

With --folder, it runs a published suite instead: each problem alone, with xcheck and
the other tools, within --time and --memory. See bench/results/suites.md.`

// addSuite lets a command run a suite of a kind if it has the flag --folder, and otherwise what it
// ran before. limit is the value of the flag for the time.
func (a *app) addSuite(c *cobra.Command, f *benchFlags, kind suite.Kind, limit *time.Duration) {
	s := suite.Suite{Kind: kind}
	generated := map[string]bool{}
	f.VisitAll(func(flag *pflag.Flag) { generated[flag.Name] = flag.Name != "time" })
	f.StringVar(&s.Folder, "folder", "", "solve the problems in the folder `DIR`")
	f.StringVar(&s.List, "list", "", "take the problems from `FILE`, a line each")
	with := f.StringArray("with", nil, "run another tool too: `NAME=COMMAND`")
	addUnlisted(f.FlagSet, &s.Unlisted)
	if kind == suite.Inclusion {
		addUnite(f.FlagSet, &s.UniteSymbols)
	}
	memory := f.String("memory", "2GiB", "stop a problem that exceeds `SIZE`")
	f.BoolVar(&s.Processor, "processor-time", false, "count processor time instead of wall time")
	before := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if s.Folder == "" {
			for _, name := range []string{"list", "with", "memory", "processor-time", "ba-accepting", "unite-symbols"} {
				if f.Changed(name) {
					return fmt.Errorf("--%s needs --folder", name)
				}
			}
			return before(c, args)
		}
		var alien error
		f.Visit(func(flag *pflag.Flag) {
			if generated[flag.Name] {
				alien = cmp.Or(alien, fmt.Errorf("--%s does not apply to the problems of --folder", flag.Name))
			}
		})
		if alien != nil {
			return alien
		}
		for _, set := range f.set {
			if err := set(); err != nil {
				return err
			}
		}
		var err error
		if s.Memory, err = configs.ParseBytes(*memory); err != nil {
			return fmt.Errorf("--memory: %w", err)
		}
		for _, text := range *with {
			rival, err := suite.ParseRival(text, kind)
			if err != nil {
				return fmt.Errorf("--with: %w", err)
			}
			s.Rivals = append(s.Rivals, rival)
		}
		s.Time = *limit
		return a.runSuite(&s)
	}
}

// runSuite prints what is wrong when it happens, and at the end the table and the plot. In JSON, it
// prints each result, and each row of the table.
func (a *app) runSuite(s *suite.Suite) error {
	if info, err := os.Stat(s.Folder); err != nil {
		return err
	} else if !info.IsDir() {
		return errors.New(s.Folder + ": expected a folder")
	}
	problems, err := s.Problems()
	if err != nil {
		return err
	}
	var results []suite.Result
	err = s.Run(a.ctx, problems, func(r suite.Result) error {
		results = append(results, r)
		if a.json != "" {
			return a.answer("", r)
		}
		if text := r.Remark(); text != "" {
			return a.answer(text, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rows := suite.Rows(results, s.Time)
	if a.json == "" {
		fmt.Fprintln(a.out, bench.Head(1, suite.Columns...))
	}
	for _, row := range rows {
		if err := a.answer(row.String(), row); err != nil {
			return err
		}
	}
	if a.json == "" {
		fmt.Fprintf(a.out, "\nProblems solved within a time:\n\n%s\n", suite.Plot(rows, s.Time))
	}
	return nil
}
