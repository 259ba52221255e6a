package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
// only. A missing value is never taken from the next flag. Unknown flags are not changed.
func pasted(root *cobra.Command, args []string) ([]string, error) {
	if len(args) == 0 || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args, nil
	}
	c, rest, err := root.Find(args)
	if err != nil || c == root || c.HasSubCommands() {
		return args, nil
	}
	p := &pasting{flags: c.Flags(), out: strings.Fields(c.CommandPath())[1:]}
	p.foreign = foreignOptions(c.Name(), rest, &p.out)
	for len(rest) > 0 {
		if rest[0] == "--" {
			return append(p.out, rest...), nil
		}
		used, err := p.next(rest[0], rest[1:])
		if err != nil {
			return nil, err
		}
		rest = rest[1+used:]
	}
	return p.out, nil
}

// next reads an argument, and returns how many of the following arguments are its value.
func (p *pasting) next(arg string, behind []string) (used int, err error) {
	switch {
	case strings.HasPrefix(arg, "--"):
		return p.long(arg, behind)
	case len(arg) > 1 && arg[0] == '-':
		return p.short(arg, behind)
	}
	p.out = append(p.out, arg)
	return 0, nil
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
	case f.NoOptDefVal != "":
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
			switch o.value {
			case noValue:
				_, err = p.translate(o, "-"+letter, "", false, nil)
			default:
				return p.translate(o, "-"+letter, rest, rest != "", behind)
			}
			if err != nil {
				return 0, err
			}
			continue
		}
		f := p.flags.ShorthandLookup(letter)
		switch {
		case f == nil:
			p.out = append(p.out, "-"+arg[i:])
			return 0, nil
		case f.NoOptDefVal != "":
			if strings.HasPrefix(rest, "=") {
				p.out = append(p.out, "-"+letter+rest)
				return 0, nil
			}
			p.out = append(p.out, "-"+letter)
		case rest != "":
			p.out = append(p.out, "-"+letter+rest)
			return 0, nil
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

// value takes the value of a flag from the arguments behind it.
func (p *pasting) value(flag string, behind []string) (value string, used int, err error) {
	if len(behind) == 0 {
		return "", 0, nil // cobra reports the missing value
	}
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
	names := map[any][]string{} // the names that fit, by flag or option
	add := func(what any, name string) {
		if strings.HasPrefix(name, short) {
			names[what] = append(names[what], name)
		}
	}
	for _, o := range p.foreign {
		for _, name := range o.names {
			if len(name) > 1 {
				add(o.names[0], name)
			}
		}
	}
	p.flags.VisitAll(func(f *pflag.Flag) { add(f, f.Name) })
	for _, list := range []map[string]string{ltlcrossNames, randltlNames} {
		for name := range list {
			if f := p.flags.Lookup(name); f != nil {
				add(f, name)
			}
		}
	}
	var all []string
	for _, list := range names {
		all = append(all, list...)
	}
	slices.Sort(all)
	switch len(names) {
	case 0:
		return short, nil
	case 1:
		return all[0], nil
	}
	return "", fmt.Errorf("ambiguous flag --%s: --%s", short, strings.Join(all, ", --"))
}
