//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// An experiment runs each generator against each mutant, with each seed.
type experiment struct {
	limit  time.Duration
	seeds  int
	jobs   int
	xcheck string
	raw    string
	hard   string

	folder     string
	mutants    []Mutant
	generators []generator
	trials     []trial
}

// A generator makes formulas, by flags of xcheck run or by a command.
type generator struct {
	name, flags string
	command     bool
}

// A trial is one run. Seconds are processor time, also of the translator.
type trial struct {
	mutant, generator, seed int

	Found      bool
	Formulas   int
	Seconds    float64
	Signatures int
}

// parseGenerator reads a generator as the command line has it.
func parseGenerator(text string) (generator, error) {
	name, rest, ok := strings.Cut(text, ":")
	if !ok || name == "" {
		return generator{}, fmt.Errorf("generator %q: expected NAME: FLAGS, or NAME: | COMMAND", text)
	}
	command, isCommand := strings.CutPrefix(strings.TrimSpace(rest), "|")
	return generator{strings.TrimSpace(name), command, isCommand}, nil
}

// run makes the whole experiment and prints its tables.
func (e *experiment) run(ctx context.Context, folder string, generators []string, w io.Writer) error {
	e.folder = folder
	text, err := os.ReadFile(filepath.Join(folder, list))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &e.mutants); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(folder, list), err)
	}
	if e.hard != "" {
		if err := e.hardOnly(e.hard); err != nil {
			return err
		}
	}
	for _, text := range generators {
		g, err := parseGenerator(text)
		if err != nil {
			return err
		}
		e.generators = append(e.generators, g)
	}
	if err := e.all(ctx); err != nil {
		return err
	}
	e.print(w)
	if e.raw == "" {
		return nil
	}
	return e.writeRaw()
}

// all makes the trials. Those of one mutant and seed follow each other, so that a machine that
// is slow for a while is so for all generators.
func (e *experiment) all(ctx context.Context) error {
	for m := range e.mutants {
		for s := range e.seeds {
			for g := range e.generators {
				e.trials = append(e.trials, trial{mutant: m, generator: g, seed: s + 1})
			}
		}
	}
	var workers errgroup.Group
	workers.SetLimit(e.jobs)
	for i := range e.trials {
		if ctx.Err() != nil {
			break
		}
		workers.Go(func() error { return e.try(ctx, &e.trials[i]) })
	}
	return errors.Join(workers.Wait(), ctx.Err())
}

// try makes one trial.
func (e *experiment) try(ctx context.Context, t *trial) error {
	work, err := os.MkdirTemp("", "trial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	config := filepath.Join(work, "mutant.toml")
	if err := os.WriteFile(config, []byte(e.configuration(&e.mutants[t.mutant])), 0o644); err != nil {
		return err
	}
	seed := strconv.Itoa(t.seed)
	g := e.generators[t.generator]
	args := []string{"run", "-c", config, "--stop-on-error", "-j", "1", "-T", "2", "--max-time", "2s", "--json=" + filepath.Join(work, "out"), "-q",
		"--progress", "never", "--seed", seed}
	shell := `exec "$0" "$@"`
	if g.command {
		shell = strings.ReplaceAll(g.flags, "SEED", seed) + ` | "$0" "$@" -F -`
	} else {
		args = append(append(args, "--for", "24h"), strings.Fields(g.flags)...)
	}
	limited, cancel := context.WithTimeout(ctx, 20*e.limit) // asleep, most of the time
	defer cancel()
	c := exec.CommandContext(limited, "sh", append([]string{"-c", shell, e.xcheck}, args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGINT) }
	c.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		return err
	}
	go watch(limited, c.Process.Pid, e.limit, cancel)
	c.Wait() // the report says how it ended
	t.Seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	return t.read(filepath.Join(work, "out"), out.Bytes(), e.limit)
}

// configuration is that of a run of one mutant.
func (e *experiment) configuration(m *Mutant) string {
	var b strings.Builder
	mode := "stream"
	if strings.Contains(m.Command, "%") {
		mode = "spawn"
	}
	folder, _ := filepath.Abs(e.folder)
	fmt.Fprintf(&b, "[[translators]]\nname = %q\ncommand = %q\nmode = %q\n", m.Name, "cd '"+folder+"' && "+m.Command, mode)
	return b.String()
}

// read reads the report of a run. One that has none was killed, so it is no finding. What was found
// after the limit is none either.
func (t *trial) read(file string, output []byte, limit time.Duration) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		if bytes.Contains(output, []byte("xcheck:")) && !bytes.Contains(output, []byte("interrupted")) && !bytes.Contains(output, []byte("no formula finished")) {
			return fmt.Errorf("xcheck: %s", output)
		}
		return nil
	}
	if err != nil {
		return err
	}
	var document struct {
		Summary struct {
			Formulas, Signatures int
			Stopped              bool
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil // cut off
	}
	s := &document.Summary
	t.Found, t.Formulas, t.Signatures = s.Stopped && t.Seconds <= limit.Seconds(), s.Formulas, s.Signatures
	return nil
}

// rawColumns are those of the raw results.
var rawColumns = []string{"mutant", "change", "generator", "seed", "found", "formulas", "seconds", "signatures"}

// writeRaw writes all trials.
func (e *experiment) writeRaw() error {
	file, err := os.Create(e.raw)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	w.Write(rawColumns)
	for _, t := range e.trials {
		m := e.mutants[t.mutant]
		w.Write([]string{m.Name, m.Change, e.generators[t.generator].name, strconv.Itoa(t.seed), strconv.FormatBool(t.Found),
			strconv.Itoa(t.Formulas), strconv.FormatFloat(t.Seconds, 'f', 3, 64), strconv.Itoa(t.Signatures)})
	}
	w.Flush()
	return errors.Join(w.Error(), file.Close())
}
