package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/report"
)

// answered sets the status of a command after one of its answers.
func (a *app) answered(good bool) {
	if !good {
		a.status = max(a.status, outcome.ExitFailed)
	}
}

// undecided sets the status of a command that could not give one of its answers.
func (a *app) undecided() { a.status = outcome.ExitBroken }

func (a *app) acceptsCommand() *cobra.Command {
	run := false
	c := &cobra.Command{
		Use: "accepts [flags] FILE WORD",
		Long: `Prints true or false: does the automaton in FILE accept the word? If a letter
leaves propositions open, true means that it accepts one of the words that match.

If FILE holds several automata, each gets a line.`,
		Example: `  xcheck accepts automaton.hoa 'a&!b; b; cycle{!a; 1}'
  xcheck accepts --run automaton.hoa 'cycle{a}'
  ltl2tgba -H 'GFa' | xcheck accepts --run - 'cycle{a; !a}'`,
		Args: arguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			w, err := omega.ParseWord(a.ctx, args[1])
			if err != nil {
				return err
			}
			return a.automata(args[0], func(x *omega.Automaton) error {
				for _, prop := range w.Alphabet.Props() { // a typo, perhaps
					if !slices.Contains(x.Alphabet().Props(), prop) {
						a.note(fmt.Sprintf("the automaton has no proposition %q: its value in the word changes nothing", prop))
					}
				}
				if slices.Contains(slices.Concat(w.Prefix, w.Cycle), w.Alphabet.True()) && slices.Contains(x.Alphabet().Props(), "1") {
					a.note(`in the word, 1 is any letter: write "1" in double quotes for the one that the automaton calls 1`)
				}
				if run {
					e, err := xcheck.Explain(a.limits.WithMemory(a.ctx), x, w)
					if err != nil {
						return err
					}
					a.answered(e.Accepts)
					return a.answer(fmt.Sprintf("%t\n%s", e.Accepts, explained(e)), e)
				}
				ok, err := xcheck.Accepts(a.limits.WithMemory(a.ctx), x, w)
				if err != nil {
					return err
				}
				a.answered(ok)
				return a.answer(fmt.Sprint(ok), acceptsAnswer{ok})
			})
		},
	}
	c.Flags().BoolVar(&run, "run", false, "also print an accepting run, or why none exists")
	return a.bounded(c)
}

func constructionList() string {
	return help.Line("  "+strings.Join(cli.Names(complement.Algorithms(), stringOf), ", "), 2)
}

// emptyAnswer is the JSON of empty and intersect.
type emptyAnswer struct {
	Empty bool `json:"empty"` // true if no word is accepted
	// the word, in Spot's syntax: the letters before the cycle, then the cycle
	Word string `json:"word,omitempty"`
	// number of letters of the word, before the cycle and in it
	Size int `json:"size,omitempty"`
	// of intersect: true if it is proved that no shorter word is accepted by both
	Shortest bool `json:"shortest,omitempty"`
	Run      int  `json:"run_length,omitempty"` // number of edges of the accepting run
	States   int  `json:"states_explored"`      // number of states explored
	// number of edges explored, each as often as it was asked for
	Edges int `json:"edges_explored"`
	// Of empty.
	*emptyCounts
	// of intersect --run: why the first automaton accepts the word
	RunA *outcome.Explanation `json:"run_a,omitempty"`
	// of intersect --run: why the second automaton accepts the word
	RunB *outcome.Explanation `json:"run_b,omitempty"`
	// the limit that was reached; missing if the question was decided
	Undecided string `json:"undecided,omitempty"`
}

// emptyCounts are the sizes of a search's stacks: its path, states of components
// not complete, and these components.
type emptyCounts struct {
	Depth int `json:"depth"` // greatest depth of the search
	// the most states whose component was not complete; 0 without a stack of states
	Live int `json:"live"`
	// the most components that were not complete; 0 if the algorithm does not look for components
	Roots int `json:"roots"`
}

func (a *app) intersectCommand() *cobra.Command {
	run := false
	c := &cobra.Command{
		Use: "intersect [flags] A B",
		Long: `Prints "empty", or "non-empty" and, on the next line, a shortest word that both
automata accept. Prints "undecided" and why if a check hits a limit.`,
		Example: `  xcheck intersect a.hoa b.hoa
  xcheck intersect --run a.hoa b.hoa
  ltl2tgba -H '!GFa' | xcheck intersect a.hoa -`,
	}
	c.Flags().BoolVar(&run, "run", false, "also print an accepting run of each automaton")
	return a.ofPairs(c, limitFlags, func(checker *xcheck.Checker, x, y *omega.Automaton) error {
		r, err := checker.Intersect(a.ctx, x, y)
		if r == nil { // with an undecided check, there is an answer
			return err
		}
		d := &r.Decision
		text := r.String()
		if d.Undecided != nil { // then d counts no pairs
			a.undecided()
			return a.answer(text, emptyAnswer{Undecided: d.Undecided.Error(), States: d.ProductStates})
		}
		answer := emptyAnswer{Empty: r.Empty(), States: d.Pairs, Edges: d.Edges}
		if answer.Empty {
			return a.answer(text, answer)
		}
		a.answered(false)
		a.notShortest("word of both", r)
		answer.Word, answer.Size, answer.Shortest = r.Word.String(), r.Word.Size(), r.Shortest()
		if run {
			if answer.RunA, err = xcheck.Explain(a.ctx, x, r.Word); err != nil {
				return err
			}
			if answer.RunB, err = xcheck.Explain(a.ctx, y, r.Word); err != nil {
				return err
			}
			text += "\nA: " + explained(answer.RunA) + "B: " + explained(answer.RunB)
		}
		return a.answer(text, answer)
	})
}

// explained returns all lines of an explanation.
func explained(e *outcome.Explanation) string {
	var b strings.Builder
	text := &report.Text{W: &b, Verbose: true}
	must.Do(text.Explanation(e)) // a Builder takes all
	return b.String()
}

// ofPairs completes a command that does f for each pair of automata of two files, with flags for the checks.
func (a *app) ofPairs(c *cobra.Command, names string, f func(checker *xcheck.Checker, x, y *omega.Automaton) error) *cobra.Command {
	var flags checkFlags
	var starts startFlags
	c.Args = arguments(2)
	c.RunE = func(_ *cobra.Command, args []string) error {
		checker, err := flags.checker(a)
		if err != nil {
			return err
		}
		return a.pairs(args, &starts, func(x, y *omega.Automaton) error { return f(checker, x, y) })
	}
	starts.add(c)
	flags.add(c, names)
	return c
}

// notShortest prints that the word of an answer, which has that name, is not proved to be shortest,
// if it is not.
func (a *app) notShortest(name string, r *xcheck.Answer) {
	if r.Word != nil && !r.Shortest() {
		fmt.Fprintf(a.err, "xcheck: %s: not proved to be shortest: it has %d letters, a shortest one has at least %d (%v)\n", name, r.Word.Size(), r.Least, r.Why)
	}
}

// compareAnswer is the JSON of compare.
type compareAnswer struct {
	// "equal", "subset", "superset", "incomparable" or "undecided"
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"` // why a check is undecided
	// a word that only the first automaton accepts
	OnlyInA string `json:"only_in_a,omitempty"`
	// a word that only the second automaton accepts
	OnlyInB string `json:"only_in_b,omitempty"`
	// true if it is proved that no shorter word is only in the first
	ShortestInA bool `json:"shortest_in_a,omitempty"`
	// true if it is proved that no shorter word is only in the second
	ShortestInB bool           `json:"shortest_in_b,omitempty"`
	Checks      []compareCheck `json:"checks"` // the two inclusions that were checked
}

// compareCheck says how an inclusion was decided.
type compareCheck struct {
	Check string `json:"check"` // "A & !B" or "B & !A"
	// the step that decided it: product, identical, direct, fair, lookahead, delayed, kept,
	// negation, or a construction of complements
	DecidedBy productcheck.Step `json:"decided_by,omitempty"`
	// construction of the complement; empty if none was made
	Construction complement.Algorithm `json:"construction"`
	// number of states of complements that were made for this check
	Macrostates int `json:"macrostates"`
	// number of pairs of states that were visited
	ProductStates int `json:"product_states"`
}

func (a *app) compareCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "compare [flags] A B",
		Long: `Prints "equal", "subset" (A in B), "superset" or "incomparable", and a shortest
word for each difference. Prints "undecided" and why if a check hits a limit.

Constructions (see docs/complement.md):
` + constructionList(),
		Example: `  xcheck compare a.hoa b.hoa
  ltl2tgba -H 'a U b' | xcheck compare a.hoa -
  xcheck compare --start-a 2 --start-b 5 a.hoa a.hoa
  xcheck compare --algorithm determinization --max-time 10m a.hoa b.hoa`,
	}
	return a.ofPairs(c, "algorithm=complement "+limitFlags, func(checker *xcheck.Checker, x, y *omega.Automaton) error {
		r, err := checker.Compare(a.ctx, x, y)
		if r == nil {
			return err
		}
		if why := r.Undecided(); errors.Is(why, complement.ErrUnfit) { // the wrong --algorithm is an error
			return why
		} else if why != nil {
			a.undecided()
		} else {
			a.answered(r.Equal())
		}
		a.notShortest("word only in A", r.OnlyInA)
		a.notShortest("word only in B", r.OnlyInB)
		return a.answer(r.String(), newCompareAnswer(r))
	})
}

func newCompareAnswer(r *xcheck.Comparison) *compareAnswer {
	answer := &compareAnswer{Verdict: r.Verdict().String(), ShortestInA: r.OnlyInA.Shortest(), ShortestInB: r.OnlyInB.Shortest()}
	if err := r.Undecided(); err != nil {
		answer.Why = err.Error()
	}
	// An inclusion that fails has a word that shows it.
	for _, x := range []struct {
		name string
		of   *xcheck.Answer
		word *string
	}{{"A & !B", r.OnlyInA, &answer.OnlyInA}, {"B & !A", r.OnlyInB, &answer.OnlyInB}} {
		d := &x.of.Decision
		check := compareCheck{Check: x.name, DecidedBy: d.By, Macrostates: d.Macrostates, ProductStates: d.ProductStates}
		if len(d.Constructions) > 0 {
			check.Construction = d.Constructions[0] // only one side is complemented
		}
		answer.Checks = append(answer.Checks, check)
		if w := x.of.Word; w != nil {
			*x.word = w.String()
		}
	}
	return answer
}

func (a *app) complementCommand() *cobra.Command {
	var flags checkFlags
	raw, to := false, ""
	c := &cobra.Command{
		Use: "complement [flags] FILE",
		Long: `Prints an automaton that accepts exactly the words that the automaton in FILE
rejects. It is reduced, unless that takes too long.

Constructions (see docs/complement.md):
` + constructionList(),
		Example: `  xcheck complement automaton.hoa
  xcheck complement --algorithm ranks --json automaton.hoa
  xcheck translate 'FGa' | xcheck complement - | xcheck accepts - 'cycle{a; !a}'`,
		Args: arguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			checker, err := flags.checker(a)
			if err != nil {
				return err
			}
			write := automatonWriter(nil) // HOA, whose JSON also has the sizes
			if to != "" {
				if write, err = a.writer(to); err != nil {
					return err
				}
			}
			return a.automata(args[0], func(x *omega.Automaton) error {
				checker.Raw = raw
				co, by, err := checker.Complement(a.ctx, x)
				if err != nil {
					return err
				}
				return a.printIn(to, write, co, automatonAnswer{Algorithm: string(by)})
			})
		},
	}
	flags.add(c, "algorithm=complement max-macrostates max-memory max-time")
	c.Flags().BoolVar(&raw, "no-reduce", false, "print the complement without reducing it")
	c.Flags().StringVar(&to, "to", "", "print `FORMAT`, not HOA: "+formatNames())
	return c
}

// parts calls f for each part of a file. An error of f is about that part: it is printed
// with the place, and f is called for the next one. Then the status is 2 in the end.
func (a *app) parts(name string, f func(*input.Part) error) error {
	file, err := a.openAutomata(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := &clocked{Reader: file, app: a, name: name}
	s := input.NewAutomata(name, a.reader(name, in))
	text := false // the part before was a line that is no automaton
	for {
		p, err := s.Next(a.ctx)
		in.stop() // f has a limit of its own
		switch {
		case err == io.EOF && s.Parts == 0:
			return fmt.Errorf("%s: contains no automaton", name)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		err = a.each(func() error { return f(p) })
		switch {
		case a.ends(err):
			return err
		case err != nil && !(text && p.Format == nil): // of successive lines that are no automaton, the first
			fmt.Fprintf(a.err, "xcheck: %v\n", s.At(p, err))
		}
		if err != nil {
			a.undecided()
		}
		text = p.Format == nil
	}
}

// ends reports whether an error is about the command and not about one automaton: an
// interruption, or output that can't be written.
func (a *app) ends(err error) bool {
	var system syscall.Errno
	return err != nil && (a.ctx.Err() != nil || errors.As(err, &system))
}

// automata calls f for each automaton of a file. What can't be read, and what f can't do,
// is printed, and the next automaton follows: see parts.
func (a *app) automata(name string, f func(*omega.Automaton) error) error {
	return a.parts(name, func(p *input.Part) error {
		a.warn(name, p)
		if p.Err != nil {
			return p.Err
		}
		return f(p.Automaton)
	})
}

// warn prints what was odd about a part of a file.
func (a *app) warn(name string, p *input.Part) {
	for _, w := range p.Warnings {
		fmt.Fprintf(a.err, "xcheck: %s:%v\n", name, w)
	}
}

// collect returns the automata of a file, nil where one can't be read, in their parts. Other text
// between them counts for nothing. It fails as parts does.
func (a *app) collect(name string) (list []*input.Part, err error) {
	err = a.parts(name, func(p *input.Part) error {
		a.warn(name, p)
		if p.Format != nil {
			list = append(list, p)
		}
		return p.Err
	})
	return list, err
}

// pairs calls f for each automaton of one file with the automaton of the other file in the same
// place, started where flags say.
func (a *app) pairs(files []string, starts *startFlags, f func(x, y *omega.Automaton) error) error {
	left, right := files[0], files[1]
	if left == "-" && right == "-" {
		return errors.New("cannot read both automata from standard input")
	}
	first, err := a.collect(left)
	if err != nil {
		return err
	}
	second, err := a.collect(right)
	if err != nil {
		return err
	}
	if len(first) != len(second) {
		return fmt.Errorf("cannot pair automata: %q has %d, but %q has %d", left, len(first), right, len(second))
	}
	for i, part := range first {
		x, y := part.Automaton, second[i].Automaton
		if x == nil || y == nil {
			continue // one of them can't be read, and the status is 2 already
		}
		if part.Format.Name == "never" { // its propositions are expressions, however they are spelled
			x = x.Spelled(y.Alphabet().Props())
		} else if second[i].Format.Name == "never" {
			y = y.Spelled(x.Alphabet().Props())
		}
		err := a.each(func() (err error) {
			if x, err = startingAt("start-a", x, starts.a); err == nil {
				y, err = startingAt("start-b", y, starts.b)
			}
			if err != nil {
				return err
			}
			return f(x, y)
		})
		if a.ends(err) {
			return err
		}
		if err != nil {
			fmt.Fprintf(a.err, "xcheck: pair %d of %s and %s: %v\n", i+1, left, right, err)
			a.undecided()
		}
	}
	return nil
}
