package process

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"syscall"
)

// A guard outlives this program if it is killed in a way that leaves it no time to
// clean up: it then kills the commands that still run, with all that they have
// started, and removes the temporary folder. It is a shell that waits for the end
// of a pipe, which says that we have died: nobody else has the other end.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// guardScript is run with the value of callVariable up to the slash, the temporary
// folder, and the first digits of the marks of processes. Where there is no /proc, it
// only removes the folder. There may be more processes than names fit in one command line.
const guardScript = `
read line
cd /proc && while
	found=
	for p in $(
		printf "%s\n" [0-9]*/environ | xargs grep -als "` + callVariable + `=$1/"
		for limits in $(printf "%s\n" [0-9]*/limits | xargs grep -ls "^Max realtime timeout *$3......... "); do
			grep -qs "^State:.Z" ${limits%/*}/status || echo $limits
		done
	); do
		kill -9 ${p%/*} && found=1
	done
	[ $found ]
do :; done
rm -rf "$2" || chmod -R u+rwx "$2" && rm -rf "$2"
`

func newGuard(dir string, mark uint64) (*guard, error) {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "xcheck-guard", filepath.Base(dir), dir, fmt.Sprint(mark/maxOrder))
	// In a group of its own, it gets no signals from a terminal. In our session, it
	// is not taken for something that a command has left.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Dir = "/"
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		pipe.Close()
		return nil, err
	}
	return &guard{cmd, pipe}, nil
}

// close ends the guard: there is nothing to do. A command may have stopped or killed it.
func (g *guard) close() {
	g.cmd.Process.Kill()
	g.cmd.Wait()
	g.pipe.Close()
}
