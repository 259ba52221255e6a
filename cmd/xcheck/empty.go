package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/emptiness"
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
			described(11, slices.Concat(emptiness.Algorithms(), emptiness.Minimizers()),
				func(x emptiness.Algorithm) (string, string) { return string(x), x.About() }),
		Example: `  xcheck empty automaton.hoa
  xcheck empty --words 5 automaton.hoa
  xcheck empty --algorithm se-ndfs --json automaton.hoa
  xcheck empty -v --algorithm gmz-min --max-time 5s automaton.hoa
  xcheck translate 'Ga & F!a' | xcheck empty -`,
		Args: arguments(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.words != 0 || c.Flags().Changed("words") {
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
	c.Flags().Lookup("bound").DefValue = ""
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print each shorter run when it is found")
	c.Flags().IntVar(&f.words, "words", 0, "print up to `N` words, the shortest first")
	c.Flags().Lookup("words").DefValue = ""
	return a.bounded(a.readsBA(c))
}

// chosen returns the algorithm that the flags ask for. Those that are about shortest runs choose
// gm-min.
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
			by = emptiness.ByGMMin
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
