package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// leastRun is what the JSON of empty has if a shortest run was looked for.
type leastRun struct {
	// true if it is proved that no run is shorter
	Shortest bool `json:"shortest_run,omitempty"`
	// every accepting run has at least this many edges; missing if there is no run
	AtLeast int    `json:"at_least,omitempty"`
	Bound   int    `json:"bound,omitempty"` // only runs with fewer edges were looked for
	Limit   string `json:"limit,omitempty"` // the limit that ended the search
	// with --all-shortest: a shortest run for each accepting state that has one
	Runs []pivotRun `json:"runs,omitempty"`
}

// A pivotRun is a shortest run through an accepting state, or an edge that leaves it and may be
// accepting.
type pivotRun struct {
	State omega.State `json:"state"`      // the accepting state
	Run   int         `json:"run_length"` // number of edges of the accepting run
	// the word, in Spot's syntax: the letters before the cycle, then the cycle
	Word string `json:"word"`
	Size int    `json:"size"` // number of letters of the word, before the cycle and in it
}

func (p pivotRun) String() string {
	return fmt.Sprintf("%s through state %d: %s", edgesOf(p.Run), p.State, p.Word)
}

func edgesOf(n int) string {
	if n == 1 {
		return "1 edge"
	}
	return fmt.Sprintf("%d edges", n)
}

// afterLimit is the time in which the run that a search had found before a limit is certified. The
// search leaves so much of the time of an answer, but at most a tenth.
const afterLimit = 200 * time.Millisecond

// A shortestSearch looks for shortest runs of automaton x, made of the given one.
type shortestSearch struct {
	*app
	flags    *emptyFlags
	given, x *omega.Automaton
	ctx      context.Context
	cancel   context.CancelCauseFunc // because of a word that is not accepted
	leastRun
}

// emptyShortest answers for automaton x, made of the given one, by an algorithm that looks for a
// shortest run. A limit or a signal that ends the search leaves the best run so far.
func (a *app) emptyShortest(f *emptyFlags, by emptiness.Algorithm, given, x *omega.Automaton) error {
	a.orderly.Store(true)
	defer a.orderly.Store(false)
	s := &shortestSearch{app: a, flags: f, given: given, x: x, leastRun: leastRun{Bound: f.bound}}
	s.ctx, s.cancel = context.WithCancelCause(a.ctx)
	defer s.cancel(nil)
	if limit := a.limits.Time; limit > 0 {
		var end context.CancelFunc
		s.ctx, end = context.WithTimeout(s.ctx, limit-min(afterLimit, limit/10))
		defer end()
	}
	r, err := s.search(by)
	if wrong := context.Cause(s.ctx); wrong != nil && !errors.Is(wrong, s.ctx.Err()) {
		return wrong
	}
	var over *omega.LimitError
	switch {
	case err == nil:
		return s.answerWith(r)
	case r.Run == nil:
		return a.emptyLimit(err)
	case errors.Is(err, context.DeadlineExceeded):
		s.Limit = a.timeLimit().Error()
	case errors.As(err, &over):
		s.Limit = over.Error()
	case errors.Is(err, context.Canceled):
		s.Limit = "interrupted"
		return errors.Join(s.answerWith(r), err)
	default:
		return err
	}
	return s.answerWith(r)
}

// search finds a shortest run, or those through all accepting states.
func (s *shortestSearch) search(by emptiness.Algorithm) (*emptiness.Minimal, error) {
	m := emptiness.Minimizer{Algorithm: by, Limits: emptiness.Limits{Memory: s.limits.Memory}, Bound: s.flags.bound}
	if s.flags.allShortest {
		return m.Each(s.ctx, s.x, s.through)
	}
	if s.flags.verbose {
		m.Found = func(r *emptiness.Run) {
			if w := s.word(r); w != nil {
				fmt.Fprintf(s.err, "xcheck: at most %s: %v\n", edgesOf(r.Size()), w)
			}
		}
	}
	return m.Run(s.ctx, s.x)
}

// word returns the word of a run, or ends the search if it can't be certified.
func (s *shortestSearch) word(r *emptiness.Run) *omega.Word {
	w, err := runWord(s.ctx, s.given, s.x, r)
	if err != nil {
		s.cancel(err)
		return nil
	}
	return w
}

// through takes note of a run through an accepting state.
func (s *shortestSearch) through(pivot omega.State, r *emptiness.Run) {
	w := s.word(r)
	if w == nil {
		return
	}
	p := pivotRun{State: pivot, Run: r.Size(), Word: w.String(), Size: w.Size()}
	s.Runs = append(s.Runs, p)
	if s.flags.verbose {
		fmt.Fprintf(s.err, "xcheck: %v\n", p)
	}
}

// answerWith prints what the search found.
func (s *shortestSearch) answerWith(r *emptiness.Minimal) error {
	answer := newEmptyAnswer(&r.Result)
	answer.leastRun = &s.leastRun
	if r.Least != emptiness.NoRun {
		s.AtLeast = r.Least
	}
	if r.Run == nil {
		s.answered(true)
		text := "empty"
		if answer.Empty = r.Least == emptiness.NoRun; !answer.Empty {
			text = fmt.Sprintf("no run of fewer than %s", edgesOf(s.flags.bound))
		}
		return s.answer(text, answer)
	}
	ctx := s.app.ctx
	if s.Limit != "" {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(context.WithoutCancel(ctx), afterLimit)
		defer end()
	}
	w, err := runWord(ctx, s.given, s.x, r.Run)
	if err != nil {
		return s.emptyLimit(err)
	}
	s.answered(false)
	answer.Word, answer.Size, answer.Run = w.String(), w.Size(), r.Run.Size()
	s.Shortest = r.Least == r.Run.Size()
	s.noteLimit(answer.Run)
	text := []string{"non-empty"}
	if !s.flags.allShortest {
		text = append(text, answer.Word)
	}
	slices.SortStableFunc(s.Runs, func(p, q pivotRun) int { return p.Run - q.Run })
	for _, p := range s.Runs {
		text = append(text, p.String())
	}
	return s.answer(strings.Join(text, "\n"), answer)
}

// noteLimit prints what a search that ended early has not proved about a run of some length.
func (s *shortestSearch) noteLimit(length int) {
	switch {
	case s.Limit == "":
	case s.flags.allShortest:
		fmt.Fprintf(s.err, "xcheck: runs: not all accepting states were searched (%s)\n", s.Limit)
	case !s.Shortest:
		fmt.Fprintf(s.err, "xcheck: run: not proved to be shortest: a shortest one has at most %s and at least %d (%s)\n",
			edgesOf(length), s.AtLeast, s.Limit)
	}
}
