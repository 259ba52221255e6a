package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
)

// calledAs returns the name of the program, and the arguments with the command that a link named
// ltlcross or autcross stands for.
func calledAs(args []string) (string, []string) {
	if name := filepath.Base(args[0]); name == "ltlcross" || name == "autcross" {
		return name, append([]string{name}, args[1:]...)
	}
	return "xcheck", args[1:]
}

// A spotProgram is a program of Spot that a run can be like.
type spotProgram struct {
	name            string
	options         string // flags of run, or of aut
	noTool, noInput string // its errors
	// shorthands are the arguments that it adds to a command without a placeholder, by the program. Each
	// call is a process of its own, as there: its time is a column, and the log has its line.
	shorthands []struct{ program, arguments string }
	// places are the placeholders that a command needs: one for the input, one for the automaton.
	places [2]struct{ pattern, err string }
}

var ltlcrossProgram = spotProgram{
	name: "ltlcross",
	options: `lbt-input lenient list-translators reference relabel translator timeout trust-hoa
		allow-dups determinize-max-edges max-macrostates determinize fail-on-timeout ignore-execution-failures no-checks
		no-complement stop-on-error density products seed states ambiguous automata csv omit-missing strength color grind
		quiet save-bogus verbose`,
	noTool:  "no translator to run; see xcheck ltlcross --help",
	noInput: "no formula to translate",
	shorthands: []struct{ program, arguments string }{
		{`delag`, ` %f>%O`},
		{`lbt`, ` <%L>%O`},
		{`ltl2ba`, ` -f %s>%O`},
		{`ltl2(da|dgra|dpa|dra|ldba|na|nba|ngba)`, ` %f>%O`},
		{`ltl2dstar`, ` --output-format=hoa %[MW]L %O`},
		{`ltl2tgba`, ` -H %f>%O`},
		{`ltl3(ba|dra|hoa|tela)`, ` -f %s>%O`},
		{`modella`, ` %[MWei^]L %O`},
		{`spin`, ` -f %s>%O`},
		{`owl.* ltl2[bdeglnpr]+a\b`, ` -f %f>%O`},
		{`owl.* ltl2delta2\b`, ` -f %f`},
		{`owl.* ltl-utilities\b`, ` -f %f`},
	},
	places: [2]struct{ pattern, err string }{
		{`%(\[[^\]]*\])?[fslwFSLW]`, "no input %%-sequence in %q; use one of %%f, %%s, %%l, %%w, %%F, %%S, %%L, %%W for the formula"},
		{`%[ODHNT]`, "no output %%-sequence in %q; use %%O for the file of the automaton"},
	},
}

var autcrossProgram = spotProgram{
	name: "autcross",
	options: `list-shorthands tool timeout fail-on-timeout ignore-execution-failures language-complemented
		language-preserved no-checks stop-on-error csv omit-missing color quiet save-bogus verbose`,
	noTool:  "No tool to run; see xcheck autcross --help", // as Spot's tests expect it
	noInput: "no automaton to translate",
	shorthands: []struct{ program, arguments string }{
		{`(autfilt|dstar2tgba|kofola|seminator)`, ` %H>%O`},
		{`(dra2dpa|nba2l?dpa)`, ` <%H>%O`},
		{`ltl2dstar`, ` -B %H %O`},
		{`owl.* (ngba2ldba|nba(2dpa|2det|sim)|aut2parity|gfg-minimization)\b`, ` <%H>%O`},
	},
	places: [2]struct{ pattern, err string }{
		{`%(\[[^\]]*\])?[HSLM]`, "no input %%-sequence in %q; use one of %%H, %%S, %%L for the automaton, or %%M for its name"},
		{`%O`, "no output %%-sequence in %q; use %%O for the file of the automaton"},
	},
}

// An ltlcross is a run with the command line, the log, the files and the exit status of ltlcross. With
// the flags of aut, it is like autcross.
type ltlcross struct {
	*runFlags
	*spotProgram
	app     *app
	jobs    []ltlcrossJob
	version bool

	spot    spotFormulas
	names   map[string]string // of the tools in files, by their own names
	written []*wholefile.File
}

// An ltlcrossJob is a formula, or a file.
type ltlcrossJob struct {
	text string
	file bool
}

func (a *app) ltlcrossCommand() *cobra.Command {
	x := &ltlcross{runFlags: &runFlags{}, spotProgram: &ltlcrossProgram, app: a}
	return x.command(&cobra.Command{
		Use: "ltlcross [flags] COMMAND…",
		Long: `Takes the command line of Spot's ltlcross, and prints the same log, the same
columns of CSV and JSON, and the same exit status: 1 after an error, 2 if a
formula cannot be read. Checks the translators against each other only; xcheck
run finds more, and names who is wrong.

A link named ltlcross to xcheck does the same.`,
		Example: `  xcheck ltlcross -F formulas.ltl ltl3ba 'mytool %f >%O' --csv=out.csv
  ln -s "$(command -v xcheck)" ~/bin/ltlcross
  xcheck random -n 100 2 | xcheck ltlcross '{mine} mytool %f >%O' ltl3ba`,
	})
}

func (a *app) autcrossCommand() *cobra.Command {
	x := &ltlcross{runFlags: &runFlags{aut: &autFlags{}}, spotProgram: &autcrossProgram, app: a}
	return x.command(&cobra.Command{
		Use: "autcross [flags] COMMAND…",
		Long: `Takes the command line of Spot's autcross, and prints the same log, the same CSV,
and the same exit status: 1 after an error, 2 if an automaton cannot be read.
xcheck aut also explains each error.

A link named autcross to xcheck does the same.`,
		Example: `  xcheck autcross -F automata.hoa --language-preserved 'mytool %H >%O'
  ln -s "$(command -v xcheck)" ~/bin/autcross
  xcheck random --automata -n 100 2 | xcheck autcross autfilt 'mytool %H >%O'`,
	})
}

// command adds the flags of the program to a command.
func (x *ltlcross) command(c *cobra.Command) *cobra.Command {
	c.RunE = func(_ *cobra.Command, args []string) error { return x.run(args) }
	all := &cobra.Command{} // for the flags of run, or aut: the program has only some of them
	fs := c.Flags()
	fs.SortFlags = false
	job := func(file bool) func(string) error { // they are done in the order of the command line
		return func(text string) error {
			x.jobs = append(x.jobs, ltlcrossJob{text, file})
			return nil
		}
	}
	if x.aut != nil {
		x.addAut(x.app, all)
	} else {
		x.addAll(all)
		fs.FuncP("formula", "f", "check the formula `FORMULA`", job(false))
		x.flags.Lookup("grind").NoOptDefVal = "" // ltlcross expects a file
		x.describe("max-macrostates", "", x.flags.Lookup("determinize-max-edges").Usage)
		// Lookup still finds them by their own names; AddFlag takes the new ones.
		x.flags.Lookup("max-macrostates").Name, x.flags.Lookup("list-translators").Name = "determinize-max-states", "list-shorthands"
		fs.SetNormalizeFunc(renamed(map[string]string{"unambiguous": "ambiguous", "list-translators": "list-shorthands"}))
	}
	fs.FuncP("file", "F", x.flags.Lookup("file").Usage, job(true))
	x.describe("timeout", "", x.flags.Lookup("timeout").Usage) // there is none without the option
	for _, name := range strings.Fields(x.options) {
		flag := x.flags.Lookup(name)
		flag.Hidden = false
		fs.AddFlag(flag)
	}
	fs.BoolVar(&x.version, "version", false, "print the version")
	return c
}

// run does the work of the command.
func (x *ltlcross) run(commands []string) error {
	a, given := x.app, x.flags.Changed
	switch {
	case x.version:
		_, err := fmt.Fprintf(a.out, "%s (xcheck) %s\n", x.name, version.Own())
		return err
	case x.listTranslators:
		return a.listTranslators(x.runFlags)
	case x.aut != nil && x.aut.list:
		return a.listAutomatonTools()
	case given("determinize") && given("max-macrostates"), given("determinize") && given("determinize-max-edges"):
		return errors.New("options --determinize-max-states and --determinize-max-edges are incompatible with --determinize")
	case given("language-preserved") && given("language-complemented"):
		return errors.New("options --language-preserved and --language-complemented are incompatible")
	}
	if dir := os.Getenv("SPOT_TMPDIR"); dir != "" {
		os.Setenv("TMPDIR", dir) // where the folder of the run is made
	}
	a.files.Note = io.Discard // ltlcross does not say that it waits for standard input
	plan, references, err := x.plan(commands)
	if err != nil {
		return err
	}
	defer func() {
		for _, file := range x.written {
			file.Discard() // of a run that could not start
		}
	}()
	var sinks []report.Sink
	reports := plan.Config.Output
	columns := reports.Columns()
	columns.Products, columns.Each, columns.Names = plan.Config.Checks.Products.Number, plan.Config.Checks.Separate, x.names
	sink := func(name string, format func(w io.Writer, headless bool) report.Sink) {
		if name == "" || err != nil {
			return
		}
		var w io.Writer
		if w, err = x.create(name, wholefile.Create); err == nil {
			sinks = append(sinks, format(w, strings.HasPrefix(name, ">>")))
		}
	}
	sink(a.json, func(w io.Writer, _ bool) report.Sink {
		return report.FormatOf("ltlcross-json").New(w, report.Options{Columns: columns})
	})
	sink(reports.Reports["csv"], func(w io.Writer, headless bool) report.Sink {
		return report.FormatOf("csv").New(w, report.Options{Columns: columns, Headless: headless, Automata: x.aut != nil})
	})
	log := &report.LTLCrossLog{W: a.err, References: references, Automata: x.aut != nil, Quiet: reports.Quiet, Verbose: reports.Verbose, Color: x.color.colors(a.err),
		NoChecks: plan.Config.Checks.NoChecks, NoComplement: plan.Config.Checks.NoComplement, Products: columns.Products,
		Timeouts: plan.Config.Checks.Timeouts == configs.TimeoutsError, ExitCodes: plan.Config.Checks.IgnoreExecutionFailures,
		BogusName: reports.SaveBogus, Statistics: len(sinks) > 0 && x.aut == nil}
	if given("determinize") {
		log.Products = 0 // sizes are columns all the same
	}
	if reports.SaveBogus != "" && err == nil {
		log.Bogus, err = x.create(reports.SaveBogus, wholefile.Overwrite)
	}
	if g := &x.spot.mutations; plan.Smallest != "" && err == nil {
		g.file, err = x.create(plan.Smallest, wholefile.Create)
		if g.log = log.W; log.Quiet {
			g.log = io.Discard
		}
		g.errors, g.stop = make(chan bool, 1), plan.Config.Checks.StopOnError
		log.Done = func(problem bool) { g.errors <- problem }
		plan.Smallest, plan.Config.Checks.Grind, plan.Config.Checks.StopOnError = "", false, false
	}
	if err != nil {
		return err
	}
	for _, tool := range plan.Tools {
		name, _ := translators.SplitName(tool.Command.Text())
		log.Tools = append(log.Tools, name)
	}
	reports.Reports, reports.SaveBogus, reports.Quiet, reports.Verbose = nil, "", true, false
	plan.Config.Output = reports // the sinks write what ltlcross writes
	a.startRun(plan.Config)
	result, err := session.Run(a.ctx, plan, append(sinks, log)...)
	if result == nil {
		return err
	}
	for _, file := range x.written {
		err = errors.Join(err, file.Close())
	}
	x.written = nil // nothing is left to discard
	a.complete, a.closed = !result.Summary.Counts.Interrupted, result.Closing
	switch {
	case log.Broken:
		a.status = outcome.ExitBroken
	case log.Failed:
		a.status = outcome.ExitFailed
	}
	return err
}

// plan returns the plan of the run. Its first tools are the references.
func (x *ltlcross) plan(commands []string) (plan *session.Plan, references int, err error) {
	commands = slices.DeleteFunc(commands, func(text string) bool {
		if text == "-" {
			x.jobs = append(x.jobs, ltlcrossJob{text, true})
		}
		return text == "-"
	})
	// Translators are compared with each other only, and nobody else takes their time. Limits of
	// determinization change nothing, as complements are decided without it.
	c := configs.Default()
	c.Formulas = configs.Formulas{Syntax: ltl.Spot}
	c.Checks.Reference, c.Checks.Properties, c.Checks.Words, c.Checks.Exhaustive, c.Checks.Prove = false, false, 0, 0, cross.ProveNone
	c.Limits.Timeout = 1000 * time.Hour
	x.loaded = c
	x.flags.Lookup("max-macrostates").Changed = false
	if x.flags.Lookup("timeout").Value.String() == "0" { // none
		x.flags.Lookup("timeout").Changed = false
	}
	x.choice.NoBuiltin, x.choice.NoFound, x.choice.Relabel = true, true, false // the formulas are relabeled
	x.names = map[string]string{}
	var shown []string
	x.choice.Commands = append(x.choice.Commands, commands...)
	for _, list := range [][]string{x.choice.Commands, x.choice.References} {
		for i, text := range list {
			name, line := translators.SplitName(text)
			shown = append(shown, cmp.Or(name, line))
			if list[i], err = x.completed(text); err != nil {
				return nil, 0, err
			}
		}
	}
	switch {
	case len(shown) == 0:
		return nil, 0, errors.New(x.noTool)
	case len(shown) == 1 && x.aut != nil && !x.aut.preserved && !x.aut.complemented && !x.flags.Changed("no-checks"):
		return nil, 0, errors.New("one tool can only be compared with --language-preserved or --language-complemented")
	}
	if len(x.jobs) == 0 {
		if file, ok := x.app.files.Stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
			return nil, 0, errors.New(x.noInput)
		}
		x.jobs = []ltlcrossJob{{"-", true}}
	}
	for _, job := range x.jobs {
		if x.aut != nil {
			x.files = append(x.files, job.text)
		}
	}
	x.ignoreMissing = true // the error below has ltlcross's words
	if plan, err = x.ready(x.app); err != nil {
		return nil, 0, err
	}
	for _, m := range plan.Missing {
		err = errors.Join(err, fmt.Errorf("failed to run %q: %s", m.Name, m.Reason))
	}
	if err != nil {
		return nil, 0, err
	}
	for i, tool := range plan.Tools {
		x.names[tool.Name], tool.WithState = shown[i], true
	}
	// ltlcross numbers the references first; a plan has them last.
	references = len(x.choice.References)
	n := len(plan.Tools) - references
	plan.Tools = slices.Concat(plan.Tools[n:], plan.Tools[:n])
	checks := &plan.Config.Checks
	statistics := x.app.json != "" || plan.Config.Output.Reports["csv"] != ""
	switch p := &checks.Products; {
	case !statistics && !checks.NoComplement: // complements decide, and nobody sees the products
		p.Number = 0
	case p.Number < 0:
		p.Number = 1
	}
	plan.Empty = errors.New(x.noInput)
	if x.aut != nil {
		plan.Automata.Unrelated = !x.aut.preserved && !x.aut.complemented
		open := plan.Automata.Open
		plan.Automata.Open = func(name string) (session.Inputs, error) {
			next, err := open(name)
			return func(ctx context.Context) (cross.Input, error) {
				in, err := next(ctx)
				if in.Automaton != nil {
					in.Automaton = translators.WithState(in.Automaton)
				}
				if in.Err != nil { // which ends autcross
					err = errors.Join(in.Err, fmt.Errorf("failed to read automaton from %s", name))
				}
				return in, err
			}, cannotOpen(err)
		}
		return plan, 0, nil
	}
	plan.Inputs = x.spot.next
	x.spot.begin(x, plan)
	return plan, references, nil
}

// cannotOpen returns the error of a file in the words of Spot.
func cannotOpen(err error) error {
	var missing *fs.PathError
	if errors.As(err, &missing) {
		err = fmt.Errorf("cannot open '%s': %w", missing.Path, missing.Err)
	}
	return err
}

// create opens a file that is written to: >>FILE appends, - is standard output.
func (x *ltlcross) create(name string, open func(string) (*wholefile.File, error)) (io.Writer, error) {
	if name == "-" {
		return x.app.out, nil
	}
	path, more := strings.CutPrefix(name, ">>")
	if more {
		open = wholefile.Append
	}
	file, err := open(strings.TrimPrefix(path, ">"))
	if err != nil {
		return nil, err
	}
	x.written = append(x.written, file)
	return file, nil
}

// completed returns a command with its placeholders. It needs one for the input and one for the
// automaton.
func (x *ltlcross) completed(text string) (string, error) {
	_, line := translators.SplitName(text)
	command, more, _ := strings.Cut(line, " ")
	if base := filepath.Base(command) + " " + more; !strings.Contains(line, "%") {
		for _, s := range x.shorthands {
			if regexp.MustCompile(`^` + s.program).MatchString(base) {
				text += s.arguments
				break
			}
		}
	}
	command = strings.ReplaceAll(text, "%%", "") // in %%f, there is no placeholder
	for _, p := range x.places {
		if !regexp.MustCompile(p.pattern).MatchString(command) {
			return "", fmt.Errorf(p.err, line)
		}
	}
	return text, nil
}

// spotFormulas reads the formulas as Spot does.
type spotFormulas struct {
	files   *app
	left    []ltlcrossJob
	config  *configs.Formulas
	lbt     bool // the formulas are in LBT's syntax
	negated bool // negations are translated, too

	open    io.Closer    // the current file
	list    input.Reader // of its lines, or nil
	speller spelling.Speller
	seen    recent.Set
	rename  func(names []string) bool
	shown   ltl.Syntax // of formulas in the log and the files
	read    int        // inputs

	mutations mutations
}

// The mutations of --grind are formulas that are a step smaller than one with an error. They are checked
// as other formulas, one after the other. The first of them with an error takes the place of that one.
type mutations struct {
	file   io.Writer // gets the smallest formulas with errors; nil without --grind
	log    io.Writer
	stop   bool      // after the first formula with an error, and its mutations
	errors chan bool // whether the last formula has an error

	first, last string       // the formula that was read, "" if it has no error; and the last one
	smallest    string       // the smallest so far with an error
	formula     *ltl.Formula // last
	left        []string
	count       int
}

// learn waits for the result of the last formula, and finds the next mutations.
func (r *spotFormulas) learn(ctx context.Context) error {
	m, problem := &r.mutations, false
	select {
	case problem = <-m.errors:
	case <-ctx.Done():
		return ctx.Err()
	}
	if problem {
		m.first, m.smallest, m.left = cmp.Or(m.first, m.last), m.last, nil
		fmt.Fprintf(m.log, "Trying to find a bogus mutation of %s...\n", m.smallest)
		store, size := ltl.NewStore(), map[string]int{}
		for f := range store.Shrink(store.Import(m.formula), ltl.Leap-1) { // the steps of ltlgrind; some results are equal
			text, _ := new(spelling.Speller).Spell(f)
			f = r.reread(text, f)
			if text = f.String(); size[text] == 0 {
				m.left, size[text] = append(m.left, text), 3*f.Size()+int(min(f.Op(), ltl.OpProp)) // constants first
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		slices.SortStableFunc(m.left, func(f, g string) int { return size[f] - size[g] })
		m.count = len(m.left)
	}
	if m.first == "" || len(m.left) > 0 {
		return nil
	}
	fmt.Fprintf(m.log, "Smallest bogus mutation found for %s is %s.\n\n", m.first, m.smallest)
	m.first = ""
	if m.stop {
		r.left, r.list = nil, nil
	}
	_, err := fmt.Fprintln(m.file, m.smallest)
	return err
}

func (r *spotFormulas) begin(x *ltlcross, plan *session.Plan) {
	r.files, r.left, r.config, r.lbt, r.negated = x.app, x.jobs, &plan.Config.Formulas, x.lbt, !plan.Config.Checks.NoChecks
	always := x.flags.Changed("relabel")
	var names []*regexp.Regexp // that tools take as they are
	r.shown = ltl.Wring
	for _, tool := range plan.Tools {
		for _, syntax := range tool.Command.Syntaxes() {
			r.shown = min(r.shown, syntax) // the first that some tool needs
			if pattern := map[ltl.Syntax]string{ltl.LBT: `^p[0-9]+$`, ltl.Spin: `^[a-z][a-zA-Z0-9_]*$`}[syntax]; pattern != "" {
				names = append(names, regexp.MustCompile(pattern))
			}
		}
	}
	r.rename = func(props []string) bool {
		return always || slices.ContainsFunc(props, func(p string) bool {
			return slices.ContainsFunc(names, func(n *regexp.Regexp) bool { return !n.MatchString(p) })
		})
	}
}

// next returns the next formula. A duplicate, and a line that is no formula, are cases that are done.
func (r *spotFormulas) next(ctx context.Context) (cross.Input, error) {
	m := &r.mutations
	if m.file != nil && r.read > 0 {
		if err := r.learn(ctx); err != nil {
			return cross.Input{}, err
		}
	}
	where, text, end, err := r.text()
	if end != nil || ctx.Err() != nil {
		return cross.Input{}, cmp.Or(ctx.Err(), end)
	}
	line := &outcome.LogLine{Place: where, Text: text}
	var f *ltl.Formula
	if err == nil {
		f, err = r.parse(text, r.lbt && m.first == "")
	}
	m.last = text
	in := cross.Input{Formula: f}
	if err != nil {
		line.Wrong = r.wrong(where, text, err)
	} else {
		line.Formula, line.Negation = r.speller.Spell(f)
		// Tools get the formula with the identities that Spot applies when it reads one.
		in.Formula = r.reread(line.Formula, f)
		m.formula = in.Formula
		if r.rename(f.Props()) {
			in.Formula, _ = ltl.NewStore().Relabel(in.Formula)
			line.Formula, line.Negation = r.speller.Spell(in.Formula)
		}
		in.Negation = r.reread(line.Negation, nil)
		r.write(&line.Formula, in.Formula)
		r.write(&line.Negation, in.Negation)
		// A formula and its negation are one input where both are translated.
		key := line.Formula
		if r.negated {
			key = min(key, line.Negation)
		}
		line.Duplicate = !r.seen.Add(recent.KeyOf(key)) && !r.config.AllowDups
	}
	if line.Wrong != "" || line.Duplicate {
		in = cross.Input{Done: outcome.NewCase(r.read, text, nil)}
		in.Done.Checked = line.Duplicate // when it came first
	}
	in.Line = line
	r.read++
	return in, nil
}

// text returns the next text, and where it is, which is nowhere for the value of -f. There are no
// more if end is not nil.
func (r *spotFormulas) text() (where, text string, end, err error) {
	if m := &r.mutations; len(m.left) > 0 {
		text, m.left = m.left[0], m.left[1:]
		return fmt.Sprintf("Mutation %d/%d", m.count-len(m.left), m.count), text, nil, nil
	}
	for {
		if r.list != nil {
			if where, text, err = r.list.Next(); err != io.EOF {
				// Spot names the file and the line only.
				where, _, _ = strings.Cut(where, " (column ")
				return where, text, nil, err
			}
			r.list = nil
			r.open.Close()
		}
		if len(r.left) == 0 {
			return "", "", io.EOF, nil
		}
		job := r.left[0]
		r.left = r.left[1:]
		if !job.file {
			return "", job.text, nil, nil
		}
		file := configs.NewFile(job.text, ltl.Spot)
		in, err := r.files.open(file.Path)
		if err != nil {
			return "", "", cannotOpen(err), nil
		}
		r.open = in
		lines := input.NewLines(file.Path, in)
		lines.All = true // in ltlcross, a comment is an invalid formula
		r.list = lines
		if file.Column != 0 {
			r.list = input.NewColumn(file.Path, in, file.Column)
		}
	}
}

// pastWord matches the name of an operator of the past, which is a proposition in Spot, or a text in
// quotes.
var pastWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(\\.|[^"\\])*"|\b[STOHYZ]\b`) })

// parse reads a formula. Spot has no operators of the past.
func (r *spotFormulas) parse(text string, lbt bool) (*ltl.Formula, error) {
	syntax := ltl.LBT
	if !utf8.ValidString(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	if !lbt {
		syntax = ltl.Spot
		text = pastWord().ReplaceAllStringFunc(text, func(word string) string {
			if len(word) == 1 { // to Spot, Y and S are propositions
				return `"` + word + `"`
			}
			return word
		})
	}
	return r.config.Parse(ltl.NewStore(), text, syntax)
}

// wrong says why a text is no formula, with a mark below the place.
func (r *spotFormulas) wrong(where, text string, err error) string {
	var b strings.Builder
	if where != "" {
		fmt.Fprintf(&b, "ltlcross:%s: parse error:\n", where)
	}
	var syntax *ltl.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Fprintf(&b, ">>> %s\n%*s\n%s\n", text, 4+syntax.Column, "^", syntax.Reason)
	} else {
		fmt.Fprintf(&b, ">>> %s\n%v\n", text, err)
	}
	return b.String()
}

// write makes a spelling what the log shows and the tools get: without the quotes of parse, and in their syntax.
func (r *spotFormulas) write(spelling *string, f *ltl.Formula) {
	*spelling = pastWord().ReplaceAllStringFunc(*spelling, func(word string) string {
		if len(word) == 3 && pastWord().MatchString(strings.Trim(word, `"`)) {
			return strings.Trim(word, `"`)
		}
		return word
	})
	if f == nil || r.shown == ltl.Spot {
		return
	}
	store := ltl.NewStore()
	if g, err := store.Unabbreviate(store.Import(f), r.shown.Missing()); err == nil {
		f = g
	}
	if text, err := f.Parenthesized(r.shown, ltl.Every); err == nil {
		*spelling = text
	}
}

// reread returns the formula of a spelling, or f if it can't be read.
func (r *spotFormulas) reread(spelling string, f *ltl.Formula) *ltl.Formula {
	if g, err := r.parse(spelling, false); err == nil {
		return g
	}
	return f
}
