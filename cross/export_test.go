package cross

import (
	"testing"
	"time"
)

// HangIn makes all cases hang in a stage until the test ends.
func HangIn(t *testing.T, stage string) {
	forever := make(chan struct{})
	hang := func(name string) {
		if name == stage {
			<-forever
		}
	}
	entered.Store(&hang)
	t.Cleanup(func() { close(forever); entered.Store(nil) })
}

// Window is how many cases wait for a slow one.
const Window = window

// SetTime sets how long one cause may be looked for.
func SetTime(t *Triage, most time.Duration) { t.most = most }

// Exhaust makes as if so many causes of a translator had been looked for that no more are.
func Exhaust(t *Triage, translator string) { t.count[translator] = maxCauses }
