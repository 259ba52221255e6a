package cross

import (
	"context"
	"errors"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// HangIn makes all cases hang in a stage until the test ends.
func HangIn(t *testing.T, stage string) {
	forever := make(chan struct{})
	hang := func(name string) {
		if name == stage {
			<-forever
		}
	}
	entered.Store(&hang)
	t.Cleanup(func() { close(forever); entered.Store(nil) })
}

// Window is how many cases wait for a slow one.
const Window = window

// General returns the word, on which a formula has that truth and the automaton is wrong, without
// what plays no part. The error is an internal one.
func General(ctx context.Context, store *ltl.Store, f *ltl.Formula, a *omega.Automaton, w *omega.Word, truth bool) (string, error) {
	s := outcome.Subject{Translator: "wrong"}
	d := outcome.Disagreement{Word: w.String(), Truth: truth, Kind: outcome.Extra, Blamed: []outcome.Subject{s}}
	if truth {
		d.Kind = outcome.Missing
	}
	j := &certifier{specification: &truths{alphabet: a.Alphabet(), store: store, formula: f},
		members: []*member{{language: productcheck.NewLanguage(a), subjects: []outcome.Subject{s}}},
		decider: &productcheck.Decider{}, words: map[string]*omega.Word{d.Word: w}}
	list := []outcome.Disagreement{d}
	err := j.generalize(ctx, list)
	for _, text := range j.errors {
		err = errors.Join(err, errors.New(text))
	}
	return list[0].General, err
}
