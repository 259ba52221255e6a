//go:build unix

// Command target is a translator that mutants are made of: it translates each line of its
// standard input, and prints the automaton.
//
// Its argument is one of our algorithms, or "small" for the best of them with all simplifications
// of formulas and automata, or "buchi" for the same with Büchi acceptance.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/convert"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
	"github.com/xcheck-ltl/xcheck/translate"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: target ALGORITHM <FORMULAS")
		os.Exit(2)
	}
	// A mutant may want all memory there is.
	syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 3 << 30, Max: 3 << 30})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := answer(os.Args[1], lines.Text()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// answer prints the automaton of a formula.
func answer(algorithm, text string) error {
	store := ltl.NewStore()
	f, err := store.Parse(text, ltl.Spot)
	if err != nil {
		return err
	}
	ctx := context.Background()
	a, err := automaton(ctx, algorithm, store, f)
	if err != nil {
		return err
	}
	return hoa.Write(ctx, os.Stdout, a)
}

// automaton translates a formula.
func automaton(ctx context.Context, algorithm string, store *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	if algorithm != "small" && algorithm != "buchi" {
		return translate.With(ctx, algorithm, store, f)
	}
	f, err := store.Reduce(ctx, f, ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	a, err := translate.Of(ctx, store, f)
	if err == nil && algorithm == "buchi" {
		a, err = convert.Degeneralize(ctx, a, true, 0)
	}
	if err != nil {
		return nil, err
	}
	return reduce.Reduce(ctx, a)
}
