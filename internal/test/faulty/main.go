package faulty

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translate"
)

// Main is the translator if Variable is set: then it does not return.
func Main() {
	text := os.Getenv(Variable)
	if text == "" {
		return
	}
	t := &translator{}
	Must(json.Unmarshal([]byte(text), &t.Options))
	Must(t.run(os.Args[1:]))
	os.Exit(0)
}

// Must ends the process with status 9 if there is an error.
func Must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}

// translator is one process.
type translator struct {
	Options
	before   int    // formulas that it had
	previous []byte // its right answer to the last one
}

func (t *translator) run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "-":
		return EachLine(os.Stdin, t.translate)
	case len(args) == 2 && args[0] == "-F":
		file, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer file.Close()
		return EachLine(file, t.translate)
	case len(args) == 1:
		return t.translate(args[0])
	}
	return fmt.Errorf("arguments %q: expected FORMULA, -F FILE, or - for standard input", args)
}

// translate answers one formula.
func (t *translator) translate(text string) error {
	c := &call{translator: t, store: ltl.NewStore()}
	var err error
	if c.formula, err = c.store.Parse(text, ltl.Spot); err != nil {
		return err
	}
	c.right = c.automaton(c.formula)
	t.Fault(c.formula.String()).act(c)
	t.before++
	t.previous = c.right
	return nil
}

// call is the work on one formula.
type call struct {
	*translator
	store   *ltl.Store
	formula *ltl.Formula
	right   []byte // its automaton
}

// automaton returns the text of an automaton of f, with the name of the formula of the call, if it has one.
func (c *call) automaton(f *ltl.Formula) []byte {
	a, err := translate.With(context.Background(), translate.Default, c.store, f)
	Must(err)
	a.Name = ""
	if c.Names {
		a.Name = c.formula.String()
	}
	var text bytes.Buffer
	hoa.Write(context.Background(), &text, a) // such a writer has no errors
	return text.Bytes()
}

// print writes all of it at once. When nobody reads any more, we end as others do: by SIGPIPE.
func (c *call) print(text []byte) { os.Stdout.Write(text) }

// answer is what there should be.
func (c *call) answer() { c.print(c.right) }

// note says that a fault shows that depends on what came before.
func (c *call) note(f string) {
	file, err := os.OpenFile(c.Log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	Must(err)
	_, err = fmt.Fprintf(file, "%s\t%s\n", f, c.formula)
	Must(err)
	Must(file.Close())
}

// EachLine calls f for each line of r that is not blank, without the space around it, as
// soon as the line is there, until f or reading fails.
func EachLine(r io.Reader, f func(line string) error) error {
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			if err := f(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
