package translators

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// An Input returns the formula in a syntax.
type Input func(ltl.Syntax) (string, error)

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
}

// Run runs a command on a formula when a core is free. It adds env ("NAME=value") to the
// environment. The error is xcheck's own: it can't write temporary files or start processes,
// or ctx is done. What the command does wrong is in the Outcome.
func (r *Runner) Run(ctx context.Context, c *Command, in Input, limits Limits, env []string) (Outcome, error) {
	if err := r.enter(ctx); err != nil {
		return Outcome{}, err
	}
	defer r.leave()
	text := func(placeholder byte) (string, error) { return in(syntaxes[placeholder]) }
	return r.run(ctx, call{command: c, in: text, limits: limits, env: env})
}

// run is Run for one who has a core.
func (r *Runner) run(ctx context.Context, c call) (o Outcome, err error) {
	p, err := r.newProcess(c.limits, c.env, c.clean)
	if err != nil {
		return Outcome{}, err
	}
	defer p.remove()
	outFile, err := p.prepare(c.command, c.in)
	if err != nil {
		return Outcome{}, err
	}
	if o.Command, err = c.again(); err != nil {
		return Outcome{}, err
	}
	stdin := ""
	if c.stdin != "" {
		stdin = filepath.Join(p.folder, "input")
		if err := p.write(stdin, c.stdin); err != nil {
			return Outcome{}, err
		}
	}
	if err := p.launch(ctx, stdin); err != nil {
		if failed, ok := notStarted(err); ok {
			return failed, nil
		}
		return Outcome{}, fmt.Errorf("cannot start the command: %w", err)
	}
	defer p.closePipes()
	return o, p.await(ctx, &o, outFile)
}

// again returns a line for a shell that does the same as a call when the call's files
// are gone: the file of the formula is standard input, and that of the output standard
// output. Where the command asks for several files of formulas, all are standard input,
// of which the first has the formula.
func (c *call) again() (string, error) {
	text := c.stdin
	line, err := c.command.expand(func(placeholder byte) (value string, err error) {
		if placeholder == 'O' {
			return "/dev/stdout", nil
		}
		value, err = c.in(placeholder | lower)
		if inFile(placeholder) {
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
	return piped(text, line), nil
}

// inFile reports whether a placeholder is the name of a file: those in upper case are, but
// for the name of an automaton.
func inFile(placeholder byte) bool { return placeholder&lower == 0 && placeholder != 'M' }

// piped returns a line for a shell that gives lines to a command.
func piped(lines, command string) string {
	if !simple(command) {
		// All of it gets them. What ends in a comment needs a line of its own.
		end := ")"
		if strings.Contains(command, "#") {
			end = "\n)"
		}
		command = "(" + command + end
	}
	return `printf '%s\n' ` + Quote(strings.TrimSuffix(lines, "\n")) + " | " + command
}

// prepare writes the files of a command and makes its line. It returns the name of
// the file for the output, "" if that is printed.
func (p *process) prepare(c *Command, in input) (outFile string, err error) {
	known := map[byte]string{}
	value := func(placeholder byte) (text string, err error) {
		// The line and the arguments ask for the same.
		if text, ok := known[placeholder]; ok {
			return text, nil
		}
		defer func() { known[placeholder] = text }()
		if placeholder == 'O' {
			outFile = filepath.Join(p.folder, "output")
			// It must exist, since some tools only append.
			return outFile, p.write(outFile, "")
		}
		text, err = in(placeholder | lower)
		if err != nil || !inFile(placeholder) {
			return text, err
		}
		name := filepath.Join(p.folder, "formula-"+string(placeholder|lower))
		if c.automata {
			name = filepath.Join(p.folder, "automaton-"+string(placeholder|lower))
		}
		return name, p.write(name, text+"\n")
	}
	if p.line, err = c.expand(value); err != nil {
		return "", err
	}
	p.args, p.redirects, _, err = c.argv(value)
	return outFile, err
}

// write makes a file for the command.
func (p *process) write(name, text string) error {
	p.files = append(p.files, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return fmt.Errorf("cannot use a temporary file: %w", err)
	}
	return nil
}

// await waits for the end of the command, and fills in its outcome.
func (p *process) await(ctx context.Context, o *Outcome, outFile string) error {
	tooBig := make(chan struct{})
	p.readers.Go(func() {
		if p.stdout.fill() {
			close(tooBig)
		}
	})
	why := p.wait(ctx, tooBig, outFile)
	o.Wall = time.Since(p.started)
	err := p.end()
	o.CPU, o.MaxRSS = p.cpu, p.peak
	switch {
	case why == errClosed:
		return why
	case why != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	}
	if p.stdout.over && why == nil {
		why = errTooBig
	}
	o.Stderr = p.stderr.ends()
	if !p.state.Success() {
		o.said = clip(p.stdout.data, maxStderr)
	}
	output, fault := p.stdout.data, errNoOutput
	if outFile != "" {
		var broken error
		if output, broken, err = readOutput(outFile, p.limits.MaxOutput); err != nil {
			return fmt.Errorf("cannot use a temporary file: %w", err)
		}
		if broken != nil {
			fault = broken
		}
		if int64(len(output)) > p.limits.MaxOutput && why == nil {
			why = errTooBig
		}
	}
	o.conclude(p.limits, p.state, output, why, fault)
	return nil
}

// wait returns when the command has ended or is to be ended: nil if it ended by
// itself, otherwise the reason.
func (p *process) wait(ctx context.Context, tooBig <-chan struct{}, outFile string) error {
	timeout := time.NewTimer(p.limits.Timeout)
	defer timeout.Stop()
	look := time.NewTimer(firstLook)
	defer look.Stop()
	for pause := firstLook; ; {
		select {
		case <-p.exited:
			return nil
		case <-tooBig:
			return errTooBig
		case <-look.C:
			if outFile != "" {
				if info, err := os.Stat(outFile); err == nil && info.Size() > p.limits.MaxOutput {
					return errTooBig
				}
			}
			if err := p.over(time.Since(p.started) > longLook); err != nil {
				return err
			}
			pause = min(2*pause, lastLook)
			look.Reset(pause)
		case <-ctx.Done():
			return ctx.Err()
		case <-p.runner.ctx.Done():
			return errClosed
		case <-timeout.C:
			p.terminate(ctx)
			return errTimeout
		}
	}
}
