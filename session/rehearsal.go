package session

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/report"
)

// A Rehearsal says what a run would do, and how its tools answered a trivial formula.
type Rehearsal struct {
	// Given are the formulas that the plan names, without the Duplicates that a run would leave out
	// and the lines that are no formulas.
	Given, Duplicates int
	Invalid           []error
	// Tools are the tools of the plan with their versions, in its order.
	Tools []*Known
	// Result is the result of a run on the trivial formula. It has no Closing.
	*Result
}

// trivial is the formula of a rehearsal. Each tool gets its negation as well.
const trivial = "a"

// Rehearse does all that a run of formulas does before its first formula, and calls each tool for a
// trivial one. It writes no file: the sinks alone get the results. The plan does not change, except
// that its tools get versions and its random formulas a seed.
//
// The error is that with which the run would fail to start. Rehearse reads all files of formulas.
func (p *Plan) Rehearse(ctx context.Context, sinks ...report.Sink) (*Rehearsal, error) {
	if err := p.ready(); err != nil {
		return nil, err
	}
	if err := p.checkFiles(); err != nil {
		return nil, err
	}
	if file := p.Config.History.File; file != "" {
		if err := history.CheckFile(ctx, file); err != nil {
			return nil, err
		}
	}
	r := &Rehearsal{}
	if err := r.count(ctx, p); err != nil {
		return nil, err
	}
	p.askVersions(ctx)
	r.Tools = describe(p.Tools)
	small, config := *p, *p.Config
	config.Formulas = configs.Formulas{Inline: []string{trivial}}
	config.Output = configs.Output{Quiet: p.Config.Output.Quiet}
	config.History, config.Triage = configs.History{}, configs.Triage{}
	small.Config, small.begun, small.rehearsed = &config, true, true
	small.Shard, small.Resume, small.Smallest = Shard{}, false, ""
	small.Announce, small.Unread = nil, nil
	var err error
	if r.Result, err = Run(ctx, &small, sinks...); r.Result == nil {
		return nil, err
	}
	if closing := r.Result.Closing; closing != nil {
		<-closing
	}
	return r, err
}

// count counts the formulas that the plan names.
func (r *Rehearsal) count(ctx context.Context, p *Plan) error {
	named, config := *p, *p.Config
	config.Formulas.Random = nil
	named.Config = &config
	next, _, err := named.formulas(nil, func() { r.Duplicates++ })
	for err == nil {
		in, failed := next(ctx)
		switch {
		case failed == io.EOF:
			if r.Given+len(r.Invalid) == 0 && (p.random() == nil || p.random().Number == 0) && p.Config.History.File == "" {
				return p.noInputs()
			}
			return nil
		case failed != nil:
			err = failed
		case in.Err != nil:
			r.Invalid = append(r.Invalid, fmt.Errorf("%s (%s)", in.Err, in.Text))
		default:
			r.Given++
		}
	}
	return err
}

// checkFiles reports a file that the run could not write: one in a folder that does not exist, one
// that is a folder, one that the run reads, or one for two reports.
func (p *Plan) checkFiles() error {
	f := p.files()
	var seen []string
	o := &p.Config.Output
	names := []string{o.SaveBogus, p.Smallest}
	for _, format := range report.Written() {
		names = append(names, o.Reports[format.Name])
	}
	for _, name := range names {
		if name == "" || name == "-" {
			continue
		}
		path, _ := appended(name)
		if err := f.taken(path); err != nil {
			return err
		}
		if err := writable(path); err != nil {
			return err
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if slices.Contains(seen, full) {
			return fmt.Errorf("cannot write two reports to %q; name a file for each", path)
		}
		seen = append(seen, full)
	}
	return nil
}

// writable returns why a file can't be created, as far as that is known without creating it.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil {
		switch mode := info.Mode(); {
		case mode.IsDir():
			return &fs.PathError{Op: "create", Path: path, Err: syscall.EISDIR}
		case !mode.IsRegular():
			return nil // opening a pipe has effects
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = file.Close()
		}
		return err
	}
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		err = syscall.ENOENT
	case !info.IsDir():
		err = syscall.ENOTDIR
	default:
		err = wholefile.CheckFolder(folder)
	}
	if err != nil {
		return &fs.PathError{Op: "create", Path: path, Err: err}
	}
	return nil
}
