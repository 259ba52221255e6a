package main

import (
	"cmp"
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
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// checkFlags are the flags of what bounds a check, and of how it is done.
type checkFlags struct{ settings[productcheck.Decider] }

// add adds the flags to a command, that of the construction for complements under a name. The
// limits of products and of words are only for commands that have no other place for them, such as
// a configuration.
func (f *checkFlags) add(c *cobra.Command, algorithm string, products bool) {
	type decider = productcheck.Decider
	l := productcheck.DefaultLimits
	f.flags = c.Flags()
	s := &f.settings
	if algorithm != "" {
		by := s.text(algorithm, "", "the best fit", "use the construction `NAME`")
		bind(s, algorithm, by, func(d *decider, name string) (err error) {
			if name != "" {
				d.Algorithm, err = complement.ParseAlgorithm(name)
			}
			return err
		})
	}
	s.number("max-macrostates", "", l.Macrostates, "stop if a complement has more than `N` states",
		func(d *decider) *int { return &d.Limits.Macrostates })
	if products {
		s.number("max-product-states", "", l.ProductStates, "stop if a product has more than `N` states",
			func(d *decider) *int { return &d.Limits.ProductStates })
		s.number("max-word-steps", "", l.WordSteps, "stop searching for a shortest word after `N` steps",
			func(d *decider) *int { return &d.Limits.WordSteps })
	}
	parsed(s, "max-memory", "", fmt.Sprintf("%dMiB", l.Memory>>20), "stop a check that exceeds `SIZE`",
		orNone(configs.ParseBytes), func(d *decider) *int64 { return &d.Limits.Memory })
	parsed(s, "max-time", "", strings.Replace(l.Time.String(), "m0s", "m", 1), "stop a check after `DURATION`",
		orNone(configs.ParseDuration), func(d *decider) *time.Duration { return &d.Limits.Time })
}

func (f *checkFlags) addEmptiness() {
	by := f.text("emptiness", "", "generic", "use the emptiness check `NAME` where it applies")
	bind(&f.settings, "emptiness", by, func(d *productcheck.Decider, name string) error {
		if name != "" && !slices.Contains(emptiness.AllNames(), name) {
			return fmt.Errorf("--emptiness %q%s", name, spelling.Of(name, emptiness.AllNames()))
		}
		d.Emptiness = cmp.Or(emptiness.Algorithm(name), d.Emptiness)
		return nil
	})
}

// decider returns what decides the checks. The command has the limits of a check for each answer.
func (f *checkFlags) decider(a *app) (*productcheck.Decider, error) {
	d := &productcheck.Decider{Limits: productcheck.DefaultLimits}
	err := f.override(d)
	d.Limits = d.Limits.Or(productcheck.NoLimits)
	if err == nil {
		a.bound(d.Limits)
	}
	return d, err
}

// checker returns what answers the questions of a command about automata.
func (f *checkFlags) checker(a *app) (*xcheck.Checker, error) {
	d, err := f.decider(a)
	return &xcheck.Checker{Limits: d.Limits, Algorithm: d.Algorithm, Emptiness: d.Emptiness}, err
}

// atOnce returns how many processes or checks --jobs stands for: 0 for as many as there are cores.
func atOnce(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return runtime.GOMAXPROCS(0)
}

// closing is how long the translators of a run that was interrupted may take to end when its
// reports are complete.
const closing = 40 * time.Millisecond

// awaitClosed waits for the translators of a run that was interrupted, and abandons them if they
// have not ended then. The process is about to end.
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
