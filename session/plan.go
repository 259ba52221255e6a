package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Plan says what a run does. Only Config and Tools are needed.
type Plan struct {
	// Config says which formulas to check, how to check them, and where to write and store the
	// results. Its Translators are not used.
	Config *configs.Config
	// Tools are the translators, or the tools for automata; see [Plan.Choose]. Missing are those
	// that were left out because they cannot start; see [Plan.CheckTools].
	Tools   []*translators.Tool
	Missing []report.Missing
	// Inputs, if set, are the formulas. They replace the formulas of the configuration.
	Inputs Inputs
	// Automata, if set, are the inputs, instead of formulas.
	Automata *Automata

	// Shard limits the run to a part of the inputs.
	Shard Shard
	// Resume continues the last unfinished run of the same configuration, if there is one. The
	// other runs of the history do not change.
	Resume bool
	// StrictFailures counts whatever leaves the run incomplete as an error, IgnoreFailures does not count it.
	StrictFailures, IgnoreFailures bool
	// Smallest is the file for the inputs that were shrunk; "" for none.
	Smallest string
	// Command is the line for a shell that started the run, for its provenance.
	Command string
	// Rerun has the flags that show a failure alone.
	Rerun Rerun

	// Open opens an input file, such as "-". If it is nil, os.Open does.
	Open func(name string) (io.ReadCloser, error)
	// Reads are files that the run reads, besides those that Config names. No report may overwrite them.
	Reads []os.FileInfo
	// Unread, if set, is called after the last input. It reports whether standard input has
	// inputs that were not asked for. The error ends the run.
	Unread func() (bool, error)
	// Empty is the error of a run without inputs. It has a default.
	Empty error

	// Stdout is for reports that are called "-".
	Stdout io.Writer
	// Announce, if set, is called before the first input if the seed was drawn or the run has a
	// deadline. Otherwise the deadline is zero.
	Announce func(seed uint64, deadline time.Time) error
	// Note, if set, gets what a user should know during the run, one message at a time.
	Note func(text string)
	// Progress, if set, shows how far the run is. Run sets its fields, except W, Width and Always.
	Progress *report.Progress

	begun     bool
	rehearsed bool     // the run is a rehearsal
	builtin   []string // names of built-in translators
	byDefault []string // names of translators that nobody named: these, and those found on PATH
	asked     bool     // for these, by a configuration or by their names
}

// Automata are the inputs of a run of tools that transform automata: those in the files of the
// configuration, and random ones.
type Automata struct {
	// Open opens a file of automata, such as "-".
	Open func(name string) (Inputs, error)
	// Random describes the random ones, but for the seed. How many there are, or until when, is
	// what the configuration says of random formulas.
	Random *random.GeneratorOptions
	// From says where they come from, such as the names of files. A stored run resumes only with the same.
	From []string
	// Complemented says that the tools print the complement. Unrelated says that they only have to
	// print automata of one language.
	Complemented, Unrelated bool
}

// Begin starts the time of the run, which a deadline counts from, and draws the seed of its
// random formulas unless the user chose one. Run calls it, unless it was called before. The error
// reports a deadline in the past.
func (p *Plan) Begin() error {
	if p.Config == nil {
		return errNoConfiguration
	}
	p.begun = true
	r := p.random()
	if r == nil {
		return nil
	}
	// A run that resumes may have its deadline in the past.
	if err := r.Begin(time.Now()); err != nil && p.Resume {
		r.Deadline = time.Time{}
	} else if err != nil {
		return fmt.Errorf("until: %w", err)
	}
	switch {
	case !p.seedDrawn():
		return nil
	case p.Shard.whole():
		r.DrawSeed()
	case p.Config.History.Name != "":
		r.SeedFrom(p.Config.History.Name) // all parts have it
	default:
		return errors.New("--shard: the shards of a run need the same seed; set --seed or --name")
	}
	p.Config.Checks.Products.Seed = r.Seed // the same seed reproduces the state spaces
	return nil
}

var errNoConfiguration = errors.New("the plan has no configuration")

func (p *Plan) ready() error {
	if p == nil || p.Config == nil {
		return errNoConfiguration
	}
	if p.begun {
		return nil
	}
	return p.Begin()
}

// random returns what the random inputs are, nil if there are none.
func (p *Plan) random() *configs.Random {
	f := &p.Config.Formulas
	if p.Automata != nil && p.Automata.Random == nil || p.Automata == nil && f.Unasked && len(f.Inline)+len(f.Patterns)+len(f.Files) > 0 {
		return nil
	}
	return f.Random
}

// seedDrawn reports whether the seed of random formulas is drawn for this run: if the run ends at
// some time, or is stored, unless the user chose a seed. So each night has other formulas.
func (p *Plan) seedDrawn() bool {
	r := p.random()
	return r != nil && !r.Seeded && (r.Timed() || p.Config.History.File != "")
}

// input names what the run checks.
func (p *Plan) input() string {
	return inputs[p.Automata != nil]
}

func (p *Plan) note(format string, values ...any) {
	if p.Note != nil {
		p.Note(fmt.Sprintf(format, values...))
	}
}

func (p *Plan) phase(what string) {
	if p.Progress != nil {
		p.Progress.Phase(what)
	}
}

func (p *Plan) open(name string) (io.ReadCloser, error) {
	if p.Open != nil {
		return p.Open(name)
	}
	return os.Open(name)
}

// options says what the run does with each input.
func (p *Plan) options(runner *translators.Runner) cross.Options {
	c := &p.Config.Checks
	o := cross.Options{
		Tools: p.Tools, Runner: runner, AllPairs: c.AllPairs, Words: c.Words, Exhaustive: c.Exhaustive, Prove: c.Prove,
		Properties: c.Properties, NoChecks: c.NoChecks, NoComplement: c.NoComplement, Complement: c.Complement,
		Limits: p.Config.Limits.OfCheck(), CaseTime: p.Config.Limits.CaseTime(),
		Readings: !p.Config.Output.Quiet && !p.rehearsed,
	}
	out := &p.Config.Output
	o.Statistics = cross.Statistics{Strength: out.Strength, Ambiguous: out.Ambiguous, Automata: out.Automata}
	if p.Automata != nil {
		o.Complemented, o.Unrelated = p.Automata.Complemented, p.Automata.Unrelated
		return o
	}
	if c.Products.Number < 0 { // nobody has chosen
		c.Products.Number = 0
		if p.Config.Output.Reports["csv"] != "" || c.NoComplement {
			c.Products.Number = cross.DefaultProducts().Number
		}
	}
	o.Products = c.Products
	if c.Reference {
		o.Reference = translate.Of
	}
	return o
}

// runner starts what runs the tools.
func (p *Plan) runner() (*translators.Runner, error) {
	r, err := translators.NewRunner(p.Config.Limits.Jobs, "")
	if err == nil && slices.ContainsFunc(p.Tools, func(t *translators.Tool) bool { return t.Builtin == nil }) {
		err = r.Open() // before any report is replaced
	}
	return r, err
}

// noInputs is the error of a run that had none.
func (p *Plan) noInputs() error {
	return cmp.Or(p.Empty, fmt.Errorf("no %s", plural.Word(p.input())))
}

// askVersions asks known tools, and those with a flag for it, for the versions that they have not told yet,
// all at the same time, but each program only once. What can't be found out stays empty.
func (p *Plan) askVersions(ctx context.Context) {
	var asked sync.WaitGroup
	versions := map[string]func() string{}
	for _, tool := range p.Tools {
		program, flag := tool.Command.Program(), tool.VersionFlag
		if s := configs.ShorthandOf(tool.Command.Text()); s != nil {
			// A version may follow the name, as in ltl3ba-1.1.3, but no other letters.
			if rest, ok := strings.CutPrefix(filepath.Base(program), s.Program()); ok && strings.IndexFunc(rest, unicode.IsLetter) != 0 {
				flag = cmp.Or(flag, s.VersionFlag)
			}
		}
		if tool.Version == "" && flag != "" && program != "" {
			call := fmt.Sprintf("%q %q %q", program, flag, tool.Env)
			if versions[call] == nil {
				versions[call] = sync.OnceValue(func() string { return version.Ask(ctx, 5*time.Second, tool.Env, program, flag) })
			}
			ask := versions[call]
			asked.Go(func() { tool.Version = ask() })
		}
	}
	asked.Wait()
}

// fingerprints returns what identifies the programs that run when the tools are called, by the names of the tools.
func (p *Plan) fingerprints(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	for _, tool := range p.Tools {
		text, err := tool.Fingerprint(ctx)
		if err != nil {
			return nil, err
		}
		if text != "" {
			all[tool.Name] = text
		}
	}
	return all, nil
}

// A Rehearsal says what a run would do, and how its tools answered a trivial formula.
type Rehearsal struct {
	// Given are the formulas that the plan names, without the Duplicates that a run would leave out
	// and the lines that are no formulas.
	Given, Duplicates int
	Invalid           []error
	// Tools are the tools of the plan with their versions, in its order.
	Tools []*Known
	// Result is the result of a run on the trivial formula. It has no Closing.
	*Result
}

// trivial is the formula of a rehearsal. Each tool gets its negation as well.
const trivial = "a"

// Rehearse does all that a run of formulas does before its first formula, and calls each tool for a
// trivial one. It writes no file: the sinks alone get the results. The plan does not change, except
// that its tools get versions and its random formulas a seed.
//
// The error is that with which the run would fail to start. Rehearse reads all files of formulas.
func (p *Plan) Rehearse(ctx context.Context, sinks ...report.Sink) (*Rehearsal, error) {
	if err := p.ready(); err != nil {
		return nil, err
	}
	if err := p.checkFiles(); err != nil {
		return nil, err
	}
	if file := p.Config.History.File; file != "" {
		if err := history.CheckFile(ctx, file); err != nil {
			return nil, err
		}
	}
	r := &Rehearsal{}
	if err := r.count(ctx, p); err != nil {
		return nil, err
	}
	r.Tools = p.Known(ctx)
	small, config := *p, *p.Config // copied, so that the plan does not change
	config.Formulas = configs.Formulas{Inline: []string{trivial}}
	config.Output = configs.Output{Quiet: p.Config.Output.Quiet}
	config.History, config.Checks.Grind = configs.History{}, false
	small.Config, small.begun, small.rehearsed = &config, true, true
	small.Shard, small.Resume, small.Smallest = Shard{}, false, ""
	small.Announce, small.Unread = nil, nil
	var err error
	if r.Result, err = Run(ctx, &small, sinks...); r.Result == nil {
		return nil, err
	}
	if closing := r.Result.Closing; closing != nil {
		<-closing // no process outlives the answer
	}
	return r, err
}

// count counts the formulas that the plan names.
func (r *Rehearsal) count(ctx context.Context, p *Plan) error {
	named, config := *p, *p.Config
	config.Formulas.Random = nil // they need not be read, and may have no end
	named.Config = &config
	next, _, err := named.formulas(func() { r.Duplicates++ })
	for err == nil {
		in, failed := next(ctx)
		switch {
		case failed == io.EOF:
			if r.Given+len(r.Invalid) == 0 && (p.random() == nil || p.random().Number == 0) && p.Config.History.File == "" {
				return p.noInputs()
			}
			return nil
		case failed != nil:
			err = failed
		case in.Err != nil:
			r.Invalid = append(r.Invalid, fmt.Errorf("%s (%s)", in.Err, in.Text))
		default:
			r.Given++
		}
	}
	return err
}

// checkFiles reports a file that the run could not write: one in a folder that does not exist, one
// that is a folder, one that the run reads, or one for two reports.
func (p *Plan) checkFiles() error {
	f := p.files()
	var seen []string
	o := &p.Config.Output
	names := []string{o.SaveBogus, p.Smallest}
	for _, format := range report.Written() {
		names = append(names, o.Reports[format.Name])
	}
	for _, name := range names {
		if name == "" || name == "-" {
			continue
		}
		path, _ := appended(name)
		if err := f.taken(path); err != nil {
			return err
		}
		if err := writable(path); err != nil {
			return err
		}
		full, err := wholefile.Absolute(path) // two names may stand for one file
		if err != nil {
			return err
		}
		if slices.Contains(seen, full) {
			return fmt.Errorf("cannot write two reports to %q; name a file for each", path)
		}
		seen = append(seen, full)
	}
	return nil
}

// writable returns why a file can't be created, as far as that is known without creating it.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil {
		switch mode := info.Mode(); {
		case mode.IsDir():
			return &fs.PathError{Op: "create", Path: path, Err: syscall.EISDIR}
		case !mode.IsRegular():
			return nil // opening a pipe has effects
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = file.Close()
		}
		return err
	}
	folder, _ := filepath.Split(path)
	folder = cmp.Or(folder, ".")
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		err = syscall.ENOENT
	case !info.IsDir():
		err = syscall.ENOTDIR
	default:
		err = wholefile.CheckFolder(folder) // Stat does not say whether files may be created
	}
	if err != nil {
		return &fs.PathError{Op: "create", Path: path, Err: err}
	}
	return nil
}

// A Rerun has the flags of xcheck run that the command needs that shows a failure alone. It is
// stored with the run.
type Rerun struct {
	Config     string   `json:"Config"` // the file
	Tools      []string `json:"Tools"`
	References []string `json:"References"`
	Relabel    bool     `json:"Relabel"`
	Timeout    string   `json:"Timeout"`
	// Drawing are the names of translators that draw options, With says which options others have.
	Drawing []string `json:"Drawing,omitempty"`
	With    []string `json:"With,omitempty"`
	// Streams are commands, as Tools are. Syntaxes and Formats name translators, as With does.
	Streams  []string `json:"Streams,omitempty"`
	Syntaxes []string `json:"Syntaxes,omitempty"`
	Formats  []string `json:"Formats,omitempty"`
}

// command returns the command that shows a cause alone. It has only the translators that fail, and
// those that the configuration names. There is none for an automaton.
func (f *Rerun) command(c *outcome.Cause) string {
	if _, _, automaton := screen.CutText(c.Formula); automaton {
		return ""
	}
	words := []string{"xcheck", "run"}
	if f.Config != "" {
		words = append(words, "-c", translators.Quote(f.Config))
	}
	// A translator is needed if it is run, or decides a number in a name that is: --only 'a#2' needs both called a.
	needed := func(name string) bool {
		return slices.ContainsFunc(c.Translators, func(r string) bool { return unnumbered(r) == unnumbered(name) })
	}
	for _, list := range []struct {
		flag     string
		commands []string
	}{{"-t", f.Tools}, {"--stream", f.Streams}, {"--reference", f.References}} {
		for _, text := range list.commands {
			if name, line := translators.SplitName(text); needed(cmp.Or(name, line)) {
				words = append(words, list.flag, translators.Quote(text))
			}
		}
	}
	for _, name := range c.Translators {
		words = append(words, "--only", translators.Quote(name)) // the configuration may have others
	}
	with := slices.Clone(f.With)
	for _, name := range c.Translators {
		if slices.Contains(f.Drawing, name) {
			with = append(with, name+"="+c.DrawnOptions())
		}
	}
	for _, list := range []struct {
		flag  string
		texts []string
	}{{"--with-options", with}, {"--tool-syntax", f.Syntaxes}, {"--tool-format", f.Formats}} {
		for _, text := range list.texts {
			if slices.ContainsFunc(c.Translators, func(name string) bool { return strings.HasPrefix(text, name+"=") }) {
				words = append(words, list.flag, translators.Quote(text))
			}
		}
	}
	if f.Relabel {
		words = append(words, "--relabel")
	}
	if f.Timeout != "" {
		words = append(words, "-T", translators.Quote(f.Timeout))
	}
	if len(c.Formula) > maxArgument {
		return `printf '%s\n' ` + translators.Quote(c.Formula) + " | " + strings.Join(append(words, "-F", "-"), " ")
	}
	return strings.Join(append(words, "-f", translators.Quote(c.Formula)), " ")
}

// maxArgument is the longest formula that is an argument of a program, in bytes: systems bound arguments, but
// not what a shell prints itself.
const maxArgument = 30_000

// unnumbered returns a name without the numbers that rename adds.
func unnumbered(name string) string {
	for {
		i := strings.LastIndexByte(name, '#')
		if i < 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
			return name
		}
		name = name[:i]
	}
}
