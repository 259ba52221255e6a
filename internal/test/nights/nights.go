// Package nights writes histories of many nights for tests: through the history, but without
// translators, with dates a day apart.
package nights

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// Nights describe a history. Night n, from 0, is the same in every history with the same fields, so
// that a longer history continues a shorter one.
type Nights struct {
	Number int
	Tools  []string
	Causes []*outcome.Cause
	// Present says whether a cause fails in a night. The zero value is [Life].
	Present func(cause, night int) bool
	Command func(*outcome.Cause) string
}

// Start is when the first night begins.
var Start = time.Date(2026, 10, 1, 22, 0, 0, 0, time.UTC)

// Life is how causes come and go: each begins in some of 30 nights, every third one is fixed some
// nights later, and every ninth comes back.
func Life(cause, night int) bool {
	age := night - cause*7%30
	switch {
	case age < 0:
		return false
	case cause%9 == 0:
		return age < 4 || age >= 17
	case cause%3 == 0:
		return age < 6
	}
	return true
}

// fixed are the formulas that all nights check.
var fixed = []string{"GFa", "FGa", "a U b", "G(a -> Fb)", "G(a -> Xb)", "a W b", "a R b", "F(a & Xb)"}

// Write writes the history to a file.
func (n *Nights) Write(ctx context.Context, file string) error {
	store, err := history.Open(ctx, file)
	if err != nil {
		return err
	}
	for night := range n.Number {
		if err := n.night(ctx, store, night); err != nil {
			return fmt.Errorf("night %d: %w", night, err)
		}
		if err := dated(ctx, file, int64(night+1), Start.AddDate(0, 0, night)); err != nil {
			return err
		}
	}
	return store.Close()
}

// dated sets the times of a run.
func dated(ctx context.Context, file string, run int64, at time.Time) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	defer db.Close()
	const moment = "2006-01-02T15:04:05.000000000Z"
	_, err = db.ExecContext(ctx, "UPDATE runs SET started = ?, ended = ?, alive = ? WHERE id = ?",
		at.Format(moment), at.Add(time.Hour).Format(moment), at.Add(time.Hour).Format(moment), run)
	return err
}

func (n *Nights) present(cause, night int) bool {
	if n.Present == nil {
		return Life(cause, night)
	}
	return n.Present(cause, night)
}

// night adds a run.
func (n *Nights) night(ctx context.Context, store *history.Store, night int) error {
	seed := uint64(1000 + night)
	plan := &history.Plan{Configuration: []byte("{}"), File: "nightly.toml", Name: "nightly", Shard: 1, Shards: 1, Seed: &seed, Version: "1.0", Settings: []byte("{}")}
	for i, name := range n.Tools {
		plan.Tools = append(plan.Tools, history.Tool{Name: name, Command: name + " %f", Version: fmt.Sprintf("1.%d", (night+3*i)/12)})
	}
	var err error
	if plan.Replayed, err = store.Replays(ctx, n.Tools); err != nil {
		return err
	}
	run, err := store.Begin(ctx, plan)
	if err != nil {
		return err
	}
	formulas := slices.Concat(plan.Replayed, fixed)
	for i := range 5 {
		formulas = append(formulas, fmt.Sprintf("F(p%d & X(q%d U r%d))", night, i, night*i))
	}
	var decided history.Decided
	summary := report.NewSummary(nil)
	for i, text := range formulas {
		c := n.fill(outcome.NewCase(i, text, nil), night)
		if i >= len(formulas)-5 {
			c.Seed = &seed
		}
		c.Replayed = i < len(plan.Replayed)
		decided.Add(c)
		summary.Add(c)
		if err := run.Add(c); err != nil {
			return err
		}
	}
	causes := n.causes(night)
	if _, err := run.Compare(ctx, causes, n.command, &decided); err != nil {
		return err
	}
	for _, c := range causes {
		c.Command = n.command(c)
	}
	summary.Causes = append(summary.Causes, causes...)
	status := 0
	if len(causes) > 0 {
		status = 1
	}
	totals, err := json.Marshal(summary.Trailer())
	if err != nil {
		return err
	}
	return run.End(status, true, totals)
}

func (n *Nights) command(c *outcome.Cause) string {
	if n.Command != nil {
		return n.Command(c)
	}
	return fmt.Sprintf("xcheck run -c nightly.toml --only %s -f '%s'", c.Translators[0], c.Formula)
}

// causes returns the causes of a night. The night determines the number of formulas.
func (n *Nights) causes(night int) (list []*outcome.Cause) {
	for k, c := range n.Causes {
		if n.present(k, night) {
			met := *c
			met.Formulas = 1 + (night*(k+3)+k)%17
			list = append(list, &met)
		}
	}
	return list
}

// fill sets the answers of the translators, which are wrong where a cause of the night has the formula.
func (n *Nights) fill(c *outcome.Case, night int) *outcome.Case {
	c.Checked, c.Reference = true, "couvreur"
	for i, name := range n.Tools {
		for _, polarity := range outcome.BothPolarities() {
			states := 2 + len(c.Formula)%5 + i%2
			if i == 1 && night >= 9 {
				states++ // since its version 1.1
			}
			c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: name, Polarity: polarity}, Status: outcome.OK, Sizes: omega.Sizes{States: states, Edges: 2 * states},
				Seconds: 0.004 + 0.001*float64(i), CPU: 0.003 + 0.0005*float64(i) + 0.0001*float64(night*(i+2)%5)})
		}
	}
	for k, x := range n.Causes {
		if x.Formula != c.Formula || !n.present(k, night) {
			continue
		}
		c.Disagreements = append(c.Disagreements, x.Case.Disagreements...)
		for i := range c.Results {
			for _, failed := range x.Case.Results {
				if failed.Failed() && failed.Subject == c.Results[i].Subject {
					c.Results[i] = failed
				}
			}
		}
	}
	return c
}

// always is an automaton that accepts every word.
const always = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0&!1] 0\n[1] 1\n[!0&!1] 1\nState: 1\n[t] 1 {0}\n--END--\n"

// Causes returns some causes of the translators, each with a formula of its own: extra words, and
// every fifth one a call that fails. Every fourth one is shared by two translators.
func Causes(ctx context.Context, number int, tools []string) ([]*outcome.Cause, error) {
	automaton, _, err := hoa.ReadOne(ctx, []byte(always))
	if err != nil {
		return nil, err
	}
	const word = "cycle{!a&!b}"
	w, err := omega.ParseWord(ctx, word)
	if err != nil {
		return nil, err
	}
	why, err := explain.Acceptance(ctx, automaton, w)
	if err != nil {
		return nil, err
	}
	why.HOA = always
	var list []*outcome.Cause
	for k := range number {
		formula := strings.Repeat("X", k%8) + fmt.Sprintf("(a U b%s)", strings.Repeat(" & Gc", k/8))
		c := &outcome.Cause{Record: outcome.Record{Translators: []string{tools[k%len(tools)]}, Class: outcome.Extra.Class(), Formula: formula, Word: word, Size: 1, Shortest: true, Key: "words | " + formula}, Ground: true, Original: "F(" + formula + ")"}
		if other := tools[(k+1)%len(tools)]; k%4 == 3 && other != c.Translators[0] {
			c.Translators = append(c.Translators, other)
		}
		c.Case = outcome.NewCase(0, formula, nil)
		c.Case.Checked, c.Case.Reference = true, "couvreur"
		var subjects []outcome.Subject
		for _, name := range c.Translators {
			subjects = append(subjects, outcome.Subject{Translator: name})
		}
		if k%5 == 4 {
			fail(c, subjects)
		} else {
			of := *why
			of.Automata = subjects
			d := outcome.Disagreement{Word: word, Size: 1, Shortest: true, Kind: outcome.Extra, Blamed: subjects, Explanations: []outcome.Explanation{of},
				Accepts: []outcome.Answer{{Subject: outcome.Subject{Translator: "couvreur"}, Right: true}},
				Table:   &outcome.TruthTable{Letters: []string{"!a&!b"}, Rows: []outcome.TruthRow{{Formula: "a", Truth: "0"}, {Formula: formula, Truth: "0"}}}}
			for _, s := range subjects {
				d.Accepts = append(d.Accepts, outcome.Answer{Subject: s, Accepts: true})
			}
			c.Case.Disagreements = append(c.Case.Disagreements, d)
		}
		list = append(list, c)
	}
	return list, nil
}

// fail makes a cause one of calls that fail.
func fail(c *outcome.Cause, subjects []outcome.Subject) {
	c.Class = outcome.ParseClass("exit 3: assertion failed in simplify")
	c.Word, c.Size, c.Shortest = "", 0, false
	c.Key = "exit 3: assertion failed in simplify | " + c.Formula
	for _, s := range subjects {
		c.Case.Results = append(c.Case.Results, outcome.Result{Subject: s, Status: outcome.Exit, Failure: c.Class, Command: s.Translator + " '" + c.Formula + "'",
			Detail: "exit status 3", ExitCode: 3, Stderr: "tool: simplify.c:214: assertion failed: n > 0\n"})
	}
}
