package translators

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// An Output is what a Tool made of a formula. If Status is OK, it has an automaton over the
// propositions of the formula. It also has the automaton if that was read but can't be checked
// (Unsupported).
type Output struct {
	Outcome
	Automaton *omega.Automaton
	Oddities  []Oddity
	Size      int64 // of the text that the tool printed, in bytes; 0 after a failure of the process
	// Alone is set if the process got no other formula. Then the tool itself is the cause of
	// the output, and not earlier formulas.
	Alone bool

	ticket *ticket // of the answer of a process that is kept alive
}

// An Oddity is something about an output that the tool's author would want to know. The
// automaton may still be checked.
type Oddity struct {
	Class outcome.FindingClass
	Text  string
}

// odd notes an oddity, the first of each class.
func (out *Output) odd(class outcome.FindingClass, text string) {
	for _, o := range out.Oddities {
		if o.Class == class {
			return
		}
	}
	out.Oddities = append(out.Oddities, Oddity{class, text})
}

// A reply is what a tool has printed, cut into pieces. Of all the text between two
// automata only the first line is kept, and of automata no more than asked for: what
// a tool gone wild prints has millions of pieces.
type reply struct {
	pieces   []hoa.Piece
	automata int   // with those that are not kept
	size     int64 // of all pieces, in bytes
}

// add adds a piece; limit is how many automata are kept.
func (a *reply) add(p hoa.Piece, limit int) {
	a.size += int64(len(p.Text))
	if p.Format != nil {
		if a.automata++; a.automata > limit {
			return
		}
	} else if n := len(a.pieces); n > 0 && a.pieces[n-1].Format == nil {
		return
	}
	a.pieces = append(a.pieces, p)
}

// split cuts a complete output into pieces, which are parts of it.
func split(output []byte, limit int) (a reply) {
	for p := range hoa.Split(output) {
		a.add(p, limit)
	}
	return a
}

// read takes the automaton from an output that came with status OK, and notes what is
// odd about it.
func (out *Output) read(ctx context.Context, answer reply, q *question, t *Tool) {
	out.Output = nil // not needed any more; a run keeps many outputs
	out.Size = answer.size
	var first *hoa.Piece
	for i := range answer.pieces {
		p := &answer.pieces[i]
		switch {
		// Text around an automaton does no harm to this call, but may hide a fault of the tool.
		case p.Format == nil && first == nil:
			out.odd(outcome.TextBefore, "before the automaton: "+excerpt(p.Text))
		case p.Format == nil:
			out.odd(outcome.TextAfter, "after the automaton: "+excerpt(p.Text))
		case first == nil:
			first = p
		default:
			out.odd(outcome.SecondAutomaton, fmt.Sprintf("a second automaton at %d:%d; xcheck uses the first", p.Line, p.Column))
		}
	}
	if first == nil {
		out.Oddities = nil
		out.fail(outcome.Syntax, noAutomaton(ctx, answer.pieces))
		return
	}
	out.parse(ctx, first, q, t)
}

// readable returns the context for reading an answer: it may take as long as a call.
func (q *question) readable(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := q.reading
	if q.timeout > 0 {
		limit = min(limit, q.timeout)
	}
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("reading it takes longer than the time limit of %v", limit))
}

// noAutomaton says what is there in place of an automaton.
func noAutomaton(ctx context.Context, pieces []hoa.Piece) string {
	for i := range pieces {
		if _, _, err := pieces[i].Automaton(ctx); err != nil {
			return fmt.Sprint(err) + outputStarts + excerpt(pieces[i].Text)
		}
	}
	return "no automaton"
}

// parse reads the automaton itself.
func (out *Output) parse(ctx context.Context, p *hoa.Piece, q *question, t *Tool) {
	ctx, cancel := q.readable(ctx)
	defer cancel()
	a, warnings, err := p.Automaton(ctx)
	if err == nil && t.Format != "" && p.Format.Name != t.Format {
		err = fmt.Errorf("the format is %s, not %s", p.Format.Name, t.Format)
	}
	if err == nil && t.WithState {
		a = WithState(a)
	}
	for _, w := range warnings {
		out.odd(outcome.FindingClass(w.Class), fmt.Sprintf("%d:%d: %s", w.Line, w.Column, w.Text))
	}
	var missing *hoa.MissingStateError
	switch {
	case errors.As(err, &missing):
		out.fail(outcome.MissingState, missing.Error())
		return
	case errors.Is(err, hoa.ErrAborted):
		out.fail(outcome.Aborted, "the translator gave up (--ABORT--)")
		return
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		out.fail(outcome.Unsupported, fmt.Sprintf("cannot read the automaton: %v", context.Cause(ctx)))
		return
	case errors.As(err, new(*omega.LimitError)):
		out.fail(outcome.Unsupported, fmt.Sprintf("cannot read the automaton: %v", err)) // no fault of the tool
		return
	case err != nil:
		out.fail(outcome.Syntax, fmt.Sprint(err)+outputStarts+excerpt(p.Text))
		return
	}
	if q.misnamed(a) {
		out.odd(outcome.OtherName, fmt.Sprintf("the automaton is named after another formula: %s", excerpt([]byte(a.Name))))
	}
	out.Automaton = q.restore(a)
	if a.Alternating() { // of these, only weak ones can be checked
		if err := weak(ctx, a); err != nil {
			out.fail(outcome.Unsupported, err.Error())
		}
	}
}

// WithState returns a. If a has no states, it returns an automaton with one state and no edges, as Spot reads it.
func WithState(a *omega.Automaton) *omega.Automaton {
	if a = a.OrEmpty(); a.NumStates() > 0 {
		return a
	}
	b := a.NewBuilder()
	b.AddStart(b.AddState())
	one := b.Automaton()
	one.Name = a.Name
	return one
}

// weakTime is how long it may take to find out whether an alternating automaton is weak,
// which is exponential in the number of marks at worst.
const weakTime = 2 * time.Second

// weak fails if the components of an automaton are not known to be weak.
func weak(ctx context.Context, a *omega.Automaton) error {
	ctx, cancel := context.WithTimeout(ctx, weakTime)
	defer cancel()
	kinds, err := a.Kinds(ctx, a.Components())
	switch {
	case err != nil:
		return fmt.Errorf("alternating automaton: cannot decide in %v whether it is weak", weakTime)
	case slices.Contains(kinds, omega.Mixed):
		return omega.ErrNotWeak
	}
	return nil
}

// misplaced returns an oddity that may come from an answer to another question, or nil.
func (out *Output) misplaced() *Oddity {
	for i, o := range out.Oddities {
		switch o.Class {
		case outcome.TextBefore, outcome.TextAfter, outcome.SecondAutomaton, outcome.OtherName:
			return &out.Oddities[i]
		}
	}
	return nil
}

// unlike notes that a process that had other formulas before did something else than this
// output shows, and reports whether it did. The same failure or oddity here is the tool's
// way. class is the class of the oddity, or "" for a failure.
func (out *Output) unlike(class outcome.FindingClass, what string) bool {
	if out.Status != outcome.OK && out.Status != outcome.Unsupported {
		return false
	}
	for _, o := range out.Oddities {
		if o.Class == class {
			return false
		}
	}
	out.odd(outcome.Unstable, what+"; a fresh process does not do that")
	return true
}

// excerpt returns the first line of a text that has one, quoted and not too long.
func excerpt(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte{'\n'})
	const maxExcerpt = 60
	if len(line) > maxExcerpt {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(string(line[:maxExcerpt]), ""))
	}
	return fmt.Sprintf("%q", line)
}
