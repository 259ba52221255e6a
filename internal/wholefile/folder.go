package wholefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A Folder replaces files of a folder together. It writes all new content to a temporary folder
// before it replaces the first file, so a full disk changes no file. Commit then renames the files
// one by one, in the order of Put:
//
//	f.Put("a.html", a)   // writes .xcheck-folder-5a8e21c0.tmp/a.html
//	f.Put("b.html", b)   // writes nothing if b.html has this content
//	f.Commit()           // replaces a.html
type Folder struct {
	path, temp string
	keep       *os.File // see Temporary
	names      []string // the files to replace
	same       int      // how many files have their content already
}

// CreateFolder begins to replace files of a folder, which is created if it is not there. End it
// with Commit or Discard.
func CreateFolder(path string) (*Folder, error) {
	if path == "" {
		return nil, errors.New("expected the name of a folder")
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	path, err := filepath.EvalSymlinks(path) // from now on, it can be joined with names
	if err != nil {
		return nil, err
	}
	temp := filepath.Join(path, fmt.Sprintf("%sfolder-%x%s", prefix, rand.Uint64(), suffix))
	keep, err := Temporary(temp)
	if err != nil {
		return nil, &fs.PathError{Op: "create a folder in", Path: path, Err: cause(err)}
	}
	return &Folder{path: path, temp: temp, keep: keep}, nil
}

// Temporary makes a folder, whose name ends with -RANDOM.tmp. Other calls with this name, but for the
// random part, remove it after keep is closed or this process has ended.
func Temporary(path string) (keep *os.File, err error) {
	folder, base := filepath.Split(path)
	clean(folder, base[:strings.LastIndexByte(base, '-')+1])
	for err = os.Mkdir(path, 0o700); err == nil; err = os.Mkdir(path, 0o700) {
		if keep, err = os.Open(path); err == nil && kept(keep, path) {
			break // otherwise it was removed before it was locked
		}
	}
	return keep, err
}

// Put sets the content of a file, whose name is relative to the folder and separated by slashes. A
// file with the same content is not changed.
func (f *Folder) Put(name string, content []byte) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("%q is not a name within a folder", name)
	}
	path := filepath.FromSlash(name)
	if old, err := os.ReadFile(filepath.Join(f.path, path)); err == nil && bytes.Equal(old, content) {
		f.same++
		return nil
	}
	temp := filepath.Join(f.temp, path)
	err := os.MkdirAll(filepath.Dir(temp), 0o777)
	if err == nil {
		err = os.WriteFile(temp, content, 0o666)
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: filepath.Join(f.path, path), Err: cause(err)}
	}
	f.names = append(f.names, path)
	return nil
}

// Written returns how many files Commit replaces or has replaced, and Same how many have their
// content already.
func (f *Folder) Written() int { return len(f.names) }
func (f *Folder) Same() int    { return f.same }

// Commit puts the files in their places. The error names the first file that it could not replace.
// The files after that one are not changed.
func (f *Folder) Commit() error {
	for _, name := range f.names {
		target := filepath.Join(f.path, name)
		err := os.MkdirAll(filepath.Dir(target), 0o777)
		if err == nil {
			err = rename(filepath.Join(f.temp, name), target)
		}
		if err != nil {
			var link *os.LinkError
			if errors.As(err, &link) {
				err = link.Err
			}
			return errors.Join(&fs.PathError{Op: "replace", Path: target, Err: cause(err)}, f.Discard())
		}
	}
	return f.Discard()
}

// Discard removes what was written, and changes no file.
func (f *Folder) Discard() error {
	f.keep.Close()
	return os.RemoveAll(f.temp)
}
