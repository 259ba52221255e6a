package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/report"
)

// files are the files of the reports.
type files struct {
	stdout io.Writer     // of "-"
	reads  []os.FileInfo // what the run reads, which no report may overwrite
	list   []*wholefile.File
}

// files returns the files of a run. None is open.
func (p *Plan) files() *files {
	f := &files{stdout: p.Stdout, reads: p.Reads}
	names := []string{p.Rerun.Config, p.Config.History.File}
	for _, file := range p.Config.Formulas.Files {
		names = append(names, file.Path)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && name != "-" {
			f.reads = append(f.reads, info)
		}
	}
	return f
}

// create begins a file that is replaced when it is closed. If its name is given as >>FILE, what is
// written comes at once behind what it has, on a line of its own. "-" is standard output.
func (f *files) create(name string) (io.Writer, error) { return f.by(wholefile.Create, name) }

// createLive is create for what is to be seen while the run goes on: it is written at once.
func (f *files) createLive(name string) (io.Writer, error) { return f.by(wholefile.Overwrite, name) }

func (f *files) by(create func(string) (*wholefile.File, error), name string) (io.Writer, error) {
	if name == "-" {
		return f.stdout, nil
	}
	path, more := appended(name)
	if err := f.taken(path); err != nil {
		return nil, err
	}
	if more {
		create = appendFile
	}
	file, err := create(path)
	if err != nil {
		return nil, err
	}
	f.list = append(f.list, file)
	return file, nil
}

// appended returns the name of a file, and whether it was given as >>FILE.
func appended(name string) (path string, more bool) {
	path, more = strings.CutPrefix(name, ">>")
	return strings.TrimSpace(path), more
}

func appendFile(name string) (*wholefile.File, error) {
	file, err := wholefile.Append(name)
	if err != nil {
		return nil, err
	}
	if err := file.EndLine(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// taken returns an error if a file to be written is also read, or is written already.
func (f *files) taken(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil // it has nothing to lose
	}
	for _, in := range f.reads {
		if err == nil && os.SameFile(info, in) {
			return fmt.Errorf("cannot write to %q: this command reads it; name another file", name)
		}
	}
	for _, file := range f.list {
		if file.Is(name) {
			return fmt.Errorf("cannot write two reports to %q; name a file for each", name)
		}
	}
	return nil
}

// discard leaves all files as they were.
func (f *files) discard() (err error) {
	for _, file := range f.list {
		err = errors.Join(err, file.Discard())
	}
	return err
}

// continues reports whether a report is appended to an earlier one: its name begins with >>, and
// the file is not empty. Both must start with the same line of column names.
func (f *files) continues(name string, w io.Writer, format *report.Format, o report.Options) (bool, error) {
	file, ok := w.(*wholefile.File)
	if _, more := appended(name); !ok || !more || file.Size() == 0 {
		return false, nil
	}
	earlier, err := os.Open(file.Path())
	if err != nil {
		return true, nil // it can be written, but not be read
	}
	defer earlier.Close()
	names, err := format.Header(o)
	if err != nil {
		return true, err
	}
	there := make([]byte, min(int64(len(names)), file.Size()))
	if _, err := io.ReadFull(earlier, there); err != nil {
		return true, err
	}
	if !bytes.Equal(there, names) {
		return true, fmt.Errorf("appending to %q: this run has other columns; use the same flags or another file", file.Path())
	}
	return true, nil
}
