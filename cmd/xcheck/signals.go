package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// sameRequest is the time in which signals are one request to stop: timeout(1) sends its own
// twice, to the command and to its group.
const sameRequest = 50 * time.Millisecond

// obeySignals calls cancel, which ends a.ctx, at the first signal that asks the command to stop,
// until end is called. A second signal ends the process at once, with all that it has started. So does the
// first one where nothing is lost: the command neither stores nor reports what it has done.
func (a *app) obeySignals(cancel context.CancelFunc) (end func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ended := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-ended:
			return
		}
		first := time.Now()
		if !a.orderly.Load() {
			a.abandon(outcome.ExitInterrupted, "interrupted")
		}
		cancel()
		for {
			select {
			case <-ended:
				return
			case <-signals:
				if time.Since(first) > sameRequest {
					a.abandon(outcome.ExitInterrupted, "interrupted")
				}
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
	}
}

// abandon ends the process at once: it kills all commands that run, and removes temporary
// folders. The message is lost if nobody reads standard error.
func (a *app) abandon(s outcome.ExitStatus, message string) {
	translators.Abandon()
	printed := make(chan struct{})
	go func() {
		fmt.Fprintf(a.err, "xcheck: %s\n", message)
		close(printed)
	}()
	select {
	case <-printed:
	case <-time.After(20 * time.Millisecond):
	}
	os.Exit(int(s))
}
