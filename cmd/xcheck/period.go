package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
)

// periodFlags say when a run ends, however many formulas there are.
type periodFlags struct {
	length, until string
}

func (p *periodFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&p.length, "for", "", "keep generating formulas for `DURATION` (8h)")
	c.Flags().StringVar(&p.until, "until", "", "keep generating formulas until `TIME` (06:00)")
	exclusive(c, "for", "until")
}

// override sets what the flags say of the time: it takes the place of the number, unless that is
// given as a flag too.
func (p *periodFlags) override(given func(string) bool, r *configs.Random) (err error) {
	switch {
	case given("for"):
		r.Until = ""
		if r.For, err = configs.ParseDuration(p.length); err != nil {
			return fmt.Errorf("--for: %w", err)
		}
	case given("until"):
		r.For = 0
		if r.Until, err = configs.ParseUntil(p.until); err != nil {
			return fmt.Errorf("--until: %w", err)
		}
	default:
		return nil
	}
	if !given("number") {
		r.Number = -1
	}
	return nil
}
