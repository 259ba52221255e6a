package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// load reads the configuration, if there is one, and lets the flags override it.
func (f *runFlags) load() (*configs.Config, error) {
	// Called again, it does not read the file again: that may be a pipe.
	if f.loaded == nil && f.config != "" {
		file, err := configs.Load(f.config)
		if err != nil {
			return nil, err
		}
		f.loaded = file
	} else if f.loaded == nil {
		f.loaded = configs.Default()
	}
	syntax, err := ltl.LBT, error(nil)
	if !f.lbt && f.aut == nil {
		syntax, err = ltl.ParseSyntax(f.syntax)
	}
	if err != nil {
		return nil, err
	}
	copied := *f.loaded // flags change the copy; load may be called again
	config := &copied
	config.Translators, config.Formulas.Files = slices.Clone(config.Translators), slices.Clone(config.Formulas.Files)
	if len(f.choice.Only) > 0 { // to look at something; the files belong to the run itself
		config.Output.Reports, config.Output.SaveBogus, config.Output.SaveAutomata = nil, "", ""
		config.History = configs.History{}
	}
	// Flags with formulas replace all formulas of the file, also random ones.
	switch {
	case f.aut != nil:
		config.Formulas = configs.Formulas{Unasked: !f.given()}
		for _, name := range f.files {
			config.Formulas.Files = append(config.Formulas.Files, configs.File{Path: name})
		}
		if !f.given() {
			config.Formulas.Random = &configs.Random{Number: f.number}
		}
	case f.given():
		config.Formulas = configs.Formulas{Inline: f.formulas,
			Patterns: f.patterns, AllowDups: config.Formulas.AllowDups, Lenient: config.Formulas.Lenient}
		config.Formulas.Syntax = syntax
		for _, name := range f.files {
			config.Formulas.Files = append(config.Formulas.Files, configs.NewFile(name, config.Formulas.Syntax))
		}
	}
	if f.aut == nil && !f.given() && f.flags.Changed("syntax") {
		config.Formulas.Syntax = syntax
		for i := range config.Formulas.Files {
			config.Formulas.Files[i].Syntax = syntax
		}
	}
	if f.asksForRandom() && config.Formulas.Random == nil {
		config.Formulas.Random = configs.Default().Formulas.Random
		config.Formulas.Random.Number = f.number
	}
	if r := config.Formulas.Random; r != nil {
		if f.config == "" && f.choice.Finds() {
			r.Profile = random.Small // nobody knows how slow they are
		}
		// A time takes the place of another one, and of the number, unless that is given as a flag too.
		switch given := f.flags.Changed; {
		case given("for"):
			r.Number, r.Until = -1, ""
		case given("until"):
			r.Number, r.For = -1, 0
		}
	}
	if f.flags.Changed("grind") && f.aut == nil {
		config.Checks.Grind = f.plan.Smallest != ""
	}
	if f.flags.Changed("no-reference") {
		config.Checks.Reference = !f.choice.NoReference
	}
	if f.flags.Changed("relabel") {
		for i := range config.Translators {
			config.Translators[i].Relabel = f.choice.Relabel
		}
	}
	if f.flags.Changed("timeout") { // a limit of one translator would be stronger
		for i := range config.Translators {
			config.Translators[i].Timeout = 0
		}
	}
	if err := f.override(config); err != nil {
		return nil, err
	}
	out := &config.Output
	if out.Quiet && out.Verbose { // one in the file, the other as a flag
		out.Quiet, out.Verbose = f.flags.Changed("quiet"), f.flags.Changed("verbose")
	}
	for _, format := range report.Written() {
		if out.Reports[format.Name] == "-" && !format.Stdout {
			return nil, fmt.Errorf("standard output already has the text report; name a file for %s", format.Kind)
		}
	}
	if f.flags.Lookup("history") == nil {
		config.History = configs.History{} // the command stores nothing
	} else if err := f.checkHistory(&config.History); err != nil {
		return nil, err
	}
	return config, nil
}

// ready returns the plan of a run, which has begun, with its tools.
func (f *runFlags) ready(a *app) (*session.Plan, error) {
	plan, err := f.chosen(a)
	if err != nil {
		return nil, err
	}
	return plan, plan.CheckTools(a.ctx, f.ignoreMissing)
}

// chosen returns the plan of a run, with tools that may not be able to start.
func (f *runFlags) chosen(a *app) (*session.Plan, error) {
	plan, err := f.begun(a)
	if err != nil {
		return nil, err
	}
	return plan, plan.Choose(&f.choice)
}

// begun returns the plan of a run, which has begun. It has no tools yet.
func (f *runFlags) begun(a *app) (*session.Plan, error) {
	config, err := f.load()
	if err != nil {
		return nil, err
	}
	plan := f.plan // flags stay as they are: there may be a second plan
	plan.Config, plan.Open, plan.Note, plan.Command = config, a.open, a.note, a.line
	plan.Rerun = session.Rerun{Config: f.config, Timeout: f.flags.Lookup("timeout").Value.String()} // Choose sets the others
	switch {
	case f.aut != nil:
		a.limits = config.Limits.OfCheck() // for what is read
		if plan.Automata, err = f.automata(a); err != nil {
			return nil, err
		}
		if plan.Smallest == "-" && (a.json == "-" || len(config.Output.Stdout()) > 0) {
			return nil, errors.New("--grind: standard output already has JSON or CSV; use --grind=FILE")
		}
	case plan.Smallest == "-":
		plan.Smallest = "" // the report has them
	}
	return &plan, plan.Begin()
}

// piped adds the inputs of standard input to the plan, if there are some, as -F - does.
func (f *runFlags) piped(a *app, plan *session.Plan) error {
	// To wait for a silent pipe must not take longer than the run may.
	if r := plan.Config.Formulas.Random; r != nil && !f.plan.Resume {
		a.files.Until = r.Deadline
	}
	if f.given() {
		return nil
	}
	asked := f.asksForRandom() || !plan.Config.Formulas.Unasked
	full, err := a.piped(f.kind.inputs, f.number, asked, asked || f.config != "")
	if !full || err != nil {
		return err
	}
	// The plan begins again, with the file - that nobody named.
	f.files = []string{"-"}
	if f.aut != nil {
		plan.Automata.From = f.from()
	}
	if plan.Config, err = f.load(); err != nil {
		return err
	}
	return plan.Begin()
}

// piped reports whether there are inputs on standard input. Unless others were asked for, it must
// not be empty. By default, the inputs are n random ones.
func (a *app) piped(inputs string, n int, asked, other bool) (bool, error) {
	patience := input.Patience
	if !other {
		// There is nothing else to do: a silent pipe is waited for, for ever.
		patience, a.files.Instead = 0, fmt.Sprintf("use -n %d or </dev/null for random %s", n, inputs)
	}
	state, err := a.files.Look(a.ctx, patience)
	if err == nil && state == input.Empty && !asked {
		err = fmt.Errorf("no %s: standard input is empty; use -n %d for random %s", inputs, n, inputs)
	}
	return state == input.Full, err
}

// rehearse does what run --dry-run is for: it prints what a run would do, and the report of one on
// a trivial formula if a translator fails on that. The exit status is as after a run.
func (a *app) rehearse(f *runFlags, plan *session.Plan) error {
	var failures strings.Builder
	// The table below has all else.
	text := &report.Text{W: &failures, Color: f.color.colors(a.out), Width: columnsOf(a.out), Verbose: plan.Config.Output.Verbose, Quiet: true}
	r, err := plan.Rehearse(a.ctx, text)
	if r == nil {
		return err
	}
	a.complete = !r.Summary.Counts.Interrupted
	a.status = r.Status
	var b strings.Builder
	for _, invalid := range r.Invalid {
		fmt.Fprintf(&b, "invalid formula: %v\n", invalid)
	}
	rows := [][]string{{"translator", "version", "mode", "time limit", "memory limit", "command"}}
	for _, k := range r.Tools {
		memory := "-"
		if k.Limits.Memory > 0 {
			memory = mebibytes(k.Limits.Memory)
		}
		rows = append(rows, []string{k.Name, cmp.Or(k.Version, "-"), k.Mode, k.Limits.Timeout.String(), memory, k.Command})
	}
	b.WriteString(table.New(rows, 3, 4).Fit(columnsOf(a.out)).String())
	for _, row := range f.prospects(plan, r) {
		fmt.Fprintf(&b, "%-10s  %s\n", row[0], row[1])
	}
	b.WriteString(failures.String())
	switch {
	case a.status != outcome.ExitPassed: // the failures say so
	case len(r.Invalid) > 0:
		a.status = outcome.ExitBroken
		fmt.Fprintf(&b, "ERROR: dry run: %s\n", plural.Of(len(r.Invalid), "invalid formula"))
	default:
		fmt.Fprintf(&b, "DONE: dry run: %s gave automata, nothing written\n", plural.Of(len(r.Tools), f.kind.tool))
	}
	if _, e := io.WriteString(a.out, b.String()); e != nil {
		return e
	}
	return err
}

// mebibytes writes a limit of memory.
func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

// prospects says what the run would check, within which limits, and what it would write.
func (f *runFlags) prospects(plan *session.Plan, r *session.Rehearsal) [][2]string {
	c := plan.Config
	check := "each check " + c.Limits.Check.Time.String() + " and " + mebibytes(c.Limits.Check.Memory)
	if c.Checks.NoChecks {
		check = "none"
	}
	var reports []string
	add := func(what, file string) {
		if file == "-" {
			reports = append(reports, what+" on standard output")
		} else if file != "" {
			reports = append(reports, what+" to "+file)
		}
	}
	if len(c.Output.Stdout()) == 0 {
		add("text", "-")
	}
	for _, format := range report.Written() {
		add(format.Kind, c.Output.Reports[format.Name])
	}
	add("failing formulas", c.Output.SaveBogus)
	add("automata", c.Output.SaveAutomata)
	add("small formulas", plan.Smallest)
	var counts []string
	random := c.Formulas.Random
	if r.Given > 0 || random == nil {
		counts = append(counts, fmt.Sprintf("%d given", r.Given))
	}
	if r.Duplicates > 0 {
		counts = append(counts, plural.Of(r.Duplicates, "duplicate")+" ignored")
	}
	switch {
	case random == nil:
	case !random.Deadline.IsZero() && random.Number < 0:
		counts = append(counts, "random ones until "+random.Deadline.Format(time.DateTime))
	case random.Number > 0 || len(counts) == 0: // "0 random" says more than nothing
		text := fmt.Sprintf("%d random", random.Number)
		if !random.Deadline.IsZero() {
			text += ", until " + random.Deadline.Format(time.DateTime) + " at most"
		}
		counts = append(counts, text)
	}
	rows := [][2]string{{"formulas", strings.Join(counts, ", ")}, {"limits", check},
		{"reports", strings.Join(reports, ", ")}}
	if file := c.History.File; file != "" {
		state := "would be created"
		if _, err := os.Stat(file); err == nil {
			state = "exists: its failures would be replayed first"
		}
		rows = append(rows, [2]string{"history", file + " " + state})
	}
	return rows
}

// listTranslators prints translators with what is known of them.
func (a *app) listTranslators(f *runFlags) error {
	if err := a.create(); err != nil { // a run leaves --json to its reports
		return err
	}
	var list []*session.Known
	var err error
	// Without a configuration or flags, list all known tools.
	if f.config == "" && len(f.choice.Commands)+len(f.choice.References) == 0 {
		list, err = session.KnownTranslators(a.ctx)
	} else {
		var plan *session.Plan
		if plan, err = f.chosen(a); err == nil {
			list = plan.Known(a.ctx)
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
	_, err = io.WriteString(a.out, table.New(rows).Fit(columnsOf(a.out)).String())
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
