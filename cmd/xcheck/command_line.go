package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A pasting reads a command line of one of Spot's tools, after its first word was replaced:
//
//	ltlcross --form='GFa' --reg …      run --form='GFa' …
//
// It knows the flags of the command, and the options of that tool that have other names here.
type pasting struct {
	flags   *pflag.FlagSet
	foreign []foreign
	out     []string // the line so far, in our words
}

// pasted returns a command line in our words:
//
//	run --form GFa -F x.ltl     run --formula=GFa -F x.ltl
//	random -n 3 2 --spin        random -n 3 2 --to=spin
//	patterns --go-theta=1..3    patterns go-theta 1..3
//
// Long options may be abbreviated, as getopt_long allows it, if the abbreviation fits one flag
// only. Unknown flags are not changed.
func pasted(root *cobra.Command, args []string) ([]string, error) {
	if len(args) == 0 || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args, nil
	}
	c, rest, err := root.Find(args)
	if err != nil || c == root || c.HasSubCommands() { // cobra says what is wrong
		return args, nil
	}
	p := &pasting{flags: c.Flags(), out: strings.Fields(c.CommandPath())[1:]}
	p.foreign = foreignOptions(c.Name(), rest)
	for len(rest) > 0 {
		if rest[0] == "--" { // no flags follow
			return append(p.out, rest...), nil
		}
		var used int // how many of the following arguments are the value of the first
		switch arg := rest[0]; {
		case strings.HasPrefix(arg, "--"):
			used, err = p.long(arg, rest[1:])
		case len(arg) > 1 && arg[0] == '-':
			used, err = p.short(arg, rest[1:])
		default:
			p.out = append(p.out, arg)
		}
		if err != nil {
			return nil, err
		}
		rest = rest[1+used:]
	}
	return p.out, nil
}

// long reads --name, --name=value or --name value.
func (p *pasting) long(arg string, behind []string) (used int, err error) {
	name, value, given := strings.Cut(arg[2:], "=")
	name, err = p.complete(name)
	if err != nil {
		return 0, err
	}
	if o := p.option(name); o != nil {
		return p.translate(o, "--"+name, value, given, behind)
	}
	f := p.flags.Lookup(name)
	switch {
	case f == nil:
		p.out = append(p.out, arg)
	case given:
		p.out = append(p.out, "--"+name+"="+value)
	case name == "color" && len(behind) > 0 && slices.Contains(whens, behind[0]): // no command has such an argument
		p.out, used = append(p.out, "--color="+behind[0]), 1
	case f.NoOptDefVal != "": // its value stands only behind =
		p.out = append(p.out, "--"+name)
	default:
		value, used, err = p.value("--"+name, behind)
		p.out = append(p.out, "--"+name)
		if used > 0 {
			p.out[len(p.out)-1] += "=" + value
		}
	}
	return used, err
}

// short reads one-letter options in one argument, such as -qfGa. The last one may have a value.
func (p *pasting) short(arg string, behind []string) (used int, err error) {
	for i := 1; i < len(arg); i++ {
		letter, rest := arg[i:i+1], arg[i+1:]
		if o := p.option(letter); o != nil {
			if o.value != noValue { // the rest of the argument, or the next one
				return p.translate(o, "-"+letter, rest, rest != "", behind)
			}
			if _, err = p.translate(o, "-"+letter, "", false, nil); err != nil {
				return 0, err
			}
			continue
		}
		f := p.flags.ShorthandLookup(letter)
		switch {
		case f == nil, f.NoOptDefVal == "" && rest != "", f != nil && strings.HasPrefix(rest, "="):
			p.out = append(p.out, "-"+arg[i:]) // pflag knows the rest, or reports it
			return 0, nil
		case f.NoOptDefVal != "":
			p.out = append(p.out, "-"+letter)
		default:
			value, used, err := p.value("-"+letter, behind)
			if p.out = append(p.out, "-"+letter); used > 0 {
				p.out = append(p.out, value)
			}
			return used, err
		}
	}
	return 0, nil
}

// value returns the value of a flag: the first argument after it.
func (p *pasting) value(flag string, behind []string) (value string, used int, err error) {
	if len(behind) == 0 {
		return "", 0, nil // cobra reports the missing value
	}
	// A missing value is never taken from the next flag.
	name, isLong := strings.CutPrefix(behind[0], "--")
	name, _, _ = strings.Cut(name, "=")
	if isLong && name != "" && (p.flags.Lookup(name) != nil || p.option(name) != nil) {
		join := flag
		if strings.HasPrefix(flag, "--") {
			join += "="
		}
		return "", 0, fmt.Errorf("%s: expected a value, found the flag --%s; if that is the value, write %s%s", flag, name, join, behind[0])
	}
	return behind[0], 1, nil
}

// translate puts an option of another program into our words.
func (p *pasting) translate(o *foreign, spelled, value string, given bool, behind []string) (used int, err error) {
	if o.value == required && !given {
		if value, used, err = p.value(spelled, behind); err != nil {
			return 0, err
		}
		if used == 0 {
			return 0, fmt.Errorf("%s: expected a value", spelled)
		}
	}
	ours, err := o.ours(value)
	if err != nil {
		// The message shows the option as it was spelled.
		if given && strings.HasPrefix(spelled, "--") {
			spelled += "="
		}
		if given {
			spelled += value
		}
		return 0, fmt.Errorf("%s: %w", spelled, err)
	}
	p.out = append(p.out, ours...)
	return used, nil
}

// option returns the option of another program with a name or a letter, or nil.
func (p *pasting) option(name string) *foreign {
	i := slices.IndexFunc(p.foreign, func(o foreign) bool { return slices.Contains(o.names, name) })
	if i < 0 {
		return nil
	}
	return &p.foreign[i]
}

// complete returns the name of the flag or the option that an abbreviation stands for: formula for
// form. It fails if several fit.
func (p *pasting) complete(short string) (string, error) {
	if short == "" || p.flags.Lookup(short) != nil || p.option(short) != nil {
		return short, nil
	}
	var all []string       // the names that fit
	fits := map[any]bool{} // the flags and options that have them
	add := func(what any, name string) {
		if len(name) > 1 && strings.HasPrefix(name, short) {
			all, fits[what] = append(all, name), true
		}
	}
	for _, o := range p.foreign {
		for _, name := range o.names {
			add(o.names[0], name)
		}
	}
	p.flags.VisitAll(func(f *pflag.Flag) { add(f, f.Name) })
	// Names that pflag translates are no flags of their own.
	for _, list := range []map[string]string{ltlcrossNames, randltlNames} {
		for name := range list {
			if f := p.flags.Lookup(name); f != nil {
				add(f, name)
			}
		}
	}
	slices.Sort(all)
	switch len(fits) {
	case 0:
		return short, nil // cobra reports it
	case 1:
		return all[0], nil
	}
	return "", fmt.Errorf("ambiguous flag --%s: --%s", short, strings.Join(all, ", --"))
}

// A foreign is an option of one of Spot's tools that is written in another way here.
type foreign struct {
	names []string // without dashes; a name of one letter is written with one dash
	value valueKind
	ours  func(value string) ([]string, error)
}

// A valueKind says whether an option has a value.
type valueKind uint8

const (
	noValue  valueKind = iota
	optional           // after = or a letter, and never the next argument
	required
)

// as is an option without a value that stands for some of our arguments.
func as(names string, ours ...string) foreign {
	return foreign{strings.Fields(names), noValue, func(value string) ([]string, error) {
		if value != "" {
			return nil, errors.New("takes no value")
		}
		return ours, nil
	}}
}

// plainly is an option that we have too, but without a value.
func plainly(names, ours string) foreign {
	return foreign{strings.Fields(names), optional, func(value string) ([]string, error) {
		if value != "" {
			return nil, fmt.Errorf("this format has no variants; use %s", ours)
		}
		return []string{ours}, nil
	}}
}

// ignored is an option with a value that changes nothing here.
func ignored(names string) foreign {
	return foreign{strings.Fields(names), required, func(string) ([]string, error) { return nil, nil }}
}

// without is an option that has no counterpart, and what to do instead.
func without(names string, value valueKind, instead string) foreign {
	return foreign{strings.Fields(names), value, func(string) ([]string, error) { return nil, errors.New(instead) }}
}

// Options of Spot's tools that print formulas: randltl, ltlgrind and genltl.
func formulaOptions() []foreign {
	return []foreign{
		as("spin s", "--to=spin"), as("spot", "--to=spot"), as("lbt l", "--to=lbt"), as("wring", "--to=wring"),
		as("utf8 8", "--to=utf8"), as("latex", "--to=latex"),
	}
}

// Options of randltl.
func randltlOptions() []foreign {
	return append(formulaOptions(),
		as("B", "--boolean"), as("ltl L", "--boolean=false"),
		foreign{[]string{"r"}, optional, func(level string) ([]string, error) {
			if level == "" {
				return []string{"--simplify"}, nil
			}
			return []string{"--simplify=" + level}, nil
		}},
		as("P", "--psl"),
		without("sere S", noValue, "an expression is no formula; for formulas {r}, use --psl --weights '{}=1000000'"))
}

// Options of randaut.
func randautOptions() []foreign {
	return []foreign{
		plainly("hoaf H", "--to=hoa"), plainly("dot d", "--to=dot"), plainly("lbtt", "--to=lbtt"), plainly("spin s", "--to=never"),
		as("buchi Buchi b", "--acceptance=Buchi"), as("utf8 8"),
		without("check", optional, "pipe the automata to xcheck lint, which decides all properties"),
		foreign{[]string{"automata"}, optional, func(n string) ([]string, error) {
			switch _, err := strconv.Atoi(n); {
			case n == "":
				return []string{"--automata"}, nil
			case err != nil:
				return []string{"--automata=" + n}, nil // pflag reports what is no bool
			}
			return []string{"--automata", "--number=" + n}, nil
		}},
	}
}

// foreignOptions returns the options that a command line may have.
func foreignOptions(command string, args []string) []foreign {
	switch command {
	case "run", "ltlcross":
		return []foreign{without("save-inclusion-products", required, "no product is made as a whole; use --save-automata FOLDER, and xcheck intersect")}
	case "aut", "autcross":
		return []foreign{as("low"), as("medium"), as("high"), ignored("trust-hoa")}
	case "grind": // ltlgrind
		return append(formulaOptions(), as("lbt-input", "--syntax=lbt"), as("simplify-bounds", "--lower-ops"),
			without("lenient", noValue, "use xcheck run --lenient --grind, which writes propositions in quotes"))
	case "patterns":
		return append(formulaOptions(), genltlOptions()...)
	case "random":
		// The command has the options of two programs.
		if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--automata") }) {
			return randautOptions()
		}
		return randltlOptions()
	}
	return nil
}

// genltlOptions choose a list of formulas, or a family with a number, as genltl does.
func genltlOptions() (list []foreign) {
	list = append(list, as("negative negated neg", "--negative"))
	for _, s := range patterns.Sets() {
		o := foreign{append([]string{s.Name}, s.Also...), required, func(value string) ([]string, error) {
			request := []string{s.Name}
			if value == "" {
				return request, nil
			}
			if len(s.Parameters) == 2 && !strings.Contains(value, ",") {
				value += "," + value // the same numbers for both
			}
			for _, numbers := range strings.Split(value, ",") {
				if strings.HasPrefix(numbers, "..") {
					numbers = "1" + numbers
				}
				request = append(request, numbers)
			}
			return request, nil
		}}
		if s.Len() > 0 {
			o.value = optional // a list has an end, a family needs numbers
		}
		list = append(list, o)
	}
	return list
}

// Errors in a command line, in our words, with a suggestion. Users never see the texts of cobra and
// pflag.

// flagError returns the error of a flag in our words.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch args := c.Flags().Args(); {
	case c.HasSubCommands() && len(args) > 0:
		return unknownCommand(c, args[0]) // the flags belong to that command
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &missing):
		f := missing.GetFlag()
		name, _ := pflag.UnquoteUsage(f)
		return fmt.Errorf("--%s: expected a value, --%[1]s %s", f.Name, name)
	case errors.As(err, &syntax):
		return fmt.Errorf("%q is not a flag; see %s", syntax.GetSpecifiedFlag(), helpFor(c))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return fmt.Errorf("--%s %q: %s", f.Name, invalid.GetValue(), expected(f.Value.Type(), invalid))
	}
	return err
}

// valuesOf are the values of flags of pflag's types.
var valuesOf = map[string]string{"int": "an integer", "intSlice": "integers, as in 1,2", "uint64": "an integer of at least 0",
	"float64": "a number", "bool": "true or false", "stringSlice": "names, as in a,b"}

// expected says which values a flag of a type has. Types that are not pflag's say it in their
// errors.
func expected(of string, err *pflag.InvalidValueError) string {
	value := strings.TrimPrefix(err.GetValue(), "-")
	large := value != "" && strings.Trim(value, "0123456789") == ""
	if large && (of == "int" || of == "uint64" && value == err.GetValue()) {
		return "expected an integer of at most 64 bits"
	}
	if values, ok := valuesOf[of]; ok {
		return "expected " + values
	}
	return err.Unwrap().Error()
}

func helpFor(c *cobra.Command) string {
	if help.HasMore(c) {
		return c.CommandPath() + " --help-all"
	}
	return c.CommandPath() + " --help"
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	name := err.GetSpecifiedName()
	if name == "version" { // of the program, as all of Spot's tools have it
		return fmt.Errorf("unknown flag --version%s", spelling.DidYouMean(c.Root().Name()+" --version"))
	}
	if err.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("unknown flag -%s; see %s", name, helpFor(c))
	}
	if c.Name() == "report" && slices.Contains(formats(), name) {
		return fmt.Errorf("unknown flag --%s%s", name, spelling.DidYouMean("--format "+name))
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown flag --%s%s", name, spelling.DidYouMean("--"+near))
	}
	return fmt.Errorf("unknown flag --%s; see %s", name, helpFor(c))
}

// unknownCommand returns the error for an unknown command below c.
func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	if name == "bench" { // for one version
		return errors.New("bench is in the laboratory now: go run ./lab/cmd/lab bench --help")
	}
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown command %q%s", name, spelling.DidYouMean(c.CommandPath()+" "+near))
	}
	return fmt.Errorf("unknown command %q; see %s --help", name, c.CommandPath())
}

// arguments checks that a command has n arguments.
func arguments(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		hint := "" // a value behind a space is an argument
		if f := c.Flags().Lookup("history"); n == 0 && f != nil && len(args) == 1 {
			hint = spelling.DidYouMean("--history=" + args[0])
		}
		return fmt.Errorf("got %s, expected %d: %s%s", plural.Of(len(args), "argument"), n, c.UseLine(), hint)
	}
}

// commandArguments checks that all arguments are commands of translators.
func commandArguments(_ *cobra.Command, args []string) error {
	for _, text := range args {
		if err := session.CheckCommand(text); err != nil {
			if flag := meantFlag(text); flag != "" {
				return fmt.Errorf("%q is not the command of a translator%s", text, spelling.DidYouMean(flag))
			}
			return err
		}
	}
	return nil
}

// meantFlag returns the flag of run that was probably forgotten before an argument, with the
// argument, or "":
//
//	my.toml     -c my.toml
//	a b.ltl     -F 'a b.ltl'
//	sh          -t 'sh %f'
//	dac 1..3    --patterns 'dac 1..3'
//	G a         -f 'G a'
func meantFlag(text string) string {
	// The look of a name decides first: the file need not exist.
	if strings.HasSuffix(text, ".toml") {
		return "-c " + shellWord(text)
	}
	if strings.HasSuffix(text, ".ltl") {
		return "-F " + shellWord(text)
	}
	for _, program := range []string{text, "./" + text} {
		if _, err := exec.LookPath(program); err == nil {
			return "-t " + translators.Quote(program+" %f")
		}
	}
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
		return "-F " + shellWord(text)
	}
	if _, err := patterns.Parse(text); err == nil {
		return "--patterns " + shellWord(text)
	}
	// A single word is a formula, too, but rather a program that was misspelled.
	if f, err := ltl.NewStore().Parse(text, ltl.Spot); err == nil && f.Op() != ltl.OpProp {
		return "-f " + shellWord(text)
	}
	return ""
}
