package main

import (
	"context"
	"io"
	"os"
)

// open opens a file argument, where "-" is standard input. What may keep a reader
// waiting (standard input, a pipe, a terminal) can be interrupted while it does.
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.openStdin()), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		a.inputs = append(a.inputs, info)
		return file, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{interruptible(a.reading(), file), file}, nil
}

// reading returns the context of reads that may wait: they end with the command, or at the
// time limit for reading.
func (a *app) reading() context.Context {
	if a.readUntil.IsZero() {
		return a.ctx
	}
	ctx, cancel := context.WithDeadline(a.ctx, a.readUntil)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// interruptible returns a reader of what r has, the reads of which end with the
// context's error when that is done, even if one of r goes on: a read of a file
// can't be ended in a portable way. It starts to read at once, and at most one
// buffer ahead.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}
