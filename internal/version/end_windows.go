package version

import "os/exec"

// endAll does nothing: only the command itself is ended.
func endAll(*exec.Cmd) {}
