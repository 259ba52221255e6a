package history

import (
	"os"

	"golang.org/x/sys/windows"
)

// exists reports whether a process has not ended.
func exists(p *os.Process) bool {
	running := false
	err := p.WithHandle(func(handle uintptr) {
		event, err := windows.WaitForSingleObject(windows.Handle(handle), 0)
		running = err == nil && event == uint32(windows.WAIT_TIMEOUT)
	})
	return err == nil && running
}
