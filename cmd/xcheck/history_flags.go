package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/session"
)

// historyFlags are the flags of a run that is one of many: it is stored, compared with those
// before it, and perhaps one part of several.
type historyFlags struct {
	file      string
	resume    bool
	shard     session.Shard
	name      string
	baseline  string
	failOnNew bool
	byDefault string // the file of --resume alone, if it is not defaultHistory
}

// defaultHistory is the file of --resume alone.
const defaultHistory = "xcheck.db"

func (f *historyFlags) add(fs *pflag.FlagSet) {
	f.addStored(fs, "store the run in `FILE`, compare with earlier runs", "formulas")
	fs.StringVar(&f.baseline, "baseline", "", "compare sizes and times with run `RUN`")
	fs.Lookup("baseline").DefValue = "last run without new failures"
	fs.BoolVar(&f.failOnNew, "fail-on-new", false, "exit 1 only after new or returned failures")
}

// addStored adds the flags of a run that is stored, and is not compared with others. Its inputs are
// formulas or automata.
func (f *historyFlags) addStored(fs *pflag.FlagSet, about, inputs string) {
	fs.StringVar(&f.file, "history", "", about)
	fs.BoolVar(&f.resume, "resume", false, "resume the last unfinished run, or start one")
	fs.Var(&f.shard, "shard", "check only part `I/N` of the "+inputs)
	fs.StringVar(&f.name, "name", "", "call the run `NAME` in the history")
}

// override lets the flags override what the configuration says.
func (f *historyFlags) override(given func(string) bool, h *configs.History) error {
	if given("history") {
		if f.file == "" {
			return errors.New(`--history "": expected a file name`)
		}
		h.File = f.file
	}
	if given("name") {
		h.Name = f.name
	}
	if _, err := strconv.ParseInt(h.Name, 10, 64); err == nil || h.Name == "last" {
		return fmt.Errorf("--name %q: expected a name other than a number or \"last\"", h.Name)
	}
	if strings.ContainsFunc(h.Name, unicode.IsControl) {
		return fmt.Errorf("--name %q: expected a name without control characters", h.Name)
	}
	if given("baseline") {
		h.Baseline = f.baseline
	}
	if given("fail-on-new") {
		h.FailOnNew = f.failOnNew
	}
	if f.resume && h.File == "" {
		h.File = cmp.Or(f.byDefault, defaultHistory)
	}
	if h.File != "" {
		return nil
	}
	for _, name := range []string{"name", "baseline", "fail-on-new"} {
		if given(name) {
			return fmt.Errorf("--%s needs --history", name)
		}
	}
	return nil
}
