// Command lab runs the algorithms of the papers that no run of xcheck uses, and measures all of them.
//
//	go run ./lab/cmd/lab bench TABLE …                  the tables
//	go run ./lab/cmd/lab empty --algorithm NAME FILE    an emptiness check
//	go run ./lab/cmd/lab translate --algorithm NAME FORMULA…
//
// docs/papers.md lists what each paper says, with a command. The exit status is
//
//	0      success; empty
//	1      non-empty
//	2      an error
//	130    interrupted
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	product "github.com/xcheck-ltl/xcheck/translate"
)

func main() { os.Exit(int(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))) }

// app is what the commands work with.
type app struct {
	ctx    context.Context
	in     io.Reader
	out    io.Writer
	err    io.Writer
	json   bool
	status outcome.ExitStatus // unless there is an error
	limits struct {
		Time   time.Duration
		Memory int64
	}
}

// run executes one command line, and returns its exit status. A second signal ends the process.
func run(args []string, in io.Reader, out, errw io.Writer) outcome.ExitStatus {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	a := &app{ctx: ctx, in: in, out: out, err: errw}
	root := &cobra.Command{
		Use:           "lab",
		Short:         "The algorithms of the papers, and measurements",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON, one line per answer")
	root.AddCommand(a.benchCommand(), a.emptyCommand(), a.translateCommand())
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errw)
	err := root.Execute()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(errw, "lab: interrupted")
		return outcome.ExitInterrupted
	case err != nil:
		fmt.Fprintf(errw, "lab: %v\n", err)
		return outcome.ExitBroken
	}
	return a.status
}

// answer prints an answer: text, or value as one line of JSON.
func (a *app) answer(text string, value any) error {
	if !a.json {
		_, err := fmt.Fprintln(a.out, strings.TrimSuffix(text, "\n"))
		return err
	}
	line, err := report.Document(value)
	if err == nil {
		_, err = a.out.Write(line)
	}
	return err
}

// bounded adds the flags of limits to a command, which obeys them.
func (a *app) bounded(c *cobra.Command) *cobra.Command {
	size := c.Flags().String("max-memory", "4GiB", "stop when memory exceeds `SIZE`")
	limit := c.Flags().String("max-time", "", "give up an answer after `DURATION`")
	work := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if a.limits.Memory, err = configs.ParseBytes(*size); err != nil {
			return fmt.Errorf("--max-memory: %w", err)
		}
		if *limit != "" {
			if a.limits.Time, err = configs.ParseDuration(*limit); err != nil {
				return fmt.Errorf("--max-time: %w", err)
			}
		}
		memory.Bound(a.limits.Memory, 1)
		return work(c, args)
	}
	return c
}

// each calls f, which gives one answer, with a context that ends with the time that it may take.
func (a *app) each(f func(context.Context) error) error {
	if a.limits.Time <= 0 {
		return f(a.ctx)
	}
	ctx, cancel := context.WithTimeout(a.ctx, a.limits.Time)
	defer cancel()
	err := f(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w reached; raise --max-time", a.timeLimit())
	}
	return err
}

func (a *app) timeLimit() error { return &budget.TimeError{Limit: a.limits.Time} }

// automata calls f for each automaton of a file, or of standard input for "-".
func (a *app) automata(name string, f func(context.Context, *omega.Automaton) error) error {
	in := a.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	r := hoa.NewReader(in)
	r.MaxText = a.limits.Memory / 4
	for n := 0; ; n++ {
		x, err := r.Next(a.ctx)
		switch {
		case err == io.EOF && n == 0:
			return fmt.Errorf("%s: no automaton", name)
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s:%w", name, err)
		}
		if err := a.each(func(ctx context.Context) error { return f(ctx, x) }); err != nil {
			return err
		}
	}
}

func (a *app) translateCommand() *cobra.Command {
	algorithm := ""
	c := &cobra.Command{
		Use:   "translate --algorithm NAME FORMULA…",
		Short: "Translate formulas",
		Long: `Prints an automaton for each formula, in HOA.

Algorithms:` + cli.Described(14, translate.Algorithms(),
			func(x translate.Algorithm) (string, string) { return x.Name, x.Description }),
		Example: `  lab translate --algorithm tight 'G(b -> O a)'`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, formulas []string) error {
			if _, err := translate.ParseAlgorithm(algorithm); err != nil {
				return err
			}
			for _, text := range formulas {
				store := ltl.NewStore()
				f, err := store.Parse(text, ltl.Spot)
				if err != nil {
					return fmt.Errorf("formula: %w", err)
				}
				err = a.each(func(ctx context.Context) error {
					x, err := translate.With(ctx, algorithm, store, f)
					if err != nil {
						return err
					}
					return hoa.Write(ctx, a.out, x)
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", product.Default, "translate with the algorithm `NAME`")
	return a.bounded(c)
}
