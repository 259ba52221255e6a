package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Texts of flags that several commands have.
const (
	colorHelp    = "color the output: auto, always or never"
	progressHelp = "show progress: auto, always or never"
	syntaxHelp   = "read formulas in `SYNTAX`: spot, spin, lbt or wring"
	seedHelp     = "seed the random generator with `N`"
)

// exclusive makes it an error to give more than one of some flags.
func exclusive(c *cobra.Command, names ...string) {
	before := c.PreRunE // of another call
	c.PreRunE = func(c *cobra.Command, args []string) error {
		var given []string
		for _, name := range names {
			if c.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("%s cannot be combined", strings.Join(given, " and "))
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// startFlags choose the initial states of two automata.
type startFlags struct{ a, b []int }

func (s *startFlags) add(c *cobra.Command) {
	c.Flags().IntSliceVar(&s.a, "start-a", nil, "start A in the state `N`")
	c.Flags().IntSliceVar(&s.b, "start-b", nil, "start B in the state `N`")
}

// startingAt returns an automaton with the initial states that a flag names, if there are any.
func startingAt(flag string, a *omega.Automaton, list []int) (*omega.Automaton, error) {
	if len(list) == 0 {
		return a, nil
	}
	states := make([]omega.State, len(list))
	for i, n := range list {
		if n < 0 || n >= a.NumStates() {
			return nil, fmt.Errorf("--%s: no state %d: the automaton has %d states, numbered from 0", flag, n, a.NumStates())
		}
		states[i] = omega.State(n)
	}
	x, err := a.From(states...)
	if err != nil {
		err = fmt.Errorf("--%s: %w", flag, err)
	}
	return x, err
}

// create begins the file of --json=FILE. It is replaced when the command ends, also if no answer
// has come: what an earlier command has left in it is none of this one's.
func (a *app) create() (err error) {
	if a.json != "" && a.json != "-" {
		a.file, err = wholefile.Create(a.json)
	}
	return err
}

// answer prints the answer of a command: text, with one end of line, or value as one line of JSON.
func (a *app) answer(text string, value any) error {
	if a.json == "" {
		_, err := fmt.Fprintln(a.out, strings.TrimSuffix(text, "\n"))
		return err
	}
	line, err := report.Document(value)
	if err != nil {
		return err
	}
	if a.json == "-" {
		_, err = a.out.Write(line)
		return err
	}
	_, err = a.file.Write(line)
	return err
}

// plainWord matches a word that a shell needs no quotes for.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+=:,./\w@%]+$`) })

// commandLine returns the line for a shell that runs xcheck with some arguments.
func commandLine(args []string) string {
	words := []string{"xcheck"}
	for _, word := range args {
		words = append(words, shellWord(word))
	}
	return strings.Join(words, " ")
}

// shellWord returns a word for a shell, in quotes if it needs them.
func shellWord(word string) string {
	if plainWord().MatchString(word) {
		return word
	}
	return translators.Quote(word)
}

// settings are flags that override a configuration, which is known only after all flags are read.
// Flags that are not given do not change it.
type settings struct {
	flags *pflag.FlagSet
	list  []func(*configs.Config) error
}

// override lets the flags that are given override c.
func (s *settings) override(c *configs.Config) error {
	for _, set := range s.list {
		if err := set(c); err != nil {
			return err
		}
	}
	return nil
}

// bind makes a flag a setting. If the flag is given, set applies its value to the configuration.
func bind[V any](s *settings, name string, value *V, set func(*configs.Config, V) error) {
	s.list = append(s.list, func(c *configs.Config) error {
		if !s.flags.Changed(name) {
			return nil
		}
		return set(c, *value)
	})
}

// text adds a flag with a text, and returns the variable for its value.
func (s *settings) text(name, short, shown, about string) *string {
	text := s.flags.StringP(name, short, "", about)
	s.flags.Lookup(name).DefValue = shown
	return text
}

// defaults are the defaults that help shows.
var defaults = sync.OnceValue(configs.Default)

// add adds the flags of settings, by their names. Help calls what the command checks by the names of a kind.
func (s *settings) add(k kind, names string) {
	words := strings.NewReplacer("{input}", k.input, "{inputs}", k.inputs, "{tool}", k.tool)
	for _, name := range strings.Fields(names) {
		name, of, _ := strings.Cut(name, "=") // algorithm=complement is --complement, called --algorithm here
		x := configs.SettingOf(cmp.Or(of, name))
		if x == nil || s.flags.Lookup(name) != nil {
			continue // no setting, or the command has a flag of its own
		}
		about := words.Replace(x.Help)
		var value func() any
		switch shown := x.Shown(defaults()).(type) {
		case bool:
			p := s.flags.BoolP(name, x.Short, shown, about)
			value = func() any { return *p }
		case int:
			p := s.flags.IntP(name, x.Short, shown, about)
			value = func() any { return int64(*p) } // as numbers of a configuration are
		case float64:
			p := s.flags.Float64P(name, x.Short, shown, about)
			value = func() any { return *p }
		case string:
			p := s.text(name, x.Short, shown, about)
			value = func() any { return *p }
		}
		s.flags.Lookup(name).DefValue = cmp.Or(x.Default, s.flags.Lookup(name).DefValue)
		s.list = append(s.list, func(c *configs.Config) error {
			v := value()
			if text, _ := v.(string); !s.flags.Changed(name) && text == "" {
				return nil // what the file says stays
			}
			return x.Set(c, name, v)
		})
	}
}

// describe changes what help says of a flag.
func (s *settings) describe(name, shown, about string) {
	f := s.flags.Lookup(name)
	f.DefValue, f.Usage = shown, about
}

// when is the value of a flag for something that is meant for terminals, --color or
// --progress: one of whens. Its zero value is auto.
type when string

var whens = []string{"auto", "always", "never"}

// spotWhens are the other words that Spot's tools take.
var spotWhens = map[string]string{"yes": "always", "force": "always", "no": "never", "none": "never", "tty": "auto", "if-tty": "auto"}

func (w *when) Set(text string) error {
	text = cmp.Or(spotWhens[text], text)
	if !slices.Contains(whens, text) {
		return errors.New("expected auto, always or never")
	}
	*w = when(text)
	return nil
}

func (w *when) String() string { return cmp.Or(string(*w), "auto") }

// Type is what help calls the value.
func (w *when) Type() string { return "WHEN" }

// wanted decides for what is written to out: auto is for terminals.
func (w when) wanted(out io.Writer) bool {
	if w.String() != "auto" {
		return w == "always"
	}
	file, ok := screen.FileOf(out)
	return ok && term.IsTerminal(int(file.Fd()))
}

// colors decides for colors in what is written to out: always is stronger than NO_COLOR and TERM=dumb.
func (w when) colors(out io.Writer) bool {
	return w.wanted(out) && (w == "always" || os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

// columnsOf returns the number of columns if out is a terminal, and otherwise 0.
func columnsOf(out io.Writer) int {
	if file, ok := screen.FileOf(out); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return cmp.Or(width, 80)
		}
	}
	return 0
}

// newProgress returns what tells on standard error how far a run is. From then on whatever goes
// there, or to the same terminal, goes through it.
func (a *app) newProgress(always bool) *report.Progress {
	p := &report.Progress{W: a.err, Always: always}
	// Text on the same terminal would tear the line: it goes above that.
	file, ok := screen.FileOf(a.err)
	if columnsOf(a.err) > 0 {
		width := func() int { return cmp.Or(columnsOf(file), 80) }
		if name := os.Getenv("TERM"); name == "dumb" || name == "" { // nothing can be drawn there
			p.Fold = width
		} else {
			p.Width = width
		}
	}
	if out, both := screen.FileOf(a.out); ok && both {
		first, err := out.Stat()
		second, err2 := file.Stat()
		if err == nil && err2 == nil && (os.SameFile(first, second) || when("auto").wanted(out) && when("auto").wanted(file)) {
			a.out = p.Above(a.out)
		}
	}
	a.err = p.Above(a.err)
	a.files.Note = a.err
	return p
}

// checkFlags are the flags of what bounds a check, and of how it is done, for commands without a configuration.
type checkFlags struct{ settings }

// limitFlags are the flags of the limits of a check.
const limitFlags = "max-macrostates max-product-states max-word-steps max-memory max-time"

// add adds the flags to a command. The flag that chooses the construction of complements, if it has one, is called
// algorithm.
func (f *checkFlags) add(c *cobra.Command, names string) {
	f.flags = c.Flags()
	f.settings.add(kind{}, names)
}

// decider returns what decides the checks. The command has the limits of a check for each answer.
func (f *checkFlags) decider(a *app) (*productcheck.Decider, error) {
	c := configs.Default()
	err := f.override(c)
	d := &productcheck.Decider{Limits: c.Limits.OfCheck(), Algorithm: c.Checks.Complement}
	if err == nil {
		a.bound(d.Limits)
	}
	return d, err
}

// checker returns what answers the questions of a command about automata.
func (f *checkFlags) checker(a *app) (*xcheck.Checker, error) {
	d, err := f.decider(a)
	return &xcheck.Checker{Limits: d.Limits, Algorithm: d.Algorithm}, err
}

// closing is how long the translators of a run that was interrupted may take to end when its
// reports are complete.
const closing = 40 * time.Millisecond
