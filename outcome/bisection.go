package outcome

import (
	"fmt"
	"strings"
	"time"
)

// A Bisection says with which version of a translator a failure came, and with which it went.
type Bisection struct {
	Started    time.Time     `json:"started"`    // when the bisection started, in UTC
	Translator string        `json:"translator"` // name of the translator, or its command
	Class      string        `json:"class"`      // what is wrong
	Formulas   []string      `json:"formulas"`   // formulas that a good version gets right
	Versions   int           `json:"versions"`   // number of versions, from oldest to newest
	Oldest     string        `json:"oldest"`     // the oldest version
	Newest     string        `json:"newest"`     // the newest version
	Tests      []VersionTest `json:"tests"`      // versions that were tested, in this order
	// the version with which the failure came; missing if no tested version is bad
	FirstBad *VersionChange `json:"first_bad,omitempty"`
	// the version with which the failure went; missing if the newest version that can be tested is
	// bad
	FirstGood *VersionChange `json:"first_good,omitempty"`
	// why there may be more to find; missing if there is nothing
	Unfinished string `json:"unfinished,omitempty"`
}

// A VersionTest is the test of a version.
type VersionTest struct {
	Version string `json:"version"`       // the version
	Verdict string `json:"verdict"`       // "good", "bad" or "skipped"
	Why     string `json:"why,omitempty"` // the reason
}

// A VersionChange is the first version that is known to have changed.
type VersionChange struct {
	Version string `json:"version"` // the version
	// the last version known to be as before; missing if there is none
	Before string `json:"before,omitempty"`
	// versions between the two that could not be tested
	Open []string `json:"open,omitempty"`
}

// String returns the version, or the versions that may be the first.
func (c *VersionChange) String() string {
	switch len(c.Open) {
	case 0:
		return c.Version
	case 1, 2, 3:
		return "one of " + strings.Join(c.Open, ", ") + ", " + c.Version
	}
	return fmt.Sprintf("one of %d versions from %s to %s", len(c.Open)+1, c.Open[0], c.Version)
}

// String says in a line what was found.
func (b *Bisection) String() string {
	if b.FirstBad == nil {
		return "no bad version found"
	}
	text := "broke in " + b.FirstBad.String()
	if b.FirstBad.Before == "" {
		text = "bad since " + b.FirstBad.Version + " or before"
		if len(b.FirstBad.Open) == 0 {
			text = "bad since " + b.FirstBad.Version + ", the oldest"
		}
	}
	if b.FirstGood != nil {
		text += "; fixed in " + b.FirstGood.String()
	}
	return text
}
