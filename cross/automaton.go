package cross

import (
	"context"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// newGiven describes an automaton as far as its labels allow. It fails when ctx is done.
func newGiven(ctx context.Context, in Input) (*outcome.Given, error) {
	var text strings.Builder
	var r outcome.Result
	err := hoa.Write(ctx, &text, in.Automaton)
	if err == nil {
		err = measure(ctx, &r, in.Automaton)
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &outcome.Given{Source: in.Source, Span: in.Span, Name: strings.ToValidUTF8(in.Automaton.Name, "\uFFFD"), HOA: text.String(),
		Props: r.Props, States: r.States, Edges: r.Edges, Transitions: r.Transitions, Sets: r.Sets,
		Components: r.Components, Nondet: r.Nondet, Deterministic: r.Deterministic, Alternating: r.Alternating, Acceptance: r.Acceptance}, nil
}

// inputName is the translator that the input of a case of an automaton is ascribed to in
// checks and answers.
const inputName = "input"

// A given is the automaton of a caseRun, which has no formula then.
type given struct {
	*omega.Automaton
	tools *translators.Automaton
	title *outcome.Given // of the case
}

// accepted is the specification of an automaton: the words that it accepts.
type accepted struct {
	*member
	title string
}

func (a *accepted) holds(ctx context.Context, w *certify.Word) (bool, error) {
	return a.accepts(ctx, w)
}

func (a *accepted) quick(ctx context.Context, w *omega.Word) (bool, error) {
	return a.language.Automaton().Accepts(ctx, w)
}

func (a *accepted) languages(_ context.Context, truth bool) (in, out []*productcheck.Language, err error) {
	if truth {
		return []*productcheck.Language{a.language}, nil, nil
	}
	return nil, []*productcheck.Language{a.language}, nil
}

func (a *accepted) String() string { return "automaton " + a.title }
