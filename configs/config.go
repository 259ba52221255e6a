package configs

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Config says what a run does.
type Config struct {
	Formulas    Formulas
	Translators []Translator
	Checks      Checks
	Limits      Limits
	Triage      Triage
	History     History
	Output      Output
}

// Formulas are what the translators are run on: those of Inline, then those of
// Patterns, then those of Files, then the random ones.
type Formulas struct {
	Inline   []string
	Syntax   ltl.Syntax // of Inline
	Patterns []string   // as patterns.Parse takes them
	Files    []File
	Random   *Random // nil for none
	// Unasked is set if there are random formulas only for want of others: nothing says that
	// there should be.
	Unasked bool `json:"-"`
	// AllowDups keeps formulas of Inline, Patterns and Files that came before, or the
	// negation of which did.
	AllowDups bool
	// Lenient has formulas read by ltl's ParseLenient.
	Lenient bool
}

// A File holds formulas: one a line, or one a record in a column of CSV.
type File struct {
	Path   string
	Syntax ltl.Syntax
	// Column is counted from 1; 0 if the file is not CSV. If it is negative, the first
	// record holds no formula, but the names of columns.
	Column int
}

// NewFile returns the file that a name stands for: NAME/COLUMN is a column of NAME, unless
// there is a file NAME/COLUMN.
func NewFile(name string, syntax ltl.Syntax) File {
	if path, column, ok := cutColumn(name); ok {
		if _, err := os.Stat(name); err != nil {
			return File{Path: path, Syntax: syntax, Column: column}
		}
	}
	return File{Path: name, Syntax: syntax}
}

// cutColumn splits what looks like NAME/COLUMN.
func cutColumn(name string) (path string, column int, ok bool) {
	i := strings.LastIndexByte(name, '/')
	if i <= 0 {
		return name, 0, false
	}
	column, err := strconv.Atoi(name[i+1:])
	if err != nil || column == 0 || name[i+1] == '+' {
		return name, 0, false
	}
	return name[:i], column, true
}

// Random are random formulas: the first Number of those that the options make.
type Random struct {
	// Number is negative if there are as many as fit into the time.
	Number int
	// For and Until end the run, if one is given: after a time, or at a moment. Formulas that are
	// given come before random ones, and count.
	For   time.Duration
	Until Until
	// Seeded says that Seed is what was asked for, and not the default.
	Seeded bool
	// Deadline is what For or Until say when the run begins: see [Random.Begin].
	Deadline time.Time
	ltl.RandomOptions
}

// A Translator is either a command or an algorithm of xcheck's own.
type Translator struct {
	Name    string
	Command string // as translators.ParseCommand takes it in Mode, or ""
	Builtin string // the name of one of builtin.Algorithms, or ""
	Mode    translators.Mode
	// Syntax is that of formulas on standard input.
	Syntax ltl.Syntax
	// Processes is how many are kept alive (translators.Stream); 0: as many as run at a time.
	Processes int
	// Format is that of the output: "hoa", "never" (a never claim), "lbtt", "dstar", or
	// "auto" if it is to be found out from the output itself.
	Format string
	// Limits of a call. Where one is 0, that of the Config's Limits counts.
	translators.Limits
	Env map[string]string
	// CleanEnv leaves nothing of xcheck's own environment but PATH, HOME and LANG.
	CleanEnv bool
	// Reference is set if the translator is known to be right.
	Reference bool
	// Without are the operators that it can't take.
	Without ltl.OpSet
	// Relabel gives it p0, p1, … instead of the formula's propositions.
	Relabel bool
	// Line is where the file says what is run; 0 if no file does.
	Line int
}

// Checks say how automata are compared.
type Checks struct {
	// AllPairs does every check for itself instead of by classes of equal
	// automata.
	AllPairs bool
	// Words is the number of random words on which each automaton is compared with
	// the truth of its formula.
	Words int
	// Audit is the share of the passed checks that are decided again in another way.
	Audit float64
	// Properties tests the properties that automata declare.
	Properties bool
	// Reference has the automata compared first with those of the best built-in
	// translation, unless a translator is a reference.
	Reference bool
	// Complement is the construction for all complements, or "" for the one that
	// fits best.
	Complement complement.Algorithm
	// Emptiness is the emptiness check to use where it applies, or "" for the one
	// that always applies.
	Emptiness emptiness.Algorithm
	// NoComplement leaves out the checks that need a complement, NoChecks all of them.
	NoComplement, NoChecks bool
	// Products compares products with random state spaces. There are none if Number is
	// 0, and one if it is less and the sizes of products are asked for, or no
	// complement is taken.
	Products cross.Products
	// Separate has the sizes of products reported one by one, and not the mean.
	Separate bool
	// StopOnError ends the run with the first formula on which something is wrong.
	StopOnError bool
	// Timeouts says how timeouts count.
	Timeouts Timeouts
	// IgnoreExecutionFailures has translators that end with another status than 0, or are
	// killed by a signal, not count.
	IgnoreExecutionFailures bool
}

// Timeouts say how timeouts count.
type Timeouts uint8

const (
	TimeoutsFail   Timeouts = iota // as other failures do
	TimeoutsError                  // as disagreements do
	TimeoutsIgnore                 // not at all
)

// Limits bound what a run takes.
type Limits struct {
	Jobs               int                 // processes and checks at a time; 0: as many as there are cores
	translators.Limits                     // of a call of a translator that has none of its own
	Check              productcheck.Limits // of a single check
	Case               *time.Duration      // see CaseTime; nil for the default
}

// caseChecks is the default time limit of a case, in units of the time limit of a check.
const caseChecks = 5

// CaseTime is how long a case may take when the tools have answered; 0 is no limit.
func (l *Limits) CaseTime() time.Duration {
	if l.Case != nil {
		return *l.Case
	}
	return caseChecks * l.Check.Time
}

// Triage says how failures are put into groups.
type Triage struct {
	// Grind makes the formulas small on which translators fail, and groups failures by
	// what remains.
	Grind bool
	// MaxCalls bounds the calls of each translator for that; 0 is no bound.
	MaxCalls int
}

// History says where a run is stored, and what it is compared with.
type History struct {
	File     string // "" for none
	Name     string // of the run
	Baseline string // a run that sizes and times are compared with; "" for the last that found nothing new
	// FailOnNew has only failures count that are new or back again.
	FailOnNew bool
}

// Output says where results go, beside the report.
type Output struct {
	JSON           string // a file, "-" for standard output, "" for nowhere
	CSV            string // likewise; ">>FILE" goes on behind what that has
	Quiet, Verbose bool
	// What is found out of automata, and goes into both.
	Strength, Ambiguous, Automata bool
	// OmitMissing leaves calls without an automaton out of CSV; CSVMore adds columns to
	// those of ltlcross.
	OmitMissing, CSVMore bool
	// SaveBogus is a file for the formulas on which something is wrong, behind what it
	// has if it starts with >>; SaveAutomata a folder for the automata that are.
	SaveBogus, SaveAutomata string
	// Files for reports in other forms; that of Markdown may start with >>.
	JUnit, Markdown, HTML string
}

// toolMemory is what a translator may have unless told otherwise: more than most ever
// need, and not all of a machine.
const toolMemory = 4 << 30

// Default returns the configuration of a run without a file: 200 random formulas with
// seed 0. It has no translators.
func Default() *Config {
	return &Config{
		Formulas: Formulas{Random: defaultRandom(), Unasked: true},
		Checks: Checks{Words: 20, Audit: 0.01, Properties: true, Reference: true,
			Products: cross.Products{Number: -1, States: cross.DefaultProducts.States, Density: cross.DefaultProducts.Density}},
		Triage: Triage{MaxCalls: cross.DefaultGrindCalls},
		Limits: Limits{
			Limits: translators.Limits{Timeout: translators.DefaultTimeout, MaxOutput: translators.DefaultMaxOutput, Memory: toolMemory},
			Check:  productcheck.DefaultLimits,
		},
	}
}

func defaultRandom() *Random {
	return &Random{
		Number:        200,
		RandomOptions: ltl.RandomOptions{Props: numbered(3), MinSize: 1, MaxSize: 12},
	}
}

// numbered returns the names of n propositions: p0, p1, ….
func numbered(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	return names
}

// Load reads a file. The error is that of reading it, or Errors.
func Load(path string) (*Config, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads the content of the file of that name. What the file does not say
// is as in Default; file names in it are relative to its folder. The error is
// of type Errors, and has all that is wrong.
func Parse(name string, data []byte) (*Config, error) {
	d, err := newDecoder(name, data)
	if err != nil {
		return nil, err
	}
	c := d.config()
	d.lines(c.Translators)
	for _, e := range c.check() {
		// What could not be read need not make sense.
		if !d.errs.faulty(e.path) {
			d.errs = append(d.errs, e)
		}
	}
	d.errs.position(name, d.places)
	if err := d.errs.orNil(); err != nil {
		return nil, err
	}
	return c, nil
}
