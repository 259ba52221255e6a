package translators

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// NewTestRunner returns a Runner that has adopted orphans, and is closed at the end of a test, and
// fails it if that goes wrong.
func NewTestRunner(t testing.TB, n int) *Runner {
	t.Helper()
	AdoptOrphans()
	r := must.Get(NewRunner(n, t.TempDir()))
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// Expansions returns the line of a command with the same value for all placeholders,
// and if it takes no shell the words in it.
func Expansions(c *Command, value string) (line string, words []string) {
	give := func(byte) (string, error) { return value, nil }
	line, _ = c.expand(give)
	words, _ = c.argv(give)
	return line, words
}

// TranslateUnreadable is Translate of a formula for which reading an output panics, if
// the automaton has a name that is not written as the formula.
func (t *Tool) TranslateUnreadable(ctx context.Context, r *Runner, f *ltl.Formula) (out *Output, panicked any, err error) {
	q, err := t.question(ctx, f, 0)
	if err != nil {
		return nil, nil, err
	}
	q.formula = nil
	defer func() { panicked = recover() }()
	out, err = r.pool(t).translate(ctx, q)
	return out, nil, err
}

// An Input returns the formula in a syntax.
type Input func(ltl.Syntax) (string, error)

// Run runs a command on a formula when a core is free. It adds env ("NAME=value") to the
// environment. The error is xcheck's own: it can't write temporary files or start processes,
// or ctx is done. What the command does wrong is in the Outcome.
func (r *Runner) Run(ctx context.Context, c *Command, in Input, limits Limits, env []string) (Outcome, error) {
	if err := r.host.Enter(ctx); err != nil {
		return Outcome{}, err
	}
	defer r.host.Leave()
	text := func(placeholder byte) (string, error) { return in(syntaxes[placeholder]) }
	return r.run(ctx, call{command: c, in: text, limits: limits, env: env})
}
