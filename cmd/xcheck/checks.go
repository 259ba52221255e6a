package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/translators"
)

// overrideChecks sets what the flags say of the checks, of what counts as an error, and of
// what is saved.
func (f *runFlags) overrideChecks(given func(string) bool, config *configs.Config) error {
	c := &config.Checks
	c.AllPairs = c.AllPairs || f.allPairs
	c.Reference = c.Reference && !f.noReference
	// Of what excludes each other, the flag counts.
	if f.noChecks || f.noComplement {
		c.NoChecks, c.NoComplement = f.noChecks, f.noComplement
	}
	f.overrideRules(given, config)
	if given("products") {
		text, separate := strings.CutPrefix(f.products, "+")
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n > configs.MaxProducts {
			return fmt.Errorf("--products %q: expected N or +N, with N from 0 to %d", f.products, configs.MaxProducts)
		}
		c.Products.Number, c.Separate = int(n), separate
	}
	if given("states") {
		if f.spaces.States < 1 || f.spaces.States > configs.MaxSpace {
			return fmt.Errorf("--states %d: expected a number from 1 to %d", f.spaces.States, configs.MaxSpace)
		}
		c.Products.States = f.spaces.States
	}
	if given("density") {
		if d := f.spaces.Density; !(0 <= d && d <= 1) {
			return fmt.Errorf("--density %v: expected a number from 0 to 1", d)
		}
		c.Products.Density = f.spaces.Density
	}
	if given("seed") {
		c.Products.Seed = f.random.seed
	}
	f.output(&config.Output)
	config.Output.SaveAutomata = cmp.Or(f.saveAutomata, config.Output.SaveAutomata)
	return nil
}

// overrideRules sets what the flags say of what counts as an error, and where that is
// saved.
func (f *runFlags) overrideRules(given func(string) bool, config *configs.Config) {
	c := &config.Checks
	c.StopOnError = c.StopOnError || f.stopOnError
	c.IgnoreExecutionFailures = c.IgnoreExecutionFailures || f.ignoreExec
	if given("fail-on-timeout") {
		c.Timeouts = configs.TimeoutsIgnore
		if f.failOnTimeout {
			c.Timeouts = configs.TimeoutsError
		}
	}
	config.Output.SaveBogus = cmp.Or(f.saveBogus, config.Output.SaveBogus)
}

// commandArguments checks that all arguments are commands of translators.
func commandArguments(_ *cobra.Command, args []string) error {
	for _, text := range args {
		x, ok := configs.Complete(text)
		if !ok {
			x = configs.Translator{Command: text}
		}
		if _, err := translators.ParseCommand(x.Command, x.Mode); err != nil {
			return fmt.Errorf("%q is not the command of a translator: %w", text, err)
		}
	}
	return nil
}
