package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/xcheck-ltl/xcheck/cross"
)

// CSV writes a line for each call of a translator, with the names, order and
// meaning of the columns that ltlcross writes by default, but for those of
// products with random state spaces.
type CSV struct {
	w *csv.Writer
}

var csvColumns = []string{"formula", "tool", "exit_status", "exit_code", "time", "states", "edges", "transitions", "acc", "scc",
	"nondet_states", "nondet_aut", "complete_aut"}

// NewCSV starts with the line of column names, which is written with the first
// case or at the end.
func NewCSV(w io.Writer) *CSV {
	c := &CSV{w: csv.NewWriter(w)}
	c.w.Write(csvColumns)
	return c
}

// csvStatus gives each status as ltlcross names it. What it has no name for is
// "aborted", as an automaton is that its tool gave up.
var csvStatus = map[string]string{"ok": "ok", "timeout": "timeout", "crash": "signal", "exit": "exit code", "no-output": "parse error",
	"syntax": "parse error", "unsupported": "aborted", "too-big": "aborted", "too-long": "aborted",
	"aborted": "aborted", "memory": "aborted", "cpu-time": "timeout"}

// Case writes the lines of a case, and sees to it that they are really written.
// A formula that a translator was not given has no line.
func (c *CSV) Case(x *cross.Case) error {
	for _, r := range x.Results {
		status, ok := csvStatus[r.Status]
		if !ok {
			continue
		}
		// The number is that of an end by an exit status or a signal.
		code := r.ExitCode
		if status != "ok" && status != "exit code" && status != "signal" {
			code = -1
		}
		row := []string{input(x.Formula, r.Negated), r.Translator, status, strconv.Itoa(code), fmt.Sprintf("%.6f", r.Seconds)}
		for _, n := range []int{r.States, r.Edges, int(r.Transitions), r.Sets, r.Components, r.Nondet, bit(r.Nondet > 0), bit(r.Complete)} {
			text := strconv.Itoa(n)
			if r.Status != "ok" {
				text = ""
			}
			row = append(row, text)
		}
		c.w.Write(row)
	}
	return c.End()
}

// End completes the lines, of which there may be none but that of the names.
func (c *CSV) End() error {
	c.w.Flush()
	return c.w.Error()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
