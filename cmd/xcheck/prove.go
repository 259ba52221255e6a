package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/prooftext"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

// proofAnswer is the JSON of prove and verify.
type proofAnswer struct {
	// the formula, in Spot's syntax; missing in a proof about two automata
	Formula string `json:"formula,omitempty"`
	Proved  bool   `json:"proved"`            // true if the automaton accepts exactly the words of the formula, or of the other
	Proof   string `json:"proof,omitempty"`   // the text of the proof, from prove
	Reason  string `json:"reason,omitempty"`  // why the formula is not proved
	Missing string `json:"missing,omitempty"` // a word of the formula that the automaton rejects
	Extra   string `json:"extra,omitempty"`   // a word that the automaton accepts, and that violates the formula
}

func (a *app) proveCommand() *cobra.Command {
	var read formulaReader
	c := &cobra.Command{
		Use: "prove [flags] FORMULA FILE",
		Long: `Prints a proof that the automaton in FILE accepts exactly the words of the formula.
Check it with xcheck verify, or with your own program: docs/proofs.md has the format.

If the automaton is wrong, prints a word instead, and the exit status is 1. If there
is no proof, says why, and the exit status is 3.`,
		Example: `  xcheck prove GFa gfa.hoa > a.proof
  xcheck translate 'a U b' | xcheck prove 'a U b' - | xcheck verify -
  xcheck prove --json GFa gfa.hoa`,
		Args: arguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			store, f, err := read(args[0])
			if err != nil {
				return err
			}
			prover := prove.New(store, f)
			return a.automata(args[1], func(x *omega.Automaton) error { return a.prove(prover, store, f, x) })
		},
	}
	read = newFormulaReader(c)
	return a.bounded(c)
}

// prove answers with a proof about an automaton, or with words on which it is wrong.
func (a *app) prove(prover *prove.Prover, store *ltl.Store, f *ltl.Formula, x *omega.Automaton) error {
	answer := proofAnswer{Formula: f.String()}
	ctx := a.limits.WithMemory(a.ctx)
	proof, err := prover.Prove(ctx, true, x.Plain())
	var text bytes.Buffer
	if err == nil {
		err = prove.Write(a.ctx, &text, proof)
	}
	var refusal *certify.Refusal
	switch {
	case err == nil:
		answer.Proved, answer.Proof = true, text.String()
		a.answered(true)
		return a.answer(answer.Proof, answer)
	case errors.As(err, &refusal): // our own search made it
		return fmt.Errorf("internal error: the proof is wrong: %w", err)
	case errors.Is(err, context.Canceled):
		return err
	}
	// Without a proof, the automaton may be wrong: then a word says more than the reason.
	answer.Reason = err.Error()
	reference, failed := translate.Of(ctx, store, f)
	if failed == nil {
		var c *xcheck.Comparison
		if c, failed = (&xcheck.Checker{Limits: a.limits}).Compare(ctx, reference, x); failed == nil && c.Undecided() == nil && !c.Equal() {
			answer.Reason = "the automaton is wrong"
			for _, d := range []struct {
				of   *xcheck.Answer
				word *string
				kind string
			}{{c.OnlyInA, &answer.Missing, "missing"}, {c.OnlyInB, &answer.Extra, "extra"}} {
				if !d.of.Empty() {
					*d.word = d.of.Word.String()
					fmt.Fprintf(&text, "%s: %s\n", d.kind, *d.word)
				}
			}
			a.answered(false)
			return a.answer(text.String(), answer)
		}
	}
	a.status = outcome.ExitIncomplete
	return a.answer("not proved: "+answer.Reason, answer)
}

func (a *app) verifyCommand() *cobra.Command {
	about := ""
	c := &cobra.Command{
		Use: "verify [flags] FILE",
		Long: `Checks a proof, and prints the formula that is proved. If the proof is wrong, says
where, and the exit status is 1. The proof may also be about two automata.`,
		Example: `  xcheck verify a.proof
  xcheck verify --formula GFa a.proof
  xcheck prove GFa gfa.hoa | xcheck verify -
  xcheck verify --json a.proof`,
		Args: arguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.each(func() error {
				in, err := a.open(args[0])
				if err != nil {
					return err
				}
				defer in.Close()
				answer := proofAnswer{}
				proof, err := prove.Read(a.ctx, in)
				what := "the automata accept the same words"
				if err == nil {
					if t := proof.Tableau; t != nil {
						answer.Formula = t.Formula.String()
						if !proof.Truth { // the proof is about the negation
							answer.Formula = "!(" + answer.Formula + ")"
						}
						what = answer.Formula
					}
					if err = isAbout(about, what); err == nil {
						err = proof.Check(a.limits.WithMemory(a.ctx), prooftext.CheckSteps*prove.MaxEffort)
					}
				}
				var refusal *certify.Refusal
				var syntax *prove.SyntaxError
				// A proof that is refused is an answer. A file that does not even begin as one is an error.
				switch {
				case err == nil:
				case errors.As(err, &syntax) && syntax.Line > 1, errors.As(err, &refusal), errors.Is(err, certify.ErrTooMuch), errors.Is(err, errOtherFormula):
					answer.Reason = err.Error()
					a.answered(false)
					return a.answer("refused: "+answer.Reason, answer)
				default:
					return err
				}
				answer.Proved = true
				a.answered(true)
				return a.answer("proved: "+what, answer)
			})
		},
	}
	c.Flags().StringVar(&about, "formula", "", "refuse a proof that is not about `FORMULA`")
	return a.bounded(c)
}

var errOtherFormula = errors.New("the proof is about another formula")

// isAbout fails if a proof is not about the formula that the user has given, in any spelling.
func isAbout(given, proved string) error {
	if given == "" {
		return nil
	}
	store := ltl.NewStore()
	f, err := store.Parse(given, ltl.Spot)
	if err != nil {
		return fmt.Errorf("--formula: %w", err)
	}
	if g, err := store.Parse(proved, ltl.Spot); err != nil || f != g {
		return fmt.Errorf("%w: %s", errOtherFormula, proved)
	}
	return nil
}
