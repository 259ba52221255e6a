package cross

import "testing"

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
