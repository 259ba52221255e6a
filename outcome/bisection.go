package outcome

import (
	"fmt"
	"strings"
	"time"
)

// A Bisection says with which version of a translator a failure came, and with which it went.
type Bisection struct {
	Started    time.Time `json:"started"`
	Translator string    `json:"translator"`
	Class      string    `json:"class"`
	Formulas   []string  `json:"formulas"` // a version is good if it is right on all of them
	// Versions is how many there were, from Oldest to Newest.
	Versions int    `json:"versions"`
	Oldest   string `json:"oldest"`
	Newest   string `json:"newest"`
	// Tests are those that were made, in their order.
	Tests []VersionTest `json:"tests"`
	// FirstBad is the version with which the failure came. It is nil if no tested version is bad.
	FirstBad *VersionChange `json:"first_bad,omitempty"`
	// FirstGood is the version after it with which the failure went. It is nil if the newest version
	// that can be tested is bad.
	FirstGood *VersionChange `json:"first_good,omitempty"`
	// Unfinished says why there may be more to find; "" if there is not.
	Unfinished string `json:"unfinished,omitempty"`
}

// A VersionTest is the test of a version.
type VersionTest struct {
	Version string `json:"version"`
	Verdict string `json:"verdict"` // good, bad or skipped
	Why     string `json:"why,omitempty"`
}

// A VersionChange is the first version that is known to have changed.
type VersionChange struct {
	Version string `json:"version"`
	// Before is the last version known to be as before; "" if there is none.
	Before string `json:"before,omitempty"`
	// Open are the versions between the two that could not be tested. Each of them may be the first.
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
