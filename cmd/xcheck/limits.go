package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// checkFlags are the flags of what bounds a check, and of the construction for
// complements.
type checkFlags struct {
	macrostates, productStates, wordSteps int
	memory, time                          string
	algorithm, emptiness                  string
}

// add adds the flags to a command, that of the construction under a name. The limits of products
// and of words are only for commands that have no other place for them, such as a configuration.
func (f *checkFlags) add(c *cobra.Command, algorithm string, products bool) {
	d := productcheck.DefaultLimits
	fs := c.Flags()
	if algorithm != "" {
		fs.StringVar(&f.algorithm, algorithm, "", "use the construction `NAME`")
		fs.Lookup(algorithm).DefValue = "the best fit"
	}
	fs.IntVar(&f.macrostates, "max-macrostates", d.Macrostates, "stop if a complement has more than `N` states")
	if products {
		fs.IntVar(&f.productStates, "max-product-states", d.ProductStates, "stop if a product has more than `N` states")
		fs.IntVar(&f.wordSteps, "max-word-steps", d.WordSteps, "stop searching for a shortest word after `N` steps")
	}
	fs.StringVar(&f.memory, "max-memory", fmt.Sprintf("%dMiB", d.Memory>>20), "stop a check that exceeds `SIZE`")
	fs.StringVar(&f.time, "max-time", strings.Replace(d.Time.String(), "m0s", "m", 1), "stop a check after `DURATION`")
}

// addEmptiness adds the flag of the emptiness check to a command.
func (f *checkFlags) addEmptiness(c *cobra.Command) {
	c.Flags().StringVar(&f.emptiness, "emptiness", "", "use the emptiness check `NAME` where it applies")
	c.Flags().Lookup("emptiness").DefValue = "generic"
}

// override sets what the flags say in a configuration.
func (f *checkFlags) override(c *cobra.Command, limits *productcheck.Limits, algorithm *complement.Algorithm, search *emptiness.Algorithm) error {
	given := c.Flags().Changed
	for name, x := range map[string]struct{ from, to *int }{
		"max-macrostates":    {&f.macrostates, &limits.Macrostates},
		"max-product-states": {&f.productStates, &limits.ProductStates},
		"max-word-steps":     {&f.wordSteps, &limits.WordSteps},
	} {
		if !given(name) {
			continue
		}
		if *x.from < 0 {
			return atLeast(name, *x.from, 0)
		}
		*x.to = *x.from
	}
	both, err := searchLimits(f.memory, f.time)
	if err != nil {
		return err
	}
	if given("max-memory") {
		limits.Memory = both.Memory
	}
	if given("max-time") {
		limits.Time = both.Time
	}
	if f.algorithm != "" {
		if *algorithm, err = complement.ParseAlgorithm(f.algorithm); err != nil {
			return err
		}
	}
	if f.emptiness != "" {
		if !slices.Contains(emptiness.Names(), f.emptiness) {
			return fmt.Errorf("--emptiness %q: expected one of %s", f.emptiness, strings.Join(emptiness.Names(), ", "))
		}
		*search = emptiness.Algorithm(f.emptiness)
	}
	return nil
}

// searchLimits reads the limits of memory and time. 0 is none.
func searchLimits(memory, limit string) (l productcheck.Limits, err error) {
	if memory != "0" {
		if l.Memory, err = configs.ParseBytes(memory); err != nil {
			return l, fmt.Errorf("--max-memory: %w", err)
		}
	}
	if limit != "0" {
		if l.Time, err = configs.ParseDuration(limit); err != nil {
			return l, fmt.Errorf("--max-time: %w", err)
		}
	}
	return l, nil
}

// decider returns what decides the checks of a command that has no configuration. The
// command has the limits of a check for each answer.
func (f *checkFlags) decider(a *app, c *cobra.Command) (*productcheck.Decider, error) {
	d := &productcheck.Decider{Limits: productcheck.DefaultLimits}
	err := f.override(c, &d.Limits, &d.Algorithm, &d.Emptiness)
	if err == nil {
		a.bound(d.Limits)
	}
	return d, err
}

// checker returns what answers the questions of a command about automata.
func (f *checkFlags) checker(a *app, c *cobra.Command) (*xcheck.Checker, error) {
	d, err := f.decider(a, c)
	return &xcheck.Checker{Limits: d.Limits, Algorithm: d.Algorithm, Emptiness: d.Emptiness}, err
}

// atOnce returns how many processes or checks --jobs stands for: 0 for as many as there
// are cores.
func atOnce(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return runtime.GOMAXPROCS(0)
}

// closing is how long the translators of a run that was interrupted may take to end when its
// reports are complete.
const closing = 40 * time.Millisecond

// awaitClosed waits for the translators of a run that was interrupted, and abandons them if they have
// not ended then. The process is about to end.
func (a *app) awaitClosed() {
	if a.closed == nil {
		return
	}
	select {
	case <-a.closed:
	case <-time.After(closing):
		translators.Abandon()
	}
}
