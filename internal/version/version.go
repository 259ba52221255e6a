// Package version finds out the versions of programs.
package version

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Ask returns the first line that a program prints about its version, or "" if it does not
// within the limit.
func Ask(ctx context.Context, limit time.Duration, env []string, program, flag string) string {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, flag)
	cmd.Env = append(os.Environ(), env...)
	// The group of processes ends with the program.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 100 * time.Millisecond
	text, err := cmd.Output()
	if err != nil {
		return ""
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte{'\n'})
	const most = 200
	return strings.TrimSpace(strings.ToValidUTF8(string(line[:min(len(line), most)]), ""))
}

// A Build says what this program was built from.
type Build struct {
	Version string `json:"version"` // version of xcheck; "(devel)" if it is not known
	// commit of the sources; missing if it is not known
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"` // date of the commit, as in RFC 3339
	// true if the sources differ from the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"` // version of Go
	// operating system and architecture, such as "linux/amd64"
	Platform string `json:"platform"`
}

// This returns the build of this program.
func This() Build {
	b := Build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	return b
}

// read takes what the go command has written into the program. If that is a commit and no version,
// the version is the one that the go command makes of a commit without a tag.
func (b *Build) read(info *debug.BuildInfo) {
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if at, err := time.Parse(time.RFC3339, b.Date); b.Version == "(devel)" && b.Commit != "" && err == nil {
		const digits = 12
		b.Version = "v0.0.0-" + at.UTC().Format("20060102150405") + "-" + b.Commit[:min(digits, len(b.Commit))]
		if b.Modified {
			b.Version += "+dirty"
		}
	}
}

// Own returns xcheck's own version.
func Own() string { return This().Version }

// Program is the path of xcheck, for commands that start with "xcheck translate". The command
// xcheck sets it to its own path; other programs look for xcheck on PATH.
var Program = "xcheck"
