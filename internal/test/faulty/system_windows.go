package faulty

import "syscall"

// suspend does nothing: Windows has no such signal.
func suspend() {}

// ownSession returns no attributes: no process leaves the job of its parent.
func ownSession() *syscall.SysProcAttr { return nil }
