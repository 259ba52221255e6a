package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
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
					if x.Alphabet().Symbols() == nil && !slices.Contains(x.Alphabet().Props(), prop) {
						a.note(fmt.Sprintf("the automaton has no proposition %q: its value in the word changes nothing", prop))
					}
				}
				if run {
					return a.acceptsRun(x, w)
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
	return a.bounded(a.readsBA(c))
}

// acceptsRun answers with an explanation.
func (a *app) acceptsRun(x *omega.Automaton, w *omega.Word) error {
	e, err := xcheck.Explain(a.limits.WithMemory(a.ctx), x, w)
	if err != nil {
		return err
	}
	a.answered(e.Accepts)
	return a.answer(fmt.Sprintf("%t\n%v", e.Accepts, e), e)
}

func constructionList() string {
	return help.Line("  "+strings.Join(complement.Names(), ", "), 2)
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
	*leastRun
	States int `json:"states_explored"` // number of states explored
	// number of edges explored, each as often as it was asked for
	Edges int `json:"edges_explored"`
	// Of empty.
	*emptyCounts
	// the emptiness check that was requested; missing if none was, or if it does not fit
	Emptiness emptiness.Algorithm `json:"emptiness,omitempty"`
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
	var flags checkFlags
	var starts startFlags
	run := false
	c := &cobra.Command{
		Use: "intersect [flags] A B",
		Long: `Prints "empty", or "non-empty" and, on the next line, a shortest word that both
automata accept. Prints "undecided" and why if a check hits a limit.`,
		Example: `  xcheck intersect a.hoa b.hoa
  xcheck intersect --run a.hoa b.hoa
  ltl2tgba -H '!GFa' | xcheck intersect a.hoa -`,
		Args: arguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			checker, err := flags.checker(a)
			if err != nil {
				return err
			}
			return a.pairs(args[0], args[1], func(x, y *omega.Automaton) error {
				x, y, err := starts.apply(x, y)
				if err != nil {
					return err
				}
				r, err := checker.Intersect(a.ctx, x, y)
				if r == nil {
					return err
				}
				d := &r.Decision
				switch {
				case d.Undecided != nil:
					a.undecided()
					return a.answer(r.String(), emptyAnswer{Undecided: d.Undecided.Error(), States: d.ProductStates})
				case r.Empty():
					return a.answer(r.String(), emptyAnswer{Empty: true, States: d.Pairs, Edges: d.Edges, Emptiness: d.Emptiness})
				}
				a.answered(false)
				a.notShortest("word of both", r)
				text := r.String()
				answer := emptyAnswer{Word: r.Word.String(), Size: r.Word.Size(), Shortest: r.Shortest(), States: d.Pairs, Edges: d.Edges, Emptiness: d.Emptiness}
				if run {
					if answer.RunA, err = xcheck.Explain(a.ctx, x, r.Word); err != nil {
						return err
					}
					if answer.RunB, err = xcheck.Explain(a.ctx, y, r.Word); err != nil {
						return err
					}
					text += fmt.Sprintf("\nA: %v\nB: %v", answer.RunA, answer.RunB)
				}
				return a.answer(text, answer)
			})
		},
	}
	c.Flags().BoolVar(&run, "run", false, "also print an accepting run of each automaton")
	starts.add(c)
	flags.add(c, "", true)
	flags.addEmptiness()
	addUnite(c.Flags(), &a.unite)
	return a.readsBA(c)
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
	// negation, forq, or a construction of complements
	DecidedBy productcheck.Step `json:"decided_by,omitempty"`
	// construction of the complement; empty if none was made
	Construction complement.Algorithm `json:"construction"`
	// number of states of complements that were made for this check
	Macrostates int `json:"macrostates"`
	// number of pairs of states that were visited
	ProductStates int `json:"product_states"`
	// the emptiness check that was requested; missing if none was, or if it does not fit
	Emptiness emptiness.Algorithm `json:"emptiness,omitempty"`
}

func (a *app) compareCommand() *cobra.Command {
	var flags checkFlags
	var starts startFlags
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
		Args: arguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			checker, err := flags.checker(a)
			if err != nil {
				return err
			}
			return a.pairs(args[0], args[1], func(x, y *omega.Automaton) error {
				x, y, err := starts.apply(x, y)
				if err != nil {
					return err
				}
				r, err := checker.Compare(a.ctx, x, y)
				if r == nil {
					return err
				}
				if why := r.Undecided(); errors.Is(why, complement.ErrUnfit) {
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
		},
	}
	starts.add(c)
	flags.add(c, "algorithm", true)
	flags.addEmptiness()
	addUnite(c.Flags(), &a.unite)
	return a.readsBA(c)
}

func newCompareAnswer(r *xcheck.Comparison) *compareAnswer {
	answer := &compareAnswer{
		Verdict:     r.Verdict().String(),
		ShortestInA: r.OnlyInA.Shortest(),
		ShortestInB: r.OnlyInB.Shortest(),
		Checks:      []compareCheck{newCompareCheck("A & !B", r.OnlyInA), newCompareCheck("B & !A", r.OnlyInB)},
	}
	if err := r.Undecided(); err != nil {
		answer.Why = err.Error()
	}
	if w := r.OnlyInA.Word; w != nil {
		answer.OnlyInA = w.String()
	}
	if w := r.OnlyInB.Word; w != nil {
		answer.OnlyInB = w.String()
	}
	return answer
}

func newCompareCheck(name string, r *xcheck.Answer) compareCheck {
	d := &r.Decision
	check := compareCheck{Check: name, DecidedBy: d.By, Macrostates: d.Macrostates, ProductStates: d.ProductStates, Emptiness: d.Emptiness}
	if len(d.Constructions) > 0 {
		check.Construction = d.Constructions[0]
	}
	return check
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
			write := automatonWriter(nil)
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
				if write != nil {
					return a.printAs(to, write, co)
				}
				return a.printAutomaton(co, automatonAnswer{Algorithm: string(by)})
			})
		},
	}
	flags.add(c, "algorithm", false)
	c.Flags().BoolVar(&raw, "no-reduce", false, "print the complement without reducing it")
	c.Flags().StringVar(&to, "to", "", "print `FORMAT`, not HOA: "+formatNames())
	return a.readsBA(c)
}
