package process

import (
	"errors"
	"path/filepath"
	"strings"
)

// Variables that no program can do without, and those that name the folder for temporary files.
var (
	needed    = []string{"PATH", "HOME", "LANG", "USERPROFILE", "SYSTEMDRIVE"}
	temporary = []string{"TMPDIR", "TMP", "TEMP"}
)

// shell returns the shell for command lines, which is looked for on PATH.
func shell(env []string) (string, error) {
	if name := LookPath("sh", env); name != "" {
		return name, nil
	}
	return "", errors.New("the command needs a shell, and no sh.exe is on PATH: " +
		"install one, such as that of Git for Windows, or write the command as a program with arguments")
}

// hasFolder reports whether a program is named with its folder, and so not looked for on PATH.
func hasFolder(program string) bool { return strings.ContainsAny(program, `/\:`) }

// programFiles returns the names that the file of a program may have. Batch files are not among
// them: they read their arguments by rules of their own.
func programFiles(name string) []string { return []string{name, name + ".exe", name + ".com"} }

// Executable reports whether we may execute a file, which its name tells.
func Executable(name string) bool {
	extension := filepath.Ext(name)
	return strings.EqualFold(extension, ".exe") || strings.EqualFold(extension, ".com")
}

// isVariable reports whether an entry of the environment, "NAME=value", has a name.
func isVariable(entry, name string) bool {
	n := len(name)
	return len(entry) > n && entry[n] == '=' && strings.EqualFold(entry[:n], name)
}
