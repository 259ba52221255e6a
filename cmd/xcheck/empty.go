package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// emptyFlags are the flags of empty, beside its limits.
type emptyFlags struct {
	algorithm   string
	words       int
	bound       int
	allShortest bool
	verbose     bool
}

func (a *app) emptyCommand() *cobra.Command {
	var f emptyFlags
	c := &cobra.Command{
		Use: "empty [flags] FILE",
		Long: `Prints "empty", or "non-empty" and, on the next line, a word that the automaton
in FILE accepts. If FILE holds several automata, each gets an answer. With
--words, it prints several words, the shortest ones first.

If a search for a shortest run meets a limit or is interrupted, it prints the best run
so far, and what it has proved about the length. If --bound rules out all runs, it
prints "no run of fewer than N edges", with status 0.

Algorithms (the default handles every automaton):` +
			described(11, emptiness.AllAlgorithms(),
				func(x emptiness.Algorithm) (string, string) { return string(x), x.About() }),
		Example: `  xcheck empty automaton.hoa
  xcheck empty --words 5 automaton.hoa
  xcheck empty --algorithm se-ndfs --json automaton.hoa
  xcheck empty -v --algorithm gmz-min --max-time 5s automaton.hoa
  xcheck translate 'Ga & F!a' | xcheck empty -`,
		Args: arguments(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.words != 0 || c.Flags().Changed("words") { // --words 0 is an error
				return a.words(args[0], f.words, f.algorithm)
			}
			by, err := f.chosen(c)
			if err != nil {
				return err
			}
			return a.automata(args[0], func(given *omega.Automaton) error {
				x := given
				if x.Alternating() {
					// There is no accepting run to show, only a word.
					if x, err = productcheck.NewLanguage(x).Reduced(a.ctx, 0); err != nil {
						return err
					}
				}
				if slices.Contains(emptiness.Minimizers(), by) {
					return a.emptyShortest(&f, by, given, x)
				}
				return a.empty(by, given, x)
			})
		},
	}
	c.Flags().StringVar(&f.algorithm, "algorithm", "", "use the algorithm `NAME`")
	c.Flags().BoolVar(&f.allShortest, "all-shortest", false, "print a shortest run through each accepting state")
	c.Flags().IntVar(&f.bound, "bound", 0, "look for a run of fewer than `N` edges")
	c.Flags().Lookup("bound").DefValue = "" // 0 means none, and help would show it
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print each shorter run when it is found")
	c.Flags().IntVar(&f.words, "words", 0, "print up to `N` words, the shortest first")
	c.Flags().Lookup("words").DefValue = ""
	return a.bounded(a.readsBA(c))
}

// chosen returns the algorithm that the flags ask for.
func (f *emptyFlags) chosen(c *cobra.Command) (by emptiness.Algorithm, err error) {
	if f.algorithm != "" {
		if by, err = emptiness.ParseAlgorithm(f.algorithm); err != nil {
			return "", err
		}
	}
	if c.Flags().Changed("bound") && f.bound < 1 {
		return "", atLeast("bound", f.bound, 1)
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

// empty answers for automaton x, made of the given one, by an algorithm that looks for any run.
func (a *app) empty(by emptiness.Algorithm, given, x *omega.Automaton) error {
	r, err := by.Check(a.ctx, x, emptiness.Limits{Memory: a.limits.Memory})
	if err != nil {
		return a.emptyLimit(err)
	}
	answer := newEmptyAnswer(r)
	if r.Empty() {
		a.answered(true)
		return a.answer("empty", answer)
	}
	w, err := runWord(a.ctx, given, x, r.Run)
	if err != nil {
		return err
	}
	a.answered(false)
	answer.Word, answer.Size, answer.Run = w.String(), w.Size(), r.Run.Size()
	return a.answer("non-empty\n"+w.String(), answer)
}

func newEmptyAnswer(r *emptiness.Result) emptyAnswer {
	return emptyAnswer{Empty: r.Empty(), States: r.States, Edges: r.Edges,
		emptyCounts: &emptyCounts{Depth: r.Depth, Live: r.Live, Roots: r.Roots}}
}

// runWord returns the word of a run of automaton x. It certifies that the given automaton, from
// which x was made, accepts the word.
func runWord(ctx context.Context, given, x *omega.Automaton, r *emptiness.Run) (*omega.Word, error) {
	w := r.Word(x.Alphabet()).Concrete()
	return w, given.Certify(ctx, w, true)
}

// emptyLimit returns the error of a search that found no run, with what to do.
func (a *app) emptyLimit(err error) error {
	var over *omega.LimitError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w reached; raise --max-time or use another --algorithm", a.timeLimit())
	case errors.As(err, &over):
		return fmt.Errorf("%w reached; raise --max-memory or use another --algorithm", err)
	}
	return err
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
	a.orderly.Store(true) // a signal leaves time to print the best run
	defer a.orderly.Store(false)
	s := &shortestSearch{app: a, flags: f, given: given, x: x, leastRun: leastRun{Bound: f.bound}}
	s.ctx, s.cancel = context.WithCancelCause(a.ctx)
	defer s.cancel(nil)
	if limit := a.limits.Time; limit > 0 {
		// Certifying the best run takes time, too.
		var end context.CancelFunc
		s.ctx, end = context.WithTimeout(s.ctx, limit-min(afterLimit, limit/10))
		defer end()
	}
	m := emptiness.Minimizer{Algorithm: by, Limits: emptiness.Limits{Memory: a.limits.Memory}, Bound: f.bound}
	search := m.Run
	if f.allShortest {
		search = func(ctx context.Context, x omega.Source) (*emptiness.Minimal, error) {
			return m.Each(ctx, x, s.through)
		}
	} else if f.verbose {
		m.Found = func(r *emptiness.Run) {
			if w := s.word(r); w != nil {
				fmt.Fprintf(a.err, "xcheck: at most %s: %v\n", edgesOf(r.Size()), w)
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
	w, err := runWord(ctx, s.given, s.x, r.Run)
	if err != nil {
		return s.emptyLimit(err)
	}
	s.answered(false)
	answer.Word, answer.Size, answer.Run = w.String(), w.Size(), r.Run.Size()
	s.Shortest = r.Least == r.Run.Size()
	switch { // says what a search that ended early has not proved
	case s.Limit == "":
	case s.flags.allShortest:
		fmt.Fprintf(s.err, "xcheck: runs: not all accepting states were searched (%s)\n", s.Limit)
	case !s.Shortest:
		fmt.Fprintf(s.err, "xcheck: run: not proved to be shortest: a shortest one has at most %s and at least %d (%s)\n",
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

// A wordsAnswer is what --words prints of an automaton.
type wordsAnswer struct {
	Empty bool        `json:"empty"`         // true if no word is accepted
	Words []wordFound `json:"words"`         // accepted words, the shortest first
	All   bool        `json:"all,omitempty"` // true if it is proved that there are no other words
	// the limit that ended the search; missing if none did
	Undecided string `json:"undecided,omitempty"`
}

// A wordFound is a word that an automaton accepts.
type wordFound struct {
	// the word, in Spot's syntax: the letters before the cycle, then the cycle
	Word string `json:"word"`
	Size int    `json:"size"` // number of letters of the word, before the cycle and in it
	// true if it is proved that no word is shorter, except those listed before
	Shortest bool `json:"shortest,omitempty"`
}

// words prints up to n words of each automaton of a file.
func (a *app) words(file string, n int, algorithm string) error {
	if n < 1 {
		return atLeast("words", n, 1)
	}
	if algorithm != "" {
		return errors.New("--algorithm cannot be combined with --words, which looks for shortest words")
	}
	return a.automata(file, func(x *omega.Automaton) error {
		// A limit that ends the search leaves the words that were found.
		answer, text := wordsAnswer{Words: []wordFound{}}, "non-empty"
		checker := &xcheck.Checker{Limits: a.limits.Or(productcheck.NoLimits)}
		next := true // false if there may be more words
		for found, err := range checker.Words(a.ctx, x) {
			if err != nil && found == nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			if err != nil {
				limit := a.timeLimit()
				if found != nil {
					limit = found.Decision.Undecided
				}
				answer.Undecided, next = limit.Error(), false
				a.undecided()
				break
			}
			a.notShortest("word", found)
			w := found.Word
			answer.Words = append(answer.Words, wordFound{Word: w.String(), Size: w.Size(), Shortest: found.Shortest()})
			text += "\n" + w.String()
			if len(answer.Words) == n {
				next = false
				break
			}
		}
		answer.All = next
		if answer.Empty = next && len(answer.Words) == 0; answer.Empty {
			text = "empty"
		}
		if why := "undecided: " + answer.Undecided; answer.Undecided != "" && len(answer.Words) == 0 {
			text = why
		} else if answer.Undecided != "" {
			text += "\n" + why
		}
		a.answered(answer.Empty || answer.Undecided != "")
		return a.answer(text, answer)
	})
}
