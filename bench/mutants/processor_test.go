//go:build unix

package main

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// watch adds up the times of all processes of a group, those that run and those that have ended.
func TestWatch(t *testing.T) {
	for _, script := range []string{
		"while :; do :; done",
		"sh -c 'while :; do :; done'; :",
		"while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		c := exec.CommandContext(ctx, "sh", "-c", script)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		const limit = time.Second / 4
		go watch(ctx, c.Process.Pid, limit, cancel)
		<-ctx.Done() // not before the limit, and surely some time after it
		c.Wait()
		if p := c.ProcessState; p.UserTime()+p.SystemTime() > time.Minute {
			t.Errorf("%s: ended after %v and %v", script, p.UserTime(), p.SystemTime())
		}
	}
}
