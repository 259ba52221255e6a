package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/translators"
)

const (
	// sameRequest is the time in which signals are one request to stop: timeout(1) sends its
	// own twice, to the command and to its group.
	sameRequest = 50 * time.Millisecond
	// patience is how long a command that only prints answers may take to stop when it is
	// asked to.
	patience = 60 * time.Millisecond
)

// obeySignals makes a.ctx end with the first signal that asks the command to stop, until end
// is called. A second signal ends the process at once, with all that it has started. So does the
// first one, after a moment, where nothing is lost: the command neither stores nor reports
// what it has done.
func (a *app) obeySignals() (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	a.ctx = ctx
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
		cancel()
		late := time.After(patience)
		for {
			select {
			case <-ended:
				return
			case <-late:
				if !a.orderly.Load() {
					a.abandon(statusInterrupted, "interrupted")
				}
			case <-signals:
				if time.Since(first) > sameRequest {
					a.abandon(statusInterrupted, "interrupted")
				}
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
		cancel()
	}
}

// abandon ends the process at once: it kills all commands that run, and removes temporary
// folders. The message is lost if nobody reads standard error.
func (a *app) abandon(s status, message string) {
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
