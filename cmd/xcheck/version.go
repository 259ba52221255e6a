package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/translators"
)

// version returns xcheck's own version, as the build has noted it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// versions finds out the versions of the tools that have none yet: known ones are
// asked, all at the same time. What can't be found out stays empty.
func versions(ctx context.Context, tools []*translators.Tool) {
	var asked sync.WaitGroup
	for _, tool := range tools {
		program := tool.Command.Program()
		flag := configs.VersionFlag(path.Base(program))
		if tool.Version == "" && flag != "" {
			asked.Go(func() { tool.Version = ask(ctx, 2*time.Second, tool.Env, program, flag) })
		}
	}
	asked.Wait()
}

// ask returns the first line that a program prints about its version, or "" if it does not
// within the limit.
func ask(ctx context.Context, limit time.Duration, env []string, program, flag string) string {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, flag)
	cmd.Env = append(os.Environ(), env...)
	// What it has started ends with it.
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
