package triage

import (
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestWorkedExample runs the example in the comment of Unite.
func TestWorkedExample(t *testing.T) {
	cause := func(translators ...string) []*outcome.Cause {
		return []*outcome.Cause{{Record: outcome.Record{Translators: translators, Key: "a U b", Formula: "a U b", Formulas: 1}}}
	}
	causes := Unite([][]*outcome.Cause{cause("x", "y"), cause("x")})
	if len(causes) != 2 || len(causes[0].Translators) != 1 || causes[0].Formulas != 2 || causes[1].Formulas != 1 {
		t.Errorf("%d causes, %+v", len(causes), causes[0])
	}
}

// SetTime sets how long one cause may be looked for.
func SetTime(t *Triage, most time.Duration) { t.most = most }
