package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// LookPath returns the file that the shell executes for a program, or "" if there is
// none. env is the environment of the command ("NAME=value", the last of a name
// counts), whose PATH it looks in.
func LookPath(program string, env []string) string {
	if strings.Contains(program, "/") {
		return program
	}
	for _, dir := range SearchPath(env) {
		// An empty name is the current folder, which takes a slash to be executed.
		name := filepath.Join(dir, program)
		if !strings.Contains(name, "/") {
			name = "./" + name
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && Executable(name) {
			return name
		}
	}
	return ""
}

// SearchPath returns the folders in which programs are looked for. It returns nil without a PATH:
// the shell has one of its own then.
func SearchPath(env []string) []string {
	for _, v := range slices.Backward(env) {
		if list, ok := strings.CutPrefix(v, "PATH="); ok {
			return strings.Split(list, ":")
		}
	}
	return nil
}

// Executable reports whether we may execute a file.
func Executable(name string) bool { return unix.Access(name, unix.X_OK) == nil }
