package main

import (
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/report"
)

// addColumns adds the flags that choose the columns of --csv, in ltlcross's words. For
// run they also say what is found out of the automata.
func addColumns(fs *pflag.FlagSet, c *report.Columns) {
	fs.BoolVar(&c.Strength, "strength", false, "count nonaccepting, terminal, weak and strong components")
	fs.BoolVar(&c.Ambiguous, "ambiguous", false, "say of each automaton whether it is ambiguous")
	fs.BoolVar(&c.Automata, "automata", false, "put the automata into --csv and --json, in HOA format")
	fs.BoolVar(&c.OmitMissing, "omit-missing", false, "leave calls that gave no automaton out of --csv, and the columns exit_status and exit_code")
	fs.BoolVar(&c.More, "csv-more", false, "add columns to --csv that ltlcross does not have, behind its own")
}

// statistics returns what a run has to find out for the columns.
func statistics(c report.Columns) cross.Statistics {
	return cross.Statistics{Strength: c.Strength, Ambiguous: c.Ambiguous, Automata: c.Automata}
}

// appended returns the file that ">>FILE" names, as ltlcross understands it: what is
// written goes behind what is there. Headless says that there is something.
func appended(name string) (file *os.File, headless, ok bool, err error) {
	name, ok = strings.CutPrefix(name, ">>")
	if !ok {
		return nil, false, false, nil
	}
	file, err = os.OpenFile(strings.TrimSpace(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, false, true, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, false, true, err
	}
	return file, info.Size() > 0, true, nil
}
