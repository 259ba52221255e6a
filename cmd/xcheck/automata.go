package main

import (
	"fmt"
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
		Use:   "accepts [flags] FILE WORD",
		Short: "Test whether an automaton accepts a word",
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

// constructionList names the constructions of complements.
func constructionList() string {
	return help.Line("  "+strings.Join(complement.Names(), ", "), 2)
}

// emptyAnswer is the JSON of empty and intersect.
type emptyAnswer struct {
	Empty bool   `json:"empty"`
	Word  string `json:"word,omitempty"`
	Size  int    `json:"size,omitempty"`
	// It is proved that no shorter word is accepted by both (intersect).
	Shortest bool `json:"shortest,omitempty"`
	// How many edges the run has, which may be more than the word's size (empty).
	Run int `json:"run_length,omitempty"`
	*leastRun
	States int `json:"states_explored"`
	Edges  int `json:"edges_explored"`
	// Of empty.
	*emptyCounts
	// Of intersect: the search that was asked for, if it fitted.
	Emptiness emptiness.Algorithm `json:"emptiness,omitempty"`
	// Of intersect --run: why each automaton accepts the word.
	RunA *outcome.Explanation `json:"run_a,omitempty"`
	RunB *outcome.Explanation `json:"run_b,omitempty"`
	// Why it could not be decided.
	Undecided string `json:"undecided,omitempty"`
}

// emptyCounts are the sizes of a search's stacks: its path, states of components
// not complete, and these components.
type emptyCounts struct {
	Depth int `json:"depth"`
	Live  int `json:"live"`
	Roots int `json:"roots"`
}

func (a *app) intersectCommand() *cobra.Command {
	var flags checkFlags
	var starts startFlags
	run := false
	c := &cobra.Command{
		Use:   "intersect [flags] A B",
		Short: "Find a word that two automata accept",
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
	Verdict string `json:"verdict"` // equal, subset, superset, incomparable, undecided
	Why     string `json:"why,omitempty"`
	OnlyInA string `json:"only_in_a,omitempty"`
	OnlyInB string `json:"only_in_b,omitempty"`
	// It is proved that no shorter word is only in A, or only in B.
	ShortestInA bool `json:"shortest_in_a,omitempty"`
	ShortestInB bool `json:"shortest_in_b,omitempty"`
	// The checks: A and not B, B and not A.
	Checks []compareCheck `json:"checks"`
}

// compareCheck says how an inclusion was decided.
type compareCheck struct {
	Check         string               `json:"check"`
	DecidedBy     productcheck.Step    `json:"decided_by,omitempty"`
	Construction  complement.Algorithm `json:"construction"` // of the complement, if one was made
	Macrostates   int                  `json:"macrostates"`
	ProductStates int                  `json:"product_states"`
	Emptiness     emptiness.Algorithm  `json:"emptiness,omitempty"` // the search that was asked for, if it fitted
}

func (a *app) compareCommand() *cobra.Command {
	var flags checkFlags
	var starts startFlags
	c := &cobra.Command{
		Use:   "compare [flags] A B",
		Short: "Compare the languages of two automata",
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
				if r.Undecided() != nil {
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
		Use:   "complement [flags] FILE",
		Short: "Complement an automaton",
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
	c.Flags().StringVar(&to, "to", "", "print `FORMAT`, not HOA: "+formatNames)
	return a.readsBA(c)
}
