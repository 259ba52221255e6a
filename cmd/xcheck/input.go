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
		// Asked for twice, it is one input still, and is at its end the second time.
		if a.stdin == nil {
			a.stdin = interruptible(a.ctx, a.in)
			if file, ok := a.in.(*os.File); ok {
				if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
					a.inputs = append(a.inputs, info)
				}
			}
		}
		return io.NopCloser(a.stdin), nil
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
	}{interruptible(a.ctx, file), file}, nil
}

// piped reports whether standard input is a pipe, or a file that has something.
func (a *app) piped() bool {
	file, ok := a.in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && (info.Mode()&os.ModeNamedPipe != 0 || info.Mode().IsRegular() && info.Size() > 0)
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
