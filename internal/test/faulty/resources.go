package faulty

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// This file has the faults of processes: of time, memory, files, signals, and of
// other processes.

func hang(*call) { forever() }

func hangDeaf(*call) {
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	forever()
}

// forever sleeps. The runtime takes it for an error if all goroutines wait for each
// other.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// answerSignal has an answer, but only when it is too late.
func answerSignal(c *call) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
	c.answer()
	os.Exit(0)
}

// stop is a process that SIGTERM does not end as long as nobody continues it.
func stop(*call) {
	suspend()
	forever()
}

// drip always has a byte more to say.
func drip(c *call) {
	c.print([]byte("HOA: v1\n/*"))
	for {
		time.Sleep(50 * time.Millisecond)
		c.print([]byte("."))
	}
}

func spin(*call) {
	for {
	}
}

// childrenSpin takes little time itself.
func childrenSpin(c *call) {
	c.child(nil, "/bin/sh", "-c", "while :; do :; done #"+c.Marker)
	forever()
}

// line is what floods consist of.
var line = []byte(strings.Repeat("warning: this is not an automaton\n", 1000))

func flood(w io.Writer, size int64) {
	for n := int64(0); n < size; n += int64(len(line)) {
		w.Write(line)
	}
}

// allocate takes memory and uses it, at no more than 2 GiB a second: so a machine
// that has some survives it if nobody looks.
func allocate(*call) {
	var kept [][]byte
	for {
		block := bytes.Repeat([]byte{1}, 16<<20)
		kept = append(kept, block)
		time.Sleep(8 * time.Millisecond)
		runtime.KeepAlive(kept)
	}
}

func openFiles(*call) {
	var kept []*os.File
	for {
		file, err := os.Open(os.DevNull)
		if err != nil {
			fmt.Fprintf(os.Stderr, "file %d: %v\n", len(kept), err)
			os.Exit(1)
		}
		kept = append(kept, file)
	}
}

// litter leaves files in the folder for such, also where nobody may look.
func litter(c *call) {
	dir, err := os.MkdirTemp("", "litter-*")
	Must(err)
	for name, mode := range map[string]os.FileMode{"open": 0o700, "closed": 0, "read-only": 0o500} {
		name = filepath.Join(dir, name)
		Must(os.Mkdir(name, 0o700))
		Must(os.WriteFile(filepath.Join(name, "file"), c.right, 0o600))
		Must(os.Chmod(name, mode))
	}
	c.answer()
}

// child starts a process that outlives this one.
func (c *call) child(attributes *syscall.SysProcAttr, command string, args ...string) {
	cmd := exec.Command(command, args...)
	cmd.Env = []string{} // it has nothing of ours that it could be known by
	cmd.SysProcAttr = attributes
	cmd.Stdout = os.Stdout
	if attributes != nil {
		cmd.Stdout = nil
	}
	Must(cmd.Start())
}

func childHolds(c *call) {
	c.child(nil, "/bin/sleep", c.Marker)
	c.answer()
}

func (c *call) escape() {
	c.child(ownSession(), "/bin/sh", "-c", "trap '' TERM HUP; sleep "+c.Marker+" & wait")
}

// die ends this process by a signal. The runtime of Go handles the signals of crashes, and
// another program does not.
func die(signal string) {
	Must(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + signal + " $$"}, os.Environ()))
}

func abort(c *call) {
	fmt.Fprintf(os.Stderr, "term.c:%d: assertion failed\n", c.formula.Size())
	die("ABRT")
}

// exit3 says where it was, in numbers that are others each time.
func exit3(c *call) {
	fmt.Fprintf(os.Stderr, "internal error 17 at %p: term %d of size %d\n", c, os.Getpid(), c.formula.Size())
	os.Exit(3)
}

func crashInTheMiddle(c *call) {
	c.print(c.right[:len(c.right)*2/3])
	die("SEGV")
}

func endInTheMiddle(c *call) {
	c.print(c.right[:len(c.right)*2/3])
	os.Exit(0)
}

// terminal writes to the terminal of whoever has started this.
func terminal(c *call) {
	if tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0); err == nil {
		fmt.Fprintf(tty, "written to the terminal: %s\n", c.Marker)
		tty.Close()
	}
	c.answer()
}
