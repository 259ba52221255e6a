package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Rival is a tool that runs as a command.
//
// In the command, %L is the name of the first file, and %R the name of the second one. For an
// inclusion, exit status 0 means that it holds, and 1 that it does not. For a complement, the
// command prints an automaton.
type Rival struct{ Name, Command string }

// ParseRival reads NAME=COMMAND for problems of a kind.
func ParseRival(text string, kind Kind) (Rival, error) {
	name, command, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.TrimSpace(command) == "" {
		return Rival{}, fmt.Errorf("tool %q: expected NAME=COMMAND", text)
	}
	if name == Self {
		return Rival{}, fmt.Errorf("tool %q: the name %s is taken", text, Self)
	}
	for i, file := range []string{"%L", "%R"} {
		if wanted := kind == Inclusion || i == 0; wanted != strings.Contains(command, file) {
			if wanted {
				return Rival{}, fmt.Errorf("tool %q: expected %s in the command", text, file)
			}
			return Rival{}, fmt.Errorf("tool %q: a complement has no %s", text, file)
		}
	}
	return Rival{name, command}, nil
}

// maxOutput is the largest complement that is read, in bytes.
const maxOutput = 1 << 30

// special are the characters that make a command one for the shell.
const special = "|&;<>()$`\\\"'*?[]#~{}\n"

// command fills in the names of the files.
func (r Rival) command(p *Problem) process.Command {
	fill := func(text string, quote func(string) string) string {
		pairs := []string{"%L", quote(p.Files[0])}
		if len(p.Files) > 1 {
			pairs = append(pairs, "%R", quote(p.Files[1]))
		}
		return strings.NewReplacer(pairs...).Replace(text)
	}
	// The shell is left out where it has nothing to do: it would take longer than small problems.
	words := strings.Fields(r.Command)
	plain := !strings.ContainsAny(r.Command, special) && !strings.Contains(words[0], "=") // a variable of the shell
	c := process.Command{Line: fill(r.Command, translators.Quote)}
	if plain {
		for _, word := range words {
			c.Args = append(c.Args, fill(word, func(name string) string { return name }))
		}
	}
	return c
}

// ask gives a problem to a rival.
func (s *Suite) ask(ctx context.Context, host *process.Supervisor, rival Rival, p *Problem) (*solution, error) {
	r := &solution{Result: Result{Problem: p.Name, Tool: rival.Name, Expected: p.Expected}}
	call, err := host.New(s.limits(), nil, false)
	if err != nil {
		return nil, err
	}
	defer call.Remove()
	call.Command = rival.command(p)
	if err := call.Launch(ctx, ""); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", rival.Name, err)
	}
	defer call.ClosePipes()
	why := call.Wait(ctx, "")
	// The time of the process, without what it takes to clean up after it.
	wall := time.Since(call.Started)
	err = call.End()
	r.Seconds = s.taken(call, wall).Seconds()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if why == nil && s.late(call) {
		why = process.ErrCPU
	}
	switch why {
	case nil:
		return r, s.conclude(ctx, r, call)
	case process.ErrTimeout, process.ErrCPU:
		r.Status = Timeout
	case process.ErrMemory:
		r.Status = Memory
	case process.ErrTooBig:
		r.Status, r.Message = Failed, fmt.Sprintf("the complement exceeds %d MiB", maxOutput>>20)
	default:
		return nil, why
	}
	return r, nil
}

// conclude reads the answer of a rival that has ended by itself.
func (s *Suite) conclude(ctx context.Context, r *solution, call *process.Process) error {
	status := call.State.ExitCode()
	good := []int{0} // exit statuses that are answers
	if s.Kind == Inclusion {
		good = append(good, 1)
	}
	if !slices.Contains(good, status) {
		r.Status, r.Message = Failed, call.State.String()
		lines := strings.Split(strings.TrimSpace(call.Stderr.Ends()), "\n") // the last line of stderr says most
		if last := lines[len(lines)-1]; last != "" {
			r.Message += ": " + last
		}
		if strings.Contains(r.Message, "bad_alloc") { // a C++ program that has obeyed a limit
			r.Status = Memory
		}
		return nil
	}
	r.Status = Solved
	if s.Kind == Inclusion {
		r.Answer = answerOf(status == 0)
		return nil
	}
	c, _, err := hoa.ReadOne(ctx, call.Stdout.Data)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.Status, r.Message = Failed, "output: "+err.Error()
	default:
		r.complement, r.States = c, max(1, c.NumStates()) // 0 states would be no solution
	}
	return nil
}

// compare judges the answer of a rival by the published answer and xcheck's answer, or by the
// automaton that it should complement.
func (s *Suite) compare(ctx context.Context, r, own *solution) error {
	switch {
	case r.Status != Solved:
	case s.Kind == Complement && own.input != nil:
		r.input = own.input
		return s.check(ctx, r)
	case s.Kind == Inclusion:
		r.Wrong = r.Expected != "" && r.Answer != r.Expected || own.Status == Solved && r.Answer != own.Answer
	}
	return nil
}
