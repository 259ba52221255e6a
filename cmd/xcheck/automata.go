package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// automata calls f for each automaton of a file, with what the reader warned
// about. A file without any is an error.
func (a *app) automata(name string, f func(*omega.Automaton) error) error {
	file, err := a.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	r := hoa.NewReader(file)
	for n := 0; ; n++ {
		aut, err := r.Next()
		switch {
		case err == io.EOF && n == 0:
			return fmt.Errorf("%s: no automaton in it", name)
		case err == io.EOF:
			return nil
		case err != nil:
			var syntax *hoa.SyntaxError
			if errors.As(err, &syntax) {
				return fmt.Errorf("%s:%w", name, err)
			}
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, w := range r.Warnings() {
			fmt.Fprintf(a.err, "xcheck: %s:%v\n", name, w)
		}
		if err := f(aut); err != nil {
			return err
		}
	}
}

// pairs calls f for each automaton of one file with that of the other file in
// the same place.
func (a *app) pairs(left, right string, f func(x, y *omega.Automaton) error) error {
	var first, second []*omega.Automaton
	if left == "-" && right == "-" {
		return errors.New("only one of the two automata can be read from standard input")
	}
	collect := func(to *[]*omega.Automaton) func(*omega.Automaton) error {
		return func(x *omega.Automaton) error { *to = append(*to, x); return nil }
	}
	if err := a.automata(left, collect(&first)); err != nil {
		return err
	}
	if err := a.automata(right, collect(&second)); err != nil {
		return err
	}
	if len(first) != len(second) {
		return fmt.Errorf("%s has %d automata, but %s has %d: expected as many", left, len(first), right, len(second))
	}
	for i, x := range first {
		both := omega.Union(x.Alphabet(), second[i].Alphabet())
		if err := f(x.Over(both), second[i].Over(both)); err != nil {
			return err
		}
	}
	return nil
}

// verdicts collects the status of a command that answers for several automata.
type verdicts struct{ status status }

func (v *verdicts) add(good bool) {
	if !good {
		v.status = statusOther
	}
}

func (v *verdicts) err() error {
	if v.status != statusGood {
		return v.status
	}
	return nil
}

func (a *app) acceptsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "accepts FILE WORD",
		Short: "Does the automaton accept the word?",
		Long: `Prints true if the automaton accepts the word, and false if not (status 1). If a
letter of the word leaves propositions open, true means that some word that fits
is accepted. For several automata in the file, one line each.`,
		Example: `  xcheck accepts automaton.hoa 'a&!b; b; cycle{!a; 1}'
  ltl2tgba -H 'GFa' | xcheck accepts - 'cycle{a; !a}'`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			w, err := omega.ParseWord(args[1])
			if err != nil {
				return err
			}
			var all verdicts
			err = a.automata(args[0], func(x *omega.Automaton) error {
				ok, err := x.Accepts(w)
				if err != nil {
					return err
				}
				all.add(ok)
				return a.answer(fmt.Sprint(ok), map[string]any{"accepts": ok})
			})
			if err != nil {
				return err
			}
			return all.err()
		},
	}
}

func (a *app) emptyCommand() *cobra.Command {
	algorithm := ""
	c := &cobra.Command{
		Use:   "empty [--algorithm NAME] FILE",
		Short: "Does the automaton accept no word at all?",
		Long: `Prints "empty", or "non-empty" (status 1) and on the next line a word that is
accepted. For several automata in the file, one answer each.

Algorithms: couvreur (Couvreur 1999, no Fin in the acceptance condition), generic
(any acceptance condition). By default the one that fits is used.`,
		Example: `  xcheck empty automaton.hoa
  xcheck translate 'Ga & F!a' | xcheck empty -`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if algorithm != "" && algorithm != "couvreur" && algorithm != "generic" {
				return fmt.Errorf("unknown algorithm %q: expected couvreur or generic", algorithm)
			}
			var all verdicts
			err := a.automata(args[0], func(x *omega.Automaton) error {
				if algorithm == "couvreur" && x.Acceptance().Condition.HasFin() {
					return fmt.Errorf("couvreur can't decide %s, which has Fin: use generic", x.Acceptance())
				}
				r, err := emptiness.Check(a.ctx, x, 0)
				if err != nil {
					return err
				}
				all.add(r.Empty())
				if r.Empty() {
					return a.answer("empty", emptyAnswer{Empty: true, States: r.States, Edges: r.Edges})
				}
				w := r.Run.Word(x.Alphabet()).Concrete()
				return a.answer("non-empty\n"+w.String(), emptyAnswer{Word: w.String(), Size: w.Size(), States: r.States, Edges: r.Edges})
			})
			if err != nil {
				return err
			}
			return all.err()
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", "", "couvreur or generic")
	return c
}

// emptyAnswer is the JSON of empty and intersect.
type emptyAnswer struct {
	Empty  bool   `json:"empty"`
	Word   string `json:"word,omitempty"`
	Size   int    `json:"size,omitempty"`
	States int    `json:"states_explored"`
	Edges  int    `json:"edges_explored"`
}

func (a *app) intersectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "intersect A B",
		Short: "Do two automata accept a common word?",
		Long: `Prints "empty", or "non-empty" (status 1) and on the next line a word that both
automata accept.`,
		Example: `  xcheck intersect a.hoa b.hoa
  ltl2tgba -H '!GFa' | xcheck intersect a.hoa -`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var all verdicts
			err := a.pairs(args[0], args[1], func(x, y *omega.Automaton) error {
				r, err := productcheck.Intersect(a.ctx, x, y, 0)
				if err != nil {
					return err
				}
				all.add(r.Empty())
				if r.Empty() {
					return a.answer("empty", emptyAnswer{Empty: true, States: r.Pairs, Edges: r.Edges})
				}
				w := r.Word.Concrete()
				return a.answer("non-empty\n"+w.String(), emptyAnswer{Word: w.String(), Size: w.Size(), States: r.Pairs, Edges: r.Edges})
			})
			if err != nil {
				return err
			}
			return all.err()
		},
	}
}

// compareAnswer is the JSON of compare.
type compareAnswer struct {
	Verdict string `json:"verdict"` // equal, subset, superset, incomparable, undecided
	Why     string `json:"why,omitempty"`
	OnlyInA string `json:"only_in_a,omitempty"`
	OnlyInB string `json:"only_in_b,omitempty"`
}

func (c compareAnswer) text() string {
	s := c.Verdict
	if c.Why != "" {
		s += ": " + c.Why
	}
	if c.OnlyInA != "" {
		s += "\nonly in A: " + c.OnlyInA
	}
	if c.OnlyInB != "" {
		s += "\nonly in B: " + c.OnlyInB
	}
	return s
}

func (a *app) compareCommand() *cobra.Command {
	limit := 0
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Do two automata accept the same words?",
		Long: `Prints "equal", "subset" (A in B), "superset" or "incomparable" (status 1), and
for what differs a word that is only in A, or only in B. "undecided: why" (status
2) is printed if it could not be decided.`,
		Example: `  xcheck compare a.hoa b.hoa
  ltl2tgba -H 'a U b' | xcheck compare a.hoa -`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			worst := statusGood
			err := a.pairs(args[0], args[1], func(x, y *omega.Automaton) error {
				answer, err := a.compare(x, y, limit)
				if err != nil {
					return err
				}
				switch answer.Verdict {
				case "equal":
				case "undecided":
					worst = statusTrouble
				default:
					worst = max(worst, statusOther)
				}
				return a.answer(answer.text(), answer)
			})
			if err != nil {
				return err
			}
			if worst != statusGood {
				return status(worst)
			}
			return nil
		},
	}
	c.Flags().IntVar(&limit, "max-macrostates", 1000000, "give up when a complement has more states (0: never)")
	return c
}

func (a *app) compare(x, y *omega.Automaton, limit int) (compareAnswer, error) {
	onlyX, err := a.difference(x, y, limit)
	if err == nil {
		var onlyY string
		if onlyY, err = a.difference(y, x, limit); err == nil {
			verdict := map[[2]bool]string{
				{true, true}: "equal", {true, false}: "subset", {false, true}: "superset", {false, false}: "incomparable",
			}[[2]bool{onlyX == "", onlyY == ""}]
			return compareAnswer{Verdict: verdict, OnlyInA: onlyX, OnlyInB: onlyY}, nil
		}
	}
	if a.ctx.Err() != nil {
		return compareAnswer{}, a.ctx.Err()
	}
	return compareAnswer{Verdict: "undecided", Why: err.Error()}, nil
}

// difference returns a word that is in x and not in y, or "".
func (a *app) difference(x, y *omega.Automaton, limit int) (string, error) {
	if x.Alternating() {
		return "", omega.ErrAlternating
	}
	co, _, err := complement.Of(a.ctx, y, limit)
	if err != nil {
		return "", err
	}
	r, err := productcheck.Intersect(a.ctx, x, co, 0)
	if err != nil || r.Empty() {
		return "", err
	}
	w := r.Word.Concrete()
	// The word was found by an emptiness check; certify it by membership.
	for _, side := range []struct {
		a    *omega.Automaton
		want bool
	}{{x, true}, {y, false}} {
		if got, err := side.a.Accepts(w); err != nil || got != side.want {
			return "", fmt.Errorf("internal error: word %s was found, but membership of it is %v (%v): please report", w, got, err)
		}
	}
	return w.String(), nil
}

func (a *app) complementCommand() *cobra.Command {
	algorithm := ""
	limit := 0
	c := &cobra.Command{
		Use:   "complement [--algorithm NAME] FILE",
		Short: "Print an automaton of the words that the automaton rejects",
		Long: `Prints the complement in HOA format. Algorithms: deterministic (for deterministic
automata: a sink, and the dual acceptance condition), determinization (for any: to
deterministic parity acceptance, then its dual). By default the one that fits is
used.`,
		Example: `  xcheck complement automaton.hoa
  xcheck translate 'FGa' | xcheck complement - | xcheck accepts - 'cycle{a; !a}'`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.automata(args[0], func(x *omega.Automaton) error {
				src, name, err := complement.With(a.ctx, algorithm, x, limit)
				if err != nil {
					return err
				}
				co, err := omega.Explore(a.ctx, src, 0)
				if err != nil {
					return err
				}
				if x.Name != "" {
					co.Name = "complement of " + x.Name
				}
				return a.printAutomaton(co, map[string]any{"algorithm": name})
			})
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", "", "deterministic or determinization")
	c.Flags().IntVar(&limit, "max-macrostates", 1000000, "give up when the complement has more states (0: never)")
	return c
}
