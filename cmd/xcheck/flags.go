package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/internal/plural"
)

// Texts of flags that several commands have.
const (
	colorHelp    = "color the output: auto, always or never"
	progressHelp = "show progress: auto, always or never"
	syntaxHelp   = "read formulas in `SYNTAX`: spot, spin, lbt or wring"
	seedHelp     = "seed the random generator with `N`"
	quietHelp    = "print only problems, and nothing after success"
)

// exclusive makes it an error to give more than one of some flags.
func exclusive(c *cobra.Command, names ...string) {
	before := c.PreRunE
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

// arguments checks that a command has n arguments.
func arguments(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return fmt.Errorf("got %s, expected %d: %s", plural.Of(len(args), "argument"), n, c.UseLine())
		}
		return nil
	}
}

// atLeast is the error of a flag whose value is too small.
func atLeast(name string, got, least int) error {
	if got >= least {
		return nil
	}
	return fmt.Errorf("--%s %d: expected at least %d", name, got, least)
}

// flagError returns the error of a flag in our words.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	help := c.CommandPath() + " --help"
	if c.Flags().Lookup("help-all") != nil {
		help += "-all"
	}
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = "-" + unknown.GetSpecifiedName()
		}
		return fmt.Errorf("unknown flag %s; see %s", name, help)
	case errors.As(err, &missing):
		name, _ := pflag.UnquoteUsage(missing.GetFlag())
		return fmt.Errorf("--%s: expected a value, --%[1]s %s", missing.GetFlag().Name, name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		why := invalid.Unwrap().Error()
		switch f.Value.Type() {
		case "int":
			why = "expected an integer"
		case "uint64":
			why = "expected an integer of at least 0"
		case "float64":
			why = "expected a number"
		case "bool":
			why = "expected true or false"
		}
		return fmt.Errorf("--%s %q: %s", f.Name, invalid.GetValue(), why)
	}
	return err
}
