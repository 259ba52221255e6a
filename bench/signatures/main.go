// Command signatures counts what translators showed in runs:
//
//	xcheck run -n 3000 --json=run.json ltl2tgba
//	go run ./bench/signatures run.json...
//
// For each document it prints the formulas, the distinct signatures (see [outcome.Case.Signatures]), in
// all and per 1,000 formulas, and the formulas with an undecided check. The figures are in
// bench/results/mutants.md.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: signatures FILE.json...")
		os.Exit(2)
	}
	if err := table(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// table prints a row for each document.
func table(w io.Writer, files []string) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "document\tformulas\tsignatures\tper 1,000\tundecided")
	for _, file := range files {
		formulas, undecided := 0, 0
		seen := map[outcome.Signature]bool{}
		in, err := os.Open(file)
		if err != nil {
			return err
		}
		_, err = report.Read(in, func(c *outcome.Case) error {
			formulas++
			if len(c.Undecided) > 0 {
				undecided++
			}
			for _, s := range c.Signatures() {
				seen[s] = true
			}
			return nil
		})
		in.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%.0f\t%d\n", file, formulas, len(seen), 1000*float64(len(seen))/float64(max(1, formulas)), undecided)
	}
	return t.Flush()
}
