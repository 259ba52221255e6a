// Package version finds out the versions of programs.
package version

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Ask returns the first line that a program prints about its version, or "" if it does not
// within the limit.
func Ask(ctx context.Context, limit time.Duration, env []string, program, flag string) string {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, flag)
	cmd.Env = append(os.Environ(), env...)
	endAll(cmd)
	cmd.WaitDelay = 100 * time.Millisecond
	text, err := cmd.Output()
	if err != nil {
		return ""
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte{'\n'})
	const most = 200
	return strings.TrimSpace(strings.ToValidUTF8(string(line[:min(len(line), most)]), ""))
}
