package xcheck

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// maxText is the maximum size of the text of an automaton, in bytes.
const maxText = 64 << 20

var (
	errNoFormula = errors.New("no formula given")
	errNoContext = errors.New("no context given")
)

// A noContext stands for nil: it has ended, because no context was given.
type noContext struct{ context.Context }

func (noContext) Err() error { return errNoContext }

func (noContext) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// given returns ctx, or a noContext if it is nil.
func given(ctx context.Context) context.Context {
	if ctx == nil {
		return noContext{context.Background()}
	}
	return ctx
}

// limited returns a context with the limit of memory of ctx, or the default limit.
func limited(ctx context.Context) context.Context {
	if ctx = given(ctx); budget.Memory(ctx) > 0 {
		return ctx
	}
	return omega.Limits{}.WithMemory(ctx)
}

// ParseLTL reads a formula in Spot's syntax, such as "G(req -> F ack)". The error is an
// [ltl.SyntaxError]. See [ltl.Store.Parse] for the operators and other syntaxes.
func ParseLTL(text string) (*ltl.Formula, error) { return ltl.NewStore().Parse(text, ltl.Spot) }

// ParseWord reads a word in Spot's syntax, such as "a&!b; cycle{!a; 1}". The error wraps an
// [ltl.SyntaxError], or is an [omega.LimitError] if a letter is too large.
func ParseWord(text string) (*omega.Word, error) {
	return omega.ParseWord(limited(context.Background()), text)
}

// ReadHOA reads an automaton, and all of r. The text must be one automaton of at most 64 MiB, in
// HOA or another format that package hoa knows. The error is an [ltl.SyntaxError] or
// [hoa.LimitError] with line and column, or the error of r.
func ReadHOA(r io.Reader) (*omega.Automaton, error) {
	if r == nil {
		return nil, omega.ErrNoAutomaton
	}
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxText:
		return nil, fmt.Errorf("expected an automaton of at most %d bytes", maxText)
	}
	a, _, err := hoa.ReadOne(context.Background(), text)
	return a, err
}

// WriteHOA writes an automaton in HOA. It fails if w does, and with an [omega.LimitError] if a
// label is too large to be written.
func WriteHOA(w io.Writer, a *omega.Automaton) error {
	if err := checkAutomaton(a); err != nil {
		return err
	}
	return hoa.Write(limited(context.Background()), w, a.Clone())
}

// checkAutomaton returns an error for an automaton that is nil or has the zero value.
func checkAutomaton(a *omega.Automaton) error {
	if a.Alphabet() == nil {
		return omega.ErrNoAutomaton
	}
	return nil
}
