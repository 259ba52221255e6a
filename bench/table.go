package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Named returns the members of a list with the given names, or all members if there are no names.
func Named[T any](all []T, names []string, what string, name func(T) string) ([]T, error) {
	if len(names) == 0 {
		return all, nil
	}
	var list []T
	for _, n := range names {
		i := slices.IndexFunc(all, func(x T) bool { return name(x) == n })
		if i < 0 {
			var known []string
			for _, x := range all {
				known = append(known, name(x))
			}
			return nil, fmt.Errorf("unknown %s %q%s", what, n, spelling.Of(n, known))
		}
		list = append(list, all[i])
	}
	return list, nil
}

// Head returns the head of a table. The given number of columns are text and flush left. The others
// are numbers and flush right.
func Head(text int, columns ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n|", strings.Join(columns, " | "))
	for i := range columns {
		if i < text {
			b.WriteString("---|")
		} else {
			b.WriteString("---:|")
		}
	}
	return b.String()
}

// measured calls f with a context that ends after limit, and returns how long that took. done is
// false if f met a limit: of the time, or an omega.LimitError. It fails when ctx is done, and with
// any other error of f.
func measured(ctx context.Context, limit time.Duration, f func(context.Context) error) (took time.Duration, done bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	err = f(limited)
	took = time.Since(start)
	var over *omega.LimitError
	switch {
	case ctx.Err() != nil:
		return took, false, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &over):
		return took, false, nil
	}
	return took, err == nil, err
}

// average divides sums by the number of summands.
func average(n int, sums ...*float64) {
	for _, x := range sums {
		*x /= float64(max(1, n))
	}
}

// mean returns the mean of the numbers, or 0 for an empty list.
func mean(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	average(len(list), &sum)
	return sum
}

// median sorts the numbers and returns their lower median, or 0 for an empty list.
func median[T cmp.Ordered](list []T) (m T) {
	if len(list) == 0 {
		return m
	}
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// Published gives the formulas of a request.
func Published(r patterns.Request) func(context.Context) iter.Seq2[*ltl.Formula, error] {
	return func(context.Context) iter.Seq2[*ltl.Formula, error] {
		return func(yield func(*ltl.Formula, error) bool) {
			for f := range r.All() {
				if !yield(f.Formula, nil) {
					return
				}
			}
		}
	}
}

// Drawn gives n random formulas, the same ones each time.
func Drawn(o ltl.RandomOptions, n int) func(context.Context) iter.Seq2[*ltl.Formula, error] {
	return func(ctx context.Context) iter.Seq2[*ltl.Formula, error] {
		return func(yield func(*ltl.Formula, error) bool) {
			g, err := ltl.NewGenerator(o)
			if err != nil {
				yield(nil, err)
				return
			}
			for range n {
				f, err := g.NextContext(ctx)
				if !yield(f, err) || err != nil {
					return
				}
			}
		}
	}
}

// String returns the line of a table.
func (r Row) String() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %.1f |",
		r.Family, r.Algorithm, r.Automata, r.Fits, r.Done, r.States, r.Reduced, r.Largest, r.Seconds)
}

// String returns the three lines of a table.
func (r InclusionRow) String() string {
	row := func(name string, c InclusionCost) string {
		return fmt.Sprintf("| %s | %.2f | %d | %d |", name, c.Seconds, c.Macrostates, c.ProductStates)
	}
	head := fmt.Sprintf("| %s | %d | %d | %d ", r.Family, r.Checks, r.Empty, r.Failed)
	ratio := fmt.Sprintf("| ratio | %.1f | %.1f | %.1f |", r.Whole.Seconds/r.Demand.Seconds,
		float64(r.Whole.Macrostates)/float64(r.Demand.Macrostates), float64(r.Whole.ProductStates)/float64(r.Demand.ProductStates))
	return head + row("on demand", r.Demand) + "\n| | | | " + row("whole", r.Whole) + "\n| | | | " + ratio
}

// String returns the line of a table.
func (r TightRow) String() string {
	text := fmt.Sprintf("| %s | %s | %d | %d | %.2f | %.2f | %.2f | %.2f | %d | %d | %.2f | %.0f | %.4f |",
		r.Specification, r.Algorithm, r.Violations, r.Done, r.Shortest, r.Found, r.Length, r.Excess, r.Longer, r.Most, r.Bound, r.States, r.Seconds)
	if r.Done == 0 {
		text = fmt.Sprintf("| %s | %s | %d | 0 | | | | | | | | | |", r.Specification, r.Algorithm, r.Violations)
	}
	return text
}

// String returns the line of a table.
func (r EmptinessRow) String() string {
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.1f | %d | %.2f |",
		r.Family, r.Graph, r.Algorithm, r.Sources, r.Weak, r.Done, r.Empty, r.States, r.Edges, r.Visits, r.Depth, r.Live, r.Roots, r.Run,
		r.StateBytes, r.Bytes, r.Seconds)
}

// String returns the line of a table.
func (r TranslationRow) String() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %.2f | %.3f |",
		r.Set, r.Algorithm, r.Formulas, r.Done, r.States, r.Edges, r.Marks, r.Deterministic, r.Seconds, r.Slowest)
}

// String returns the line of a table.
func (r ProductRow) String() string {
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %.2f | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | %.2f | %.2f | %d | %d | %d | %d |",
		r.Family, r.Result, r.Way, r.Checks, r.Failed, r.Untranslated, r.Seconds, 1000*r.Median, 1000*r.Conversion, 1000*r.Search, 1000*r.Slowest,
		r.CheckRatio, r.MedianCheckRatio, r.Ratio, r.MedianRatio, r.Converted, r.States, r.Edges, r.Allocated>>10)
}

// String returns the line of a table.
func (r MinimalRow) String() string {
	text := fmt.Sprintf("| %s | %s | %d | %d | %.1f | %.0f | %.0f | %.1f | %.0f | %.1f | %.4f |",
		r.Input, r.Search, r.Automata, r.Done, r.Length, r.States, r.Matched, r.Runs, r.Queued, r.Memory/1024, r.Seconds)
	if r.Done == 0 {
		text = fmt.Sprintf("| %s | %s | %d | 0 | | | | | | | |", r.Input, r.Search, r.Automata)
	}
	return text
}
