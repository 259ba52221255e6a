package translators_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestUsage: the time of processes that nobody but us has waited for counts.
func TestUsage(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	o := run(t, r, ": %f; while :; do :; done & wait", translators.Limits{Timeout: time.Minute, CPU: time.Second / 10})
	if o.Status != outcome.CPUTime || o.CPU < time.Second/10 || o.CPU > 2*o.Wall {
		t.Errorf("%s, %v, CPU %v", o.Status, o.Wall, o.CPU)
	}
	// It keeps all that it reads. That can only be seen if this test has not taken
	// as much itself.
	o = run(t, r, "head -c 60000000 /dev/zero | tail -c 59999999 | wc -c # %f", translators.Limits{})
	var own syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &own)
	if known := own.Maxrss < 50<<10; o.Status != outcome.OK || known && o.MaxRSS < 55<<20 || o.MaxRSS > 200<<20 {
		t.Errorf("%s, %d bytes of memory", o.Status, o.MaxRSS)
	}
	if o = run(t, r, "true %f; echo", translators.Limits{}); o.MaxRSS > 20<<20 {
		t.Errorf("true took %d bytes of memory", o.MaxRSS)
	}
}
