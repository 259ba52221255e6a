package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// emptyFlags are the flags of empty, beside its limits.
type emptyFlags struct {
	algorithm   string
	bound       int
	allShortest bool
	verbose     bool
}

func (a *app) emptyCommand() *cobra.Command {
	var f emptyFlags
	c := &cobra.Command{
		Use:   "empty [flags] FILE",
		Short: "Test whether an automaton accepts no word",
		Long: `Prints "empty", or "non-empty" and, on the next line, a word that the automaton
in FILE accepts. If FILE holds several automata, each gets an answer.

If a search for a shortest run meets a limit or is interrupted, it prints the best run
so far, and what it has proved about the length. If --bound rules out all runs, it
prints "no run of fewer than N edges", with status 0.

Algorithms (the default handles every automaton):` +
			cli.Described(11, emptiness.AllAlgorithms(),
				func(x emptiness.Algorithm) (string, string) { return string(x), x.About() }),
		Example: `  lab empty --algorithm se-ndfs --json automaton.hoa
  lab empty -v --algorithm gmz-min --max-time 5s automaton.hoa`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			by, err := f.chosen(c)
			if err != nil {
				return err
			}
			return a.automata(args[0], func(ctx context.Context, x *omega.Automaton) error {
				if slices.Contains(emptiness.Minimizers(), by) {
					return a.emptyShortest(&f, by, x)
				}
				return a.empty(ctx, by, x)
			})
		},
	}
	c.Flags().StringVar(&f.algorithm, "algorithm", "", "use the algorithm `NAME`")
	c.Flags().BoolVar(&f.allShortest, "all-shortest", false, "print a shortest run through each accepting state")
	c.Flags().IntVar(&f.bound, "bound", 0, "look for a run of fewer than `N` edges")
	c.Flags().Lookup("bound").DefValue = "" // 0 means none, and help would show it
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print each shorter run when it is found")
	return a.bounded(c)
}

// chosen returns the algorithm that the flags ask for.
func (f *emptyFlags) chosen(c *cobra.Command) (by emptiness.Algorithm, err error) {
	if f.algorithm != "" {
		if by, err = emptiness.ParseAlgorithm(f.algorithm); err != nil {
			return "", err
		}
	}
	if c.Flags().Changed("bound") && f.bound < 1 {
		return "", cli.AtLeast("bound", f.bound, 1)
	}
	for _, flag := range []string{"all-shortest", "bound", "verbose"} {
		switch {
		case !c.Flags().Changed(flag):
		case by == "":
			by = emptiness.ByGMMin // the flag is about shortest runs
		case !slices.Contains(emptiness.Minimizers(), by):
			return "", fmt.Errorf("--%s cannot be combined with --algorithm %s, which looks for no shortest run", flag, by)
		case flag == "all-shortest" && by != emptiness.ByGMMin:
			return "", fmt.Errorf("--all-shortest cannot be combined with --algorithm %s: use gm-min", by)
		}
	}
	return by, nil
}

const another = " or use another --algorithm" // what to do at a limit

// empty answers for an automaton by an algorithm that looks for any run.
func (a *app) empty(ctx context.Context, by emptiness.Algorithm, x *omega.Automaton) error {
	r, err := by.Check(ctx, x, omega.Limits{Memory: a.limits.Memory}.Or(omega.NoLimits()))
	if err != nil {
		return cli.Reached(err, a.timeLimit(), another)
	}
	answer := newEmptyAnswer(r)
	if r.Empty() {
		return a.answer("empty", answer)
	}
	w, err := runWord(ctx, x, r.Run)
	if err != nil {
		return err
	}
	a.status = outcome.ExitFailed
	answer.Word, answer.Size, answer.Run = w.String(), w.Size(), r.Run.Size()
	return a.answer("non-empty\n"+w.String(), answer)
}

// emptyAnswer is the JSON of empty.
type emptyAnswer struct {
	Empty bool   `json:"empty"`                // true if no word is accepted
	Word  string `json:"word,omitempty"`       // in Spot's syntax
	Size  int    `json:"size,omitempty"`       // letters of the word, before the cycle and in it
	Run   int    `json:"run_length,omitempty"` // edges of the accepting run
	*leastRun
	States int `json:"states_explored"`
	Edges  int `json:"edges_explored"` // each as often as it was asked for
	Depth  int `json:"depth"`          // greatest depth of the search
	// the most states whose component was not complete; 0 without a stack of states
	Live int `json:"live"`
	// the most components that were not complete; 0 if the algorithm does not look for components
	Roots int `json:"roots"`
}

func newEmptyAnswer(r *emptiness.Result) emptyAnswer {
	return emptyAnswer{Empty: r.Empty(), States: r.States, Edges: r.Edges, Depth: r.Depth, Live: r.Live, Roots: r.Roots}
}

// runWord returns the word of a run of x. It certifies that x accepts the word.
func runWord(ctx context.Context, x *omega.Automaton, r *emptiness.Run) (*omega.Word, error) {
	w := r.Word(x.Alphabet()).Concrete()
	return w, x.Certify(ctx, w, true)
}

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

func edgesOf(n int) string { return plural.Of(n, "edge") }

// afterLimit is the time in which the run that a search had found before a limit is certified, but at
// most a tenth of the time of an answer.
const afterLimit = 200 * time.Millisecond

// A shortestSearch looks for shortest runs of automaton x.
type shortestSearch struct {
	*app
	flags  *emptyFlags
	x      *omega.Automaton
	ctx    context.Context
	cancel context.CancelCauseFunc // because of a word that is not accepted
	leastRun
}

// emptyShortest answers for an automaton by an algorithm that looks for a shortest run. A limit or a signal that ends the search leaves the best run so far.
func (a *app) emptyShortest(f *emptyFlags, by emptiness.Algorithm, x *omega.Automaton) error {
	s := &shortestSearch{app: a, flags: f, x: x, leastRun: leastRun{Bound: f.bound}}
	s.ctx, s.cancel = context.WithCancelCause(a.ctx)
	defer s.cancel(nil)
	if limit := a.limits.Time; limit > 0 {
		// Certifying the best run takes time, too.
		var end context.CancelFunc
		s.ctx, end = context.WithTimeout(s.ctx, limit-min(afterLimit, limit/10))
		defer end()
	}
	m := emptiness.Minimizer{Algorithm: by, Limits: omega.Limits{Memory: a.limits.Memory}.Or(omega.NoLimits()), Bound: f.bound}
	search := m.Run
	if f.allShortest {
		search = func(ctx context.Context, x omega.Source) (*emptiness.Minimal, error) {
			return m.Each(ctx, x, s.through)
		}
	} else if f.verbose {
		m.Found = func(r *emptiness.Run) {
			if w := s.word(r); w != nil {
				fmt.Fprintf(a.err, "lab: at most %s: %v\n", edgesOf(r.Size()), w)
			}
		}
	}
	r, err := search(s.ctx, x)
	if wrong := context.Cause(s.ctx); wrong != nil && !errors.Is(wrong, s.ctx.Err()) { // a run that s.word could not certify
		return wrong
	}
	var over *omega.LimitError
	switch {
	case err == nil:
	case r.Run == nil:
		return cli.Reached(err, a.timeLimit(), another)
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

// word returns the word of a run, or ends the search if it can't be certified.
func (s *shortestSearch) word(r *emptiness.Run) *omega.Word {
	w, err := runWord(s.ctx, s.x, r)
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
		fmt.Fprintf(s.err, "lab: %v\n", p)
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
		text := "empty"
		if answer.Empty = r.Least == emptiness.NoRun; !answer.Empty { // --bound has cut off longer runs
			text = fmt.Sprintf("no run of fewer than %s", edgesOf(s.flags.bound))
		}
		return s.answer(text, answer)
	}
	ctx := s.app.ctx
	if s.Limit != "" { // then the context of the search has ended
		var end context.CancelFunc
		ctx, end = context.WithTimeout(context.WithoutCancel(ctx), afterLimit)
		defer end()
	}
	w, err := runWord(ctx, s.x, r.Run)
	if err != nil {
		return cli.Reached(err, s.timeLimit(), another)
	}
	s.status = outcome.ExitFailed
	answer.Word, answer.Size, answer.Run = w.String(), w.Size(), r.Run.Size()
	s.Shortest = r.Least == r.Run.Size()
	switch { // says what a search that ended early has not proved
	case s.Limit == "":
	case s.flags.allShortest:
		fmt.Fprintf(s.err, "lab: runs: not all accepting states were searched (%s)\n", s.Limit)
	case !s.Shortest:
		fmt.Fprintf(s.err, "lab: run: not proved to be shortest: a shortest one has at most %s and at least %d (%s)\n",
			edgesOf(answer.Run), s.AtLeast, s.Limit)
	}
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
