// Command target is a translator that mutants are made of: it translates each line of its
// standard input with one of our algorithms, and prints the automaton.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
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
	a, err := translate.With(context.Background(), algorithm, store, f)
	if err != nil {
		return err
	}
	return hoa.Write(context.Background(), os.Stdout, a)
}
