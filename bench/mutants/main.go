//go:build unix

// Command mutants measures how many bugs a way to make formulas finds.
//
// It makes mutants of our own translators: each has one operator, constant, condition, statement
// or order of arguments changed. Then it runs xcheck on each of them with several generators of
// formulas and several seeds, and says how many mutants each generator found, and after how much
// time. The bugs that tests seed in a translator are mutants, too.
//
//	mutants make -n 300 DIR            make mutants of the module in the current folder
//	mutants run DIR GENERATOR…         run generators against the mutants of a folder
//
// A GENERATOR is a name and flags of xcheck run, or a name and a command that prints formulas,
// in which SEED stands for the seed:
//
//	default:
//	uniform: --ap 3 --size 1..12
//	randltl: | randltl -n -1 --seed SEED --tree-size 1..12 3
//
// The mutants of another translator are a folder with a file mutants.json, a list of objects with
// the keys name, command and change. The command is run in the folder by a shell. It has a %f for
// the formula, or is kept alive and reads one formula per line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

func command(ctx context.Context, args []string) error {
	usage := errors.New("expected: mutants make [-n N] [-seed N] DIR, or mutants run [-for D] [-seeds N] [-hard FILE] DIR GENERATOR…")
	if len(args) == 0 {
		return usage
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	switch args[0] {
	case "make":
		n := flags.Int("n", 300, "make `N` mutants")
		seed := flags.Uint64("seed", 1, "choose the mutants by `N`")
		flags.Parse(args[1:])
		if flags.NArg() != 1 {
			return usage
		}
		module, err := os.Getwd()
		if err != nil {
			return err
		}
		return build(ctx, module, flags.Arg(0), *n, *seed)
	case "run":
		e := &experiment{}
		flags.DurationVar(&e.limit, "for", 4*time.Second, "give a generator `D` of processor time for each mutant")
		flags.IntVar(&e.seeds, "seeds", 3, "use the seeds 1 to `N`")
		flags.IntVar(&e.jobs, "j", 2, "run `N` at once")
		flags.StringVar(&e.xcheck, "xcheck", "xcheck", "run `PROGRAM`")
		flags.StringVar(&e.hard, "hard", "", "take only mutants that are hard to find, as earlier results in `FILE` show")
		flags.StringVar(&e.raw, "raw", "", "write the result of each run to `FILE`, as CSV")
		flags.Parse(args[1:])
		if flags.NArg() < 2 {
			return usage
		}
		return e.run(ctx, flags.Arg(0), flags.Args()[1:], os.Stdout)
	}
	return usage
}
