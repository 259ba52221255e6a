package translators

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// input gives the text of a placeholder in lower case, be it for a file or not.
type input func(placeholder byte) (string, error)

// A call is a command to be run once.
type call struct {
	command *Command
	in      input
	stdin   string // text for standard input; none if it is empty
	limits  Limits
	env     []string
	clean   bool
	started func(ran string) // or nil
}

// run runs a command. The caller holds a core. If another command has filled the temporary folder meanwhile, the
// other one is killed, and this one runs again. A command that removes its files at once is not found. So one without
// room runs again for about half a second, and one that is said to have filled the folder runs once more.
func (r *Runner) run(ctx context.Context, c call) (o Outcome, err error) {
	pause := 10 * time.Millisecond
	for again := true; again && err == nil; pause *= 2 {
		o, again, err = r.runOnce(ctx, &c)
		switch {
		case again || !o.Status.Failed() || pause > time.Second/2:
		case o.Detail == filled:
			again, pause = true, time.Second // past the bound: once more only
		case strings.Contains(strings.ToLower(o.Stderr), "no space left on device"):
			again = true
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
	}
	return o, err
}

func (r *Runner) runOnce(ctx context.Context, c *call) (o Outcome, disturbed bool, err error) {
	limits := c.limits.withDefaults()
	p, err := r.host.New(process.Limits(limits), c.env, c.clean)
	if err != nil {
		return o, false, err
	}
	defer p.Remove()
	line, outFile, err := prepare(p, c.command, c.in)
	if err != nil {
		return o, false, err
	}
	o.Ran = strings.ReplaceAll(line, p.Folder+string(filepath.Separator), "lcr-")
	if c.started != nil {
		c.started(o.Ran)
	}
	if o.Command, err = c.again(); err != nil {
		return o, false, err
	}
	stdin := ""
	if c.stdin != "" {
		stdin = filepath.Join(p.Folder, "input")
		if err := p.WriteFile(stdin, c.stdin); err != nil {
			return o, false, err
		}
	}
	if err := p.Launch(ctx, stdin); err != nil {
		// Some formulas fit into no command line; that is no fault of the run.
		if failed, ok := notStarted(err); ok {
			return failed, false, nil
		}
		return o, false, fmt.Errorf("cannot start the command: %w", err)
	}
	defer p.ClosePipes()
	if err := o.await(ctx, p, limits, outFile); err != nil {
		return o, false, err
	}
	return o, (outFile != "" || o.Status.Failed()) && p.Disturbed(), nil
}

// again returns a line for a shell that repeats a call when the call's files are gone. The
// formula is read from standard input, and the output goes to standard output.
func (c *call) again() (string, error) {
	text := c.stdin
	line, err := c.command.expand(func(placeholder byte) (value string, err error) {
		if placeholder == 'O' {
			return "/dev/stdout", nil
		}
		value, err = c.in(placeholder | lower)
		if inFile(placeholder) {
			// Where the command asks for several files, all are standard input, and the first
			// formula is given.
			if text == "" {
				text = value
			}
			value = "/dev/stdin"
		}
		return value, err
	})
	if err != nil || text == "" {
		return line, err
	}
	return c.command.piped(text, line), nil
}

// inFile reports whether a placeholder is the name of a file: those in upper case are, but
// for the name of an automaton.
func inFile(placeholder byte) bool { return placeholder&lower == 0 && placeholder != 'M' }

// piped returns a line for a shell that gives lines to a command.
func (c *Command) piped(lines, command string) string {
	if !c.line.single() {
		// All of it gets them. What ends in a comment needs a line of its own.
		end := ")"
		if strings.Contains(command, "#") {
			end = "\n)"
		}
		command = "(" + command + end
	}
	return `printf '%s\n' ` + Quote(strings.TrimSuffix(lines, "\n")) + " | " + command
}

// prepare writes the files of a command and says what the process is to run. It returns the
// line for a shell, and the name of the file for the output, "" if that is printed.
func prepare(p *process.Process, c *Command, in input) (line, outFile string, err error) {
	known := map[byte]string{}
	value := func(placeholder byte) (text string, err error) {
		// The line and the arguments ask for the same.
		if text, ok := known[placeholder]; ok {
			return text, nil
		}
		defer func() { known[placeholder] = text }()
		if placeholder == 'O' {
			outFile = filepath.Join(p.Folder, "output")
			if c.printed { // only a name: the output is read from the pipe
				return outFile, nil
			}
			// It must exist, since some tools only append.
			return outFile, p.WriteFile(outFile, "")
		}
		text, err = in(placeholder | lower)
		if err != nil || !inFile(placeholder) {
			return text, err
		}
		name := filepath.Join(p.Folder, "formula-"+string(placeholder|lower))
		if c.automata {
			name = filepath.Join(p.Folder, "automaton-"+string(placeholder|lower))
		}
		return name, p.WriteFile(name, text+"\n")
	}
	if line, err = c.expand(value); err != nil {
		return "", "", err
	}
	p.Command.Line = line
	if c.line.single() {
		// Many shells would fork, and wait. This way the command is our own child:
		// signals hit it, and its own end is what we see.
		p.Command.Line = "exec " + line
	}
	if p.Command.Args, err = c.argv(value); c.printed {
		outFile, p.Command.Line = "", "exec" // a shell that has to run it prints to the pipe, too
		for _, arg := range p.Command.Args {
			p.Command.Line += " " + Quote(arg)
		}
	}
	return line, outFile, err
}

// await waits for the end of the command, and fills in its outcome.
func (o *Outcome) await(ctx context.Context, p *process.Process, limits Limits, outFile string) error {
	why := p.Wait(ctx, outFile)
	o.Wall = time.Since(p.Started)
	err := p.End()
	o.CPU, o.MaxRSS = p.CPU, p.Peak
	// If the run is over, the end of the process says nothing about the tool.
	switch {
	case why == process.ErrClosed:
		return why
	case why != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	}
	if p.Full() {
		why = process.ErrFull
	}
	// A process may end by itself just after it has printed too much.
	if p.Stdout.Over && why == nil {
		why = process.ErrTooBig
	}
	o.Stderr = p.Stderr.Ends()
	if !p.State.Success() {
		o.said = process.Clip(p.Stdout.Data, process.MaxStderr)
	}
	// With %O the file counts alone: tools print progress on standard output.
	output, fault := p.Stdout.Data, errNoOutput
	if outFile != "" {
		var broken error
		if output, broken, err = process.ReadOutput(outFile, limits.MaxOutput); err != nil {
			return fmt.Errorf("cannot use a temporary file: %w", err)
		}
		if broken != nil {
			fault = broken
		}
		if int64(len(output)) > limits.MaxOutput && why == nil {
			why = process.ErrTooBig
		}
	}
	o.conclude(limits, p.State, output, why, fault)
	return nil
}
