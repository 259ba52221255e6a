package translators

import (
	"bufio"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Missing returns why a tool can't be started: its program does not exist, or is not
// executable. It returns "" if the tool may work, so it never rejects a working command.
//
// Missing looks up a simple command as a shell does. In other commands, it looks up the words
// that may be programs. If one does not exist, it runs the command, and the shell must report
// the same.
func (t *Tool) Missing(ctx context.Context) string {
	if t.Builtin != nil {
		return ""
	}
	env := process.Environment(t.Env, t.CleanEnv)
	if words := t.Command.simple; words != nil {
		program := words[0][0].text
		why := missing(program, env)
		if why != "" && !strings.Contains(program, "/") && process.LookPath(program, env) == "" && knownToShell(ctx, program, env) {
			why = "" // a function
		}
		if why != "" {
			return program + ": " + why
		}
		if !startsOthers[filepath.Base(program)] {
			return ""
		}
	}
	// Words are only suspected of being programs, so the shell has to say the same of one.
	for _, program := range t.Command.line.suspects() {
		why := missing(program, env)
		if why == "" {
			continue
		}
		if !t.failsFor(ctx, program) {
			return ""
		}
		return program + ": " + why
	}
	return ""
}

// missing returns why a program can't be executed, "" if it can.
func missing(program string, env []string) string {
	if strings.Contains(program, "/") {
		return unfit(program, env)
	}
	if path := process.LookPath(program, env); path != "" {
		return unfit(path, env)
	}
	for _, folder := range process.SearchPath(env) {
		name := filepath.Join(folder, program)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name + " is not executable"
		}
	}
	return "not found on PATH"
}

// unfit returns why a file can't be executed.
func unfit(path string, env []string) string {
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
		return ""
	}
	return withoutInterpreter(path, env)
}

// withoutInterpreter says that the program is missing which a file needs to be executed.
func withoutInterpreter(path string, env []string) string {
	file, err := os.Open(path)
	if err != nil {
		return "" // it may be executable all the same
	}
	defer file.Close()
	if loader := loaderOf(file); loader != "" {
		if _, err := os.Stat(loader); errors.Is(err, os.ErrNotExist) {
			return fmt.Sprintf("it needs %s: no such file", loader)
		}
	}
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
	if filepath.Base(words[0]) != "env" {
		return ""
	}
	for _, word := range words[1:] {
		switch {
		case strings.HasPrefix(word, "PATH="):
			return ""
		case word == "-S" || strings.Contains(word, "=") && word[0] != '-':
		case word[0] == '-' || strings.Contains(word, "/"):
			return ""
		case process.LookPath(word, env) == "":
			return fmt.Sprintf("its first line needs %q: not found on PATH", word)
		default:
			return ""
		}
	}
	return ""
}

// machines are the processors that programs for this one are made for. Programs for others may be
// emulated, with loaders in a place of their own.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64, "riscv64": elf.EM_RISCV, "386": elf.EM_386}

// loaderOf returns the path of the loader that a program of Linux asks for. It is another one if the
// program is made for another library of C. It returns "" for other files.
func loaderOf(file io.ReaderAt) string {
	f, err := elf.NewFile(file)
	if err != nil || f.Machine != machines[runtime.GOARCH] {
		return ""
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			path, _ := io.ReadAll(io.LimitReader(p.Open(), 4096)) // a damaged file may ask for any length
			return strings.TrimRight(string(path), "\x00")
		}
	}
	return ""
}

// tryTime bounds what is tried before the run.
const tryTime = 2 * time.Second

// knownToShell reports whether the shell knows a word as a command.
func knownToShell(ctx context.Context, word string, env []string) bool {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", `command -v "$1"`, "sh", word)
	cmd.Env = env
	return cmd.Run() == nil || ctx.Err() != nil
}

// failsFor tries the command, and reports whether it fails as a program of this name is not
// there or can't be executed: the shell says so, and it has the status for that, or all of the
// command is a pipeline.
func (t *Tool) failsFor(ctx context.Context, program string) bool {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	if ctx.Err() != nil {
		return false
	}
	r, err := NewRunner(1, "")
	if err != nil {
		return false
	}
	defer r.Close()
	// The messages of the shell are known in English alone.
	tool := *t
	tool.Env = append(slices.Clone(t.Env), "LC_ALL=C")
	out, err := tool.try(ctx, r)
	if err != nil || out.Status == outcome.OK {
		return false
	}
	notFound := out.Status == outcome.Exit && (out.ExitCode == 126 || out.ExitCode == 127)
	return (notFound || t.Command.line.pipeline()) && complains(out.Stderr, program)
}

// try gives the tool something small.
func (t *Tool) try(ctx context.Context, r *Runner) (*Output, error) {
	if !t.Command.automata {
		f, err := ltl.NewStore().Parse("a", ltl.Spot)
		if err != nil {
			return nil, err
		}
		return t.Alone(ctx, r, f, 0)
	}
	a, _, err := hoa.ReadOne(ctx, []byte(`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} --END--`))
	if err != nil {
		return nil, err
	}
	return t.TransformAlone(ctx, r, NewAutomaton(a, nil)) // it is a Büchi automaton already
}

// complains reports whether a line of standard error says that a program can't be started.
func complains(stderr, program string) bool {
	for line := range strings.Lines(stderr) {
		if !strings.Contains(line, program) {
			continue
		}
		reasons := []string{"not found", "No such file", "ermission denied", "annot execute", "can't execute", "s a directory"}
		if slices.ContainsFunc(reasons, func(text string) bool { return strings.Contains(line, text) }) {
			return true
		}
	}
	return false
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

// startsOthers are programs whose arguments are a command.
var startsOthers = map[string]bool{"env": true, "exec": true, "nice": true, "ionice": true, "nohup": true, "setsid": true, "stdbuf": true,
	"taskset": true, "time": true, "timeout": true, "command": true, "chrt": true, "unbuffer": true, "sudo": true}

// suspects returns the words of a line that look like programs: those where a command begins. The caller
// looks for them on PATH, and asks a shell before it calls one missing.
func (l *shellLine) suspects() (list []string) {
	functions := map[string]bool{}
	add := func(args []*syntax.Word) {
		wrapped := false // behind a word of startsOthers, whose options and numbers come first
		for _, arg := range args {
			w, ok := l.literal(arg)
			if !ok || len(w) > 1 || w[0].text == "" { // what the shell makes of it is not known
				return
			}
			switch name := w[0].text; {
			case wrapped && (name[0] == '-' || strings.Contains(name, "=") || strings.Trim(name, "0123456789.smhdk") == ""): // nice -n 5, timeout 10s
			case startsOthers[name]:
				wrapped = true
			default:
				list = append(list, name)
				return
			}
		}
	}
	syntax.Walk(l.file, func(node syntax.Node) bool {
		switch x := node.(type) {
		case *syntax.CallExpr:
			add(x.Args)
		case *syntax.FuncDecl:
			functions[x.Name.Value] = true
		}
		return true
	})
	return slices.DeleteFunc(list, func(name string) bool { return functions[name] || shellWords[name] })
}

// pipeline reports whether a line is for certain one pipeline: commands with | between them.
func (l *shellLine) pipeline() bool {
	if len(l.file.Stmts) != 1 {
		return false
	}
	both, ok := l.file.Stmts[0].Cmd.(*syntax.BinaryCmd)
	return ok && both.Op == syntax.Pipe
}
