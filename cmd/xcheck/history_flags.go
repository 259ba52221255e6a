package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/configs"
)

// defaultHistory is the file of --resume alone.
const defaultHistory = "xcheck.db"

// addHistory adds the flags of a run that is one of many: it is stored, compared with those before
// it, and perhaps one part of several.
func (f *runFlags) addHistory() {
	file := f.flags.String("history", "", "store the run in `FILE`, compare with earlier runs")
	bind(&f.settings, "history", file, func(c *configs.Config, file string) error {
		if file == "" {
			return errors.New(`--history "": expected a file name`)
		}
		c.History.File = file
		return nil
	})
	f.flags.BoolVar(&f.plan.Resume, "resume", false, "resume the last unfinished run, or start one")
	f.flags.Var(&f.plan.Shard, "shard", "check only part `I/N` of the "+f.kind.inputs)
	f.word("name", "", "call the run `NAME` in the history", func(c *configs.Config) *string { return &c.History.Name })
	f.word("baseline", "last run without new failures", "compare sizes and times with run `RUN`",
		func(c *configs.Config) *string { return &c.History.Baseline })
	f.either("fail-on-new", "exit 1 only after new or returned failures",
		func(c *configs.Config) *bool { return &c.History.FailOnNew })
}

// checkHistory checks what the configuration says of the history, after the flags have overridden
// it.
func (f *runFlags) checkHistory(h *configs.History) error {
	if _, err := strconv.ParseInt(h.Name, 10, 64); err == nil || h.Name == "last" {
		return fmt.Errorf("--name %q: expected a name other than a number or \"last\"", h.Name)
	}
	if strings.ContainsFunc(h.Name, unicode.IsControl) {
		return fmt.Errorf("--name %q: expected a name without control characters", h.Name)
	}
	if f.plan.Resume && h.File == "" {
		h.File = f.storeByDefault
	}
	if h.File != "" {
		return nil
	}
	for _, name := range []string{"name", "baseline", "fail-on-new"} {
		if f.flags.Changed(name) {
			return fmt.Errorf("--%s needs --history", name)
		}
	}
	return nil
}
