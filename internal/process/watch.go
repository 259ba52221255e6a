package process

import (
	"context"
	"os"
	"time"
)

// Wait reads what the command prints, and returns when it has ended or is to be ended: nil if
// it ended by itself, otherwise the reason. outFile is the file for its output, "" if that is
// printed. Call End after it.
func (p *Process) Wait(ctx context.Context, outFile string) error {
	tooBig := make(chan struct{})
	p.readers.Go(func() {
		if p.Stdout.fill() {
			close(tooBig)
		}
	})
	timeout := time.NewTimer(p.Limits.Timeout)
	defer timeout.Stop()
	look := time.NewTimer(FirstLook)
	defer look.Stop()
	for pause := FirstLook; ; {
		select {
		case <-p.Exited:
			return nil
		case <-tooBig:
			return ErrTooBig
		case <-look.C:
			if outFile != "" {
				if info, err := os.Stat(outFile); err == nil && info.Size() > p.Limits.MaxOutput {
					return ErrTooBig
				}
			}
			if err := p.Over(time.Since(p.Started) > LongLook); err != nil {
				return err
			}
			pause = min(2*pause, LastLook)
			look.Reset(pause)
		case <-ctx.Done():
			return ctx.Err()
		case <-p.supervisor.Done():
			return ErrClosed
		case <-timeout.C:
			p.Terminate(ctx)
			return ErrTimeout
		}
	}
}

// Over looks at what the processes take, and returns the limit that they exceed,
// if any; all of them, or only the command itself. To look at all takes long: for the
// kernel too, which does not forget soon what it has shown of threads.
func (p *Process) Over(all bool) error {
	bytes, cpu := resident(p.system.Pid), p.Clock()
	if all {
		bytes, cpu = p.Sample()
	}
	p.Peak = max(p.Peak, bytes)
	switch {
	case p.Limits.Memory > 0 && bytes > p.Limits.Memory:
		return ErrMemory
	case p.Limits.CPU > 0 && cpu-p.Base > p.Limits.CPU:
		return ErrCPU
	}
	return nil
}

// Times between looks at what processes take: each is twice the one before. From
// LongLook on, all are looked at.
const (
	FirstLook = 20 * time.Millisecond
	LastLook  = 80 * time.Millisecond
	LongLook  = 100 * time.Millisecond
)
