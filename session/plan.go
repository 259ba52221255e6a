package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
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
	// StrictFailures counts whatever leaves the run incomplete as an error, IgnoreFailures does
	// not count it.
	StrictFailures, IgnoreFailures bool
	// Smallest is the file for the inputs that were shrunk; "" for none.
	Smallest string
	// Command is the line for a shell that started the run, for its provenance.
	Command string
	// Rerun has the flags that show a failure alone.
	Rerun Rerun

	// Open opens an input file, such as "-". If it is nil, os.Open does.
	Open func(name string) (io.ReadCloser, error)
	// Reads are files that the run reads, besides those that Config names. No report may
	// overwrite them.
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
	// From says where they come from, such as the names of files. A stored run resumes only with
	// the same.
	From []string
	// Complemented says that the tools print the complement.
	Complemented bool
	// Unlisted says which states accept if a tool prints an automaton in BA that lists none.
	Unlisted hoa.Unlisted
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
	p.Config.Checks.Products.Seed = r.Seed
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
	if p.Automata != nil && p.Automata.Random == nil {
		return nil
	}
	return p.Config.Formulas.Random
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
		Tools:        p.Tools,
		Runner:       runner,
		AllPairs:     c.AllPairs,
		Words:        c.Words,
		Exhaustive:   c.Exhaustive,
		Prove:        c.Prove,
		Properties:   c.Properties,
		NoChecks:     c.NoChecks,
		Limits:       p.Config.Limits.Check.Or(productcheck.NoLimits),
		CaseTime:     p.Config.Limits.CaseTime(),
		Complement:   c.Complement,
		Emptiness:    c.Emptiness,
		NoComplement: c.NoComplement,
		Readings:     !p.Config.Output.Quiet && !p.rehearsed,
	}
	out := &p.Config.Output
	o.Statistics = cross.Statistics{Strength: out.Strength, Ambiguous: out.Ambiguous, Automata: out.Automata}
	if p.Automata != nil {
		o.Complemented = p.Automata.Complemented
		return o
	}
	if c.Products.Number < 0 {
		c.Products.Number = 0
		if p.Config.Output.Reports["csv"] != "" || c.NoComplement {
			c.Products.Number = cross.DefaultProducts.Number
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

// versions finds out the versions of the tools if they are reported or stored: known ones that
// have none yet are asked, all at the same time. What can't be found out stays empty.
func (p *Plan) versions(ctx context.Context) {
	reported := func(f report.Format) bool { return f.Provenance && p.Config.Output.Reports[f.Name] != "" }
	if !slices.ContainsFunc(report.Formats, reported) && p.Config.History.File == "" {
		return
	}
	p.askVersions(ctx)
}

// askVersions asks known tools, and those with a flag for it, for their versions.
func (p *Plan) askVersions(ctx context.Context) {
	var asked sync.WaitGroup
	for _, tool := range p.Tools {
		if program, flag := versionFlag(tool); tool.Version == "" && flag != "" {
			asked.Go(func() { tool.Version = version.Ask(ctx, 2*time.Second, tool.Env, program, flag) })
		}
	}
	asked.Wait()
}

// versionFlag returns the program of a tool, and the flag with which it prints its version, or "".
func versionFlag(tool *translators.Tool) (program, flag string) {
	program = tool.Command.Program()
	return program, cmp.Or(tool.VersionFlag, configs.VersionFlag(path.Base(program)))
}

// programs returns the hashes of the programs that can print a version, by the names of their tools:
// they identify a program that is too slow to print it.
func (p *Plan) programs() map[string]string {
	hashes := map[string]string{}
	for _, tool := range p.Tools {
		program, flag := versionFlag(tool)
		if flag == "" {
			continue
		}
		if file, err := exec.LookPath(program); err == nil {
			if text, err := os.ReadFile(file); err == nil {
				hashes[tool.Name] = history.Hash(text)
			}
		}
	}
	return hashes
}
