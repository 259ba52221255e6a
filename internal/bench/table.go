package bench

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// Named returns those of a list that are asked for by name, all if none is.
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
			return nil, fmt.Errorf("unknown %s %q: expected one of %s", what, n, strings.Join(known, ", "))
		}
		list = append(list, all[i])
	}
	return list, nil
}

// Head returns the head of a table. The first columns, as many as text says, are flush left, the
// others, numbers, flush right.
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
