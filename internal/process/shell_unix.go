//go:build unix

package process

import (
	"strings"

	"golang.org/x/sys/unix"
)

// Variables that no program can do without, and those that name the folder for temporary files.
var (
	needed    = []string{"PATH", "HOME", "LANG"}
	temporary = []string{"TMPDIR"}
)

// shell returns the shell for command lines. There always is one.
func shell([]string) (string, error) { return "/bin/sh", nil }

// hasFolder reports whether a program is named with its folder, and so not looked for on PATH.
func hasFolder(program string) bool { return strings.Contains(program, "/") }

// programFiles returns the names that the file of a program may have.
func programFiles(name string) []string { return []string{name} }

// Executable reports whether we may execute a file.
func Executable(name string) bool { return unix.Access(name, unix.X_OK) == nil }

// isVariable reports whether an entry of the environment, "NAME=value", has a name.
func isVariable(entry, name string) bool { return strings.HasPrefix(entry, name+"=") }
