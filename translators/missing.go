package translators

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// Missing returns why a tool can't be started: its program does not exist, or is not
// executable. It returns "" if the tool may work, so it never rejects a working command.
//
// Missing looks up the program of a single command as a shell does. What a pipeline, a list or
// another program starts is for the shell: each call fails with its message.
func (t *Tool) Missing(ctx context.Context) string {
	if t.Builtin != nil {
		return ""
	}
	_, call := t.Command.line.command()
	if call == nil {
		return ""
	}
	w, ok := t.Command.line.literal(call.Args[0])
	if !ok || !runs(w) {
		return ""
	}
	env := process.Environment(t.Env, t.CleanEnv)
	program := w[0].text
	why := missing(program, env)
	if why == "" || !strings.Contains(program, "/") && process.LookPath(program, env) == "" && knownToShell(ctx, program, env) {
		return "" // a function, perhaps
	}
	return program + ": " + why
}

// missing returns why a program can't be executed, "" if it can.
func missing(program string, env []string) string {
	if strings.Contains(program, "/") {
		return unfit(program)
	}
	if path := process.LookPath(program, env); path != "" {
		return unfit(path)
	}
	for _, folder := range process.SearchPath(env) {
		name := filepath.Join(folder, program)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name + " is not executable"
		}
	}
	return "not found on PATH"
}

// unfit returns why a file can't be executed, or "".
func unfit(path string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "no such file"
	case err != nil:
		return errors.Unwrap(err).Error()
	case info.IsDir():
		return "it is a directory"
	case !process.Executable(path):
		return "it is not executable"
	case !info.Mode().IsRegular():
		return "it is not a regular file"
	}
	return noInterpreter(path)
}

// noInterpreter says which program a script needs, if that is missing.
func noInterpreter(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return "" // it may be executable all the same
	}
	defer file.Close()
	line, err := bufio.NewReaderSize(file, 4096).ReadSlice('\n')
	text, ok := strings.CutPrefix(string(line), "#!")
	if !ok || err != nil && err != io.EOF {
		return ""
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n", r) })
	if len(words) == 0 {
		return ""
	}
	if _, err := os.Stat(words[0]); errors.Is(err, os.ErrNotExist) {
		return fmt.Sprintf("its first line needs %q: no such file", words[0])
	}
	return ""
}

// knownToShell reports whether the shell knows a word as a command.
func knownToShell(ctx context.Context, word string, env []string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", `command -v "$1"`, "sh", word)
	cmd.Env = env
	return cmd.Run() == nil || ctx.Err() != nil
}

// hashed is the size of the largest file of which Fingerprint reads the content, in bytes.
const hashed = 1 << 30

// Fingerprint returns a hash of what runs when the tool is called: of the contents of each file that its command
// names, by a path or as a program on PATH. It changes if such a file is replaced:
//
//	mytool %f                       the program mytool
//	sh -c "python3 tool.py %f"      sh, python3 and tool.py
//	java -jar x.jar --rules=r.txt   java, x.jar and r.txt
//
// A file that can't be read, or has more than a gibibyte, counts by its path, size and time of change. The hash
// of a built-in tool is "". The error is that ctx is done.
func (t *Tool) Fingerprint(ctx context.Context) (string, error) {
	if t.Builtin != nil {
		return "", nil
	}
	env := process.Environment(t.Env, t.CleanEnv)
	all := sha256.New()
	var names []string
	for _, text := range t.Command.line.texts() {
		for _, word := range strings.Fields(text) {
			_, value, _ := strings.Cut(word, "=") // --rules=r.txt
			names = append(names, word, value, process.LookPath(word, env))
		}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if err := fingerprint(ctx, all, name); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// fingerprint adds the hash of a file to all, if there is a regular file with the name.
func fingerprint(ctx context.Context, all io.Writer, name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(name)
	if err != nil || info.Size() > hashed {
		if err == nil {
			file.Close()
		}
		_, err = fmt.Fprintln(all, name, info.Size(), info.ModTime().UnixNano())
		return err
	}
	defer file.Close()
	one := sha256.New()
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(one, file, 1<<20) // a piece, as ctx may be done
	}
	fmt.Fprintf(all, "%x\n", one.Sum(nil))
	return ctx.Err()
}
