package cross_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// With audit = 1 each passed check of a run without mistakes is decided again, and nothing
// contradicts it.
func TestAudit(t *testing.T) {
	t.Parallel()
	o := cross.Options{Tools: []*translators.Tool{streamed(t, "gastin-oddoux"), streamed(t, "gpvw")}, Audit: 1, Words: 5}
	passed, audited := 0, 0
	for _, c := range run(t, o, randomFormulas(t, 3, campaign.Inputs(t, 60), 10)) {
		for _, check := range c.Checks {
			if check.Verdict == "passed" {
				passed++
				if check.Audited {
					audited++
				}
			}
		}
	}
	if passed < 60 || audited < passed*95/100 {
		t.Errorf("%d of %d passed checks audited", audited, passed)
	}
}

// A small share audits a few checks, at least one, and always the same ones.
func TestAuditShare(t *testing.T) {
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gastin-oddoux")}, Reference: translate.Of, Audit: 1e-9}
	var first string
	for i := range 2 {
		var text strings.Builder
		for _, c := range runOn(t, 1+i, o, randomFormulas(t, 4, 20, 6)) {
			for _, check := range c.Checks {
				if check.Audited {
					fmt.Fprintln(&text, c.Index, check.Check)
				}
			}
		}
		if i == 0 {
			first = text.String()
		} else if text.String() != first || strings.Count(first, "\n") < 10 {
			t.Errorf("audited first:\n%sand then:\n%s", first, text.String())
		}
	}
}

// TestAuditTime: an audit that the time of a case does not suffice for leaves its checks passed, and
// nothing undecided.
func TestAuditTime(t *testing.T) {
	t.Parallel()
	for limit := time.Second / 4; limit < time.Minute; limit *= 2 {
		o := cross.Options{Tools: []*translators.Tool{tool(t, "gastin-oddoux"), tool(t, "gpvw")}, Reference: translate.Of,
			Audit: 1, Words: 1, CaseTime: limit}
		c := run(t, o, these(t, "(GFa -> GFb) & (GFc -> GFd)"))[0]
		audited := 0
		for _, check := range c.Checks {
			if check.Audited {
				audited++
			}
		}
		if len(c.Undecided) == 0 {
			t.Logf("limit %v: %d of %d checks audited", limit, audited, len(c.Checks))
			return
		}
		for _, u := range c.Undecided {
			if strings.Contains(u.Why, "audit") && limit > 4*time.Second { // before, a busy machine may just be late
				t.Errorf("limit %v: %s: %s", limit, u.Check, u.Why)
			}
		}
	}
}
