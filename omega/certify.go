package omega

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// Certify returns an error unless package certify confirms that the automaton, as read,
// accepts the word, as printed (or rejects it, if accepted is false). The word must give each
// proposition of the automaton a value.
func (a *Automaton) Certify(ctx context.Context, w *Word, accepted bool) error {
	if a.Alphabet() == nil {
		return ErrNoAutomaton
	}
	return certified(w, accepted, "accepted", func(text *certify.Word) (bool, error) {
		return certify.Accepts(ctx, a.Plain(), text)
	})
}

// CertifyTruth returns an error unless package certify confirms the truth of the formula on
// the word, as printed. The word must give each proposition of the formula a value.
func (w *Word) CertifyTruth(ctx context.Context, f *ltl.Formula, truth bool) error {
	return certified(w, truth, "true", func(text *certify.Word) (bool, error) { return certify.Holds(ctx, f, text) })
}

func certified(w *Word, want bool, what string, decide func(*certify.Word) (bool, error)) error {
	if err := w.Check(); err != nil {
		return err
	}
	concrete := w.Concrete()
	printed := concrete.String()
	text, err := certify.ParseWord(concrete.Encoded())
	if err != nil {
		return fmt.Errorf("internal error: %w; please report this", err)
	}
	got, err := decide(text)
	switch {
	case err != nil:
		return fmt.Errorf("cannot certify the word %s: %w", printed, err)
	case got != want:
		return fmt.Errorf("internal error: word %s: %s: %v, but its certificate says %v; please report this", printed, what, want, got)
	}
	return nil
}
