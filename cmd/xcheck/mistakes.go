package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	case errors.As(err, &unknown) && c.HasSubCommands() && belowHas(c, unknown.GetSpecifiedName()):
		return fmt.Errorf("--%s needs a command before it, as in %s", unknown.GetSpecifiedName(), firstLine(c.Example))
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s: expected a value, %s", missing.GetFlag().Name, example(missing.GetFlag()))
	case errors.As(err, &syntax):
		return fmt.Errorf("%q is not a flag; see %s", syntax.GetSpecifiedFlag(), helpFor(c))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return fmt.Errorf("--%s %q: %s", f.Name, invalid.GetValue(), expected(f.Value.Type(), invalid))
	}
	return err
}

// belowHas reports whether a command below c has a flag.
func belowHas(c *cobra.Command, name string) bool {
	return slices.ContainsFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Flags().Lookup(name) != nil })
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// example returns a flag with its value, as help has it: "--number N".
func example(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return "--" + f.Name + " " + name
}

// expected says which values a flag of a type has. Types that are not pflag's say it in their
// errors.
func expected(of string, err *pflag.InvalidValueError) string {
	value := strings.TrimPrefix(err.GetValue(), "-")
	large := value != "" && strings.Trim(value, "0123456789") == ""
	switch {
	case of == "int" && large:
		return "expected an integer of at most 64 bits"
	case of == "int":
		return "expected an integer"
	case of == "intSlice":
		return "expected integers, as in 1,2"
	case of == "uint64" && large && !strings.HasPrefix(err.GetValue(), "-"):
		return "expected an integer of at most 64 bits"
	case of == "uint64":
		return "expected an integer of at least 0"
	case of == "float64":
		return "expected a number"
	case of == "bool":
		return "expected true or false"
	case of == "stringSlice":
		return "expected names, as in a,b"
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
		hint := ""
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
	if isFile(text) {
		return "-F " + shellWord(text)
	}
	if _, err := patterns.Parse(text); err == nil {
		return "--patterns " + shellWord(text)
	}
	if f, err := ltl.NewStore().Parse(text, ltl.Spot); err == nil && f.Op() != ltl.OpProp {
		return "-f " + shellWord(text)
	}
	return ""
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// withFile adds a suggestion to the error of a file that does not exist, if its folder has a file
// with a similar name: "open fromulas.ltl: no such file or directory; did you mean formulas.ltl?".
func withFile(err error) error {
	var missing *fs.PathError
	if !errors.As(err, &missing) || missing.Op != "open" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder, name := filepath.Split(missing.Path)
	entries, _ := os.ReadDir(filepath.Clean(folder))
	var names []string
	for _, e := range entries[:min(len(entries), maxEntries)] {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	near := spelling.Nearest(name, names)
	if near == "" || slices.Contains(names, name) {
		return err
	}
	return fmt.Errorf("%w%s", err, spelling.DidYouMean(folder+near))
}

// maxEntries bounds how many files of a folder are compared with a name.
const maxEntries = 10_000
