package process

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Redirect is a redirection of the shell. They are done in order.
type Redirect struct {
	FD   int // 0, 1 or 2
	Flag int // how to open the file
	File string
	From int // if it is not negative: there is no file, FD becomes what this one is
}

// OpenRedirects does redirections: files are standard input, output and error, and become what
// they are behind them. The files in opened are to be closed when the command has
// been started; with an error, there is none. Only regular files and the null device
// are opened: others, such as pipes with names, may keep the one waiting who opens
// them.
func OpenRedirects(redirects []Redirect, files *[3]*os.File) (opened []*os.File, err error) {
	for _, r := range redirects {
		if r.From >= 0 {
			files[r.FD] = files[r.From]
			continue
		}
		info, err := os.Stat(r.File)
		if err == nil && !info.Mode().IsRegular() && r.File != os.DevNull {
			err = errors.New("not a regular file")
		}
		var file *os.File
		if err == nil || errors.Is(err, os.ErrNotExist) {
			file, err = os.OpenFile(r.File, r.Flag, 0o666)
		}
		if err != nil {
			closeAll(opened)
			return nil, err
		}
		files[r.FD] = file
		opened = append(opened, file)
	}
	return opened, nil
}

// LookPath returns the file that the shell executes for a program, or "" if there is
// none. env is the environment of the command ("NAME=value", the last of a name
// counts), whose PATH it looks in.
func LookPath(program string, env []string) string {
	if hasFolder(program) {
		return program
	}
	for _, dir := range SearchPath(env) {
		// An empty name is the current folder, which takes a slash to be executed.
		name := filepath.Join(dir, program)
		if !hasFolder(name) {
			name = "./" + name
		}
		for _, name := range programFiles(name) {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && Executable(name) {
				return name
			}
		}
	}
	return ""
}

// SearchPath returns the folders in which programs are looked for. It returns nil without a PATH:
// the shell has one of its own then.
func SearchPath(env []string) []string {
	for _, v := range slices.Backward(env) {
		if isVariable(v, "PATH") {
			return strings.Split(v[len("PATH="):], string(os.PathListSeparator))
		}
	}
	return nil
}
