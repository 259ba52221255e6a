package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
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

// atLeast is the error of a flag whose value is too small.
func atLeast(name string, got, least int) error {
	if got >= least {
		return nil
	}
	return fmt.Errorf("--%s %d: expected at least %d", name, got, least)
}
