// Package configs reads the TOML file that configures xcheck run: the formulas, the translators,
// the checks, the limits and the reports.
//
//	[formulas.random]
//	number = 1000
//	size   = "1..15"
//
//	[[translators]]
//	name    = "mine"
//	command = "mytool --ltl %f"
//
//	[[translators]]
//	tool    = "spin"
//	timeout = "10s"
//
// Every table is optional; docs/configuration.md lists the keys and their defaults. [Parse] returns a
// [Config] with the defaults filled in. A Config is plain data, in the types of what it configures.
//
// # Errors
//
// An error has the line and column of the value it is about. In a formula or a command it has the
// position of the character. A misspelled name gets a suggestion:
//
//	nightly.toml:6:1: translators.timeuot: unknown key; did you mean timeout?
//
// A setting is described once, in settings.go: its key, its flag, its help, its default, its range and its place in
// a Config. The file and the flags of all commands are read by that table.
//
// Parse works in three steps:
//
//  1. It parses the TOML. A syntax error ends the work, and is the only [Error].
//  2. It checks the type and range of each value, and rejects unknown keys.
//  3. It checks the meaning: it parses commands and formulas, and compares names.
//
// Parse returns the errors of steps 2 and 3 together, as [Errors], so that you can fix a file in
// one go.
package configs

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Config describes a run.
type Config struct {
	Formulas    Formulas
	Translators []Translator
	Checks      Checks
	Limits      Limits
	History     History
	Output      Output
}

// Formulas are the formulas to check, in this order: Inline, Patterns, Files, random formulas.
type Formulas struct {
	Inline   []string
	Syntax   ltl.Syntax // of Inline
	Patterns []string   // as patterns.Parse takes them
	Files    []File
	Random   *Random // nil for none
	// Unasked is set if there are random formulas only because no other formulas are given: others replace
	// them.
	Unasked bool `json:"-"`
	// AllowDups keeps formulas of Inline, Patterns and Files that occurred before, or whose
	// negation did.
	AllowDups bool
	// Lenient reads formulas by ltl.Store.ParseLenient.
	Lenient bool
}

// A File holds formulas: one per line, or one per record in a column of CSV.
type File struct {
	Path   string
	Syntax ltl.Syntax
	// Column counts from 1; 0 means that the file is not CSV. If it is negative, the first
	// record has the names of the columns.
	Column int
}

// NewFile returns the file for a name. NAME/COLUMN is a column of NAME, unless a file
// NAME/COLUMN exists.
func NewFile(name string, syntax ltl.Syntax) File {
	file := File{Path: name, Syntax: syntax}
	i := strings.LastIndexByte(name, '/')
	column, err := strconv.Atoi(name[i+1:])
	if i <= 0 || err != nil || column == 0 || name[i+1] == '+' {
		return file
	}
	if _, err := os.Stat(name); err != nil {
		file.Path, file.Column = name[:i], column
	}
	return file
}

// Random describes the random formulas: the first Number formulas that the options make.
type Random struct {
	// Number is negative if there is no limit but the time.
	Number int
	// For and Until end the run after a time, or at a moment. Given formulas are checked
	// before random ones, and count.
	For   time.Duration
	Until Until
	// Seeded says that the user chose Seed.
	Seeded bool
	// Deadline follows from For or Until when the run begins; see [Random.Begin].
	Deadline time.Time
	// Profile says what the formulas are like. If it is "", RandomOptions say it.
	Profile random.Profile
	ltl.RandomOptions
}

// A Translator is either a command or a built-in translation.
type Translator struct {
	Name    string
	Command string // as translators.ParseCommand takes it in Mode, or ""
	Builtin string // the name of a built-in translation, or ""
	Mode    translators.Mode
	// Syntax is the syntax of formulas on standard input.
	Syntax ltl.Syntax
	// Processes is the number of live processes (translators.Stream); 0 means as many as run
	// at a time.
	Processes int
	// Format is the format of the output: "hoa", "never" (a never claim), "lbtt", "dstar", or
	// "auto" to recognize it.
	Format string
	// Limits of a call. A zero limit means the one in Config.Limits.
	translators.Limits
	Env map[string]string
	// VersionFlag makes the program print its version. If it is "", the flag of a known program
	// applies.
	VersionFlag string
	// CleanEnv removes all of xcheck's own environment except PATH, HOME and LANG.
	CleanEnv bool
	// Reference is set if the translator is known to be right.
	Reference bool
	// Without are the operators that it does not support.
	Without ltl.OpSet
	// Relabel gives it p0, p1, … instead of the formula's propositions.
	Relabel bool
	// Options are groups of options, of which each formula draws some.
	Options []translators.OptionGroup
	// Line is the line of the file that defines the translator, or 0.
	Line int
}

// Checks say how to compare automata.
type Checks struct {
	// AllPairs checks every pair instead of classes of equal automata.
	AllPairs bool
	// Words is the number of random words on which each automaton is compared with
	// the truth of its formula.
	Words int
	// Exhaustive is the size up to which each automaton is compared with its formula on all
	// words; 0 means none. If it is negative, the size is the largest that costs little.
	Exhaustive int
	// Prove says which automata are proved.
	Prove cross.Proving
	// Properties checks the declared properties of automata.
	Properties bool
	// Reference compares the automata with the best built-in translation first, unless a
	// translator is a reference.
	Reference bool
	// Complement is the construction for all complements. If it is "", the best one is chosen.
	Complement complement.Algorithm
	// NoComplement leaves out the checks that need a complement, NoChecks all of them.
	NoComplement, NoChecks bool
	// Products compares products with random state spaces. There are none if Number is 0. If
	// Number is negative, there is one if the sizes of products are requested, or if there are
	// no complements.
	Products cross.Products
	// Separate reports the size of each product instead of the mean.
	Separate bool
	// Grind shrinks the formulas on which translators fail, and groups failures by the result. GrindCalls
	// limits the calls of each translator for that; 0 means no limit.
	Grind      bool
	GrindCalls int
	// StopOnError ends the run at the first formula on which something is wrong.
	StopOnError bool
	// Timeouts says how timeouts count.
	Timeouts Timeouts
	// IgnoreExecutionFailures ignores translators that exit with a status other than 0, or are
	// killed by a signal.
	IgnoreExecutionFailures bool
}

// Timeouts say how timeouts count.
type Timeouts uint8

const (
	TimeoutsFail   Timeouts = iota // as other failures do
	TimeoutsError                  // as disagreements do
	TimeoutsIgnore                 // not at all
)

// Limits limit the resources of a run.
type Limits struct {
	Jobs               int            // processes and checks at a time; 0: as many as there are cores
	translators.Limits                // of a call of a translator that has none of its own
	Check              omega.Limits   // of a single check
	Case               *time.Duration // see CaseTime; nil for the default
}

// OfCheck returns the limits of a check. In a configuration, 0 means no limit.
func (l *Limits) OfCheck() omega.Limits { return l.Check.Or(omega.NoLimits()) }

// CaseTime returns how long a case may take after the tools have answered; see cross.Options.
func (l *Limits) CaseTime() time.Duration {
	if l.Case == nil {
		return 0
	}
	return cmp.Or(*l.Case, -1)
}

// History says where to store a run, and what to compare it with.
type History struct {
	File     string // "" for none
	Name     string // of the run
	Baseline string // a run that sizes and times are compared with; "" for the last that found nothing new
	// FailOnNew makes only failures count that are new or back again.
	FailOnNew bool
}

// Output says where to write results besides the report.
type Output struct {
	// Reports has the files of reports by their formats, see package report. "-" is standard output, and
	// ">>FILE" goes on behind what that has.
	Reports        map[string]string
	Quiet, Verbose bool
	// Additional data about automata, for JSON and CSV.
	Strength, Ambiguous, Automata bool
	// OmitMissing leaves calls without an automaton out of the CSV. CSVMore adds columns to
	// the columns of ltlcross.
	OmitMissing, CSVMore bool
	// SaveBogus is a file for the failing formulas; >>FILE appends. SaveAutomata is a folder
	// for the wrong automata, and SaveProofs one for the proofs.
	SaveBogus, SaveAutomata, SaveProofs string
}

// Report sets the file of a report; "" for none.
func (o *Output) Report(format, file string) {
	o.Reports = maps.Clone(o.Reports) // it may be shared by copies
	if o.Reports == nil {
		o.Reports = map[string]string{}
	}
	if o.Reports[format] = file; file == "" {
		delete(o.Reports, format)
	}
}

// Columns returns the columns of CSV, without products.
func (o *Output) Columns() report.Columns {
	return report.Columns{Strength: o.Strength, Ambiguous: o.Ambiguous, Automata: o.Automata, OmitMissing: o.OmitMissing, More: o.CSVMore}
}

// Stdout returns the formats of the reports that go to standard output, instead of the text.
func (o *Output) Stdout() (formats []string) {
	for format, file := range o.Reports {
		if file == "-" {
			formats = append(formats, format)
		}
	}
	return formats
}

func numbered(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	return names
}
