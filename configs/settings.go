package configs

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Setting is a value of a Config that the file, a flag or both can set. Its type decides how they write
// it: a duration, a size in bytes, a name from a list.
type Setting struct {
	Key   string // in the file, such as checks.words; "" if only a flag sets it
	Flag  string // "" if only the file sets it
	Short string // the letter of the flag, if it has one
	// Help describes the flag. {input}, {inputs} and {tool} stand for what a command checks, and
	// for the tools that it runs.
	Help string
	// Default is the default that help shows, if that is not the value in Default().
	Default string

	at        func(*Config) any // where the value is kept: a pointer, or nil if there is no place
	own       string            // the key of the same limit for one translator, if it may have its own
	low, high int               // the range of a number
	names     func() []string   // the values of a text that must be one of them
	what      string            // such a name
	limit     bool              // a flag may say 0: no limit
	file      bool              // a file or folder, whose name is relative to the folder of the configuration
	mark      string            // what may stand before the name of a file
}

const most = math.MaxInt32

// settings are all settings but those that need code of their own, such as the translators. A Config without
// random formulas has no place for the settings of random formulas.
var settings = []Setting{
	{Key: "formulas.lenient", Flag: "lenient", Help: "read expressions such as (x > 3) as propositions", at: func(c *Config) any { return &c.Formulas.Lenient }},
	{Key: "formulas.allow-dups", Flag: "allow-dups", Help: "check duplicates of given formulas again", at: func(c *Config) any { return &c.Formulas.AllowDups }},

	{Key: "formulas.random.number", low: 1, high: 1e9, at: drawn(func(r *Random) any { return &r.Number })},
	{Key: "formulas.random.for", Flag: "for", Help: "keep generating {inputs} for `DURATION` (8h)", at: drawn(func(r *Random) any { return &r.For })},
	{Key: "formulas.random.until", Flag: "until", Help: "keep generating {inputs} until `TIME` (06:00)", at: drawn(func(r *Random) any { return &r.Until })},
	{Key: "formulas.random.size", Flag: "size", Help: "generate formulas with `A..B` nodes", at: drawn(func(r *Random) any { return &r.RandomOptions })},
	{Key: "formulas.random.past", Flag: "past", Help: "use past operators as well", at: drawn(func(r *Random) any { return &r.Past })},
	{Key: "formulas.random.psl", Flag: "psl", Help: "use regular expressions of PSL", at: drawn(func(r *Random) any { return &r.PSL })},
	{Key: "formulas.random.boolean", Flag: "boolean", Help: "use no temporal operators", at: drawn(func(r *Random) any { return &r.Boolean })},
	{Key: "formulas.random.weak-fairness", Flag: "weak-fairness", Help: "add weak fairness conditions such as GFa", at: drawn(func(r *Random) any { return &r.WeakFairness })},
	{Key: "formulas.random.simplify", Flag: "simplify", Help: "simplify formulas to `LEVEL` 1, 2 or 3", high: int(ltl.LevelImplications), at: drawn(func(r *Random) any { return &r.Simplify })},
	{Key: "formulas.random.keep-trivial", Flag: "keep-trivial", Help: "keep formulas that simplify to true or false", at: drawn(func(r *Random) any { return &r.KeepTrivial })},
	{Key: "formulas.random.keep-duplicates", Flag: "keep-duplicates", Help: "keep duplicate random formulas", at: drawn(func(r *Random) any { return &r.KeepDuplicates })},

	{Key: "checks.all-pairs", Flag: "all-pairs", Help: "compare every pair of automata", at: func(c *Config) any { return &c.Checks.AllPairs }},
	{Key: "checks.words", high: 1e6, at: func(c *Config) any { return &c.Checks.Words }},
	{Key: "checks.exhaustive", high: 20, at: func(c *Config) any { return &c.Checks.Exhaustive }},
	{Key: "checks.prove", Flag: "prove", Help: "prove `WHICH` automata: auto (as time allows), all or none", what: "choice of proofs",
		names: namesIn(func() []cross.Proving { return []cross.Proving{cross.ProveAuto, cross.ProveAll, cross.ProveNone} }), at: func(c *Config) any { return &c.Checks.Prove }},
	{Key: "checks.properties", at: func(c *Config) any { return &c.Checks.Properties }},
	{Key: "checks.complement", Flag: "complement", Help: "use the construction `NAME`", Default: "the best fit", what: "construction", names: namesIn(complement.Algorithms), at: func(c *Config) any { return &c.Checks.Complement }},
	{Key: "checks.no-complement", at: func(c *Config) any { return &c.Checks.NoComplement }},
	{Key: "checks.no-checks", at: func(c *Config) any { return &c.Checks.NoChecks }},
	{Key: "checks.products", high: maxProducts, at: func(c *Config) any { return &c.Checks.Products.Number }},
	{Key: "checks.separate-products", at: func(c *Config) any { return &c.Checks.Separate }},
	// The edges of a random state space are drawn for each pair of states.
	{Key: "checks.states", Flag: "states", Help: "give each state space `N` states", low: 1, high: 10000, at: func(c *Config) any { return &c.Checks.Products.States }},
	{Key: "checks.density", Flag: "density", Help: "connect its states with probability `P`", at: func(c *Config) any { return &c.Checks.Products.Density }},
	{Key: "checks.stop-on-error", Flag: "stop-on-error", Help: "stop after the first failing {input}", at: func(c *Config) any { return &c.Checks.StopOnError }},
	{Key: "checks.fail-on-timeout", Flag: "fail-on-timeout", Help: "exit 1 after a timeout (=false: ignore timeouts)", at: func(c *Config) any { return &c.Checks.Timeouts }},
	{Key: "checks.ignore-execution-failures", Flag: "ignore-execution-failures", Help: "ignore crashes and exit statuses of {tool}s", at: func(c *Config) any { return &c.Checks.IgnoreExecutionFailures }},

	{Key: "limits.jobs", Flag: "jobs", Short: "j", Help: "run `N` calls and checks at once", Default: "all cores", high: 10000, at: func(c *Config) any { return &c.Limits.Jobs }},
	{Key: "limits.timeout", own: "timeout", Flag: "timeout", Short: "T", Help: "stop a {tool} after `DURATION`", at: func(c *Config) any { return &c.Limits.Timeout }},
	{Key: "limits.tool-cpu-time", own: "cpu-time", at: func(c *Config) any { return &c.Limits.CPU }},
	{Key: "limits.tool-memory", own: "memory", at: func(c *Config) any { return &c.Limits.Memory }},
	{Key: "limits.address-space", own: "address-space", at: func(c *Config) any { return &c.Limits.AddressSpace }},
	// Standard input, output and error, and a few for the loader of the program.
	{Key: "limits.open-files", own: "open-files", low: 8, high: most, at: func(c *Config) any { return &c.Limits.OpenFiles }},
	{Key: "limits.max-output", own: "max-output", at: func(c *Config) any { return &c.Limits.MaxOutput }},
	{Key: "limits.macrostates", Flag: "max-macrostates", Help: "stop if a complement has more than `N` states", high: most, at: func(c *Config) any { return &c.Limits.Check.Macrostates }},
	{Key: "limits.product-states", Flag: "max-product-states", Help: "stop if a product has more than `N` states", high: most, at: func(c *Config) any { return &c.Limits.Check.ProductStates }},
	{Key: "limits.memory", Flag: "max-memory", Help: "stop a check that exceeds `SIZE`", limit: true, at: func(c *Config) any { return &c.Limits.Check.Memory }},
	{Key: "limits.word-steps", Flag: "max-word-steps", Help: "stop searching for a shortest word after `N` steps", high: most, at: func(c *Config) any { return &c.Limits.Check.WordSteps }},
	{Key: "limits.check-timeout", Flag: "max-time", Help: "stop a check after `DURATION`", limit: true, at: func(c *Config) any { return &c.Limits.Check.Time }},
	{Key: "limits.case-timeout", Flag: "max-case-time", Help: "stop all checks of one input after `DURATION`", Default: "5 times --max-time", limit: true, at: func(c *Config) any { return &c.Limits.Case }},

	{Key: "triage.grind", at: func(c *Config) any { return &c.Checks.Grind }},
	{Key: "triage.grind-calls", Flag: "grind-calls", Help: "shrink with at most `N` calls of a translator", high: most, at: func(c *Config) any { return &c.Checks.GrindCalls }},

	{Key: "history.file", Flag: "history", Help: "store the run in `FILE`, compare with earlier runs", file: true, at: func(c *Config) any { return &c.History.File }},
	{Key: "history.name", Flag: "name", Help: "call the run `NAME` in the history", at: func(c *Config) any { return &c.History.Name }},
	{Key: "history.baseline", Flag: "baseline", Help: "compare sizes and times with run `RUN`", Default: "last run without new failures", at: func(c *Config) any { return &c.History.Baseline }},
	{Key: "history.fail-on-new", Flag: "fail-on-new", Help: "exit 1 only after new or returned failures", at: func(c *Config) any { return &c.History.FailOnNew }},

	{Key: "output.strength", Flag: "strength", Help: "count terminal, weak and strong components", at: func(c *Config) any { return &c.Output.Strength }},
	{Key: "output.ambiguous", Flag: "ambiguous", Help: "test whether automata are ambiguous", at: func(c *Config) any { return &c.Output.Ambiguous }},
	{Key: "output.automata", Flag: "automata", Help: "include the automata (HOA) in CSV and JSON", at: func(c *Config) any { return &c.Output.Automata }},
	{Key: "output.omit-missing", Flag: "omit-missing", Help: "omit failures and exit columns from CSV", at: func(c *Config) any { return &c.Output.OmitMissing }},
	{Key: "output.csv-more", Flag: "csv-more", Help: "add CSV columns that ltlcross lacks", at: func(c *Config) any { return &c.Output.CSVMore }},
	{Key: "output.quiet", Flag: "quiet", Short: "q", Help: "print only problems, and nothing after success", at: func(c *Config) any { return &c.Output.Quiet }},
	{Key: "output.verbose", Flag: "verbose", Short: "v", Help: "print every {input} and every failure", at: func(c *Config) any { return &c.Output.Verbose }},
	{Key: "output.save-bogus", Flag: "save-bogus", Help: "write failing {inputs} to `FILE` ('>>FILE' appends)", file: true, mark: ">>", at: func(c *Config) any { return &c.Output.SaveBogus }},
	{Key: "output.save-automata", Flag: "save-automata", Help: "save the automata of failing formulas in `FOLDER`", file: true, at: func(c *Config) any { return &c.Output.SaveAutomata }},
	{Key: "output.save-proofs", Flag: "save-proofs", Help: "save proofs in `FOLDER`", file: true, at: func(c *Config) any { return &c.Output.SaveProofs }},
}

// maxProducts bounds the number of random state spaces.
const maxProducts = 10000

// SetProducts sets the number of random state spaces, and whether the size of each product is reported: N, or
// +N if it is.
func (c *Checks) SetProducts(text string) error {
	digits, separate := strings.CutPrefix(text, "+")
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > maxProducts {
		return fmt.Errorf("expected N or +N, with N from 0 to %d", maxProducts)
	}
	c.Products.Number, c.Separate = int(n), separate
	return nil
}

func drawn(at func(*Random) any) func(*Config) any {
	return func(c *Config) any {
		if c.Formulas.Random == nil {
			return nil
		}
		return at(c.Formulas.Random)
	}
}

func namesIn[S ~string](list func() []S) func() []string {
	return func() []string { return namesOf(list()) }
}

// SettingOf returns the setting of a flag, or nil.
func SettingOf(flag string) *Setting {
	if i := slices.IndexFunc(settings, func(s Setting) bool { return s.Flag == flag }); i >= 0 {
		return &settings[i]
	}
	return nil
}

// place returns a pointer to the value in a Config, nil if that has no place for it.
func (s *Setting) place(c *Config) any {
	if s.at == nil || c == nil {
		return nil
	}
	return s.at(c)
}

// Set sets the value in a Config to the value of a flag, which is a bool, an int64, a float64 or a text. A Config
// that has no place for it does not change.
func (s *Setting) Set(c *Config, name string, value any) error {
	at := s.place(c)
	switch {
	case at == nil || value == "" && s.names != nil: // an empty name chooses nothing
		return nil
	case s.limit && value == "0": // as a flag, 0 is no limit
		value = nil
	}
	err := s.assign(at, value)
	var unknown *nameError
	switch _, text := value.(string); {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		return fmt.Errorf("--%s %q%s", name, unknown.name, spelling.Of(unknown.name, unknown.names))
	case !text:
		return fmt.Errorf("--%s %v: %w", name, value, err)
	}
	return fmt.Errorf("--%s: %w", name, err)
}

// Shown returns the default of the flag: true or false, a number, or the text that help shows.
func (s *Setting) Shown(defaults *Config) any {
	// The type says which kind of flag this is.
	switch at := s.place(defaults).(type) {
	case *bool, *Timeouts:
		return false
	case *int:
		return *at
	case *ltl.Level:
		return int(*at)
	case *float64:
		return *at
	case *int64:
		return fmt.Sprintf("%dMiB", *at>>20)
	case *time.Duration:
		if *at == 0 {
			return ""
		}
		return strings.Replace(at.String(), "m0s", "m", 1) // 10m, not 10m0s
	case *cross.Proving:
		return string(*at)
	}
	return s.Default
}

// A nameError is the error of a text that is none of some names.
type nameError struct {
	what, name string
	names      []string
}

func (e *nameError) Error() string { return fmt.Sprintf("unknown %s %q", e.what, e.name) }

// assign sets what at points to, from a value in the file or of a flag. nil stands for no limit.
func (s *Setting) assign(at, v any) error {
	switch at := at.(type) {
	case *bool:
		return into(at)(asIs[bool](v))
	case *int:
		n, err := s.number(v)
		return into(at)(int(n), err)
	case *ltl.Level:
		n, err := s.number(v)
		return into(at)(ltl.Level(n), err)
	case *int64:
		return into(at)(bytesOf(v))
	case *float64:
		return into(at)(fractionOf(v))
	case *time.Duration:
		return into(at)(durationOf(v))
	case **time.Duration:
		d, err := durationOf(v)
		return into(at)(&d, err)
	case *ltl.RandomOptions: // the one setting with two numbers
		low, high, err := sizesOf(v)
		if err == nil {
			at.MinSize, at.MaxSize = low, high
		}
		return err
	case *Until:
		text, err := asIs[string](v)
		if err != nil {
			return err
		}
		return into(at)(parseUntil(text))
	case *Timeouts:
		fail, err := asIs[bool](v)
		counts := TimeoutsIgnore
		if fail {
			counts = TimeoutsError
		}
		return into(at)(counts, err)
	}
	// A text, or a name that has a type of its own.
	text, err := asIs[string](v)
	switch {
	case err != nil:
		return err
	case s.names != nil && !slices.Contains(s.names(), text):
		return &nameError{s.what, text, s.names()}
	}
	reflect.ValueOf(at).Elem().SetString(text)
	return nil
}

// into sets a value unless there is an error.
func into[T any](at *T) func(T, error) error {
	return func(v T, err error) error {
		if err == nil {
			*at = v
		}
		return err
	}
}

func (s *Setting) number(v any) (int64, error) {
	n, err := asIs[int64](v)
	switch {
	case err != nil || n >= int64(s.low) && n <= int64(s.high):
		return n, err
	case n < int64(s.low) && s.high == most:
		return 0, fmt.Errorf("expected at least %d", s.low)
	}
	return 0, fmt.Errorf("expected a number from %d to %d", s.low, s.high)
}

// asIs returns a value of the type that it must have.
func asIs[T any](v any) (T, error) {
	value, ok := v.(T)
	if !ok {
		return value, fmt.Errorf("expected %s, found %s", kind(value), kind(v))
	}
	return value, nil
}

// durationOf returns a duration, or a number of seconds.
func durationOf(v any) (time.Duration, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case string:
		return ParseDuration(v)
	case int64:
		return seconds(float64(v))
	case float64:
		return seconds(v)
	}
	return 0, fmt.Errorf("expected a duration such as \"90s\", or a number of seconds, found %s", kind(v))
}

func bytesOf(v any) (int64, error) {
	switch v.(type) {
	case nil:
		return 0, nil
	case string, int64:
		return ParseBytes(fmt.Sprint(v))
	}
	return 0, fmt.Errorf("expected a size such as \"64MiB\", or a number of bytes, found %s", kind(v))
}

func fractionOf(v any) (float64, error) {
	x, ok := v.(float64)
	if n, whole := v.(int64); whole {
		x, ok = float64(n), true
	}
	if !ok || !(0 <= x && x <= 1) {
		return 0, errors.New("expected a number from 0 to 1, such as 0.1")
	}
	return x, nil
}

func sizesOf(v any) (low, high int, err error) {
	switch v := v.(type) {
	case string:
		return ParseSizes(v)
	case int64:
		n := int(max(0, min(v, maxSize+1)))
		return n, n, checkSizes(n, n)
	}
	return 0, 0, fmt.Errorf("expected a number, or a range such as \"5..20\", found %s", kind(v))
}
